/** Changes the packages that a module imports, and finds the places that need a decision. */

/** A parser of modules, as `oxc-parser` is: offsets count UTF-16 units. */
export type Parse = (
  file: string,
  text: string,
) => { readonly program: unknown; readonly errors: readonly { readonly message: string }[] };

/** A place that the command cannot change. */
export interface Note {
  readonly line: number;
  readonly reason: string;
  /** The page that describes the decision. */
  readonly page: string;
}

export interface Rewritten {
  readonly text: string;
  readonly notes: readonly Note[];
}

const ENTRY = 'signalbox/data-client';
const TEST_ENTRY = 'signalbox/data-client/test';

/*
 *   @data-client/test, @rest-hooks/test                        → signalbox/data-client/test
 *   …/nextjs, …/redux                                          → a note
 *   rest-hooks, @rest-hooks/*, @data-client/*, …/next, …/ssr   → signalbox/data-client
 */
const PACKAGE =
  /^(?:@data-client|@rest-hooks)\/(?:react|core|endpoint|rest|graphql|hooks|img|normalizr|legacy|experimental|ssr|test)(?:\/.+)?$|^rest-hooks(?:\/.+)?$/;

interface Target {
  readonly entry?: string;
  readonly note?: Omit<Note, 'line'>;
}

/** Where the names of a package are now; undefined for all other modules. */
function targetOf(specifier: string): Target | undefined {
  if (!PACKAGE.test(specifier)) return undefined;
  if (specifier.endsWith('/nextjs'))
    return {
      note: {
        reason: `${specifier}: Next.js has a provider of its own`,
        page: 'docs/frameworks/nextjs.md',
      },
    };
  if (specifier.endsWith('/redux'))
    return { note: { reason: `${specifier}: there is no Redux store`, page: 'docs/migration.md' } };
  return { entry: /\/(?:test(?:\/.+)?|mock)$/.test(specifier) ? TEST_ENTRY : ENTRY };
}

/** Names without an equivalent in the entry, by the page that describes what to do. */
export const absentNames: Readonly<Record<string, readonly string[]>> = {
  'docs/migration.md': (
    '__INTERNAL__ reducer DenormalizeCache normalize denormalize denormalizeCached ' +
    'MemoCache WeakDependencyMap WeakEntityMap inferResults validateInference ' +
    'validateQueryKey getUrlBase getUrlTokens PromiseifyMiddleware mapMiddleware ' +
    'ExternalDataProvider prepareStore'
  ).split(' '),
  'docs/migration/rest-hooks.md': (
    'useDenormalized useSelectionUnstable useExpiresAt hasUsableData FlatEntity ' +
    'NestedEntity EntityRecord ExternalCacheProvider ' +
    'makeExternalCacheProvider DispatchContext DenormalizeCacheContext BackupBoundary ' +
    'createReceive createReceiveError DELETED MockNetworkManager MockPollingSubscription ' +
    'unsetDispatch'
  ).split(' '),
  'docs/frameworks/nextjs.md': 'RestHooksDocument AppCacheProvider'.split(' '),
  'docs/migration/names.md': (
    'CreateCountRef ReceiveMeta ResponseActions SchemaSimpleNew paginationUpdate ' +
    'RecordClass NormalizeObject NormalizedEntity ' +
    'NormalizedNullableObject DenormalizeObject DenormalizeNullableObject ' +
    'IRestEndpoint EntityCache EndpointsCache DenormGetEntity IMemoPolicy Path ' +
    'MemoPolicy BaseDelegate EntityTable EntitiesInterface EntitiesPath EntityPath IndexPath ' +
    'QueryPath NormalizedIndex NormalizedSchema NormalizeReturnType GetEntity GetIndex ' +
    'CheckLoop Mergeable InferReturn IndexInterface OptimisticUpdateParams FetchFunctionOld ' +
    'Reducer'
  ).split(' '),
};

/** The page that describes the absence of a name. */
const pageOfAbsent = (name: string | undefined): string | undefined =>
  Object.keys(absentNames).find((page) => absentNames[page]?.includes(name ?? ''));

