// The declarations of the sources: classes and interfaces with the types of members, functions with return types.
import { childrenOf, isNode, nameOf, type Node, type Source } from './sources.ts';

/** A declared class, interface or type. */
export interface Declared {
  readonly path: string;
  readonly name: string;
  readonly node: Node;
  readonly isClass: boolean;
}

interface Scope {
  /** Names that a file imports: the file and the name there. */
  readonly imported: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
  readonly types: ReadonlyMap<string, Declared>;
  /** The types of functions and constants at the top of a file: their annotation, or the value. */
  readonly values: ReadonlyMap<string, Node>;
  /** `export { a as b } from`, `export * from`. */
  readonly passedOn: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
}

/** A name passes through few files, and a class has few bases: more are a circle. */
const MOST_STEPS = 9;

const transparent = new Set(['Readonly', 'Partial', 'Required', 'NonNullable', 'Pick', 'Omit']);
const typeDeclarations = new Set([
  'ClassDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
]);

export class TypeIndex {
  readonly #scopes: ReadonlyMap<string, Scope>;

  constructor(sources: readonly Source[]) {
    this.#scopes = new Map(sources.map((source) => [source.path, scopeOf(source)]));
  }

  /** The import by which a file has a name. */
  importOf(
    path: string,
    name: string,
  ): { readonly path: string; readonly name: string } | undefined {
    return this.#scopes.get(path)?.imported.get(name);
  }

  /** The declaration of a type by the name in a file. */
  typeNamed(path: string, name: string, seen = 0): Declared | undefined {
    const scope = this.#scopes.get(path);
    const own = scope?.types.get(name);
    if (own !== undefined || scope === undefined || seen > MOST_STEPS) return own;
    const from = scope.imported.get(name) ?? scope.passedOn.get(name);
    return from === undefined ? undefined : this.typeNamed(from.path, from.name, seen + 1);
  }

  /** The annotation of a value at the top of a file, with the declaring file. */
  valueNamed(path: string, name: string, seen = 0): { path: string; node: Node } | undefined {
    const scope = this.#scopes.get(path);
    const node = scope?.values.get(name);
    if (node !== undefined) return { path, node };
    const from = scope?.imported.get(name) ?? scope?.passedOn.get(name);
    if (from === undefined || seen > MOST_STEPS) return undefined;
    return this.valueNamed(from.path, from.name, seen + 1);
  }

