/** Gives the internal members of the build short names: what a bundler cannot do, since it does not know which are internal. */
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { inlineNumbers } from './inlineNumbers.mjs';
import { unnameClasses } from './unnameClasses.mjs';
import { declaredBy, filesBelow, nameOf, parse, walk } from './syntax.mjs';

/*
 *   names of members that the compiled modules declare
 *     − those of the types that an entry leads to        what users call, give, get, override, or listen to
 *     − those that the platform or a dependency declares what is asked of objects that are not ours
 *     − strings in the code, `{holes}` in its messages   what may be asked by name
 *     − objects that the optional rooms make             what they hold travels between versions, or is shown
 *     − what is given in objects and never read here     options of somebody else, whose types may not know them
 *   = internal: one short name each, the same in all entries
 */

// what bundlers and module loaders look for
const LOADED = ['process', 'env', 'NODE_ENV', 'constructor', '__proto__', '__esModule'];
// where tests look whether somebody still holds on to something
const LOOKED_AT = ['parts', 'cell', 'observers', 'fields', 'shape', 'listeners'];

// Members of ours that objects of the platform have as well: this code asks no such object for them.
const OURS = new Set([
  'about',
  'base',
  'committed',
  'compute',
  'conditions',
  'defer',
  'dependencies',
  'emit',
  'enter',
  'equals',
  'exchange',
  'exists',
  'flags',
  'hasSubscribers',
  'inputs',
  'instance',
  'isMap',
  'isReadable',
  'literal',
  'maxDepth',
  'moveTo',
  'nodes',
  'notify',
  'numeric',
  'onChange',
  'onMount',
  'onSuspend',
  'positions',
  'rename',
  'restart',
  'timeline',
  'versions',
]);

// what these write as text is read by other builds, or by people
const OPTIONAL = /\/src\/(?:ssr|testing|devtools|managers)\//;
// nobody reads its objects but itself, and no app waits for it: its names take none of the short ones
const PANEL = /\/src\/devtools\/panel\//;

// a program of its own, which reads the documents of others: nothing in it is renamed, and it keeps no name for itself
const PROGRAM = /\/src\/cli\//;

const DECLARING = [
  '@typescript',
  '@types/node',
  '@types/react',
  '@types/react-dom',
  '@preact/signals-core',
  '@preact/signals',
  '@preact/signals-react',
  'preact',
  'solid-js',
  'csstype',
  'msw',
];

/** Renames in place; `folder` holds the modules as tsc wrote them. Gives the paths of the modules with short names. */
export async function shorten(folder, { root, entries }) {
  const code = filesBelow(folder).filter((path) => path.endsWith('.js') && !PROGRAM.test(path));
  inlineNumbers(code);
  unnameClasses(code);
  const names = internalNames({ folder, root, entries, code });
  const cache = Object.fromEntries(names.map((name, at) => [name, shortName(at)]));
  await build({
    entryPoints: code,
    outdir: folder,
    outbase: folder,
    allowOverwrite: true,
    bundle: false,
    // else it decides here what NODE_ENV is
    platform: 'neutral',
    charset: 'utf8',
    target: 'es2022',
    tsconfigRaw: {},
    mangleProps: new RegExp(`^(?:${names.join('|')})$`),
    mangleCache: cache,
    logLevel: 'error',
  });
  return code;
}

function internalNames({ folder, root, entries, code }) {
  const kept = new Set([...LOADED, ...LOOKED_AT]);
  const counts = new Map();
  const read = new Set();
  for (const path of code) readCode(path, { kept, counts, read });
  for (const name of namesReached(entries.map((entry) => join(folder, `${entry}.d.ts`)))) {
    kept.add(name);
  }
  const declared = new Set();
  for (const folder of DECLARING) {
    const paths = filesBelow(join(root, 'node_modules', folder));
    for (const path of paths) if (path.endsWith('.d.ts')) addDeclared(parse(path), declared);
  }
  for (const name of declared) if (!OURS.has(name)) kept.add(name);
  const names = [...counts].filter(
    ([name]) => read.has(name) && !kept.has(name) && name.length > 2,
  );
  // the most used get the shortest; names used equally often stay in the order in which the code declares them,
  // which is the same in all builds: the platform lists files by name
  names.sort(([, m], [, n]) => n - m);
  return names.map(([name]) => name);
}

