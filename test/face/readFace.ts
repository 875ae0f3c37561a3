// The public names of each entry, according to the declarations of the modules before these are joined.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { oneChecker } from '../setup/oneChecker.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where the declarations of the modules are, before the build joins the declarations. */
const DECLARED = 'test-results/declarations/';

/** Writes the declarations of the modules. */
export function declareModules(): void {
  const tsc = [
    'node_modules/typescript/bin/tsc',
    '-p',
    'tsconfig.build.json',
    '--outDir',
    DECLARED,
    ...oneChecker,
  ];
  execFileSync(process.execPath, tsc, { cwd: root, stdio: 'inherit' });
}

export interface Exported {
  readonly name: string;
  /** The declarations, without comments, each statement once. */
  readonly text: string;
  /** The text of the docstring; undefined without a docstring. */
  readonly doc: string | undefined;
}

/** An entry of package.json, as users import the entry, with declarations. */
export interface Entry {
  readonly name: string;
  readonly path: string;
}

export function entries(): Entry[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { import: { types: string } }>;
  };
  return Object.entries(manifest.exports).flatMap(([name, target]) =>
    typeof target === 'string'
      ? []
      : [
          {
            name: normalize(`signalbox/${name}`).replace(/\/$/, ''),
            path: normalize(target.import.types).replace('dist/esm/', DECLARED),
          },
        ],
  );
}

/** The names that the package declares for an entry, in the joined declarations. */
export function packedNames({ path }: Entry): string[] {
  return [...exportsOf(path.replace(DECLARED, 'dist/esm/')).keys()].sort();
}

/** The exports, by name. */
export function readFace({ path }: Entry): Exported[] {
  return [...exportsOf(path)]
    .map(([name, { file, local }]) => ({ name, ...declaration(read(file), local) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

interface File {
  readonly path: string;
  readonly text: string;
  readonly body: readonly Node[];
  readonly comments: readonly { type: string; value: string; start: number; end: number }[];
}

const files = new Map<string, File>();

function read(path: string): File {
  let file = files.get(path);
  if (file === undefined) {
    const text = readFileSync(join(root, path), 'utf8');
    const { program, comments } = parseSync(path, text);
    file = { path, text, body: program.body as unknown as Node[], comments };
    files.set(path, file);
  }
  return file;
}

interface Place {
  readonly file: string;
  readonly local: string;
}

function exportsOf(path: string): Map<string, Place> {
  const found = new Map<string, Place>();
  for (const node of read(path).body) {
    if (node.type !== 'ExportNamedDeclaration') continue;
    const source = (node['source'] as { value: string } | null)?.value;
    for (const { local, exported } of node['specifiers'] as { local: Named; exported: Named }[]) {
      found.set(exported.name, place(path, source, local.name));
    }
    if (node['declaration'] !== null) {
      for (const name of namesOf(node['declaration'] as Node))
        found.set(name, { file: path, local: name });
    }
  }
  return found;
}

interface Named {
  readonly name: string;
}

/** In the place of a name: all that a file exports, as a namespace. */
const WHOLE = '*';

/** Where a name is declared, following all re-exports. */
function place(path: string, source: string | undefined, name: string): Place {
  if (source !== undefined) return through(path, source, name);
  for (const node of read(path).body) {
    if (node.type !== 'ImportDeclaration') continue;
    for (const one of node['specifiers'] as { type: string; local: Named; imported?: Named }[]) {
      if (one.local.name !== name) continue;
      const source = (node['source'] as { value: string }).value;
      if (one.type === 'ImportNamespaceSpecifier')
        return { file: besides(path, source), local: WHOLE };
      return through(path, source, one.imported?.name ?? name);
    }
  }
  return { file: path, local: name };
}

function through(path: string, source: string, name: string): Place {
  if (!source.startsWith('.')) return { file: path, local: `${source} ${name}` };
  const file = besides(path, source);
  return exportsOf(file).get(name) ?? { file, local: name };
}

function besides(path: string, source: string): string {
  return join(dirname(path), source.replace(/\.[jt]s$/, '.d.ts'));
}

function namesOf(declaration: Node): string[] {
  if (declaration.type === 'VariableDeclaration')
    return (declaration['declarations'] as { id: Named }[]).map(({ id }) => id.name);
  return [(declaration['id'] as Named).name];
}

function declaration(file: File, name: string): Pick<Exported, 'text' | 'doc'> {
  if (name.includes(' ')) return { text: `from ${name}`, doc: 'of another package' };
  if (name === WHOLE) {
    return {
      text: file.body.map((node) => bare(file, node)).join('\n'),
      doc: file.comments[0]?.value,
    };
  }
  const text = statementsOf(file, name).map((node) => bare(file, node));
  // declarations may have lost the comment at the top of the file, or the comment below
  const source = read(file.path.replace(DECLARED, '').replace(/\.d\.ts$/, '.ts'));
  const docs = statementsOf(source, name).flatMap((node) => docOf(source, node) ?? []);
  return { text: text.join('\n'), doc: docs.join('\n') || undefined };
}

function statementsOf({ path, body }: File, name: string): Node[] {
  const found = body.filter((node) => {
    const inner = (node['declaration'] ?? node) as Node;
    const declares = /^(TS|Class|Function|Variable).*Declaration$|^TSDeclareFunction$/.test(
      inner.type,
    );
    return declares && namesOf(inner).includes(name);
  });
  if (found.length === 0) throw new Error(`${path} declares no ${name}`);
  return found;
}

/** The comment above, with remarks between; the first comment describes the file. */
function docOf({ text, comments }: File, { start }: Node): string | undefined {
  const above = comments.filter(
    (one) => one.end <= start && one.start > 0 && one.value.startsWith('*'),
  );
  const last = above.at(-1);
  const between = text.slice(last?.end ?? 0, start).replace(/^\s*\/\/.*$/gm, '');
  if (last === undefined || between.trim() !== '') return undefined;
  return last.value.replace(/^\s*\*+ ?/gm, '').trim();
}

/** The text of a statement without comments and empty lines. */
function bare({ text, comments }: File, { start, end }: Node): string {
  let out = '';
  let at = start;
  for (const comment of comments.filter((one) => one.start >= start && one.end <= end)) {
    out += text.slice(at, comment.start);
    at = comment.end;
  }
  return (out + text.slice(at, end))
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}
