/** What an endpoint is told of an operation: path, method, what it sends, and what its answer means. */
import type { ResourceAddress } from './ResourceAddress.ts';
import { block, flat, propertyKey, stringLiteral } from './CodePiece.ts';
import type { CodePiece } from './CodePiece.ts';
import type { Writers } from './Schemas.ts';
import { plainName } from './ModuleNames.ts';
import type { BodyForm, DescribedOperation } from './DescribedOperation.ts';
import type { Wraps } from './Schemas.ts';
import { SENT } from './TypeTexts.ts';

/** Options of an endpoint in the order in which they are written. */
export type Options = Map<string, CodePiece>;

const AS: Readonly<Record<BodyForm, { readonly content: string; readonly type: string }>> = {
  json: { content: '', type: '' },
  form: { content: 'text', type: 'FormData' },
  search: { content: 'text', type: 'URLSearchParams' },
  text: { content: 'text', type: 'string' },
  bytes: { content: 'blob', type: 'Blob' },
  stream: { content: 'stream', type: 'ReadableStream<Uint8Array> | null' },
};

/** Params that order or page, and decide not what a list holds; and those of them that name a page, best first. */
const ORDERING = /^(?:order|sort)/i;
const PAGES =
  'cursor nextcursor pagetoken nexttoken continuationtoken continuation marker startingafter after page pagenumber offset skip'.split(
    ' ',
  );
const PAGING = new Set([
  ...PAGES,
  ...'limit pagesize perpage take top size count endingbefore before fields include expand embed'.split(
    ' ',
  ),
]);

/** Methods that send nothing unless they are told to. */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'QUERY']);

export class Endpoints {
  readonly #writers: Writers;
  readonly #address: ResourceAddress;

  constructor(writers: Writers, address: ResourceAddress) {
    this.#writers = writers;
    this.#address = address;
  }

  /** Rows that are read are a list that creations enter; what is created enters the lists that it fits. */
  wraps(operation: DescribedOperation, creates: boolean = this.#creates(operation)): Wraps {
    const { method, answer } = operation;
    const { identities, types } = this.#writers;
    const record = creates ? identities.recordIn(answer.shape) : undefined;
    const created = record && types.nameOf(record.of, 'read');
    const names = this.nonFilters(operation).map(stringLiteral).join(', ');
    const told = names === '' ? '' : `, { nonFilterArgumentKeys: [${names}] }`;
    return {
      record: (entity) => (entity === created ? `new Collection([${entity}]).push` : entity),
      rows: (entity) => (method === 'GET' ? `new Collection([${entity}]${told})` : `[${entity}]`),
    };
  }

  /** True for a POST to where its records are listed. */
  #creates({ method, segments, answer }: DescribedOperation): boolean {
    const record = this.#writers.identities.recordIn(answer.shape);
    return (
      method === 'POST' && record !== undefined && this.#address.rowsOf(segments) === record.of
    );
  }

  /** All that an endpoint of this operation is told. */
  options(operation: DescribedOperation): Options {
    const { method } = operation;
    const options: Options = new Map([['path', stringLiteral(this.path(operation))]]);
    if (method !== 'GET') options.set('method', stringLiteral(method));
    for (const [name, code] of this.answer(operation)) options.set(name, code);
    const query = this.query(operation);
    if (query !== undefined) options.set('searchParams', query);
    const page = method === 'GET' ? this.pageParam(operation) : undefined;
    if (page !== undefined) options.set('paginationField', stringLiteral(page));
    const body = this.body(operation);
    if (body !== undefined) options.set('body', body);
    else if (!BODILESS.has(method)) options.set('body', 'undefined');
    return options;
  }

  path(operation: Pick<DescribedOperation, 'segments' | 'query'>): string {
    return this.#address.template(operation);
  }

  /** `{} as {…}` of the search params; undefined where there are none. */
  query({ query }: DescribedOperation): CodePiece | undefined {
    if (query.length === 0) return undefined;
    const members = query.map(({ name, shape, required }): CodePiece => {
      const type = this.#writers.types.text(shape, 'write', SENT);
      return [`${propertyKey(name)}${required ? '' : '?'}: `, type];
    });
    return ['{} as ', block(members, '{', '}', ';')];
  }

  /** `{} as Todo` of what is sent; undefined for nothing. */
  body({ body }: DescribedOperation): CodePiece | undefined {
    if (body === undefined) return undefined;
    const { form, shape, isOptional } = body;
    const followed = this.#writers.shapes.follow(shape);
    // what may be an intersection may be never, as which no value can be written
    const isSure = followed.is === 'object' || followed.is === 'list' || form !== 'json';
    const end = isOptional && isSure ? ' | undefined' : '';
    if (followed.is === 'word' && followed.word === 'never') return undefined;
    // nothing is null but null
    if (followed.is === 'word' && followed.word === 'null') return 'null';
    if (form === 'json') return ['{} as ', this.#writers.types.text(shape, 'write', SENT), end];
    return `{} as ${form === 'bytes' || form === 'stream' ? 'BodyInit' : AS[form].type}${end}`;
  }

  /** How an answer is read, and what it means: a schema where there are entities in it, else its type. */
  answer(operation: DescribedOperation): Options {
    const { form, shape } = operation.answer;
    const { types, schemas } = this.#writers;
    if (shape === undefined) return new Map();
    if (form !== 'json') {
      const { content, type } = AS[form === 'form' || form === 'search' ? 'text' : form];
      return new Map<string, CodePiece>([
        ['content', stringLiteral(content)],
        ['process', `(value: ${type}) => value`],
      ]);
    }
    const schema = schemas.ofAnswer(shape, this.wraps(operation));
    if (schema !== undefined) return new Map([['schema', schema]]);
    const type = types.text(shape, 'read');
    return flat(type) === 'unknown'
      ? new Map()
      : new Map([['process', ['(value: ', type, ') => value']]]);
  }

  /** The search param of a list that names a page. */
  pageParam(list: DescribedOperation): string | undefined {
    const names = this.#paging(list);
    const best = PAGES.find((page) => names.some((name) => plainName(name) === page));
    return names.find((name) => plainName(name) === best);
  }

  /** Search params that order or page, where the library would not know them by itself. */
  nonFilters(list: DescribedOperation): string[] {
    const names = this.#paging(list);
    const page = this.pageParam(list);
    const known = names.every((name) => name === page || ORDERING.test(name));
    return known ? [] : names;
  }

  #paging(list: DescribedOperation): string[] {
    const { identities } = this.#writers;
    const rows = identities.rowsIn(list.answer.shape);
    if (rows === undefined) return [];
    const filters = identities.entitiesOf(rows.of).flatMap((of) => identities.scalarsOf(of));
    const names = list.query.map(({ name }) => name);
    return names.filter(
      (name) => !filters.includes(name) && (ORDERING.test(name) || PAGING.has(plainName(name))),
    );
  }
}