/** Members of classes and options that older versions had. */
const FORMER_MEMBERS: Readonly<Record<string, string>> = {
  fetchOptionsPlugin: 'getFetchInit',
  getFetchOptions: 'getEndpointExtra',
  useFetchInit: 'HookableResource',
  automaticValidation: 'validate',
  detailShape: 'detail',
  listShape: 'list',
  createShape: 'create',
  updateShape: 'update',
  partialUpdateShape: 'partialUpdate',
  deleteShape: 'delete',
};

/** Members of a shape, by the option of an endpoint; `...`: the members of the value are options. */
const SHAPE_MEMBERS: Readonly<Record<string, string>> = {
  schema: 'schema',
  fetch: 'fetch',
  getFetchKey: 'key',
  options: '...',
};

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

/** The name of an identifier; undefined for other nodes. */
function nameOf(node: unknown): string | undefined {
  const { name, value } = (node ?? {}) as { readonly name?: unknown; readonly value?: unknown };
  const text = name ?? value;
  return typeof text === 'string' ? text : undefined;
}

/** The value of a text, or of a template without expressions. */
function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  const { type, value, quasis, expressions } = node;
  if (type === 'Literal') return typeof value === 'string' ? value : undefined;
  if (type !== 'TemplateLiteral' || (expressions as unknown[]).length > 0) return undefined;
  const [part] = quasis as { readonly value: { readonly cooked: string } }[];
  return part?.value.cooked;
}

/** The package that an expression loads: `require('…')`, `import('…')`, also behind `await`. */
function loadedBy(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'AwaitExpression') return loadedBy(node['argument']);
  const isRequire = node.type === 'CallExpression' && nameOf(node['callee']) === 'require';
  const [first] = (node['arguments'] ?? []) as unknown[];
  const source = isRequire ? first : node['source'];
  const specifier = textOf(source);
  return specifier !== undefined && targetOf(specifier)?.entry ? specifier : undefined;
}

/** Files with modules inside, which are left to the user. */
const EMBEDDING = /\.(?:vue|svelte|astro|mdx)$/;

