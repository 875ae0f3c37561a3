import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { libraryEntries, packageFolder } from '../setup/library.ts';
import { oneChecker } from '../setup/oneChecker.ts';
import { createConsumer, type Consumer } from '../setup/packed.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

let consumer: Consumer;
beforeAll(() => {
  consumer = createConsumer(fileURLToPath(new URL('apps', import.meta.url)));
});
afterAll(() => consumer?.remove());

test('[PACKAGE] an ES module gets one copy of the library by import and by require', () => {
  const seen = JSON.parse(consumer.run('imports.mjs')) as Record<string, unknown>;
  expect(seen['names']).toEqual(
    expect.arrayContaining(['Collection', 'Controller', 'Endpoint', 'Entity', 'RestEndpoint']),
  );
  expect(seen).toMatchObject({
    core: true,
    same: { react: true, preact: true, solid: true },
    rendered: 'true',
  });
});

test('[PACKAGE] handlers created from a resource respond with the installed msw', () => {
  expect(consumer.run('mocks.mjs')).toBe('["packed",true]');
});

test('[PACKAGE] options of fetch and messages to Redux DevTools keep their names in the build', () => {
  expect(JSON.parse(consumer.run('outside.mjs'))).toEqual({
    init: { duplex: 'half', method: 'POST' },
    features: ['export', 'import', 'jump', 'pause'],
    state: ['entities', 'lists', 'moment', 'requests', 'session'],
    request: ['error', 'errorExpiresAt'],
  });
});

test('[PACKAGE] CommonJS gets one copy of the library by require and by import()', () => {
  expect(consumer.run('requires.cjs')).toBe('true');
});

test('[PACKAGE] the CommonJS build loads without the ES build', () => {
  const kinds = JSON.parse(consumer.run('requires.cjs', 'by-place')) as string[];
  expect(kinds).toEqual(['function', 'function', 'function', 'function']);
});

test.each(['shared.mjs', 'shared.cjs'])(
  '[PACKAGE] all entries share one store: data created and written by one entry are read by the others (%s)',
  (program) => {
    const seen = JSON.parse(consumer.run(program)) as unknown;
    expect(seen).toEqual({ controller: true, react: 'shared', ssr: true, devtools: true });
  },
);

test('[PACKAGE] a bundle of `import` and `require` has one copy of the library', async () => {
  const { metafile } = await build({
    absWorkingDir: consumer.folder,
    entryPoints: ['bundled.js'],
    outfile: 'bundle.cjs',
    bundle: true,
    platform: 'node',
    format: 'cjs',
    metafile: true,
    logLevel: 'error',
  });
  expect(consumer.run('bundle.cjs')).toBe('[true,true]');
  const copies = Object.keys(metafile.inputs).filter((path) => path.endsWith('/Controller.js'));
  expect(copies).toEqual(['node_modules/signalbox/dist/esm/chunks/Controller.js']);
});

/** Bundles the React Native app, as Metro does, and returns the output and the bundled files. */
async function nativeBundle(): Promise<{ printed: unknown; files: string[] }> {
  const { metafile } = await build({
    absWorkingDir: consumer.folder,
    entryPoints: ['native.js'],
    outfile: 'native.cjs',
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['react-native', 'browser', 'main'],
    conditions: ['react-native'],
    metafile: true,
    logLevel: 'error',
  });
  return { printed: JSON.parse(consumer.run('native.cjs')), files: Object.keys(metafile.inputs) };
}

test('[H6] React Native gets the native provider and one copy of the library, without a navigation library', async () => {
  const { printed, files } = await nativeBundle();
  expect(printed).toEqual({ native: true, same: [true, true, true], screens: 0 });
  // CommonJS: Jest requires CommonJS, and a single build means a single copy
  const library = 'node_modules/signalbox/dist/cjs';
  expect(files).toContain(`${library}/adapters/react/native.js`);
  expect(files.filter((path) => path.endsWith('/Controller.js'))).toEqual([
    `${library}/chunks/Controller.js`,
  ]);
});

