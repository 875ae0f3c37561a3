/** The options of an endpoint from an operation: path, method, request types and response schema. */
import type { ResourceAddress } from './Path.ts';
import { block, flat, property, propertyKey, stringLiteral, valueKeyOf } from './CodePiece.ts';
import type { CodePiece } from './CodePiece.ts';
import type { Writers } from './Schemas.ts';
import { pascal, plainName } from './ModuleNames.ts';
import { withFiles } from './readContent.ts';
import type { DescribedOperation, RequestBody } from './operationsOf.ts';
import { AS, ResponseWriter } from './ResponseWriter.ts';
import type { Finding } from './droppedIn.ts';
import type { EntityWrappers } from './Schemas.ts';
import { candidatesIn, rowsIn, withoutNull } from './Shape.ts';
import { isDeletedForm } from './Forms.ts';
import type { Definition } from './ApiDocument.ts';

/** Options of an endpoint in the order of the generated code. */
export type Options = Map<string, CodePiece>;

/** Params that order a list: `sort_by`, `_order`, `$orderby`, `order[date]`; `order_id` is none. */
const ORDERING = /^\W*_?(?:sort|order(?:_?(?:by|ing|dir|field|column|key|asc|desc)|\W|$))/i;
/** Params that a list takes for ordering by their names. */
const ORDERING_BY_NAME = /^_?(?:order|sort)/i;
/** Page params whose next value only a response has, best first. */
const CURSORS =
  `cursor nextcursor startcursor pagecursor pagetoken nexttoken nextpagetoken paginationtoken skiptoken continuationtoken
  continuation continue bookmark after pageafter`.split(/\s+/);
/** Page params whose next value is the key of the last row, or a count, best first. */
const COUNTS =
  'marker startingafter page pagenumber pageindex offset pageoffset skip skipcount startat startindex'.split(
    ' ',
  );
/** Params whose values a `Link` header has, or the last row, best first. */
const ROW_PAGES = 'pageinfo maxid untilid beforeid afterid lastid sinceid'.split(' ');
/** All params that only page a list, or select the content of each row. */
const PAGING = new Set([
  ...CURSORS,
  ...COUNTS,
  ...ROW_PAGES,
  'minid',
  ...`limit pagelimit pagesize pagelen pagelength perpage itemsperpage take top first last size count maxresults
  maxresultcount maxitems endingbefore before pagebefore direction fields include expand embed select populate
  fieldset fieldmask optfields optexpand optpretty`.split(/\s+/),
]);

/** Methods that send no body by default. */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'QUERY']);

export class Endpoints {
  readonly responses: ResponseWriter;
  readonly #writers: Writers;
  readonly #address: ResourceAddress;
  /** The types of the fields of forms. */
  readonly #forms = new Map<RequestBody, CodePiece>();

  constructor(writers: Writers, address: ResourceAddress) {
    this.#writers = writers;
    this.#address = address;
    this.responses = new ResponseWriter(writers);
  }

  /**
   * A list that is read becomes a Collection, which creations can enter; a created record enters the matching
   * lists.
   */
  wraps(
    operation: DescribedOperation,
    creates: boolean = this.#creates(operation),
  ): EntityWrappers {
    const { method, response } = operation;
    const { identities, types } = this.#writers;
    const record = creates ? identities.recordIn(response.shape) : undefined;
    const created = record && types.nameOf(record.of, 'read');
    const names = this.nonFilters(operation)?.map(stringLiteral);
    const told = names ? [', ', block([['nonFilterArgumentKeys: ', block(names, '[', ']')]])] : [];
    if (this.#deletes(operation)) {
      const record = (entity: string) => `new Delete(${entity})`;
      return { record, rows: (entity) => `[${record(entity)}]` };
    }
    return {
      record: (entity) => (entity === created ? `new Collection([${entity}]).push` : entity),
      rows: (entity) =>
        method === 'GET' ? [`new Collection([${entity}]`, ...told, ')'] : `[${entity}]`,
    };
  }

