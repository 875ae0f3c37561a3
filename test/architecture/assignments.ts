// A rule of the architecture: no file assigns a member of another module's object.
import type { Rule } from './Rule.ts';
import { childrenOf, functionTypes, isNode, nameOf, type Node } from './sources.ts';
import { annotationOf, TypeIndex, type Declared } from './TypeIndex.ts';

/** The type of a name or an expression: a declared type, or an annotated type that belongs to an object of a declared type. */
interface Known {
  readonly type: Declared | undefined;
  /** The annotation, for the items of a collection. */
  readonly annotation?: { readonly path: string; readonly node: Node } | undefined;
  /** The file that declares the owner of the objects. */
  readonly owner: string;
}

type Names = Map<string, Known | undefined>;

/** Folders right below `src` and `adapters` are the modules here: all folders of the store are a single module. */
const moduleOf = (path: string): string =>
  path.replace(/^(src\/[^/]+|adapters\/[^/]+\/|adapters).*/, '$1');

const functionsThatAssign =
  /^(?:Object\.(?:assign|defineProperty|defineProperties|setPrototypeOf)|Reflect\.(?:set|defineProperty))$/;

/** Walks through a file with the types of all names. */
class Assignments {
  readonly found = new Set<string>();
  readonly #path: string;
  readonly #index: TypeIndex;

  constructor(path: string, program: Node, index: TypeIndex) {
    this.#path = path;
    this.#index = index;
    this.#walk(program, [new Map()], undefined);
  }

  #walk(node: Node, scopes: readonly Names[], self: Declared | undefined): void {
    let inner = scopes;
    if (functionTypes.has(node.type) || /^(?:Block|For\w*)Statement$|^CatchClause$/.test(node.type))
      inner = [...scopes, new Map()];
    if (functionTypes.has(node.type))
      for (const parameter of node['params'] as Node[])
        this.#declare(parameter, undefined, inner, self);
    if (node.type === 'ForOfStatement') this.#declareItem(node, inner, self);
    const name = nameOf(node['id']);
    let own = self;
    if (/^Class(?:Declaration|Expression)$/.test(node.type))
      own = name === undefined ? undefined : this.#index.typeNamed(this.#path, name);
    this.#note(node, inner, own);
    for (const child of childrenOf(node)) this.#walk(child, inner, own);
    // after the initial value, in which the name has another meaning
    if (
      node.type === 'VariableDeclarator' &&
      (isNode(node['init']) || annotationOf(node) !== undefined)
    ) {
      const init = isNode(node['init']) ? this.#known(node['init'], inner, own) : undefined;
      this.#declare(node['id'] as Node, init, inner, own);
    }
  }

  #note(node: Node, scopes: readonly Names[], self: Declared | undefined): void {
    if (node.type === 'AssignmentExpression') this.#assign(node['left'] as Node, scopes, self);
    else if (
      node.type === 'UpdateExpression' ||
      (node.type === 'UnaryExpression' && node['operator'] === 'delete')
    )
      this.#assign(node['argument'] as Node, scopes, self);
    else if (node.type === 'CallExpression' && functionsThatAssign.test(calleeText(node))) {
      const [target] = node['arguments'] as Node[];
      if (target !== undefined) this.#report(target, calleeText(node), scopes, self);
    }
  }

  #assign(target: Node, scopes: readonly Names[], self: Declared | undefined): void {
    if (target.type === 'ObjectPattern' || target.type === 'ArrayPattern')
      for (const child of childrenOf(target))
        this.#assign(child.type === 'Property' ? (child['value'] as Node) : child, scopes, self);
    const bare = unwrap(target);
    // `values[key] = …` fills a collection
    if (bare.type !== 'MemberExpression' || bare['computed'] === true) return;
    this.#report(bare['object'] as Node, nameOf(bare['property']) ?? '', scopes, self);
  }

  #report(
    object: Node,
    member: string,
    scopes: readonly Names[],
    self: Declared | undefined,
  ): void {
    const known = this.#known(object, scopes, self);
    if (known === undefined || moduleOf(known.owner) === moduleOf(this.#path)) return;
    const what = known.type?.name ?? `an object of ${known.owner}`;
    this.found.add(`${this.#path} assigns ${member} of ${what}`);
  }

  #known(
    expression: Node,
    scopes: readonly Names[],
    self: Declared | undefined,
  ): Known | undefined {
    const node = unwrap(expression);
    if (node.type === 'ThisExpression') return self && { type: self, owner: self.path };
    if (node.type === 'Identifier') return this.#named(node['name'] as string, scopes);
    if (node.type === 'MemberExpression') {
      const object = this.#known(node['object'] as Node, scopes, self);
      return object && this.#member(object, nameOf(node['property']) ?? '');
    }
    if (node.type === 'NewExpression' || node.type === 'CallExpression')
      return this.#called(node, scopes, self);
    return undefined;
  }

  /** The object that a constructor creates belongs to the caller; the owner of a result follows from the annotation of the function. */
  #called(node: Node, scopes: readonly Names[], self: Declared | undefined): Known | undefined {
    const callee = unwrap(node['callee'] as Node);
    if (node.type === 'NewExpression') return undefined;
    if (callee.type === 'Identifier') {
      const value = this.#index.valueNamed(this.#path, callee['name'] as string);
      return value && this.#annotated(value);
    }
    const known =
      callee.type === 'MemberExpression' ? this.#known(callee, scopes, self) : undefined;
    return known?.type === undefined ? undefined : known;
  }

  #named(name: string, scopes: readonly Names[]): Known | undefined {
    const scope = [...scopes].reverse().find((each) => each.has(name));
    if (scope !== undefined) return scope.get(name);
    const from = this.#index.importOf(this.#path, name);
    const value = this.#index.valueNamed(this.#path, name);
    if (value !== undefined)
      return this.#annotated(value) ?? (from && { type: undefined, owner: from.path });
    return from && { type: undefined, owner: from.path };
  }

  #member(object: Known, name: string): Known | undefined {
    if (object.type === undefined) return undefined;
    const member = this.#index.memberOf(object.type, name);
    if (member === undefined) return { type: undefined, owner: object.owner };
    return this.#annotated(member) ?? { type: undefined, annotation: member, owner: object.owner };
  }

  #annotated(annotation: { readonly path: string; readonly node: Node }): Known | undefined {
    const type = this.#index.typeOf(annotation.path, annotation.node);
    return type && { type, annotation, owner: type.path };
  }

  /** A parameter or a variable, also in a pattern; the annotation wins over the value. */
  #declare(
    pattern: Node,
    value: Known | undefined,
    scopes: readonly Names[],
    self: Declared | undefined,
  ): void {
    const annotation = annotationOf(pattern);
    const own = annotation && this.#annotated({ path: this.#path, node: annotation });
    const known = own ?? (annotation === undefined ? value : undefined);
    if (pattern.type === 'Identifier') scopes.at(-1)?.set(pattern['name'] as string, known);
    else if (pattern.type === 'AssignmentPattern')
      this.#declare(pattern['left'] as Node, known, scopes, self);
    else if (pattern.type === 'ObjectPattern')
      for (const property of pattern['properties'] as Node[]) {
        const member = known && this.#member(known, nameOf(property['key']) ?? '');
        if (isNode(property['value'])) this.#declare(property['value'], member, scopes, self);
      }
  }

  /** `for (const record of records)`. */
  #declareItem(node: Node, scopes: readonly Names[], self: Declared | undefined): void {
    const [declarator] = ((node['left'] as Node)['declarations'] as Node[] | undefined) ?? [];
    const known = this.#known(node['right'] as Node, scopes, self);
    if (declarator === undefined || known?.annotation === undefined) return;
    const type = this.#index.itemOf(known.annotation.path, known.annotation.node);
    if (type !== undefined)
      this.#declare(declarator['id'] as Node, { type, owner: type.path }, scopes, self);
  }
}

