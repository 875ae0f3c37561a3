/** Ties the list of rules to the tests: no rule is proven in name only, no test proves what is not listed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Titles that prove something other than a rule of the software. */
const beside = new Set(['CODE', 'PACKAGE']);

interface Rule {
  readonly id: string;
  readonly mark: string;
  readonly text: string;
}

function readRules(list: string): Rule[] {
  const lines = list.split('\n').filter((line) => line.startsWith('- '));
  return lines.map((line) => {
    const parts = /^- \*\*([A-Z]+\d+)\*\* · ([a-z ]+) · (.+)$/.exec(line);
    if (parts === null) throw new Error(`SPEC.md has a line that is no rule: ${line}`);
    const [, id = '', mark = '', text = ''] = parts;
    return { id, mark, text };
  });
}

/** The IDs at the beginning of titles in the text of a test, also of tables and of named cases. */
function idsIn(text: string): string[] {
  return [...text.matchAll(/['"`]\[([A-Z]+\d*)\] \S/g)].map(([, id = '']) => id);
}

function readTitles(): Map<string, string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const titles = new Map<string, string[]>();
  for (const file of files.filter(
    (path) => /\.tsx?$/.test(path) && !path.includes('node_modules'),
  )) {
    for (const id of idsIn(readFileSync(join(folder, file), 'utf8'))) {
      titles.set(id, [...(titles.get(id) ?? []), file]);
    }
  }
  return titles;
}

/** What is wrong between a list of rules and the IDs of titles with their files. */
function differences(
  rules: readonly Rule[],
  titles: ReadonlyMap<string, readonly string[]>,
): string[] {
  const known = new Set(rules.map(({ id }) => id));
  const strays = [...titles].filter(([id]) => !known.has(id) && !beside.has(id));
  return [
    ...rules
      .filter(({ id }, at) => rules.findIndex((rule) => rule.id === id) !== at)
      .map(({ id }) => `${id} is listed twice`),
    ...rules.flatMap(({ id, mark }) => {
      if (mark !== 'proven' && mark !== 'not yet') return [`${id} is marked "${mark}"`];
      if (mark === 'proven' && !titles.has(id)) return [`${id} is marked proven and has no test`];
      return mark === 'not yet' && titles.has(id) ? [`${id} has a test and is marked not yet`] : [];
    }),
    ...strays.map(([id, files]) => `[${id}] in ${files[0]} names no rule`),
  ];
}

test('[CODE] each rule is marked as its tests are', () => {
  const rules = readRules(readFileSync(join(folder, 'SPEC.md'), 'utf8'));
  const titles = readTitles();
  const proven = rules.filter(({ mark }) => mark === 'proven');
  const count = [...titles.values()].reduce((sum, files) => sum + files.length, 0);
  const open = rules.filter(({ mark }) => mark === 'not yet').map(({ id }) => id);
  console.log(
    `Rules: ${rules.length}, proven ${proven.length} by ${count} titles; not yet: ${open.join(' ')}`,
  );
  expect(rules.length).toBeGreaterThan(80);
  expect(differences(rules, titles)).toEqual([]);
});

test('[CODE] the rules of this test find what is wrong', () => {
  const rules = readRules(
    '- **A1** · proven · a\n- **A2** · not yet · b\n- **A3** · maybe · c\n- **A1** · proven · a',
  );
  const sample = (id: string) => `test.each([1])('[${id}] %s', () => {});\n  '[${id}] x': 1`;
  const ids = idsIn(`${sample('A2')} ${sample('B7')} ${sample('CODE')}`);
  expect(ids).toEqual(['A2', 'A2', 'B7', 'B7', 'CODE', 'CODE']);
  expect(differences(rules, new Map(ids.map((id) => [id, ['a file']])))).toEqual([
    'A1 is listed twice',
    'A1 is marked proven and has no test',
    'A2 has a test and is marked not yet',
    'A3 is marked "maybe"',
    'A1 is marked proven and has no test',
    ['[B7]', 'in a file names no rule'].join(' '),
  ]);
  expect(() => readRules('- N1 proven')).toThrow('no rule');
});
