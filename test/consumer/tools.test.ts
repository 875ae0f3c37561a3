// The package under the bundlers and compilers of users.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as vite } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConsumer, installTools, type Consumer } from '../setup/packed.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let consumer: Consumer;
let tools: string;
beforeAll(() => {
  tools = installTools(here('tools'));
  consumer = createConsumer(here('apps'));
});
afterAll(() => consumer?.remove());

const tool = async <T>(name: string): Promise<T> => {
  const path = createRequire(join(tools, 'package.json')).resolve(name);
  return (await import(pathToFileURL(path).href)) as T;
};

/** The used part of Rollup and webpack: installed when this runs. */
interface Rollup {
  readonly rollup: (options: object) => Promise<{ write(output: object): Promise<unknown> }>;
}
interface NodeResolve {
  readonly nodeResolve: () => unknown;
}
interface Stats {
  toJson(options: object): { errors: unknown[] };
}
interface Webpack {
  readonly default: (options: object, done: (error: Error | null, stats: Stats) => void) => void;
}

const external = [/^react($|\/|-dom)/];
const input = () => join(consumer.folder, 'rendered.js');

test('[PACKAGE] an app bundled by Rollup runs', async () => {
  const { rollup } = await tool<Rollup>('rollup');
  const { nodeResolve } = await tool<NodeResolve>('@rollup/plugin-node-resolve');
  const file = join(consumer.folder, 'rollup.mjs');
  const said: string[] = [];
  const bundle = await rollup({
    input: input(),
    external,
    plugins: [nodeResolve()],
    onwarn: ({ message }: Error) => void said.push(message),
  });
  await bundle.write({ file, format: 'es' });
  expect(consumer.run('rollup.mjs')).toBe('<h1>bundled</h1>');
  // Rollup prints this warning for each entry that server components may import, and continues
  expect(said.filter((text) => !text.includes('"use client"'))).toEqual([]);
});

test('[PACKAGE] an app bundled by Vite runs', async () => {
  await vite({
    root: consumer.folder,
    configFile: false,
    logLevel: 'silent',
    build: {
      outDir: 'vite',
      minify: true,
      rolldownOptions: { input: input(), external, output: { entryFileNames: '[name].mjs' } },
    },
  });
  expect(consumer.run('vite/rendered.mjs')).toBe('<h1>bundled</h1>');
});

test('[PACKAGE] a webpack bundle of import and require has one copy of the library', async () => {
  const { default: webpack } = await tool<Webpack>('webpack');
  const stats = await new Promise<Stats>((resolve, reject) => {
    const options = {
      context: consumer.folder,
      entry: './bundled.js',
      target: 'node',
      mode: 'production',
      optimization: { minimize: false },
      // in a type: module package, require is not defined in an ES module
      module: {
        parser: { javascript: { commonjs: true } },
        rules: [{ test: /bundled\.js$/, type: 'javascript/auto' }],
      },
      output: { path: join(consumer.folder, 'webpack'), filename: 'bundle.cjs' },
    };
    webpack(options, (error, made) => (error ? reject(error) : resolve(made)));
  });
  expect(stats.toJson({ errors: true }).errors).toEqual([]);
  expect(consumer.run('webpack/bundle.cjs')).toBe('[true,true]');
});

// the library's own compiler is tried in package.test.ts
const bundler = { moduleResolution: 'bundler', module: 'preserve' };
const compilers = [
  { name: 'typescript-5', moduleResolution: 'node16', module: 'node16' },
  { name: 'typescript-5', ...bundler },
  { name: 'typescript-6', ...bundler },
  // read no exports
  { name: 'typescript-5', moduleResolution: 'node10', module: 'commonjs' },
  {
    name: 'typescript-6',
    moduleResolution: 'node10',
    module: 'commonjs',
    ignoreDeprecations: '6.0',
  },
];

/** Files that import each entry, and declare the used part of Node. */
function importEach(folder: string): string[] {
  const { exports } = JSON.parse(readFileSync(here('../../package.json'), 'utf8')) as {
    exports: Record<string, unknown>;
  };
  const names = Object.keys(exports).filter((name) => name !== './package.json');
  const lines = names.map(
    (name, index) => `export * as entry${index} from '${join('signalbox', name)}';`,
  );
  writeFileSync(join(folder, 'each.ts'), lines.join('\n'));
  const stream = 'export class Transform {} export type TransformCallback = () => void;';
  writeFileSync(join(folder, 'node.d.ts'), `declare module 'node:stream' { ${stream} }`);
  return ['each.ts', 'node.d.ts'];
}

