import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import solid from 'vite-plugin-solid';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { compiledTests } from './test/setup/compiler.ts';
import { libraryEntries, libraryTypes, packageFolder } from './test/setup/library.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

// Tests import the public names only: these lead to the unpacked tarball in `npm test`, else to the sources.
const publicNames = Object.entries(libraryEntries).map(([name, replacement]) => ({
  find: new RegExp(`^${name}$`),
  replacement,
}));

// An older framework is installed under an alias ("preact-10"). Both spellings become the old copy.
const older = (name: string, copy: string): { find: RegExp; replacement: string } => ({
  find: new RegExp(`^${name}(/.*)?$`),
  replacement: `${copy}$1`,
});

// Solid 2.0 has the names of Solid 1.9: it stands in a folder of its own. The build for browsers: others track nothing.
const solid2 = (name: string, file: string): { find: RegExp; replacement: string } => ({
  find: new RegExp(`^${name}$`),
  replacement: `${root}test/solid2/node_modules/${file}`,
});

const adapterFiles = (name: string): string[] => [
  `test/${name}/**/*.test.{ts,tsx}`,
  `test/contract/${name}.test.{ts,tsx}`,
];
// `npm test` runs the parts `computing` and `waiting` side by side, each in a Vitest of its own; `npm run test:fast` runs
// `fast`, without documentation.
const part = process.env['TEST_PART'];
const withoutDocs = part === 'fast' ? ['test/docs/**'] : [];

// the documentation is run with the newest of each framework
const docs = (name: string): string[] => (part === 'fast' ? [] : [`test/docs/${name}.test.ts`]);

const cores = availableParallelism();

/** How long a test waits for a condition. */
const POLL_MS = 10_000;

// Globals let the testing libraries clean up after each test and mark React's act environment.
const views = { environment: 'happy-dom', globals: true } as const;

// One process runs many files: starting one, and loading vitest, costs more than most files. Each begins with modules of
// its own.
const shared = { isolate: false, setupFiles: ['test/setup/fresh.ts'] };

// These collect garbage. In a process of many files that takes ten times as long: each leaves some objects.
const collecting = [
  'test/store/{lifetimes,memory,sweep,sweep.property,sweepLimits}.test.ts',
  'test/query/cost.test.ts',
];

// It registers its cleanup when it is loaded: transformed, it is loaded for each file.
const freshReact = { deps: { inline: [/@testing-library\/react/] } };
const reactSetup = [...shared.setupFiles, 'test/setup/patience.ts'];

// Tests that wait for servers and pages leave a core to others. Vitest runs files of one group, and of one number of
// processes, side by side.
const waiting = {
  maxWorkers: cores,
  sequence: { groupOrder: 1 },
  // each look at a page costs two processes some work
  expect: { poll: { timeout: POLL_MS, interval: 100 } },
};

const isInPart = ({ test }: Project): boolean =>
  part === undefined || (test?.sequence !== undefined) === (part === 'waiting');

const ownProjects = [
  'browser',
  'compiler',
  'consumer',
  'e2e',
  'eslint',
  'face',
  'frameworks',
  'preact',
  'react',
  'solid',
  'solid2',
  'types',
];

/** The configuration for the tests of types: with the tarball, its declarations are checked in the place of the sources. */
function typeTests(): string {
  const sources = 'test/types/tsconfig.json';
  if (packageFolder === undefined) return sources;
  const written = 'test-results/types/tsconfig.json';
  mkdirSync(dirname(written), { recursive: true });
  writeFileSync(
    written,
    JSON.stringify({
      extends: `${root}${sources}`,
      compilerOptions: libraryTypes,
      include: [`${root}test/types/**/*.test-d.ts`, `${root}test/types/**/*.test-d.tsx`],
    }),
  );
  return written;
}

type Project = TestProjectInlineConfiguration;
const project = (
  name: string,
  test: Project['test'],
  rest: Omit<Project, 'test'> = {},
): Project => ({
  ...rest,
  resolve: { ...rest.resolve, alias: [...((rest.resolve?.alias as []) ?? []), ...publicNames] },
  test: {
    name,
    // these end what hangs: a busy machine may be ten times as slow
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // a process that waits for its next look leaves a core idle
    expect: { poll: { timeout: POLL_MS, interval: 10 } },
    restoreMocks: true,
    // On busy cores, threads of one collection of garbage wait for one another. A large space for new objects is collected
    // seldom, and most objects of tests are gone by then: 8 % less work than with the 16 MB of V8.
    execArgv: ['--single-threaded-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'],
    ...test,
  },
});

const simulated = 'test/solid/board.property.test.ts';

const solidOptions: Omit<Project, 'test'> = {
  plugins: [solid({ include: /\.solid(?:\.test)?\.tsx$/, hot: false })],
  // Without these solid-js resolves to its server build, which tracks nothing.
  resolve: { conditions: ['browser', 'development'] },
};