function notesOfImports(text: string): Note[] {
  for (const { index, 2: specifier = '' } of text.matchAll(/\b(?:from|import)\s*(['"])(.*?)\1/g))
    if (targetOf(specifier) !== undefined)
      return [
        {
          line: lineOf(text, index),
          reason: 'imports of this file are left to you',
          page: PAGE,
        },
      ];
  return [];
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** The module with other imports. A module that does not parse stays unchanged, with a note. */
export function rewriteModule(file: string, text: string, parse: Parse): Rewritten {
  if (!/data-client|rest-hooks/.test(text)) return { text, notes: [] };
  if (EMBEDDING.test(file)) return { text, notes: notesOfImports(text) };
  // bundlers of applications read JSX, and types of Flow, in modules with this name
  const { program, errors } = parse(file.replace(/\.js$/, '.tsx'), text);
  const [error] = errors;
  if (error !== undefined)
    return { text, notes: [{ line: 1, reason: error.message, page: 'not parsed' }] };
  const rewriting = new Rewriting(text);
  rewriting.visit(program);
  return rewriting.result();
}

/** A text in the place of another. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

class Rewriting {
  readonly #text: string;
  readonly #edits: Edit[] = [];
  readonly #notes: Note[] = [];
  readonly #formerMembers: SyntaxNode[] = [];
  /** The names of namespaces of the packages. */
  readonly #namespaces = new Set<string | undefined>();
  /** The names of `useDebounce` of the hooks package, and calls of these whose result is read as a pair. */
  readonly #debounces = new Set<string | undefined>();
  readonly #pairs = new Set<unknown>();
  /** The names of variables that hold shapes. */
  readonly #shapes = new Set<string | undefined>();
  /** The first package that is mocked, by entry. */
  readonly #mocked = new Map<string, string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Visits a node and all inner nodes. */
  visit(node: unknown): void {
    if (Array.isArray(node)) return node.forEach((each) => this.visit(each));
    if (!isNode(node)) return;
    const text = textOf(node);
    if (text !== undefined) return this.#visitText(text, node);
    const { type } = node;
    if (/^(?:Import|Export\w+)Declaration$/.test(type)) this.#visitNames(node);
    if (/^Class(?:Declaration|Expression)$/.test(type)) this.#visitClass(node);
    if (/^(?:PropertyDefinition|MethodDefinition|Property)$/.test(type)) {
      if (Object.hasOwn(FORMER_MEMBERS, nameOf(node['key']) ?? '')) this.#formerMembers.push(node);
    }
    if (type === 'VariableDeclarator') this.#visitVariable(node);
    if (type === 'CallExpression') this.#visitCall(node);
    if (type === 'ObjectExpression') this.#visitObject(node);
    if (/^(?:(?:JSX)?MemberExpression|TSQualifiedName)$/.test(type)) this.#visitMember(node);
    for (const member of Object.values(node)) this.visit(member);
  }

  /** Imports, `require`, `import()`, mocks of modules: each is a text that is the name of a package. */
  #visitText(value: string, { start, end }: SyntaxNode): void {
    const target = targetOf(value);
    const quote = this.#text.charAt(start);
    if (target?.entry !== undefined)
      this.#edits.push({ start, end, text: quote + target.entry + quote });
    if (target?.note !== undefined) this.#note(start, target.note);
  }

  /** The middleware of a manager is public since version 0.14. */
  #visitClass({ implements: interfaces, body }: SyntaxNode): void {
    const named = (interfaces ?? []) as readonly { readonly expression?: unknown }[];
    if (!named.some(({ expression }) => nameOf(expression) === 'Manager')) return;
    const { body: members } = body as { readonly body: readonly SyntaxNode[] };
    for (const { start, key } of members) {
      const { start: end } = (key ?? {}) as Partial<SyntaxNode>;
      const modifiers = this.#text.slice(start, end);
      const match = /\b(?:protected|private)\s+/.exec(modifiers);
      if (nameOf(key) !== 'middleware' || match === null) continue;
      const at = start + match.index;
      this.#edits.push({ start: at, end: at + match[0].length, text: '' });
    }
  }

  /** The names of an import or a re-export. */
  #visitNames({ source, specifiers }: SyntaxNode): void {
    const specifier = textOf(source);
    if (specifier === undefined || targetOf(specifier)?.entry === undefined) return;
    for (const { type, start, imported, local } of (specifiers ?? []) as SyntaxNode[]) {
      if (type === 'ImportNamespaceSpecifier') {
        this.#namespaces.add(nameOf(local));
        continue;
      }
      const name = type === 'ImportDefaultSpecifier' ? 'default' : nameOf(imported ?? local);
      if (name === 'default')
        this.#note(start, { reason: `${specifier} has no default export`, page: PAGE });
      if (name === 'useDebounce' && specifier.endsWith('/hooks'))
        this.#debounces.add(nameOf(local));
      this.#noteAbsent(start, name);
    }
  }

  /** `const { Entity } = require('…')`, `const client = await import('…')`, `const [query] = useDebounce(…)`. */
  #visitVariable({ id, init }: SyntaxNode): void {
    const { type, properties } = id as SyntaxNode;
    if (type === 'ArrayPattern') this.#pairs.add(init);
    if (this.#isShape(init)) this.#shapes.add(nameOf(id));
    if (loadedBy(init) === undefined) return;
    if (type === 'Identifier') this.#namespaces.add(nameOf(id));
    for (const { start, key } of (properties ?? []) as SyntaxNode[])
      this.#noteAbsent(start, nameOf(key));
  }

  #visitCall(call: SyntaxNode): void {
    const { callee, arguments: args, start } = call;
    if (this.#debounces.has(nameOf(callee)) && !this.#pairs.has(call)) {
      const page = 'docs/hooks/useDebounce.md';
      this.#note(start, { reason: 'useDebounce returns [value, isPending]', page });
    }
    const { property } = callee as SyntaxNode;
    if (!/^(?:do|unstable_)?mock/i.test(nameOf(property) ?? '')) return;
    const [first] = args as unknown[];
    const specifier = textOf(first) ?? loadedBy(first) ?? '';
    const entry = targetOf(specifier)?.entry;
    if (entry === undefined) return;
    const reason = `${entry} is mocked twice: only one mock takes effect`;
    const other = this.#mocked.get(entry) ?? specifier;
    if (other !== specifier) this.#note(start, { reason, page: PAGE });
    this.#mocked.set(entry, other);
  }

  /** A call such as `super.detailShape()`, or a variable with its result. */
  #isShape(node: unknown): boolean {
    if (!isNode(node)) return false;
    if (node.type === 'Identifier') return this.#shapes.has(nameOf(node));
    const { property } = (node['callee'] ?? {}) as Partial<SyntaxNode>;
    const name = nameOf(property) ?? '';
    return node.type === 'CallExpression' && name.endsWith('Shape') && name in FORMER_MEMBERS;
  }

  /** A shape was an object: `{ ...shape, schema }` is `shape.extend({ schema })`. */
  #visitObject({ start, end, properties }: SyntaxNode): void {
    const [first, ...members] = properties as SyntaxNode[];
    const shape = first?.['argument'] as SyntaxNode;
    if (!this.#isShape(shape)) return;
    const edits = members.map((member) => this.#optionEdit(member));
    if (edits.includes(undefined))
      return this.#note(start, { reason: 'a shape is an endpoint: use its extend()', page: PAGE });
    const next = members[0]?.start ?? end - 1;
    const space = this.#text.slice(shape.end, next).replace(',', '');
    for (const edit of edits) if (edit !== undefined) this.#edits.push(edit);
    this.#edits.push(
      { start, end: shape.start, text: '' },
      { start: shape.end, end: next, text: `.extend({${space}` },
      { start: end, end, text: ')' },
    );
  }

  /** The name of the option in the place of the name of a member; undefined if there is none. */
  #optionEdit({ key, value, shorthand, method, computed }: SyntaxNode): Edit | undefined {
    const name = nameOf(key) ?? '';
    if (computed === true || !Object.hasOwn(SHAPE_MEMBERS, name)) return undefined;
    const text = SHAPE_MEMBERS[name] as string;
    if (text !== name && (shorthand === true || method === true)) return undefined;
    const { start, end } = key as SyntaxNode;
    return { start, end: text === '...' ? (value as SyntaxNode).start : end, text };
  }

  /** A member of a namespace. */
  #visitMember({ start, object, left, property, right }: SyntaxNode): void {
    if (nameOf(object) === 'actionTypes' && nameOf(property) === 'SET_TYPE')
      this.#note(start, {
        reason: 'until 0.10, SET_TYPE were responses: SET_RESPONSE',
        page: PAGE,
      });
    if (this.#namespaces.has(nameOf(object ?? left) ?? ''))
      this.#noteAbsent(start, nameOf(property ?? right));
  }

  #noteAbsent(start: number, name: string | undefined): void {
    const page = pageOfAbsent(name);
    if (page !== undefined) this.#note(start, { reason: `${name} has no equivalent`, page });
  }

  #note(start: number, note: Omit<Note, 'line'>): void {
    this.#notes.push({ line: lineOf(this.#text, start), ...note });
  }

  result(): Rewritten {
    let text = this.#text;
    const edits = [...this.#edits].sort((a, b) => b.start - a.start);
    for (const { start, end, text: inserted } of edits)
      text = text.slice(0, start) + inserted + text.slice(end);
    if (this.#edits.length > 0)
      for (const { start, key } of this.#formerMembers) {
        const name = nameOf(key) ?? '';
        const reason = `${name} is of an older version: ${FORMER_MEMBERS[name]}`;
        this.#note(start, { reason, page: PAGE });
      }
    return { text, notes: this.#notes.sort((a, b) => a.line - b.line) };
  }
}

const PAGE = 'docs/migration.md';
