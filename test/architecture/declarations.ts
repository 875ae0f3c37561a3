// Rules about declared names: a single meaning each, no name of the platform, and no class cut in two.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import type { Rule } from './Rule.ts';
import { declaredNames, nameOf, type Node, type Source } from './sources.ts';
import { basesOf, membersOf, nodesIn, TypeIndex } from './TypeIndex.ts';
import type { Declared } from './TypeIndex.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The declarations of the platform that TypeScript has: the language, the page, iterables. */
export function platformFiles(): string[] {
  const scope = join(root, 'node_modules/@typescript');
  return readdirSync(scope).flatMap((name) => {
    const folder = join(scope, name, 'lib');
    return readdirSync(folder)
      .filter((file) => /^lib\.(?:es.*|dom.*|decorators.*)\.d\.ts$/.test(file))
      .map((file) => join(folder, file));
  });
}

let platform: Set<string> | undefined;

/** The names at the top of the platform's declarations: globals, and types that need no import. */
function platformNames(): Set<string> {
  if (platform !== undefined) return platform;
  platform = new Set();
  for (const file of platformFiles()) {
    const { program } = parseSync(file, readFileSync(file, 'utf8'));
    for (const statement of program.body as unknown as Node[])
      for (const name of declaredNames(statement)) if (name !== '') platform.add(name);
  }
  return platform;
}

const noShadowingType: Rule = {
  title: 'no type has the name of a global or of a built-in type',
  find: (sources) =>
    sources.flatMap(({ path, program }) => {
      const found = new Set<string>();
      for (const node of nodesIn(program)) {
        const name = typeNameOf(node);
        if (name !== undefined && platformNames().has(name)) found.add(`${path} declares ${name}`);
      }
      return [...found];
    }),
  sample: {
    'src/store/a.ts': `
      export interface Record {}
      type Node = unknown;
      class Map {}
      function f<Pick>(value: Pick): void {}
      interface StoreRecord { Node: string }
      const Set = 1;`,
  },
  finds: [
    'src/store/a.ts declares Record',
    'src/store/a.ts declares Node',
    'src/store/a.ts declares Map',
    'src/store/a.ts declares Pick',
  ],
};

