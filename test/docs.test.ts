// The documentation keeps up with the code.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codes } from '../src/errors.ts';
import { proofs } from './docs/consistencyProofs.ts';

const page = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8');
const source = readFileSync(new URL('../src/errors.ts', import.meta.url), 'utf8');
const paths = ['src', 'adapters'].flatMap((folder) =>
  readdirSync(new URL(`../${folder}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${folder}/${path}`),
);
const files = paths.map((path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));
const anchors = [...page.matchAll(/^## (\w+)$/gm)].map(([, code]) => code);

test('[CODE] each diagnostic has one anchor in docs/errors.md, and the page no other', () => {
  expect(anchors).toEqual(codes);
});

test('[CODE] docs/errors.md explains each letter of the codes once', () => {
  const [head = ''] = page.split('\n## ');
  const letters = [...head.matchAll(/^- ([A-Z]) \w+:/gm)].map(([, letter]) => letter);
  expect(new Set(letters)).toEqual(new Set(codes.map((code) => code[0])));
  expect(letters).toHaveLength(new Set(letters).size);
});

test('[CODE] docs/errors.md begins with a link to each diagnostic', () => {
  const [head = ''] = page.split('\n## ');
  const links = [...head.matchAll(/\[(\w+)\]\(#(\w+)\)/g)];
  expect(links.map(([, code]) => code)).toEqual(codes);
  expect(links.map(([, , anchor]) => anchor)).toEqual(codes.map((code) => code.toLowerCase()));
});

test('[CODE] docs/errors.md quotes each diagnostic as the code says it', () => {
  const sentences = [...source.matchAll(/(?:why|fix):\s*'((?:[^'\\]|\\.)*)'/g)];
  expect(sentences.length).toBe(codes.length * 2);
  for (const [, sentence = ''] of sentences) {
    expect(page).toContain(sentence.replaceAll('\\\\', '\\').replaceAll("\\'", "'"));
  }
});

test('[CODE] each diagnostic is thrown or printed somewhere', () => {
  const unused = codes.filter((code) => {
    const said = new RegExp(`'${code}'`);
    return !files.some((text) => said.test(text));
  });
  expect(unused).toEqual([]);
});

test('[CODE] docs/internals.md names files that exist', () => {
  const internals = readFileSync(new URL('../docs/internals.md', import.meta.url), 'utf8');
  const named = [...new Set(internals.match(/[\w/]+\.ts\b/g))];
  const missing = named.filter((name) => !paths.some((path) => `/${path}`.endsWith(`/${name}`)));
  expect(named.length).toBeGreaterThan(30);
  expect(missing).toEqual([]);
});

const guide = readFileSync(new URL('../docs/consistency.md', import.meta.url), 'utf8');
const rules = readFileSync(new URL('SPEC.md', import.meta.url), 'utf8');
const tests = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.test\.tsx?$/.test(path))
  .map((path) => readFileSync(new URL(path, import.meta.url), 'utf8'))
  .join('\n');

test('[CODE] each line of docs/consistency.md has a rule and a test that proves it', () => {
  const lines = guide
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, situation = '', , rule = '']) => rule !== 'rule' && /^[^-]/.test(situation));
  expect(lines.length).toBeGreaterThan(40);
  expect(lines.map(([, situation]) => situation)).toEqual(proofs.map(([situation]) => situation));
  for (const [at, [, situation, , rule]] of lines.entries()) {
    const mark = new RegExp(`^- \\*\\*${rule}\\*\\* · ([a-z ]+) ·`, 'm').exec(rules)?.[1];
    // the title of a test with cases has `%s` in place of `…`
    const title = proofs[at]![1].replaceAll('…', '%s');
    const proven = tests.includes(`[${rule}] ${title}'`);
    expect({ situation, proven: proven || mark === 'not yet' }).toEqual({
      situation,
      proven: true,
    });
  }
});

test('[CODE] the code of docs/testing.md about createHandlers is compiled', () => {
  const page = readFileSync(new URL('../docs/testing.md', import.meta.url), 'utf8');
  const compiled = readFileSync(new URL('types/createHandlers.test-d.ts', import.meta.url), 'utf8');
  const plain = (code: string) => code.replace(/^import .*$/gm, '').replace(/\s+/g, '');
  const [, section = ''] = page.split('## A server made from a resource');
  const [until = ''] = section.split('\n## ');
  const blocks = [...until.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  expect(blocks).toHaveLength(2);
  for (const code of blocks) expect(plain(compiled)).toContain(plain(code));
});

test('[CODE] the code of docs/react-native.md is compiled', () => {
  const guide = readFileSync(new URL('../docs/react-native.md', import.meta.url), 'utf8');
  const compiled = readFileSync(new URL('types/native.test-d.tsx', import.meta.url), 'utf8');
  const blocks = [...guide.matchAll(/^```tsx?\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  expect(blocks.length).toBeGreaterThan(0);
  for (const code of blocks) expect(compiled).toContain(code);
});

test('[CODE] the code of docs/queries.md is compiled', () => {
  const queries = readFileSync(new URL('../docs/queries.md', import.meta.url), 'utf8');
  const compiled = readFileSync(new URL('types/queries.test-d.ts', import.meta.url), 'utf8');
  const blocks = [...queries.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  expect(blocks.length).toBeGreaterThan(0);
  for (const code of blocks) expect(compiled).toContain(code);
});

test('[CODE] each test that test/contract/README.md names exists', () => {
  const table = readFileSync(new URL('contract/README.md', import.meta.url), 'utf8');
  const named = [...table.matchAll(/\| (\[[A-Z]+\d*\] .*?) *\|$/gm)].map(([, title = '']) => title);
  const written = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readFileSync(new URL(path, import.meta.url), 'utf8'))
    .join('\n');
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((title) => !written.includes(`'${title}'`))).toEqual([]);
});
