// Counts words that make prose hard to read (`npm run check:words`): per 1,000 words of comments and of documentation.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const VAGUE = /\b(?:who|whom|whose|what|those|such)\b/gi;
const GOAL = 8;

// A limit guards the present value: limits go down, never up.
const areas = [
  { name: 'comments of src', paths: ['src/*.ts', 'src/**/*.ts'], read: commentsOf, limit: 2 },
  { name: 'comments of adapters', paths: ['adapters/**/*.ts'], read: commentsOf, limit: 2 },
  {
    name: 'documentation',
    paths: ['*.md', 'docs/**/*.md', 'skills/**/*.md', 'llms.txt'],
    read: proseOf,
    limit: 8,
  },
  {
    name: 'titles of tests',
    paths: ['test/**/*.ts', 'test/**/*.tsx'],
    read: titlesOf,
    limit: 19.5,
  },
];

// File names of tests are words of the field: these are not.
const METAPHORS =
  /^(?:apart|audience|deeds|depot|keptTabs|nest|nursery|onlookers|post|press|purse|scores|screen|side|stage|street)\b/i;

/** The text of all comments, without directives for tools. */
function commentsOf(code) {
  const comments = code.match(/\/\*[\s\S]*?\*\/|(?<=^|[\s;{}])\/\/.*$/gm) ?? [];
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
console.log(`${'per 1,000 words'.padEnd(24)}   found  limit   goal`);
for (const { name, paths, read, limit } of areas) {
  let words = 0;
  let vague = 0;
  const worst = [];
  for (const path of files(paths)) {
    const text = read(readFileSync(root + path, 'utf8'));
    const all = text.match(/[A-Za-z][A-Za-z'’-]*/g)?.length ?? 0;
    const found = text.match(VAGUE)?.length ?? 0;
    words += all;
    vague += found;
    if (all > 0) worst.push([((found * 1000) / all).toFixed(1), found, path]);
  }
  const rate = (vague * 1000) / words;
  const over = rate > limit;
  console.log(
    `${name.padEnd(24)}${rate.toFixed(1).padStart(8)}${String(limit).padStart(7)}${String(GOAL).padStart(7)}${over ? '  OVER' : ''}`,
  );
  if (verbose)
    for (const [share, found, path] of worst.sort((a, b) => b[1] - a[1]).slice(0, 25))
      console.log(`    ${share.padStart(6)}${String(found).padStart(5)}  ${path}`);
  if (over) process.exitCode = 1;
}

const named = files(['test/**/*.ts', 'test/**/*.tsx']).filter((path) =>
  METAPHORS.test(path.split('/').at(-1)),
);
for (const path of named) console.log(`${path}: name the file after its purpose`);
if (named.length > 0) process.exitCode = 1;