test('[H6] the provider of React Native finds an installed navigation library', async () => {
  consumer.add(
    '@react-navigation/native',
    `const context = require('react').createContext();
    // renderers read a context where renderers keep the value of a context
    const asked = () => void (globalThis.screens = (globalThis.screens ?? 0) + 1);
    for (const place of ['_currentValue', '_currentValue2']) Object.defineProperty(context, place, { get: asked });
    exports.NavigationContext = context;`,
  );
  const { printed } = await nativeBundle();
  expect(printed).toEqual({ native: true, same: [true, true, true], screens: 2 });
});

test('[T2] the bundle of an app has no code of devtools, testing, persistence, tabs, streams or ssr', async () => {
  const { metafile } = await build({
    absWorkingDir: consumer.folder,
    entryPoints: ['rendered.js'],
    external: ['react', 'react-dom'],
    bundle: true,
    write: false,
    format: 'esm',
    metafile: true,
    logLevel: 'error',
  });
  const [{ inputs }] = Object.values(metafile.outputs) as [Output];
  const chunks = Object.keys(inputs).filter((path) => path.includes('/signalbox/'));
  const modules = chunks.flatMap(modulesOf);
  expect(modules.length).toBeGreaterThan(50);
  expect(
    modules.filter((path) =>
      /src\/(?:devtools|persist|offline|tabs|streams|sync|testing|ssr)\/|Mock/.test(path),
    ),
  ).toEqual([]);
});

type Output = Metafile['outputs'][string];

/** The modules in a chunk of the installed package, according to the source map of the chunk. */
function modulesOf(chunk: string): string[] {
  const map = chunk.replace(/^.*\/dist\/esm/, join(root, 'dist/esm')) + '.map';
  return (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources;
}

test('[PACKAGE] a bundler can drop each statement of a chunk that an app does not use', async () => {
  const dist = join(consumer.folder, 'node_modules/signalbox/dist/esm');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  // the command is a program: no module imports the command
  const chunks = files.filter(
    (path) => path.endsWith('.js') && !/\/(?:command|openapi)\/|chunks\/openapi/.test(path),
  );
  expect(chunks.length).toBeGreaterThan(50);
  const left = await Promise.all(
    chunks.map(async (path) => [path, await unusedCode(join(dist, path))] as const),
  );
  // the kits for tests clean up after each test: a side effect of the import
  const kept = left.filter(([path, code]) => code.length > 250 && !/test(?:ing)?\.js$/.test(path));
  expect(kept).toEqual([]);
});

/** The code that a bundle keeps of a chunk for side effects, if no name is imported. */
async function unusedCode(chunk: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `import ${JSON.stringify(chunk)}`, resolveDir: root },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
    plugins: [
      {
        name: 'statements-only',
        setup: (bundler) =>
          bundler.onResolve({ filter: /.*/ }, ({ path, importer }) => ({
            path: path === chunk ? path : resolve(importer, path),
            external: path !== chunk,
            sideEffects: path === chunk,
          })),
      },
    ],
  });
  return outputFiles[0]?.text.replaceAll(/import[^;]*;/g, '') ?? '';
}

