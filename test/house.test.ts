// The architecture and the house rules, run over every source file; the last part tests the rules.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as house from './setup/house.ts';
import { parseSource, readSources, type Source } from './setup/sources.ts';

/** Files whose main export cannot bear the file's name: the reason in one line. */
const namedOtherwise: Record<string, string> = {
  'adapters/react/react.ts': 'a door: the parts of React that a server component lacks',
  'adapters/react/signals.server.ts': 'an entry under a condition of its own',
  'adapters/react/testing.server.ts': 'an entry under a condition of its own',
  'adapters/solid2/solid.ts': 'a door: the words of Solid 2.0, typed by hand',
  'src/eslint-plugin/ast.ts': 'a door: the syntax tree and ESLint, as the rules see them',
  'src/eslint-plugin/entityClass.ts': 'the three ways to know an entity: class, type, annotation',
  'src/diagnostics.ts': 'a door: what is said to people, in several forms',
  'src/devtools/panel/parts.ts': 'the small parts of the tabs, named one by one',
  'src/query/aggregates.ts': 'the five figures, each a small function',
  'src/reactive.ts': 'a door: the words of the signal engine that the house uses',
  'src/rest/request.ts': 'steps of making a request, named one by one',
  'src/rest/response.ts': 'steps of reading a response, named one by one',
  'src/schema/containers.ts': 'the two plain containers, array and object',
  'src/managers/recordCodec.ts': 'records as they lie on a disk, there and back',
  'src/managers/chunkData.ts': 'chunks as a storage holds them, there and back',
  'src/managers/logData.ts': 'records of a log as a storage holds them, there and back',
  'src/managers/diskTime.ts': 'the limits of logical time on a disk, and times there',
  'src/schema/wire.ts': 'values as they travel, there and back',
  'src/store/schemaKinds.ts': 'a namespace: the kinds, as the peer names them',
  'src/store/versioning.ts': 'one law in several small functions',
  'src/store/flags.ts': 'the bits of one number',
};

