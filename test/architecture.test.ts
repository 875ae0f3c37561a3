// The rules of the architecture, checked on every source file; the last part tests the rules themselves.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as rulesOf from './setup/architectureRules.ts';
import { parseSource, readSources, type Source } from './setup/sources.ts';

/** Files whose main export cannot have the file's name, each with the reason in one line. */
const namedOtherwise: Record<string, string> = {
  'adapters/react/react.ts':
    'the parts of React that a server component lacks, under their own names',
  'adapters/react/signals.server.ts': 'an entry point for one export condition',
  'adapters/react/testing.server.ts': 'an entry point for one export condition',
  'adapters/solid2/solid.ts': 'the exports of Solid 2.0, typed by hand',
  'src/eslint-plugin/ast.ts': 'the parts of the syntax tree and of ESLint that the rules use',
  'src/eslint-plugin/entityClass.ts': 'three ways to recognize an entity: class, type, annotation',
  'src/errors.ts': 'messages in several forms: errors, warnings, short texts',
  'src/devtools/panel/parts.ts': 'small components of the tabs, each a function',
  'src/query/engine/aggregates.ts': 'the five figures, each a small function',
  'src/signals.ts': 'the exports of the signal engine that the library uses',
  'src/rest/request.ts': 'the steps that create a request, each a function',
  'src/rest/response.ts': 'the steps that read a response, each a function',
  'src/schema/containers.ts': 'the two plain containers, array and object',
  'src/persist/recordCodec.ts': 'encodes and decodes stored records',
  'src/persist/chunkData.ts': 'encodes and decodes chunks',
  'src/offline/logData.ts': 'encodes and decodes log records',
  'src/persist/diskTime.ts': 'converts logical times of the disk, and checks their limits',
  'src/schema/wire.ts': 'encodes and decodes values for JSON',
  'src/schemaKinds.ts': 'a namespace with the kinds under their public names',
  'src/store/records/versioning.ts': 'one rule in several small functions',
  'src/store/records/flags.ts': 'the bits of one number',
};

/** Files with a larger budget: what it is raised to, and the reason in one line. */
const raised: rulesOf.Raised = {
  'src/Controller.ts': {
    file: 425,
    because: 'the public methods, each with its docstring',
  },
  'src/store/entities/EntityValue.ts': {
    file: 295,
    because: 'its build and its changes share every private member',
  },
  'src/view/View.ts': {
    file: 265,
    because: 'what a reader shows, awaits and aborts depends on one state',
  },
  'src/store/entities/EntityRecord.ts': {
    file: 295,
    because: 'the confirmed content, its times and the unconfirmed writes over it belong together',
  },
  'src/optimistic/Layers.ts': {
    file: 295,
    because: 'adding, removing and rebasing share all maps',
  },
  'src/rest/RestBase.ts': {
    file: 295,
    because: 'one class: the address, the request, the response, and the changes of a list',
  },
  'src/persist/Persister.ts': {
    file: 300,
    because: 'the life of one persistence: loading, writing, collecting and resets share its state',
  },
  'src/persist/ChunkStore.ts': {
    file: 300,
    because: 'reads, writes and resets share what the page knows of the disk',
  },
  'src/offline/LogStore.ts': {
    file: 275,
    because: 'transactions that run, fail and run again share the copy, its head and their order',
  },
  'src/offline/MutationLog.ts': {
    file: 280,
    because: 'each method is one transaction over the same kinds of records',
  },
  'src/ssr/Tokenizer.ts': {
    file: 275,
    because: 'the states of one tokenizer, each of which leads to others',
  },
  'src/store/records/StoreRecord.ts': {
    file: 260,
    because: 'flags, parents, the value and cycles depend on each other',
  },
  'src/schema/schema.ts': {
    file: 255,
    because: 'the interfaces of kinds, nodes, sinks and sources',
  },
  'src/schema/EntityKind.ts': {
    file: 320,
    because: 'normalization, instances for records, and classes that share a table',
  },
  'src/errors.ts': { file: 660, because: 'the catalogue of all messages in one place' },
};

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['src', 'adapters'].filter((folder) => existsSync(root + folder));
const sources = readSources(root, folders);
const entryPoints = readEntryPoints();

function readEntryPoints(): Set<string> {
  const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    exports: Record<string, string | { import: { default: string } }>;
    bin: Record<string, string>;
  };
  const built = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry.import.default],
  );
  built.push(...Object.values(manifest.bin));
  return new Set(built.map((path) => path.replace('./dist/esm/', '').replace(/\.js$/, '.ts')));
}