/** Without casts and parentheses: a cast to a type without `readonly` does not change the owner of an object. */
function unwrap(node: Node): Node {
  const wraps =
    /^(?:TSAsExpression|TSNonNullExpression|TSSatisfiesExpression|TSTypeAssertion|ParenthesizedExpression|ChainExpression)$/;
  return wraps.test(node.type) ? unwrap(node['expression'] as Node) : node;
}

function calleeText(call: Node): string {
  const callee = call['callee'] as Node;
  return callee.type === 'MemberExpression'
    ? `${nameOf(callee['object']) ?? ''}.${nameOf(callee['property']) ?? ''}`
    : '';
}

const noForeignAssignment: Rule = {
  title: "no file assigns a member of another module's object",
  find: (sources) => {
    const index = new TypeIndex(sources);
    return sources.flatMap(({ path, program }) => [...new Assignments(path, program, index).found]);
  },
  sample: {
    'src/store/Store.ts': `
      import type { Layers } from '../optimistic/Layers.ts';
      export class Store { layers: Layers; readonly results: Map<string, Result>; commit(change: () => void): void {} }
      export class Result { readonly key: string; meta: object; }`,
    'src/optimistic/Layers.ts': `export class Layers { beforeWrite() {} own() { this.beforeWrite = () => {}; } }`,
    'src/request/FetchContext.ts': `
      import type { Store } from '../store/Store.ts';
      export interface FetchContext { readonly store: Store; send: () => void }
      export const contexts = new Map();
      export function contextOf(of: object): FetchContext { return of as FetchContext; }`,
    'src/sync/a.ts': `
      import { contextOf, contexts } from '../request/FetchContext.ts';
      import type { Store } from '../store/Store.ts';
      class Own {
        #store: Store; count = 0;
        patch({ layers }: Store) { layers.beforeWrite = () => {}; this.count++; }
        replace(controller) {
          const context = contextOf(controller) as { send: () => void };
          context.send = () => {};
          const { store } = contextOf(controller);
          const results = store.results as Map<string, unknown>;
          results.get = () => {};
          this.#store.commit = () => {};
          for (const result of this.#results) delete result.meta;
          contexts.size = 1;
          Object.assign(store, {});
        }
        readonly #results: Set<Result>;
      }
      import type { Result } from '../store/Store.ts';
      function fine(store: Store, context: { store: Store }) {
        const layers = { beforeWrite: 1 };
        layers.beforeWrite = 2;
        const made = new Map<string, Store>();
        made.size = store.commit.length;
        { const store = { commit: 1 }; store.commit = 2; }
        context.store = store;
      }`,
  },
  finds: [
    'src/sync/a.ts assigns beforeWrite of Layers',
    'src/sync/a.ts assigns send of FetchContext',
    'src/sync/a.ts assigns get of an object of src/store/Store.ts',
    'src/sync/a.ts assigns commit of Store',
    'src/sync/a.ts assigns meta of Result',
    'src/sync/a.ts assigns size of an object of src/request/FetchContext.ts',
    'src/sync/a.ts assigns Object.assign of Store',
  ],
};

export const assignmentRules: readonly Rule[] = [noForeignAssignment];