export default defineConfig({
  test: {
    globalSetup: ['test/docs/write.ts'],
    maxWorkers: cores,
    coverage: { provider: 'v8', include: ['src/**', 'adapters/**'] },
    projects: [
      project('node', {
        ...shared,
        include: ['test/**/*.test.{ts,tsx}'],
        exclude: [
          ...ownProjects.map((name) => `test/${name}/**`),
          ...['react', 'preact', 'solid'].map((name) => `test/{contract,docs}/${name}.test.*`),
          'test/architecture/**',
          ...collecting,
          // these need the packages of test/openapi/package.json
          'test/openapi/*.test.ts',
          'test/openapi/{apps,generated,node_modules}/**',
          ...withoutDocs,
        ],
      }),
      project('garbage', { include: collecting }),
      project('architecture', { include: ['test/architecture/**/*.test.ts'] }),
      project('types', {
        include: [],
        typecheck: {
          enabled: true,
          only: true,
          checker: 'tsc',
          include: ['test/types/**/*.test-d.{ts,tsx}'],
          tsconfig: typeTests(),
        },
      }),
      project('react', {
        include: [...adapterFiles('react'), ...docs('react')],
        ...views,
        ...shared,
        setupFiles: reactSetup,
        server: freshReact,
      }),
      // the same tests, their components compiled by the React Compiler
      project(
        'compiled',
        {
          include: ['test/{react,compiler}/**/*.test.tsx', 'test/contract/react.test.tsx'],
          ...views,
          ...shared,
          setupFiles: reactSetup,
          server: freshReact,
        },
        { plugins: [compiledTests()] },
      ),
      project(
        'react18',
        {
          include: adapterFiles('react'),
          exclude: ['test/react/activity.test.tsx'],
          ...views,
          ...shared,
          setupFiles: [...reactSetup, 'test/setup/react18.ts'],
          server: {
            deps: {
              inline: [
                /@preact\/signals-react/,
                /@react-navigation/,
                /use-(latest|sync)/,
                ...freshReact.deps.inline,
              ],
            },
          },
        },
        { resolve: { alias: [older('react', 'react-18'), older('react-dom', 'react-dom-18')] } },
      ),
      project('preact', {
        include: [...adapterFiles('preact'), ...docs('preact')],
        ...views,
        ...shared,
      }),
      project(
        'preact10',
        {
          include: adapterFiles('preact'),
          ...views,
          ...shared,
          // Everything that imports preact goes through the alias, also from inside packages.
          server: { deps: { inline: [/preact/] } },
        },
        { resolve: { alias: [older('preact', 'preact-10')] } },
      ),
      project(
        'solid',
        {
          include: [...adapterFiles('solid'), ...docs('solid')],
          exclude: [simulated],
          ...views,
          ...shared,
          server: { deps: { inline: [/solid/] } },
        },
        solidOptions,
      ),
      // its simulated tabs replace the globals of the process
      project(
        'board',
        {
          include: [simulated],
          ...views,
          setupFiles: shared.setupFiles,
          server: { deps: { inline: [/solid/] } },
        },
        solidOptions,
      ),
      project(
        'solid2',
        {
          include: ['test/solid2/**/*.test.ts'],
          globalSetup: 'test/solid2/install.ts',
          server: { deps: { inline: [/solid/] } },
          ...views,
          ...shared,
        },
        {
          resolve: {
            conditions: ['browser', 'development'],
            alias: [
              {
                find: /^signalbox\/solid$/,
                replacement: libraryEntries['signalbox/solid2'] as string,
              },
              solid2('solid-js', 'solid-js/dist/solid.dev.js'),
              solid2('(solid-js|@solidjs)/web', '@solidjs/web/dist/web.dev.js'),
            ],
          },
        },
      ),
      // files share descriptions, validators and written modules, which take seconds to make: one process makes them once
      project('openapi', {
        include: ['test/openapi/*.test.ts', 'test/openapi/apps/*.test.ts'],
        isolate: false,
        fileParallelism: false,
        // one worker, after those that wait: the other core still computes then
        sequence: { groupOrder: 2 },
        globalSetup: 'test/openapi/install.ts',
        testTimeout: 120_000,
        hookTimeout: 120_000,
      }),
      project('eslint', { include: ['test/eslint/**/*.test.ts'], hookTimeout: 120_000 }),
      // examples of frameworks: each is installed and built, one after the other
      project('frameworks', {
        include: ['test/frameworks/**/*.test.ts'],
        ...shared,
        fileParallelism: false,
      }),
      project('e2e', { include: ['test/e2e/**/*.test.ts'], ...shared, ...waiting }),
      project('browser', {
        include: ['test/browser/**/*.test.ts'],
        ...shared,
        ...waiting,
        runner: 'test/setup/PageRunner.ts',
      }),
      project('consumer', {
        include: ['test/{consumer,face}/**/*.test.ts'],
        testTimeout: 120_000,
        hookTimeout: 240_000,
      }),
    ].filter(isInPart),
  },
});
