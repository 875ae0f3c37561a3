// The rules of the architecture; a sample with violations tests each rule before the source files are checked.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { assignmentRules } from './assignments.ts';
import { commentRules } from './comments.ts';
import { declarationRules } from './declarations.ts';
import { fileRules } from './files.ts';
import { folderRules } from './folders.ts';
import { functionRules, shareOfShort } from './functions.ts';
import { known } from './known.ts';
import { platformRules } from './platform.ts';
import { sourcesOf, type Rule } from './Rule.ts';
import { readSources } from './sources.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = readSources(root, ['src', 'adapters']);
const entries = readEntries();

/** Features that a createResource app does not import: the beginnings of the paths of their modules. */
const unused = JSON.parse(readFileSync(`${root}scripts/unused.json`, 'utf8')) as Record<
  string,
  string[]
>;

const rules: readonly Rule[] = [
  ...folderRules,
  ...fileRules(entries),
  ...functionRules,
  ...declarationRules(entries),
  ...assignmentRules,
  ...commentRules,
  ...platformRules,
];

/** The sources of the package's entries, for all conditions. */
function readEntries(): Set<string> {
  const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    exports: Record<string, unknown>;
    bin: Record<string, string>;
  };
  const built = [
    ...JSON.stringify([manifest.exports, manifest.bin]).matchAll(
      /\.\/dist\/(?:esm|cjs)\/([^"]+?)(?:\.d\.c?ts|\.c?js)"/g,
    ),
  ];
  return new Set(built.map(([, path = '']) => `${path}.ts`));
}

// `KNOWN=write` writes the list of known violations anew, for review.
const found = new Map<string, string[]>();
const writes = process.env['KNOWN'] === 'write';
afterAll(() => {
  if (!writes) return;
  const open = [...found].filter(([, texts]) => texts.length > 0);
  const lists = open.map(
    ([title, texts]) =>
      `  ${quote(title)}: [\n${texts.map((text) => `    ${quote(text)},\n`).join('')}  ],\n`,
  );
  const path = fileURLToPath(new URL('known.ts', import.meta.url));
  const [head = ''] = readFileSync(path, 'utf8').split('export const');
  writeFileSync(
    path,
    `${head}export const known: Readonly<Record<string, readonly string[]>> = {\n${lists.join('')}};\n`,
  );
  execFileSync('npx', ['oxfmt', path], { cwd: root });
});

const quote = (text: string): string => JSON.stringify(text);

const byTitle = rules.map((rule) => [rule.title, rule] as const);

test.each(byTitle)(
  '[CODE] the rule finds the violations in its sample: %s',
  (_, { find, sample, finds }) => {
    expect(finds.length).toBeGreaterThan(0);
    expect(find(sourcesOf(sample))).toEqual(finds);
  },
);

test.each(byTitle)('[CODE] %s', (title, { find }) => {
  const violations = [...find(sources)].sort();
  found.set(title, violations);
  if (writes) return;
  const list = known[title] ?? [];
  expect(
    violations.filter((each) => !list.includes(each)),
    'new violations',
  ).toEqual([]);
  expect(
    list.filter((each) => !violations.includes(each)),
    'violations that are gone: remove them from known.ts',
  ).toEqual([]);
});

test('[CODE] the list of known violations has only titles of rules', () => {
  const titles = rules.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  expect(Object.keys(known).filter((title) => !titles.includes(title))).toEqual([]);
});

test('[CODE] each pattern of code that an app does not import matches a source file', () => {
  const patterns = Object.entries(unused).flatMap(([name, starts]) =>
    starts.map((start) => `${name}: ${start}`),
  );
  const paths = sources.map(({ path }) => path);
  expect(patterns.length).toBeGreaterThan(20);
  expect(
    patterns.filter(
      (each) => !paths.some((path) => path.startsWith(each.split(': ')[1] as string)),
    ),
  ).toEqual([]);
});

test('[CODE] no file contains the host of a package registry', () => {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  const paths = listed.split('\0').filter((path) => path !== '' && existsSync(root + path));
  expect(paths.length).toBeGreaterThan(500);
  const host = /registry\.(?:npmjs|npmmirror|yarnpkg)\.|npm\.pkg\.github\./;
  expect(host.test(['registry', 'npmjs', 'org'].join('.'))).toBe(true);
  expect(paths.filter((path) => host.test(readFileSync(root + path, 'latin1')))).toEqual([]);
});

test('[CODE] prints the figures of the sources', () => {
  const functions = sources.flatMap(({ functions: all }) => all);
  const lines = sources.map((source) => source.lines.length).sort((a, b) => a - b);
  const figures = {
    files: sources.length,
    lines: lines.reduce((sum, each) => sum + each, 0),
    medianOfFile: lines[lines.length >> 1],
    functions: functions.length,
    shareUnder30: shareOfShort(functions),
    knownViolations: Object.values(known).flat().length,
  };
  console.log('Figures of the sources:', figures);
  expect(figures.files).toBeGreaterThan(300);
});