/** The used part of the API of TypeScript. */
interface Compiler {
  parseJsonConfigFileContent(config: object, host: object, folder: string): Parsed;
  readonly sys: object;
  createCompilerHost(options: object): Host;
  createProgram(files: readonly string[], options: object, host: Host): Program;
  flattenDiagnosticMessageText(message: unknown, newLine: string): string;
}
interface Host {
  getSourceFile(name: string, how: { readonly impliedNodeFormat?: number }): SourceFile | undefined;
}
interface Parsed {
  readonly fileNames: string[];
  readonly options: object;
  readonly errors: Diagnostic[];
}
interface Program {
  getSourceFiles(): SourceFile[];
  getOptionsDiagnostics(): Diagnostic[];
  getSyntacticDiagnostics(file: SourceFile): Diagnostic[];
  getSemanticDiagnostics(file: SourceFile): Diagnostic[];
}
interface SourceFile {
  readonly fileName: string;
}
interface Diagnostic {
  readonly file?: SourceFile;
  readonly messageText: unknown;
}

const declarations = new Map<string, SourceFile | undefined>();

/** Reads each declaration file of a package once for a compiler: parsing and binding take longer than the check of ours. */
function createHost(name: string, ts: Compiler, options: object): Host {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, how) => {
    if (!/\/node_modules\/.*\.d\.[cm]?ts$/.test(path)) return read(path, how);
    const key = `${name} ${how.impliedNodeFormat} ${path}`;
    const file = declarations.get(key) ?? read(path, how);
    declarations.set(key, file);
    return file;
  };
  return host;
}

interface Compiled {
  /** The files of the consumer and of the library. */
  readonly checked: number;
  readonly errors: string[];
}

/** Compiles files of the consumer; mistakes in the declarations of others are not ours to fix. */
async function compile(name: string, files: readonly string[], options: object): Promise<Compiled> {
  const { default: ts } = await tool<{ default: Compiler }>(name);
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    noEmit: true,
    skipLibCheck: false,
    types: [],
    ...options,
  };
  const parsed = ts.parseJsonConfigFileContent({ compilerOptions, files }, ts.sys, consumer.folder);
  const host = createHost(name, ts, parsed.options);
  const program = ts.createProgram(parsed.fileNames, parsed.options, host);
  const ours = program
    .getSourceFiles()
    .filter(
      ({ fileName }) =>
        fileName.includes('/node_modules/signalbox/') || !fileName.includes('/node_modules/'),
    );
  const found = [
    ...parsed.errors,
    ...program.getOptionsDiagnostics(),
    ...ours.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ];
  const errors = found.map(
    ({ file, messageText }) =>
      `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  );
  return { checked: ours.length, errors };
}

test.each(compilers)(
  '[PACKAGE] a typed consumer compiles with $name, $moduleResolution',
  async ({ name, ...how }) => {
    const { checked, errors } = await compile(
      name,
      ['typed.mts', 'typed.cts', ...importEach(consumer.folder)],
      {
        ...how,
        strict: true,
      },
    );
    expect(checked).toBeGreaterThan(40);
    expect(errors).toEqual([]);
  },
);

test.each(['typescript-5', 'typescript-6'])(
  '[E7] all hooks, definitions and wrappers compile without strict with %s',
  async (name) => {
    cpSync(here('../types/strictness'), join(consumer.folder, 'strictness'), { recursive: true });
    const files = ['react.tsx', 'preact.tsx', 'solid.ts', 'wrappers.ts', 'mistakes.ts'];
    const options = { ...bundler, jsx: 'react-jsx', allowImportingTsExtensions: true };
    const samples = files.map((file) => `strictness/${file}`);
    const { checked, errors } = await compile(name, samples, { ...options, strict: false });
    expect(checked).toBeGreaterThan(20);
    expect(errors).toEqual([]);
  },
);

test('[PACKAGE] server components can render client components, and a hook in a server component throws the reason', () => {
  const names = ['react', 'react-dom', 'react-server-dom-webpack'];
  const server = createConsumer(here('apps'), { names, from: tools });
  try {
    const seen = JSON.parse(server.run('--conditions=react-server', 'server.mjs')) as object;
    expect(seen).toEqual({
      core: 'function',
      references: [true, true, true, true],
      hook: expect.stringMatching(/useSuspense\(\) from the server/),
      page: true,
    });
  } finally {
    server.remove();
  }
});

test('[PACKAGE] tools of the consumer tests have exact versions', () => {
  const { dependencies } = JSON.parse(readFileSync(here('tools/package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(Object.values(dependencies).filter((version) => /[\^~*]/.test(version))).toEqual([]);
});