  /** The type that an annotation names: of `T | undefined` and `Readonly<T>` this is T. */
  typeOf(path: string, annotation: Node | undefined): Declared | undefined {
    if (annotation === undefined) return undefined;
    if (annotation.type === 'TSTypeAnnotation')
      return this.typeOf(path, annotation['typeAnnotation'] as Node);
    if (annotation.type === 'TSUnionType' || annotation.type === 'TSIntersectionType') {
      for (const part of annotation['types'] as Node[]) {
        const found = this.typeOf(path, part);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    if (annotation.type !== 'TSTypeReference') return undefined;
    const name = nameOf(annotation['typeName']);
    if (name === undefined) return undefined;
    const own = this.typeNamed(path, name);
    if (own !== undefined) return own;
    return transparent.has(name) ? this.typeOf(path, argumentsOf(annotation)[0]) : undefined;
  }

  /** The type of the items of an annotated collection. */
  itemOf(path: string, annotation: Node | undefined): Declared | undefined {
    if (annotation === undefined) return undefined;
    if (annotation.type === 'TSTypeAnnotation')
      return this.itemOf(path, annotation['typeAnnotation'] as Node);
    if (annotation.type === 'TSTypeOperator')
      return this.itemOf(path, annotation['typeAnnotation'] as Node);
    if (annotation.type === 'TSArrayType')
      return this.typeOf(path, annotation['elementType'] as Node);
    return this.typeOf(path, argumentsOf(annotation).at(-1));
  }

  /** The annotation of a member of a type, with the declaring file. */
  memberOf(owner: Declared, name: string, seen = 0): { path: string; node: Node } | undefined {
    for (const member of membersOf(owner.node)) {
      if (nameOf(member['key']) !== name) continue;
      const node = annotationOf(member);
      if (node !== undefined) return { path: owner.path, node };
    }
    if (seen > MOST_STEPS) return undefined;
    for (const base of basesOf(owner.node)) {
      const type = this.typeNamed(owner.path, base);
      const found = type && this.memberOf(type, name, seen + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  get types(): Declared[] {
    return [...this.#scopes.values()].flatMap(({ types }) => [...types.values()]);
  }
}

export const argumentsOf = (annotation: Node): Node[] =>
  ((annotation['typeArguments'] as Node | null | undefined)?.['params'] as Node[] | undefined) ??
  [];

/** Properties, accessors and methods of a class, an interface or an object type. */
export function membersOf(declaration: Node): Node[] {
  const body = declaration['body'] as Node | undefined;
  const literal = declaration['typeAnnotation'] as Node | undefined;
  if (literal?.type === 'TSTypeLiteral') return literal['members'] as Node[];
  return (body?.['body'] as Node[] | undefined) ?? [];
}

/** The classes and interfaces that a declaration extends, by name. */
export function basesOf(declaration: Node): string[] {
  const heritage = (declaration['extends'] as Node[] | undefined) ?? [];
  const names = Array.isArray(heritage) ? heritage.map((each) => nameOf(each['expression'])) : [];
  return [nameOf(declaration['superClass']), ...names].filter((name) => name !== undefined);
}

/** The type of a member or a value: the annotation, the return type of a method or a getter, or the class of `new X()`. */
export function annotationOf(node: Node): Node | undefined {
  const own = node['typeAnnotation'] ?? (node['id'] as Node | null | undefined)?.['typeAnnotation'];
  if (isNode(own)) return own;
  const value = (node['value'] ?? node['init']) as Node | null | undefined;
  const returns = node['returnType'] ?? value?.['returnType'];
  if (isNode(returns)) return returns;
  if (value?.type === 'NewExpression' && isNode(value['callee']))
    return { ...value, type: 'TSTypeReference', typeName: value['callee'] };
  return undefined;
}

function scopeOf({ path, program, imports }: Source): Scope {
  const imported = new Map<string, { path: string; name: string }>();
  const passedOn = new Map<string, { path: string; name: string }>();
  const types = new Map<string, Declared>();
  const values = new Map<string, Node>();
  const targets = new Map(imports.map(({ specifier, target }) => [specifier, target]));
  for (const statement of program['body'] as Node[]) {
    const source = nameOf(statement['source']);
    const target = source === undefined ? undefined : targets.get(source);
    for (const each of (statement['specifiers'] as Node[] | undefined) ?? []) {
      const [here, there] =
        statement.type === 'ImportDeclaration'
          ? [nameOf(each['local']), nameOf(each['imported'])]
          : [nameOf(each['exported']), nameOf(each['local'])];
      if (here === undefined || target === undefined) continue;
      const names = statement.type === 'ImportDeclaration' ? imported : passedOn;
      names.set(here, { path: target, name: there ?? '*' });
    }
    const declaration = isNode(statement['declaration']) ? statement['declaration'] : statement;
    const name = nameOf(declaration['id']);
    if (name !== undefined && typeDeclarations.has(declaration.type)) {
      const isClass = declaration.type === 'ClassDeclaration';
      types.set(name, { path, name, node: declaration, isClass });
    } else if (name !== undefined && declaration.type === 'FunctionDeclaration') {
      const node = annotationOf(declaration);
      if (node !== undefined) values.set(name, node);
    } else if (declaration.type === 'VariableDeclaration') {
      for (const each of declaration['declarations'] as Node[]) {
        const node = annotationOf(each);
        const variable = nameOf(each['id']);
        if (variable !== undefined && node !== undefined) values.set(variable, node);
      }
    }
  }
  return { imported, passedOn, types, values };
}

/** Each node of a tree, the outer ones first. */
export function* nodesIn(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesIn(child);
}