const rules: readonly [string, rulesOf.Rule][] = [
  ['no file imports itself through other files, types included', rulesOf.noImportCycle],
  ['files import from lower layers only', rulesOf.noUpwardImport],
  ['each package is imported only by the files that may', rulesOf.packagesWhereAllowed],
  [
    'time, console, network and page are used only by the files that may',
    rulesOf.globalsWhereAllowed,
  ],
  [
    'no file is called types, utils or helpers, or is an inner barrel',
    rulesOf.meaningfulFileNames(entryPoints),
  ],
  ['nothing is exported as default', rulesOf.noDefaultExport],
  ['a file is named after its main export', rulesOf.namedAsItsExport(entryPoints, namedOtherwise)],
  ['no name is exported by two files', rulesOf.exportedOnce([])],
  ['files and functions stay within their budget', rulesOf.withinBudget(raised)],
  ['each any has its reason', rulesOf.anyWithReason],
  ['no error of the type checker is suppressed', rulesOf.noIgnore],
  ['each file starts with a sentence that describes its contents', rulesOf.startsWithSentence],
];

test.each(rules)('[CODE] %s', (_, rule) => {
  expect(rule(sources)).toEqual([]);
});

test('[CODE] no file names a registry host: npm knows its own', () => {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  const paths = listed.split('\0').filter((path) => path !== '' && existsSync(root + path));
  expect(paths.length).toBeGreaterThan(500);
  const host = /registry\.(?:npmjs|npmmirror|yarnpkg)\.|npm\.pkg\.github\./;
  expect(paths.filter((path) => host.test(readFileSync(root + path, 'latin1')))).toEqual([]);
});

test('[CODE] nine of ten functions are under 30 lines', () => {
  const figures = rulesOf.figuresOf(sources);
  console.log('Figures of the sources:', figures);
  expect(figures.shareUnder30).toBeGreaterThan(0.9);
});

test('[CODE] every exemption is still needed and says why', () => {
  const paths = new Set(sources.map(({ path }) => path));
  const excused = { ...namedOtherwise, ...raised };
  for (const path of Object.keys(excused)) expect(paths).toContain(path);
  for (const [path, reason] of Object.entries(raised)) {
    expect(reason.because).toMatch(/\w+ \w+/);
    expect(rulesOf.withinBudget({})(sources).join('\n')).toContain(`${path}:`);
  }
  for (const [path, reason] of Object.entries(namedOtherwise)) {
    expect(reason).toMatch(/\w+ \w+/);
    expect(rulesOf.namedAsItsExport(entryPoints, {})(sources).join('\n')).toContain(`${path} `);
  }
});

/** Source files for a test: path → text. */
const tree = (files: Record<string, string>): Source[] =>
  Object.entries(files).map(([path, text]) => parseSource(path, text));

test('[CODE] the rules find an import cycle, also one of types', () => {
  const found = rulesOf.noImportCycle(
    tree({
      'src/schema/a.ts': `import type { b } from './b.ts';`,
      'src/schema/b.ts': `export type b = import('./c.ts').c;`,
      'src/schema/c.ts': `export { a as c } from './a.ts';`,
      'src/schema/d.ts': `import { a } from './a.ts';`,
    }),
  );
  expect(found).toEqual(['src/schema/a.ts → src/schema/b.ts → src/schema/c.ts → src/schema/a.ts']);
});

test('[CODE] the rules find imports from higher layers, from the same layer, and files without a layer', () => {
  const found = rulesOf.noUpwardImport(
    tree({
      'src/schema/a.ts': `import type { View } from '../view/View.ts';`,
      'src/store/b.ts': `export * from '../endpoint/Endpoint.ts';`,
      'src/view/View.ts': `import { b } from '../store/b.ts'; import { c } from './c.ts';`,
      'src/stray.ts': ``,
    }),
  );
  expect(found).toEqual([
    'src/schema/a.ts (layer 2) imports src/view/View.ts (layer 6)',
    'src/store/b.ts (layer 4) imports src/endpoint/Endpoint.ts (layer 4)',
    'src/stray.ts is in no module of the table of layers',
  ]);
});

test('[CODE] the rules find packages imported by other files', () => {
  const found = rulesOf.packagesWhereAllowed(
    tree({
      'src/signals.ts': `import { signal } from '@preact/signals-core';`,
      'src/store/a.ts': `import { signal } from '@preact/signals-core';`,
      'adapters/react/b.ts': `import { useState } from 'react';\nimport 'preact/hooks';`,
      'src/view/c.ts': `const left = await import('left-pad');`,
    }),
  );
  expect(found).toEqual([
    'src/store/a.ts:1 imports @preact/signals-core',
    'adapters/react/b.ts:2 imports preact/hooks',
    'src/view/c.ts:1 imports left-pad',
  ]);
});