  /** True for a DELETE whose response has the rests of deleted records. */
  #deletes({ method, response }: DescribedOperation): boolean {
    const { shapes } = this.#writers;
    const { shape } = response;
    const rows = rowsIn(shape, shapes);
    const found = rows.length > 0 ? rows : candidatesIn(shape, shapes);
    const records = found.filter((of) => this.#writers.identities.entitiesOf(of).length > 0);
    const isRest = (of: Definition) => isDeletedForm(of, shapes);
    return method === 'DELETE' && records.length > 0 && records.every(isRest);
  }

  /** True for a POST to the path of the record's list. */
  #creates({ method, segments, response }: DescribedOperation): boolean {
    const record = this.#writers.identities.recordIn(response.shape);
    return (
      method === 'POST' && record !== undefined && this.#address.rowsOf(segments) === record.of
    );
  }

  /** All options of the endpoint of this operation. */
  options(operation: DescribedOperation): Options {
    const { method } = operation;
    const options: Options = new Map([['path', stringLiteral(this.path(operation))]]);
    if (method !== 'GET') options.set('method', stringLiteral(method));
    for (const [name, code] of this.response(operation)) options.set(name, code);
    const query = this.query(operation);
    if (query !== undefined && !this.isLinked(operation)) options.set('searchParams', query);
    const styles = this.styles(operation);
    if (styles !== undefined) options.set('searchToString', styles);
    const page = method === 'GET' ? this.pageParam(operation) : undefined;
    if (page !== undefined) options.set('paginationField', stringLiteral(page));
    const body = this.body(operation);
    const sends = this.sends(operation);
    if (body !== undefined) options.set('body', body);
    if (sends !== undefined) options.set('getRequestInit', sends);
    else if (body === undefined && !BODILESS.has(method)) options.set('body', 'undefined');
    return options;
  }

  path({ segments }: Pick<DescribedOperation, 'segments'>): string {
    return this.#address.template(segments);
  }

  /** `{} as {…}` of the search params; undefined without search params. */
  query({ query }: DescribedOperation): CodePiece | undefined {
    if (query.length === 0) return undefined;
    const members = query.map(({ name, shape, required }): CodePiece => {
      const type = this.#writers.types.text(shape, 'write', 'param');
      return [`${propertyKey(name)}${required ? '' : '?'}: `, type];
    });
    return ['{} as ', block(members, '{', '}', ';')];
  }

  /** `searchStyles(…)` of search params that are not written as usual, or under another name. */
  styles({ query }: DescribedOperation): CodePiece | undefined {
    const styled = query.flatMap(({ name, style }) =>
      // TypeScript widens the value of a computed key, and of a name that each object has
      style === undefined ? [] : [property(name, `${stringLiteral(style)}${computed(name)}`)],
    );
    const renamed = query.flatMap(({ name, sentName }) =>
      sentName === name ? [] : [property(name, stringLiteral(sentName))],
    );
    if (styled.length + renamed.length === 0) return undefined;
    const names = renamed.length === 0 ? [] : [', ', block(renamed)];
    return ['searchStyles(', block(styled), ...names, ')'];
  }

  /** `{} as Todo` of the request body; undefined without a body. */
  body(operation: DescribedOperation): CodePiece | undefined {
    const { body } = operation;
    if (body === undefined) return undefined;
    const { form, shape, isOptional } = body;
    const followed = this.#writers.shapes.follow(shape);
    // an intersection may be `never`, and no value can be cast to `never`
    const isSure = followed.is === 'object' || followed.is === 'list' || form !== 'json';
    const end = isOptional && isSure ? ' | undefined' : '';
    if (followed.is === 'word' && followed.keywordType === 'never') return undefined;
    // the type null has only the value null
    if (followed.is === 'word' && followed.keywordType === 'null') return 'null';
    if (form === 'json') {
      const type = this.#writers.types.text(shape, 'write', 'sent');
      // the rest of a nullable type, also of a part of an intersection, may be such an intersection
      const isNullable = withoutNull(followed).nullable || flat(type).endsWith('| null');
      return [isNullable ? 'null as ' : '{} as ', type, end];
    }
    if (form === 'form' || form === 'search')
      return ['{} as ', this.#fields(operation), AS[form].type, end];
    return `{} as ${form === 'bytes' || form === 'stream' ? 'BodyInit' : AS[form].type}${end}`;
  }

  /** The type of the fields of a form, as another form of the body; nothing if no fields are described. */
  #fields({ name, body }: DescribedOperation): CodePiece {
    if (body === undefined || (body.form !== 'form' && body.form !== 'search')) return '';
    const { shapes, types } = this.#writers;
    const followed = shapes.follow(withoutNull(body.shape).shape);
    const isOpen = followed.is === 'object' && followed.members.length === 0;
    if (followed.is === 'word' || followed.is === 'bytes' || isOpen) return '';
    const known = this.#forms.get(body);
    if (known !== undefined) return known;
    const shape = withFiles(body.shape, shapes);
    const type = types.text(shape, 'write', 'sent');
    const isShort = flat(type).length < SHORT || shape.is !== 'object';
    const fields = [isShort ? type : types.form(`${pascal(name)}Form`, shape), ' | '];
    this.#forms.set(body, fields);
    return fields;
  }

  /** `sendAs(…)` of a body that is not sent as usual. */
  sends(operation: DescribedOperation): CodePiece | undefined {
    const { body } = operation;
    if (body?.type === undefined) return undefined;
    const { form, type, shape, encoding } = body;
    const followed = this.#writers.shapes.follow(withoutNull(shape).shape);
    // a text other than JSON is sent unchanged
    const isText = followed.is === 'word' && /^(?:string$|['"])/.test(followed.keywordType);
    const isUsual =
      form === 'json' ? /^application\/json$/i.test(type) && !isText : /^text\/plain$/i.test(type);
    const hasFields = this.#fields(operation) !== '';
    if (isUsual || ((form === 'form' || form === 'search') && !hasFields)) return undefined;
    const fields = Object.entries(encoding).map(([name, how]) =>
      property(name, `${stringLiteral(how)}${computed(name)}`),
    );
    const told = fields.length === 0 ? [] : [', ', block(fields)];
    const isForm = form === 'form' || form === 'search';
    const sent = isForm ? (type.split(';')[0] as string).trim().toLowerCase() : type;
    return ['sendAs(', stringLiteral(sent), ...told, ')'];
  }

  /** As `sends`, also of a body that is sent as usual; bytes of any of several types have no type of their own. */
  sendsAny(operation: DescribedOperation): CodePiece {
    const { form, type: only } = operation.body ?? {};
    const type = only ?? (form === 'bytes' ? 'application/octet-stream' : 'application/json');
    return this.sends(operation) ?? `sendAs(${stringLiteral(type)})`;
  }

  /** The decoding of a response: with a schema if there are entities, else with a type. */
  response(operation: DescribedOperation): Options {
    if (this.isLinked(operation)) return this.linked(operation);
    const single = this.#writers.identities.singleChangedBy(operation);
    if (single !== undefined)
      return new Map([['schema', `orNull(${this.#writers.types.nameOf(single, 'read')})`]]);
    return this.responses.options(operation, this.wraps(operation));
  }

  /** The page param of a list. */
  pageParam(list: DescribedOperation): string | undefined {
    const known = this.#knownParam(list) ?? this.#hintedParam(list);
    return known ?? (list.pages.hasLink ? undefined : this.#namedParam(list, ROW_PAGES));
  }

  /** The param that is named as a page; none if only a `Link` header has the next value of a cursor. */
  #knownParam(list: DescribedOperation): string | undefined {
    const { hasLink, hasNext } = list.pages;
    const cursor = this.#namedParam(list, CURSORS);
    if (cursor === undefined) return this.#namedParam(list, COUNTS);
    return hasLink && !hasNext ? undefined : cursor;
  }

  /** The param with the first of these names. */
  #namedParam(list: DescribedOperation, known: readonly string[]): string | undefined {
    const names = this.#paging(list);
    return known.flatMap((page) => names.find((name) => plainName(name) === page) ?? [])[0];
  }

  /** The param that the description shows to be that of a page. */
  #hintedParam(list: DescribedOperation): string | undefined {
    const { identities } = this.#writers;
    if (identities.rowsOf(list) === undefined) return undefined;
    return list.query.find(({ sentName }) => sentName === list.pages.param)?.name;
  }

  /** The page param that only examples or names of members show, or pages without a known param. */
  pageFindings(list: DescribedOperation): Finding[] {
    if (!this.isList(list)) return [];
    const { place, pages } = list;
    const param = this.pageParam(list);
    if (this.#knownParam(list) === undefined && this.#hintedParam(list) !== undefined) {
      const reason = `${param} is the page param, according to the ${pages.shownBy}`;
      return pages.shownBy === undefined ? [] : [{ kind: 'guessed', place, reason }];
    }
    if (param !== undefined || pages.hasLink || !pages.hasNext) return [];
    return [{ kind: 'dropped', place, reason: 'no page param is recognized' }];
  }

  /** Rows that creations do not enter, and lists that no resource has. */
  rowFindings(operation: DescribedOperation): Finding[] {
    const { method, place, response } = operation;
    const { identities, schemas } = this.#writers;
    const rows = method === 'GET' ? identities.rowsOf(operation) : undefined;
    if (rows?.isAround === true)
      return [
        {
          kind: 'dropped',
          place,
          reason: 'created records do not join rows that contain the record',
        },
      ];
    if (method !== 'GET' || rows !== undefined || identities.recordIn(response.shape)) return [];
    const schema = response.shape && schemas.ofResponse(response.shape, this.wraps(operation));
    const isDeep = schema !== undefined && flat(schema).includes('new Collection(');
    const reason = 'a list nested in other data is not a getList and has no pages';
    return isDeep ? [{ kind: 'dropped', place, reason }] : [];
  }

  /** True for a read list of entities. */
  isList(operation: DescribedOperation): boolean {
    return operation.method === 'GET' && this.#writers.identities.rowsOf(operation) !== undefined;
  }

  /** True if only the Link header of the list names the next page. */
  isLinked(list: DescribedOperation): boolean {
    return this.isList(list) && list.pages.hasLink && this.pageParam(list) === undefined;
  }

  /** The options of the list. */
  linked(list: DescribedOperation): Options {
    const { schemas } = this.#writers;
    const { shape } = list.response;
    const rows = shape && schemas.ofResponse(shape, this.wraps(list));
    const schema = block([['rows: ', rows ?? ''], "next: ''"]);
    const query = this.query(list);
    const params = [query === undefined ? '{} as ' : [query, ' & '], '{ next?: string | null }'];
    const options = new Map<string, CodePiece>([
      ['...linkPages', '...linkPages'],
      ['schema', schema],
      ['searchParams', params],
    ]);
    const empty = this.responses.emptyList(list);
    const process = `(value: { rows: unknown }) => ({ ...value, rows: value.rows ?? ${empty} })`;
    if (empty !== undefined) options.set('process', process);
    return options;
  }

  /** The successes with a body that has no type: a union by status has every body, a linked list does not. */
  untypedOf(operation: DescribedOperation): Finding[] {
    const isUnion = this.responses.isByStatus(operation) && !this.isLinked(operation);
    return isUnion ? [] : this.responses.untypedOf(operation);
  }

  /** Search params that order or page; undefined if the library recognizes exactly these by name. */
  nonFilters(list: DescribedOperation): string[] | undefined {
    const names = this.#paging(list);
    const page = this.pageParam(list);
    const isKnown = this.#unfiltered(list).every(
      (name) => name === page || names.includes(name) === ORDERING_BY_NAME.test(name),
    );
    return isKnown ? undefined : names;
  }

  #paging(list: DescribedOperation): string[] {
    return this.#unfiltered(list).filter(
      (name) =>
        ORDERING.test(name) || PAGING.has(plainName(name.replace(/^(fields|include)\[.+$/, '$1'))),
    );
  }

  /** The search params of a list that are no field of the rows. */
  #unfiltered(list: DescribedOperation): string[] {
    const { identities } = this.#writers;
    const rows = identities.rowsOf(list);
    if (rows === undefined) return [];
    const filters = identities.entitiesOf(rows.of).flatMap((of) => identities.scalarsOf(of));
    return list.query.map(({ name }) => name).filter((name) => !filters.includes(name));
  }
}

/** The columns of a form that may be written in place. */
const SHORT = 55;

const computed = (name: string): string =>
  valueKeyOf(name).startsWith('[') || name in Object.prototype ? ' as const' : '';