/** Counts the members that a file of the build declares, tells which are read, and keeps what may not be renamed. */
function readCode(path, { kept, counts, read }) {
  const weight = PANEL.test(path) ? 0 : 1;
  const optional = OPTIONAL.test(path) && weight > 0;
  walk(parse(path), (node) => {
    if (node.type === 'MemberExpression' && !node.computed) read.add(nameOf(node.property));
    if (node.type === 'ObjectPattern') for (const { key } of node.properties) read.add(nameOf(key));
    const name = memberName(node);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + weight);
    if (optional && node.type === 'ObjectExpression') keepMembers(node, kept);
    if (node.type === 'Literal' && typeof node.value === 'string') keepText(node.value, kept);
    if (node.type === 'TemplateElement') keepText(node.value.cooked, kept);
    // a namespace has a member for each export, and so has CommonJS
    if (node.type === 'ExportSpecifier') kept.add(nameOf(node.exported));
    if (node.type === 'ImportSpecifier') kept.add(nameOf(node.imported));
    if (node.type === 'ExportNamedDeclaration') declaredBy(node).forEach((each) => kept.add(each));
  });
}

function keepMembers({ properties }, kept) {
  for (const property of properties) kept.add(nameOf(property.key));
}

function keepText(text, kept) {
  kept.add(text);
  for (const [, hole] of text.matchAll(/\{(\w+)\}/g)) kept.add(hole);
}

/** What a member that is declared here is called: of a class, an object, or a pattern. */
function memberName(node) {
  if (node.computed || node.key === undefined) return undefined;
  return node.key.type === 'Identifier' ? node.key.name : undefined;
}

/** The names of all members of the types that these declaration files lead to. */
function namesReached(paths) {
  const names = new Set();
  const modules = new Map();
  const seen = new Set();
  const moduleAt = (path) => {
    if (!modules.has(path)) modules.set(path, readModule(path));
    return modules.get(path);
  };
  const reach = (path, name) => {
    const id = `${path} ${name}`;
    if (seen.has(id)) return;
    seen.add(id);
    const { local, from } = moduleAt(path);
    const source = from.get(name);
    if (source !== undefined) reach(source.path, source.name);
    for (const declaration of local.get(name) ?? []) {
      addDeclared(declaration, names);
      walk(declaration, (node) => {
        if (node.type === 'Identifier') reach(path, node.name);
        if (node.type === 'Literal' && typeof node.value === 'string') names.add(node.value);
      });
    }
  };
  for (const path of paths) for (const name of moduleAt(path).exported) reach(path, name);
  return names;
}

/** What a declaration file declares by name, what it takes from others, and what it gives. */
function readModule(path) {
  const local = new Map();
  const from = new Map();
  const exported = [];
  const add = (name, node) => local.set(name, [...(local.get(name) ?? []), node]);
  const at = (source) => resolve(dirname(path), source.value.replace(/\.(?:ts|js)$/, '.d.ts'));
  for (const node of parse(path).body) {
    const foreign = node.source && !node.source.value.startsWith('.');
    for (const specifier of foreign ? [] : (node.specifiers ?? [])) {
      const [outer, inner] = edge(specifier);
      if (node.source) from.set(inner, { path: at(node.source), name: outer });
      if (specifier.type === 'ExportSpecifier') exported.push(inner);
    }
    for (const name of declaredBy(node)) {
      add(name, node);
      if (node.type === 'ExportNamedDeclaration') exported.push(name);
    }
  }
  return { local, from, exported };
}

/** The name outside of the file that is taken from, and the name here. */
function edge({ type, imported, local, exported }) {
  return type === 'ImportSpecifier'
    ? [nameOf(imported), nameOf(local)]
    : [nameOf(local), nameOf(exported)];
}

function addDeclared(root, names) {
  walk(root, (node) => {
    const name = nameOf(node.key);
    if (typeof name === 'string') names.add(name);
    // functions, variables, classes
    if (typeof nameOf(node.id) === 'string') names.add(nameOf(node.id));
  });
}

// no name that a user gives begins with it
const shortName = (at) => `_${at.toString(36)}`;