function typeNameOf(node: Node): string | undefined {
  if (node.type === 'TSTypeParameter') return nameOf(node['name']) ?? textOf(node['name']);
  const declares =
    /^(?:ClassDeclaration|TSInterfaceDeclaration|TSTypeAliasDeclaration|TSEnumDeclaration)$/;
  return declares.test(node.type) ? nameOf(node['id']) : undefined;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const framework = (path: string): string | undefined => /^adapters\/([^/]+)\//.exec(path)?.[1];

/** An entry with the names of another library, in the forms of that library. */
const hasForeignNames = (path: string): boolean => path.startsWith('src/data-client/');

/**
 * Public names of the adapters are the same for each framework, and `src/data-client` has separate public names; all
 * other names have a single file.
 */
const exportedOnce = (entries: ReadonlySet<string>): Rule => ({
  title: 'no name is exported by two files, except the public names of two frameworks',
  find: (sources) => {
    const shared = new Set(
      sources.filter(({ path }) => entries.has(path)).flatMap(({ exports }) => exports),
    );
    const files = new Map<string, Set<string>>();
    for (const { path, own } of sources)
      for (const name of own) files.set(name, (files.get(name) ?? new Set()).add(path));
    return [...files]
      .filter(([name, all]) => {
        const paths = [...all].filter((path) => !(shared.has(name) && hasForeignNames(path)));
        const frameworks = new Set(paths.map(framework));
        const parallel = frameworks.size === paths.length && !frameworks.has(undefined);
        return paths.length > 1 && !(parallel && shared.has(name));
      })
      .map(([name, paths]) => `${name}: ${[...paths].join(', ')}`);
  },
  sample: {
    'src/schema/a.ts': `export const one = 1; export function two(a: string): void; export function two() {}`,
    'src/store/b.ts': `export interface one {} export { two } from '../schema/a.ts';`,
    'adapters/react/index.ts': `export { useCache } from './useCache.ts';`,
    'adapters/react/useCache.ts': `export function useCache() {} export const track = 1;`,
    'adapters/solid/useCache.ts': `export function useCache() {} export const track = 1;`,
  },
  finds: [
    'one: src/schema/a.ts, src/store/b.ts',
    'track: adapters/react/useCache.ts, adapters/solid/useCache.ts',
  ],
});

/** Classes that applications extend belong to the entries, and may be abstract. */
const noLonelyBase = (entries: ReadonlySet<string>): Rule => ({
  title: 'no abstract class has a single subclass',
  find: (sources) => {
    const index = new TypeIndex(sources);
    const classes = index.types.filter(({ isClass }) => isClass);
    const subclasses = new Map<string, string[]>();
    for (const each of classes)
      for (const name of basesOf(each.node)) {
        const base = index.typeNamed(each.path, name);
        if (base !== undefined)
          subclasses.set(keyOf(base), [...(subclasses.get(keyOf(base)) ?? []), each.name]);
      }
    const exposed = publicNames(sources, entries);
    return classes
      .filter((each) => each.node['abstract'] === true && !exposed.has(each.name))
      .filter((each) => (subclasses.get(keyOf(each)) ?? []).length < 2)
      .map((each) => {
        const [only] = subclasses.get(keyOf(each)) ?? [];
        return `${each.path} ${each.name}: ${only ?? 'no subclass'}`;
      });
  },
  sample: {
    'src/store/a.ts': `
      export abstract class Lonely {} export class Other {}
      export abstract class Shared {} class One extends Shared {}
      export abstract class Childless {}`,
    'src/store/b.ts': `import { Lonely, Shared as Base } from './a.ts';
      export class Only extends Lonely {} export class Two extends Base {}`,
  },
  finds: ['src/store/a.ts Lonely: Only', 'src/store/a.ts Childless: no subclass'],
});

/**
 * An interface with the members of a class in the same folder: types within a folder refer to the class itself. Public
 * interfaces are for applications, and an interface of two classes is the common part.
 */
const noRepeatedClass = (entries: ReadonlySet<string>): Rule => ({
  title: 'no interface repeats a class of its folder',
  find: (sources) => {
    const index = new TypeIndex(sources);
    const exposed = publicNames(sources, entries);
    const classes = index.types.filter(({ isClass }) => isClass);
    return index.types
      .filter(({ node, name }) => node.type === 'TSInterfaceDeclaration' && !exposed.has(name))
      .flatMap((each) => {
        const names = membersOf(each.node).map(({ key }) => nameOf(key) ?? '');
        if (names.length < MANY_MEMBERS) return [];
        const alike = classes.filter((one) => names.every((name) => hasMember(index, one, name)));
        const [only] = alike;
        const isRepeated = alike.length === 1 && folderOf(only?.path ?? '') === folderOf(each.path);
        return isRepeated ? [`${each.path} ${each.name}: ${only?.name ?? ''}`] : [];
      });
  },
  sample: {
    'src/store/a.ts': `
      interface Part { a: string; b(): void; c: number }
      interface Other { a: string; b(): void; d: number }
      interface Small { a: string; b(): void }`,
    'src/store/b.ts': `class Base { a = ''; get c() { return 1; } } export class Whole extends Base { b() {} }`,
    'src/view/c.ts': `interface Part { a: string; b(): void; c: number }`,
  },
  finds: ['src/store/a.ts Part: Whole'],
});

/** With fewer members, two types are alike by chance. */
const MANY_MEMBERS = 3;

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

function hasMember(index: TypeIndex, owner: Declared, name: string, seen = 0): boolean {
  if (membersOf(owner.node).some(({ key }) => nameOf(key) === name)) return true;
  return basesOf(owner.node).some((base) => {
    const type = seen > MANY_MEMBERS ? undefined : index.typeNamed(owner.path, base);
    return type !== undefined && hasMember(index, type, name, seen + 1);
  });
}

const keyOf = ({ path, name }: { readonly path: string; readonly name: string }): string =>
  `${path}#${name}`;

const publicNames = (sources: readonly Source[], entries: ReadonlySet<string>): Set<string> =>
  new Set(sources.filter(({ path }) => entries.has(path)).flatMap(({ exports }) => exports));

export const declarationRules = (entries: ReadonlySet<string>): readonly Rule[] => [
  noShadowingType,
  exportedOnce(entries),
  noLonelyBase(entries),
  noRepeatedClass(entries),
];