test('[CODE] the rules find uses of time, console and network in other files', () => {
  const found = rulesOf.globalsWhereAllowed(
    tree({
      'src/clock.ts': `export const clock = () => Date.now();`,
      'src/store/a.ts': `const t = Date.now();\nsetTimeout(f, 1);\nconst u = new Date(1);`,
      'src/view/b.ts': `console.log(process.env.NODE_ENV);\nglobalThis.fetch(new URL('x'));`,
      'src/view/c.ts': `f(AbortSignal.timeout(1));\nlet answer: Response;`,
    }),
  );
  expect(found.map((each) => each.replace(/ \(.*/, ''))).toEqual([
    'src/store/a.ts:1 uses Date',
    'src/store/a.ts:2 uses setTimeout',
    'src/store/a.ts:3 uses Date',
    'src/view/b.ts:1 uses console',
    'src/view/b.ts:1 uses NODE_ENV',
    'src/view/b.ts:2 uses fetch',
    'src/view/b.ts:2 uses URL',
    'src/view/c.ts:1 uses AbortSignal',
    'src/view/c.ts:2 uses Response',
  ]);
});

test('[CODE] the rules ignore members, types of dates and own names', () => {
  const text = `
    import { setTimeout } from './clock.ts';
    interface Port { fetch(URL: string): void; performance: Date }
    const port = { fetch: 1, console: 2 };
    controller.fetch(port.fetch, value instanceof Date);
    const { now: performance } = port;
    setTimeout(performance);
    export { Response } from './rest.ts';`;
  expect(rulesOf.globalsWhereAllowed(tree({ 'src/store/a.ts': text }))).toEqual([]);
});

test('[CODE] the rules find meaningless file names, and default exports', () => {
  const files = tree({
    'src/schema/types.ts': `export default 1;`,
    'src/schema/index.ts': `export { a as default } from './a.ts';`,
    'src/index.ts': `export * from './schema/Entity.ts';`,
    'src/schema/Entity.ts': `export class entity {}`,
    'src/schema/order.ts': `export const sorted = 1;`,
  });
  const entries = new Set(['src/index.ts']);
  const meaningless = ['src/schema/types.ts', 'src/schema/index.ts'];
  expect(rulesOf.meaningfulFileNames(entries)(files)).toEqual(meaningless);
  expect(rulesOf.noDefaultExport(files)).toEqual(meaningless);
  expect(rulesOf.namedAsItsExport(entries, { 'src/schema/types.ts': 'a sample' })(files)).toEqual([
    'src/schema/index.ts exports default',
    'src/schema/order.ts exports sorted',
  ]);
});

test('[CODE] the rules find names that two files export', () => {
  const files = tree({
    'src/schema/a.ts': `export const one = 1; export function two(a: string): void; export function two() {}`,
    'src/store/b.ts': `export interface one {} export { two } from '../schema/a.ts';`,
    'src/rest/c.ts': `export type three = 1;`,
    'src/request/d.ts': `export class three {}`,
    'adapters/react/e.ts': `export const one = 2;`,
  });
  expect(rulesOf.exportedOnce(['three'])(files)).toEqual([
    'one is exported by src/schema/a.ts and src/store/b.ts',
  ]);
});

test('[CODE] the rules find exceeded budgets, unless raised', () => {
  const long = `function long() {\n${'f();\n'.repeat(60)}}\n`;
  const deep = `const deep = () => { if (a) for (;;) while (b) try {} catch {} };\n`;
  const ladder = `const ladder = () => { if (a) f(); else if (b) f(); else if (c) f(); else f(); };\n`;
  const wide = `class Wide { m(this: Wide, a, b, c, d, e) {} }\n`;
  const path = 'src/store/a.ts';
  const files = tree({ [path]: long + deep + ladder + wide + '\n'.repeat(250) });
  expect(rulesOf.withinBudget({})(files)).toEqual([
    'src/store/a.ts: 315 lines of 250',
    'src/store/a.ts:1 long: 62 lines of 60',
    'src/store/a.ts:63 deep: 4 nested blocks of 3',
    'src/store/a.ts:65 m: 5 parameters of 4',
  ]);
  const enough = { file: 400, function: 70, depth: 4, parameters: 5, because: 'a sample' };
  expect(rulesOf.withinBudget({ [path]: enough })(files)).toEqual([]);
});

test('[CODE] the rules find any without a reason, and suppressed errors', () => {
  const text = [
    'let a: any;',
    'let b: any; // any: said on the line',
    '// any: said above',
    '// in two lines',
    'let c: (',
    '  a: string,',
    ') => any;',
    '// any begin: a block of types',
    '',
    'let d: any;',
    '// any end',
    'let e: any;',
    '// @ts-expect-error',
    'let f: string = 1;',
  ];
  const files = tree({ 'src/store/a.ts': text.join('\n') });
  expect(rulesOf.anyWithReason(files)).toEqual([
    'src/store/a.ts:1 any without a reason',
    'src/store/a.ts:12 any without a reason',
  ]);
  expect(rulesOf.noIgnore(files)).toEqual(['src/store/a.ts:13']);
  expect(rulesOf.startsWithSentence(files)).toEqual(['src/store/a.ts']);
});