test('[T3] the packed command writes resources, and reports a missing package', () => {
  const command = 'node_modules/signalbox/dist/esm/src/command/bin.js';
  const call = () =>
    spawnSync(process.execPath, [command, 'openapi', 'api.yaml', '--out', 'api.ts'], {
      cwd: consumer.folder,
      encoding: 'utf8',
    });
  const bare = call();
  expect([bare.status, bare.stderr]).toEqual([
    2,
    'signalbox: reading OpenAPI needs @scalar/openapi-parser: run `npm install --save-dev @scalar/openapi-parser`\n',
  ]);
  consumer.link('@scalar/openapi-parser');
  const written = call();
  expect([written.status, written.stdout, written.stderr]).toEqual([0, '', '']);
  const text = readFileSync(join(consumer.folder, 'api.ts'), 'utf8');
  expect(text).toContain("path: '/todos/:id',");
  expect(readFileSync(join(consumer.folder, command), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test.each([
  { moduleResolution: 'node16', module: 'node16' },
  { moduleResolution: 'bundler', module: 'preserve' },
])('[PACKAGE] a typed consumer compiles with $moduleResolution resolution', (how) => {
  const compilerOptions = {
    ...how,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
  };
  const config = { compilerOptions, files: ['typed.mts', 'typed.cts'] };
  writeFileSync(join(consumer.folder, 'tsconfig.json'), JSON.stringify(config));
  let complaints = '';
  try {
    consumer.run(tsc, '-p', '.', ...oneChecker);
  } catch (error) {
    complaints = (error as { stdout: string }).stdout;
  }
  // Mistakes in the declarations of others are not ours to fix.
  const ours = complaints
    .split('\n')
    .filter((line) => /^(typed|node_modules\/signalbox)/.test(line));
  expect(ours).toEqual([]);
});

test('[T4] members in the packed code have the same names as in the sources', () => {
  const names = (folder: string, ending: RegExp, pattern: RegExp) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => ending.test(path))
      .flatMap((path) => readFileSync(join(folder, path), 'utf8').match(pattern) ?? []);
  const packed = join(consumer.folder, 'node_modules/signalbox/dist/esm');
  const members = new Set(names(packed, /\.js$/, /(?<=[\w)\]]\.)#?[A-Za-z_$][\w$]*/g));
  expect(members.size).toBeGreaterThan(1_000);
  const written = ['src', 'adapters'].flatMap((folder) =>
    names(join(root, folder), /\.ts$/, /#?[A-Za-z_$][\w$]*/g),
  );
  // the helper of Rolldown for a namespace names the last chunk
  const known = new Set([...written, 'toStringTag']);
  expect([...members].filter((name) => !known.has(name))).toEqual([]);
});

test('[T4] the suites load each entry of the package', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>;
  };
  const entries = Object.keys(manifest.exports).filter((entry) => entry !== './package.json');
  const loaded = Object.keys(libraryEntries).map((name) => name.replace(/^signalbox/, '.'));
  expect(loaded.sort()).toEqual(entries.sort());
  if (packageFolder === undefined) return;
  const unpacked = Object.values(libraryEntries).map((path) => relative(packageFolder ?? '', path));
  expect(consumer.files).toEqual(expect.arrayContaining(unpacked));
});

test('[PACKAGE] `process.env.NODE_ENV` is written on one line in the package, as Astro requires', () => {
  const place = join(consumer.folder, 'node_modules/signalbox');
  const code = consumer.files.filter((path) => path.endsWith('.js'));
  const conditions = code.flatMap(
    (path) =>
      readFileSync(join(place, path), 'utf8').match(/process\s*\.\s*env\s*\.\s*NODE_ENV/g) ?? [],
  );
  expect(new Set(conditions)).toEqual(new Set(['process.env.NODE_ENV']));
});

test('[PACKAGE] the package has the build and its documentation, with at most 900 files and 4.4 MB', () => {
  const tops = new Set(consumer.files.map((path) => path.split('/')[0]));
  const expected = [
    'AGENTS.md',
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'dist',
    'docs',
    'llms.txt',
    'package.json',
    'skills',
  ];
  expect(tops).toEqual(new Set(expected));
  const place = join(consumer.folder, 'node_modules/signalbox');
  const bytes = consumer.files.map((path) => statSync(join(place, path)).size);
  expect(bytes.length).toBeLessThanOrEqual(900);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(4_400_000);
  // a comment that names a map would make tools look for the map
  const code = consumer.files.filter((path) => /\.(?:js|ts)$/.test(path));
  const named = code.filter((path) =>
    readFileSync(join(place, path), 'utf8').includes('sourceMappingURL='),
  );
  expect(named).toEqual([]);
  expect(existsSync(join(consumer.folder, 'node_modules/signalbox/dist/cjs/package.json'))).toBe(
    true,
  );
});

test('[PACKAGE] a dry run of a release publishes nothing, and lists obstacles', () => {
  const script = fileURLToPath(new URL('../../scripts/release.mjs', import.meta.url));
  // without a repository nothing is published, regardless of other obstacles
  const env = { ...process.env, npm_config_offline: 'true', GITHUB_REPOSITORY: '' };
  const tried = spawnSync(process.execPath, [script, '--built'], { encoding: 'utf8', env });
  expect([tried.status, tried.stdout]).toEqual([0, expect.stringContaining('+ signalbox@')]);
  expect(tried.stdout).toContain('Not yet: provenance needs a repository');
  const refused = spawnSync(process.execPath, [script, '--built', '--publish'], {
    encoding: 'utf8',
    env,
  });
  expect([refused.status, refused.stdout]).toEqual([
    1,
    expect.not.stringContaining('+ signalbox@'),
  ]);
});
