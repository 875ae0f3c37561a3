/** Changes the packages that one module imports, and finds the places that need a decision. */

/** A parser of modules, as `oxc-parser` is: offsets count UTF-16 units. */
export type Parse = (
  file: string,
  text: string,
) => { readonly program: unknown; readonly errors: readonly { readonly message: string }[] };

/** A place that the command cannot change. */
export interface Note {
  readonly line: number;
  readonly reason: string;
  /** The page that describes it. */
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
  return { entry: /\/(?:test|mock)$/.test(specifier) ? TEST_ENTRY : ENTRY };
}

/** Names without an equivalent in the entry, by the page that describes what to do. */
export const absentNames: Readonly<Record<string, readonly string[]>> = {
  'docs/migration.md': (
    '__INTERNAL__ reducer DenormalizeCache unshift normalize denormalize denormalizeCached ' +
    'MemoCache WeakDependencyMap WeakEntityMap inferResults validateInference ' +
    'validateQueryKey getUrlBase getUrlTokens PromiseifyMiddleware mapMiddleware ' +
    'ExternalDataProvider prepareStore'
  ).split(' '),
  'docs/migration/rest-hooks.md': (
    'useDenormalized useSelectionUnstable useExpiresAt hasUsableData FlatEntity ' +
    'NestedEntity EntityRecord ExternalCacheProvider ' +
    'makeExternalCacheProvider DispatchContext DenormalizeCacheContext BackupBoundary ' +
    'createReceive createReceiveError DELETED MockNetworkManager MockPollingSubscription'
  ).split(' '),
  'docs/frameworks/nextjs.md': 'RestHooksDocument AppCacheProvider'.split(' '),
  'docs/migration/names.md': (
    'CreateCountRef ReceiveMeta ResponseActions ' +
    'RecordClass NormalizeObject NormalizedEntity ' +
    'NormalizedNullableObject DenormalizeObject DenormalizeNullableObject ' +
    'IRestEndpoint EntityCache EndpointsCache DenormGetEntity IMemoPolicy Path ' +
    'MemoPolicy BaseDelegate EntityTable EntitiesInterface EntitiesPath EntityPath IndexPath ' +
    'QueryPath NormalizedIndex NormalizedSchema NormalizeReturnType GetEntity GetIndex Visit ' +
    'CheckLoop Mergeable InferReturn IndexInterface OptimisticUpdateParams FetchFunctionOld ' +
    'Reducer'
  ).split(' '),
};

/** Members of classes and options that older versions had. */
const FORMER_MEMBERS: Readonly<Record<string, string>> = {
  fetchOptionsPlugin: 'getFetchInit',
  getFetchOptions: 'getFetchInit',
  useFetchInit: 'HookableResource',
  automaticValidation: 'validate',
};

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

/** The module with other imports. A module that does not parse stays as it is, with a note. */
export function rewriteModule(file: string, text: string, parse: Parse): Rewritten {
  if (!/data-client|rest-hooks/.test(text)) return { text, notes: [] };
  const { program, errors } = parse(file, text);
  const [error] = errors;
  if (error !== undefined)
    return { text, notes: [{ line: 1, reason: error.message, page: 'not parsed' }] };
  const rewriting = new Rewriting(text);
  rewriting.visit(program);
  return rewriting.result();
}

class Rewriting {
  readonly #text: string;
  readonly #edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  readonly #notes: Note[] = [];
  readonly #formerMembers: SyntaxNode[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Visits a node and all nodes in it. */
  visit(node: unknown): void {
    if (Array.isArray(node)) return node.forEach((each) => this.visit(each));
    if (!isNode(node)) return;
    if (node.type === 'Literal') return this.#visitLiteral(node);
    if (/^(?:Import|Export\w+)Declaration$/.test(node.type)) this.#visitNames(node);
    if (/^Class(?:Declaration|Expression)$/.test(node.type)) this.#visitClass(node);
    if (/^(?:PropertyDefinition|MethodDefinition|Property)$/.test(node.type)) {
      const { key } = node as { readonly key?: { readonly name?: unknown } };
      if (Object.hasOwn(FORMER_MEMBERS, String(key?.name))) this.#formerMembers.push(node);
    }
    for (const member of Object.values(node)) this.visit(member);
  }

  /** Imports, `require`, `import()`, mocks of modules: each is a text that is the name of a package. */
  #visitLiteral({ value, start, end }: SyntaxNode): void {
    const target = typeof value === 'string' ? targetOf(value) : undefined;
    const quote = this.#text.charAt(start);
    if (target?.entry !== undefined)
      this.#edits.push({ start, end, text: quote + target.entry + quote });
    if (target?.note !== undefined) this.#note(start, target.note);
  }

  /** The middleware of a manager is public since version 0.14. */
  #visitClass({ implements: interfaces, body }: SyntaxNode): void {
    const named = (interfaces ?? []) as readonly { readonly expression?: { name?: unknown } }[];
    if (!named.some(({ expression }) => expression?.name === 'Manager')) return;
    const { body: members } = body as { readonly body: readonly SyntaxNode[] };
    for (const { start, key } of members) {
      const { name, start: end } = key as SyntaxNode & { readonly name?: unknown };
      const modifiers = this.#text.slice(start, end);
      const match = /\b(?:protected|private)\s+/.exec(modifiers);
      if (name !== 'middleware' || match === null) continue;
      const at = start + match.index;
      this.#edits.push({ start: at, end: at + match[0].length, text: '' });
    }
  }

  /** The names of an import or a re-export. */
  #visitNames({ source, specifiers }: SyntaxNode): void {
    const specifier = isNode(source) ? source['value'] : undefined;
    if (typeof specifier !== 'string' || targetOf(specifier)?.entry === undefined) return;
    for (const each of (specifiers ?? []) as SyntaxNode[]) {
      const { name } = (each['imported'] ?? each['local'] ?? {}) as { readonly name?: string };
      if (each.type === 'ImportDefaultSpecifier')
        this.#note(each.start, { reason: `${specifier} has no default export`, page: PAGE });
      const page = Object.keys(absentNames).find((at) => absentNames[at]?.includes(name ?? ''));
      if (page !== undefined && each.type !== 'ImportNamespaceSpecifier')
        this.#note(each.start, { reason: `${name} has no equivalent`, page });
    }
  }

  #note(start: number, note: Omit<Note, 'line'>): void {
    this.#notes.push({ line: this.#text.slice(0, start).split('\n').length, ...note });
  }

  result(): Rewritten {
    let text = this.#text;
    const edits = [...this.#edits].sort((a, b) => b.start - a.start);
    for (const { start, end, text: inserted } of edits)
      text = text.slice(0, start) + inserted + text.slice(end);
    if (this.#edits.length > 0)
      for (const { start, key } of this.#formerMembers) {
        const { name } = key as { readonly name: string };
        const reason = `${name} is of an older version: ${FORMER_MEMBERS[name]}`;
        this.#note(start, { reason, page: PAGE });
      }
    return { text, notes: this.#notes.sort((a, b) => a.line - b.line) };
  }
}

const PAGE = 'docs/migration.md';