/** Files with a larger budget: what it is raised to, and the reason in one line. */
const raised: house.Raised = {
  'src/Controller.ts': {
    file: 425,
    because: 'the verbs one after the other, each with its docstring',
  },
  'src/store/EntityValue.ts': {
    file: 295,
    because: 'its build and its changes share every private member',
  },
  'src/view/View.ts': {
    file: 260,
    because: 'what a reader shows, waits for and aborts is decided by one state',
  },
  'src/store/EntityRecord.ts': {
    file: 295,
    because: 'the confirmed content, its times and the unconfirmed writes over it belong together',
  },
  'src/store/Layers.ts': { file: 295, because: 'laying, lifting and settling share all its maps' },
  'src/rest/RestBase.ts': {
    file: 295,
    because: 'one class: the address, the request, the response, and the changes of a list',
  },
  'src/managers/Persister.ts': {
    file: 300,
    because: 'the life of one persistence: loading, writing, collecting and resets share its state',
  },
  'src/managers/ChunkStore.ts': {
    file: 300,
    because: 'reads, writes and resets share what the page knows of the disk',
  },
  'src/managers/LogStore.ts': {
    file: 275,
    because: 'transactions that run, fail and run again share the copy, its head and their order',
  },
  'src/managers/MutationLog.ts': {
    file: 280,
    because: 'each method is one transaction over the same kinds of records',
  },
  'src/ssr/Tokenizer.ts': {
    file: 275,
    because: 'the states of one tokenizer, each of which leads to others',
  },
  'src/store/ResultRecord.ts': {
    file: 355,
    because: 'responses, pages, errors, exceptions and the times of each belong to one request',
  },
  'src/store/StoreRecord.ts': {
    file: 320,
    because: 'flags, links, the value and circles are one thing',
  },
  'src/store/Store.ts': {
    file: 415,
    because: 'the one writer: laying, committing and reading in one place',
  },
  'src/schema/schema.ts': { file: 255, because: 'what kinds, nodes, sinks and sources are' },
  'src/schema/EntityKind.ts': {
    file: 310,
    because: 'the walk, what records ask of it, and what classes of one table share',
  },
  'src/diagnostics.ts': { file: 615, because: 'the catalogue of all messages in one place' },
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

const rules: readonly [string, house.Rule][] = [
  ['no file imports itself through others, types counted', house.noCircle],
  ['imports run down the floors only', house.noArrowUp],
  ['each package is imported through its one door', house.packagesByTheirDoor],
  ['time, words and network are touched through their one door', house.outsideByItsDoor],
  [
    'no file is called types, utils or helpers, or is an inner barrel',
    house.namesSaySomething(entryPoints),
  ],
  ['nothing is exported as default', house.noDefaultExport],
  ['a file is named as its main export', house.namedAsItsExport(entryPoints, namedOtherwise)],
  ['no name is exported by two files', house.exportedOnce([])],
  ['files and functions stay within their budget', house.withinBudget(raised)],
  ['each any has its reason', house.anyWithReason],
  ['no error of the type checker is silenced', house.noIgnore],
  ['each file opens with a sentence that says what lives there', house.opensWithSentence],
];

test.each(rules)('[HOUSE] %s', (_, rule) => {
  expect(rule(sources)).toEqual([]);
});

test('[HOUSE] no file names a registry host: npm knows its own', () => {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  const paths = listed.split('\0').filter((path) => path !== '' && existsSync(root + path));
  expect(paths.length).toBeGreaterThan(500);
  const host = /registry\.(?:npmjs|npmmirror|yarnpkg)\.|npm\.pkg\.github\./;
  expect(paths.filter((path) => host.test(readFileSync(root + path, 'latin1')))).toEqual([]);
});

test('[HOUSE] nine of ten functions are under 30 lines', () => {
  const figures = house.figuresOf(sources);
  console.log('House figures:', figures);
  expect(figures.shareUnder30).toBeGreaterThan(0.9);
});

test('[HOUSE] every exemption is still needed and says why', () => {
  const paths = new Set(sources.map(({ path }) => path));
  const excused = { ...namedOtherwise, ...raised };
  for (const path of Object.keys(excused)) expect(paths).toContain(path);
  for (const [path, reason] of Object.entries(raised)) {
    expect(reason.because).toMatch(/\w+ \w+/);
    expect(house.withinBudget({})(sources).join('\n')).toContain(`${path}:`);
  }
  for (const [path, reason] of Object.entries(namedOtherwise)) {
    expect(reason).toMatch(/\w+ \w+/);
    expect(house.namedAsItsExport(entryPoints, {})(sources).join('\n')).toContain(`${path} `);
  }
});

/** Small made-up trees: path → text. */
const tree = (files: Record<string, string>): Source[] =>
  Object.entries(files).map(([path, text]) => parseSource(path, text));

test('[HOUSE] the rules find a circle, also one made of types', () => {
  const found = house.noCircle(
    tree({
      'src/schema/a.ts': `import type { b } from './b.ts';`,
      'src/schema/b.ts': `export type b = import('./c.ts').c;`,
      'src/schema/c.ts': `export { a as c } from './a.ts';`,
      'src/schema/d.ts': `import { a } from './a.ts';`,
    }),
  );
  expect(found).toEqual(['src/schema/a.ts → src/schema/b.ts → src/schema/c.ts → src/schema/a.ts']);
});

test('[HOUSE] the rules find arrows up, across and from nowhere', () => {
  const found = house.noArrowUp(
    tree({
      'src/schema/a.ts': `import type { View } from '../view/View.ts';`,
      'src/store/b.ts': `export * from '../endpoint/Endpoint.ts';`,
      'src/view/View.ts': `import { b } from '../store/b.ts'; import { c } from './c.ts';`,
      'src/stray.ts': ``,
    }),
  );
  expect(found).toEqual([
    'src/schema/a.ts (floor 2) imports src/view/View.ts (floor 6)',
    'src/store/b.ts (floor 4) imports src/endpoint/Endpoint.ts (floor 4)',
    'src/stray.ts stands in no room of the floor table',
  ]);
});

test('[HOUSE] the rules find packages that come in by another door', () => {
  const found = house.packagesByTheirDoor(
    tree({
      'src/reactive.ts': `import { signal } from '@preact/signals-core';`,
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

test('[HOUSE] the rules find time, words and network outside their doors', () => {
  const found = house.outsideByItsDoor(
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

test('[HOUSE] the doors leave members, types of dates and own names alone', () => {
  const text = `
    import { setTimeout } from './clock.ts';
    interface Port { fetch(URL: string): void; performance: Date }
    const port = { fetch: 1, console: 2 };
    controller.fetch(port.fetch, value instanceof Date);
    const { now: performance } = port;
    setTimeout(performance);
    export { Response } from './rest.ts';`;
  expect(house.outsideByItsDoor(tree({ 'src/store/a.ts': text }))).toEqual([]);
});

test('[HOUSE] the rules find names that say nothing, and default exports', () => {
  const files = tree({
    'src/schema/types.ts': `export default 1;`,
    'src/schema/index.ts': `export { a as default } from './a.ts';`,
    'src/index.ts': `export * from './schema/Entity.ts';`,
    'src/schema/Entity.ts': `export class entity {}`,
    'src/schema/order.ts': `export const sorted = 1;`,
  });
  const faces = new Set(['src/index.ts']);
  const meaningless = ['src/schema/types.ts', 'src/schema/index.ts'];
  expect(house.namesSaySomething(faces)(files)).toEqual(meaningless);
  expect(house.noDefaultExport(files)).toEqual(meaningless);
  expect(house.namedAsItsExport(faces, { 'src/schema/types.ts': 'a sample' })(files)).toEqual([
    'src/schema/index.ts exports default',
    'src/schema/order.ts exports sorted',
  ]);
});

test('[HOUSE] the rules find names that two files export', () => {
  const files = tree({
    'src/schema/a.ts': `export const one = 1; export function two(a: string): void; export function two() {}`,
    'src/store/b.ts': `export interface one {} export { two } from '../schema/a.ts';`,
    'src/rest/c.ts': `export type three = 1;`,
    'src/fetch/d.ts': `export class three {}`,
    'adapters/react/e.ts': `export const one = 2;`,
  });
  expect(house.exportedOnce(['three'])(files)).toEqual([
    'one is exported by src/schema/a.ts and src/store/b.ts',
  ]);
});

test('[HOUSE] the rules find budgets that are overspent, unless raised', () => {
  const long = `function long() {\n${'f();\n'.repeat(60)}}\n`;
  const deep = `const deep = () => { if (a) for (;;) while (b) try {} catch {} };\n`;
  const ladder = `const ladder = () => { if (a) f(); else if (b) f(); else if (c) f(); else f(); };\n`;
  const wide = `class Wide { m(this: Wide, a, b, c, d, e) {} }\n`;
  const path = 'src/store/a.ts';
  const files = tree({ [path]: long + deep + ladder + wide + '\n'.repeat(250) });
  expect(house.withinBudget({})(files)).toEqual([
    'src/store/a.ts: 315 lines of 250',
    'src/store/a.ts:1 long: 62 lines of 60',
    'src/store/a.ts:63 deep: 4 nested blocks of 3',
    'src/store/a.ts:65 m: 5 parameters of 4',
  ]);
  const enough = { file: 400, function: 70, depth: 4, parameters: 5, because: 'a sample' };
  expect(house.withinBudget({ [path]: enough })(files)).toEqual([]);
});

test('[HOUSE] the rules find any without a reason, and silenced errors', () => {
  const text = [
    'let a: any;',
    'let b: any; // any: said on the line',
    '// any: said above',
    '// in two lines',
    'let c: (',
    '  a: string,',
    ') => any;',
    '// any begin: a wall of types',
    '',
    'let d: any;',
    '// any end',
    'let e: any;',
    '// @ts-expect-error',
    'let f: string = 1;',
  ];
  const files = tree({ 'src/store/a.ts': text.join('\n') });
  expect(house.anyWithReason(files)).toEqual([
    'src/store/a.ts:1 any without a reason',
    'src/store/a.ts:12 any without a reason',
  ]);
  expect(house.noIgnore(files)).toEqual(['src/store/a.ts:13']);
  expect(house.opensWithSentence(files)).toEqual(['src/store/a.ts']);
});
