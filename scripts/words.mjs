// Counts words that make prose hard to read (`npm run check:words`), per 1,000 words, and the words of docs.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const VAGUE = /\b(?:who|whom|whose|what|those|such)\b/gi;
const PRONOUNS = /\b(?:it|its|they|them|one)\b/gi;

// A limit guards the present value: limits go down, never up.
const tests = ['test/**/*.ts', 'test/**/*.tsx'];
const areas = [
  {
    name: 'comments of src',
    paths: ['src/*.ts', 'src/**/*.ts'],
    read: commentsOf,
    vague: 2,
    pronouns: 5,
  },
  {
    name: 'comments of adapters',
    paths: ['adapters/**/*.ts'],
    read: commentsOf,
    vague: 2,
    pronouns: 5,
  },
  { name: 'comments of tests', paths: tests, read: commentsOf, vague: 3, pronouns: 5 },
  { name: 'comments of scripts', paths: ['scripts/*'], read: commentsOf, vague: 8, pronouns: 12 },
  {
    name: 'documentation',
    paths: ['*.md', 'docs/**/*.md', 'skills/**/*.md', 'llms.txt'],
    read: proseOf,
    vague: 5,
    pronouns: Infinity,
  },
  { name: 'rules of test/SPEC.md', paths: ['test/SPEC.md'], read: proseOf, vague: 5, pronouns: 8 },
  { name: 'titles of tests', paths: tests, read: titlesOf, vague: 2, pronouns: Infinity },
];

// The pages stay short: a new page takes the place of other words.
const MAX_WORDS_OF_DOCS = 80_000;

// File names of tests are words of the field: these are not.
const METAPHORS =
  /^(?:apart|audience|deeds|depot|keptTabs|nest|nursery|onlookers|post|press|purse|scores|screen|side|stage|street)\b/i;

/** The text of all comments, without directives for tools and without `/*` inside of strings. */
function commentsOf(code) {
  const comments = code.match(/(?<![^\s;{}()[,=>])\/\*[\s\S]*?\*\/|(?<=^|[\s;{}])\/\/.*$/gm) ?? [];
  return comments
    .filter((comment) => !/eslint-|oxlint-|@ts-|__PURE__/.test(comment))
    .map((comment) => comment.replace(/^\/\*+|\*\/$|^\/\/|^\s*\* ?/gm, ''))
    .join('\n');
}

/** The prose of a page, without blocks of code. */
function proseOf(text) {
  return text.replace(/```[\s\S]*?```/g, '').replace(/`[^`]*`/g, 'code');
}

/** The titles of all tests, without their rule. */
function titlesOf(code) {
  const titles = code.matchAll(/\b(?:test|it)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])\[\w+\] (.*?)\1/g);
  return Array.from(titles, ([, , title]) => title).join('\n');
}

const files = (paths) =>
  execFileSync('git', ['ls-files', '--', ...paths], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);

const verbose = process.argv.includes('--files');
const count = (text, words) => text.match(words)?.length ?? 0;

/** Prints the words of a kind in an area; fails above the limit. */
function report(name, texts, pattern, limit) {
  const found = texts.map(({ path, text, all }) => ({ path, all, found: count(text, pattern) }));
  const sum = (member) => found.reduce((total, each) => total + each[member], 0);
  const rate = (sum('found') * 1000) / sum('all');
  const over = rate > limit;
  if (over) process.exitCode = 1;
  console.log(
    `${name.padEnd(32)}${rate.toFixed(1).padStart(8)}${String(limit).padStart(10)}${over ? '  OVER' : ''}`,
  );
  if (!verbose) return;
  for (const each of found.sort((a, b) => b.found - a.found).slice(0, 25))
    console.log(
      `    ${String(each.found).padStart(5)}${String(each.all).padStart(6)}  ${each.path}`,
    );
}

console.log(`${'per 1,000 words'.padEnd(32)}   found     limit`);
for (const { name, paths, read, vague, pronouns } of areas) {
  const texts = files(paths).map((path) => {
    const text = read(readFileSync(root + path, 'utf8'));
    return { path, text, all: count(text, /[A-Za-z][A-Za-z'’-]*/g) };
  });
  report(name, texts, VAGUE, vague);
  if (pronouns !== Infinity) report(`  it, its, they, them, one`, texts, PRONOUNS, pronouns);
}

const words = files(['docs/*.md']).reduce(
  (sum, path) => sum + (readFileSync(root + path, 'utf8').match(/\S+/g)?.length ?? 0),
  0,
);
const tooMany = words > MAX_WORDS_OF_DOCS;
if (tooMany) process.exitCode = 1;
console.log(
  `${'words of docs'.padEnd(32)}${String(words).padStart(8)}${String(MAX_WORDS_OF_DOCS).padStart(10)}${tooMany ? '  OVER' : ''}`,
);

const named = files(['test/**/*.ts', 'test/**/*.tsx']).filter((path) =>
  METAPHORS.test(path.split('/').at(-1)),
);
for (const path of named) console.log(`${path}: name the file after its purpose`);
if (named.length > 0) process.exitCode = 1;
