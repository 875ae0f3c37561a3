// Writes the index of docs/internals.md: each file of the core, its exports and their members, with their comments. `--check`: compares.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs/internals.md');
const [BEGIN, END] = ['<!-- index -->', '<!-- /index -->'];
const folders = [
  '.',
  'store',
  'store/records',
  'store/entities',
  'store/lists',
  'store/results',
  'store/writes',
  'store/gc',
  'optimistic',
  'request',
  'view',
  'schema',
  'endpoint',
];

/** The page with the index of the present sources. */
function withIndex(text) {
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`docs/internals.md has no ${BEGIN} … ${END}.`);
  return `${before}${BEGIN}\n\n${folders.map(indexOfFolder).join('\n')}\n${END}${after}`;
}

function indexOfFolder(folder) {
  const path = join(root, 'src', folder);
  const files = readdirSync(path).filter((name) => name.endsWith('.ts') && name !== 'index.ts');
  const entries = files.sort().map((name) => indexOfFile(join(path, name), name));
  return `### ${join('src', folder)}\n\n${entries.join('\n')}\n`;
}

function indexOfFile(path, name) {
  const source = readFileSync(path, 'utf8');
  const { program, comments } = parseSync(path, source);
  const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'));
  /** The comment that ends right before a declaration. */
  const docOf = ({ start }) => {
    const doc = docs.findLast(({ end }) => end <= start);
    const between = doc && source.slice(doc.end, start);
    return between !== undefined && between.trim() === '' ? summaryOf(doc.value) : undefined;
  };
  const names = program.body.flatMap((statement) => namesOf(statement, docOf));
  const described = names.filter(([, doc]) => doc).map(([of, doc]) => `  - \`${of}\`: ${doc}`);
  return [`- **${name}**: ${summaryOf(docs[0].value)}`, ...described].join('\n');
}

/** The exported names of a statement and their members, each with its comment. */
function namesOf(statement, docOf) {
  const { declaration } = statement;
  if (statement.type !== 'ExportNamedDeclaration' || !declaration) return [];
  const declared = declaration.declarations ?? [declaration];
  return declared.flatMap(({ id }) => {
    const members = declaration.body?.body ?? [];
    return [
      [id.name, docOf(statement)],
      ...(Array.isArray(members) ? members : [])
        .filter(({ key }) => key?.type === 'Identifier')
        .map((member) => [`${id.name}.${member.key.name}`, docOf(member)]),
    ];
  });
}

const LONG = 240;

/** A comment without the sentences that exceed the limit; what a function returns is kept. */
function summaryOf(comment) {
  const text = comment
    .replaceAll(/^\s*\*+ ?/gm, ' ')
    .replaceAll('@internal', '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const [first = '', ...rest] = text.split(/(?<=\.)\s+(?=[A-Z`])/);
  let kept = first;
  for (const sentence of rest)
    if (kept.length + sentence.length < LONG || sentence.startsWith('Returns'))
      kept += ` ${sentence}`;
  return kept;
}

const present = readFileSync(page, 'utf8');
const updated = withIndex(present);
// the formatter wraps lines and escapes characters
const words = (text) => text.replaceAll(/[\s\\]+/g, ' ');
if (!process.argv.includes('--check')) writeFileSync(page, updated);
else if (words(present) !== words(updated)) {
  console.error('The index of docs/internals.md is out of date: run `npm run internals`.');
  process.exitCode = 1;
}
