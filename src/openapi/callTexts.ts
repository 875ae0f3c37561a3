/** The code of resources (`createResource`, and the members that differ), and of operations outside of resources. */
import {
  ResourceAddress,
  segmentText,
  textOfPath,
  withoutEnd,
  isAbove,
  isSame,
  paramOf,
} from './Path.ts';
import { docComment, lay, block, flat, property, stringLiteral } from './CodePiece.ts';
import type { CodePiece } from './CodePiece.ts';
import type { Definition } from './ApiDocument.ts';
import { Endpoints } from './Endpoints.ts';
import { pascal, singular, camel } from './ModuleNames.ts';
import type { DescribedOperation } from './operationsOf.ts';
import type { Path } from './Path.ts';
import { planOf } from './ApiPlan.ts';
import type { ResourcePlan, MemberName } from './ApiPlan.ts';
import type { Finding } from './droppedIn.ts';
import type { Renames } from './Renames.ts';
import type { Writers } from './Schemas.ts';
import { isSilent, isWhole } from './Identities.ts';
import { withoutNull } from './Shape.ts';
import type { Servers } from './Servers.ts';
import type { Options } from './Endpoints.ts';

export interface CallNames {
  readonly renames: Renames;
  /** A subclass of RestEndpoint for all endpoints, if any. */
  readonly endpoint: string | undefined;
  readonly servers: Servers;
}

export interface CallTexts {
  readonly texts: readonly string[];
  readonly resources: readonly (readonly [name: string, plan: ResourcePlan])[];
  /** The path of an operation in the generated module. */
  readonly pathOf: (operation: DescribedOperation) => string;
  /** Decisions that only examples support, and responses that a resource does not read. */
  readonly findings: readonly Finding[];
}

export function callTexts(
  operations: readonly DescribedOperation[],
  writers: Writers,
  { renames, endpoint, servers }: CallNames,
): CallTexts {
  const endpoints = new Endpoints(writers, addressOf(operations, writers));
  const { resources, alone } = planOf(operations, writers.identities);
  const namedRecords = new Set<Definition>();
  const namedPlans = resources.map((plan) => {
    const byPath = `${wordsIn(plan.segments)}Resource`;
    const byRecord = namedRecords.has(plan.of)
      ? []
      : [resourceOf(writers.types.nameOf(plan.of, 'read'))];
    namedRecords.add(plan.of);
    const givenName = renames.of('resources', textOfPath(plan.segments));
    return [givenName ?? writers.names.take(...byRecord, byPath), plan] as const;
  });
  const texts = namedPlans.map(([name, plan]) =>
    resourceText(plan, { name, endpoint }, { writers, endpoints, operations, servers }),
  );
  const aloneTexts = alone.map((operation) =>
    aloneText(operation, endpoint, { writers, endpoints, operations, servers }),
  );
  const pathOf = (operation: DescribedOperation) => endpoints.path(operation);
  const findings = findingsOf(resources, { writers, endpoints, operations, servers });
  return { texts: [...texts, ...aloneTexts], resources: namedPlans, pathOf, findings };
}

/** The code of an operation outside of resources. */
function aloneText(
  operation: DescribedOperation,
  endpoint: string | undefined,
  { writers, endpoints, operations, servers }: ResourceWriters,
): string {
  const options = endpoints.options(operation);
  const creation = endpoints.isList(operation) && creationAt(operation.path, operations);
  const sends = creation ? endpoints.sends(creation) : undefined;
  if (sends !== undefined) options.set('getRequestInit', sends);
  const prefix = servers.prefixOf(operation.servers);
  const others = changePrefixes(operation, operations, servers);
  const isOne = !endpoints.isList(operation) || others.size === 0;
  const ofClass = isOne ? (endpoint ?? 'RestEndpoint') : ['(', atServers(prefix, others), ')'];
  const whole: Options = isOne
    ? new Map<string, CodePiece>([['urlPrefix', prefix], ...options])
    : options;
  const code: CodePiece = ['new ', ofClass, '(', codeOf(whole), ')'];
  const name = operation.isRenamed ? operation.name : writers.names.take(operation.name);
  const errors = endpoints.responses.errors(pascal(operation.name), [operation]);
  return errors + docComment(operation.doc) + lay([`export const ${name} = `, code, ';']);
}

const CHANGING_MEMBERS: readonly MemberName[] = ['create', 'update', 'partialUpdate'];

/** Decisions that the description does not state, and parts that the members of resources do not have. */
function findingsOf(
  resources: readonly ResourcePlan[],
  { endpoints, operations, servers }: ResourceWriters,
): Finding[] {
  const pages = operations.flatMap((each) => [
    ...endpoints.pageFindings(each),
    ...endpoints.rowFindings(each),
  ]);
  const deletions = new Map(
    resources.flatMap(({ of, members }) => {
      const deletion = members.get('delete');
      return deletion === undefined ? [] : [[deletion, of] as const];
    }),
  );
  const unread = operations.flatMap((each) => {
    const of = deletions.get(each);
    return of ? endpoints.responses.unreadOf(each, of) : endpoints.untypedOf(each);
  });
  const changes = resources.flatMap(({ members }) =>
    CHANGING_MEMBERS.flatMap((name) => members.get(name) ?? []),
  );
  const recordless = [...new Set(changes)].flatMap((each) =>
    endpoints.responses.recordlessOf(each),
  );
  const unmarked = resources.flatMap(({ members }) => {
    const deprecated = [...members.values()].filter(({ isDeprecated }) => isDeprecated);
    const reason = 'members of a resource are not marked as deprecated';
    return deprecated.map(({ place }): Finding => ({
      kind: 'dropped',
      place: `${place}/deprecated`,
      reason,
    }));
  });
  const lists = resources.flatMap(({ extras }) => extras.filter((each) => endpoints.isList(each)));
  const shared = lists
    .filter((each) => changePrefixes(each, operations, servers).size > 0)
    .map(({ place }): Finding => {
      const reason = 'mutations of this list are sent to the server of the list';
      return { kind: 'guessed', place, reason };
    });
  return [...unread, ...recordless, ...unmarked, ...pages, ...shared];
}

/** The prefix of the creations of a list, by method, unless that of the list is the same. */
function changePrefixes(
  list: DescribedOperation,
  operations: readonly DescribedOperation[],
  servers: Servers,
): Map<string, string> {
  const creation = creationAt(list.path, operations);
  if (creation === undefined) return new Map();
  const prefix = servers.prefixOf(creation.servers);
  return new Map(prefix === servers.prefixOf(list.servers) ? [] : [[creation.method, prefix]]);
}

/** The operation that the creations of a list at this path are sent as. */
const creationAt = (
  path: string,
  operations: readonly DescribedOperation[],
): DescribedOperation | undefined =>
  operations.find((each) => each.method === 'POST' && each.path === path);

/** A class of endpoints with a prefix for each method, also for the changes of lists. */
const atServers = (prefix: string, others: ReadonlyMap<string, string>): CodePiece => [
  `atServers(${prefix}, `,
  block([...others].map(([method, each]) => property(method, each))),
  ')',
];

function addressOf(
  operations: readonly DescribedOperation[],
  { identities }: Writers,
): ResourceAddress {
  const lists = new Map<string, Definition>();
  const keyOf = (path: Path) => JSON.stringify(path);
  for (const operation of operations) {
    const rows = operation.method === 'GET' ? identities.rowsOf(operation) : undefined;
    if (rows !== undefined) lists.set(keyOf(operation.segments), rows.of);
  }
  return new ResourceAddress(identities, (path) => lists.get(keyOf(path)));
}

/** `Todo` gives `TodoResource`; a name that already ends with Resource gets an s. */
const resourceOf = (entity: string): string =>
  entity.endsWith('Resource') ? `${entity}s` : `${entity}Resource`;

/** The words of a path, as a name: `/user/memberships/orgs/{org}` gives `UserMembershipOrg`. */
function wordsIn(path: Path): string {
  const words = withoutEnd(path).map(segmentText);
  const telling = words.filter((word) => !/^(?:api|v\d+|[\d.-]+)?$/i.test(word));
  return telling.map((each) => pascal(singular(each), '')).join('') || 'Api';
}

export interface ResourceNames {
  /** The name of the resource. */
  readonly name: string;
  /** A subclass of RestEndpoint for all endpoints, if any. */
  readonly endpoint: string | undefined;
}

/** A member with separate options. */
type Member = [name: string, options: Options, doc?: string];

const ALL: readonly MemberName[] = [
  'get',
  'getList',
  'create',
  'update',
  'partialUpdate',
  'delete',
];

/** The writers of resources; `operations` are all operations of the description. */
export interface ResourceWriters {
  readonly servers: Servers;
  readonly writers: Writers;
  readonly endpoints: Endpoints;
  readonly operations: readonly DescribedOperation[];
}

function resourceText(
  plan: ResourcePlan,
  { name, endpoint }: ResourceNames,
  writers: ResourceWriters,
): string {
  return new ResourceWriter(plan, writers).text(name, endpoint);
}

class ResourceWriter {
  readonly #plan: ResourcePlan;
  readonly #writers: Writers;
  readonly #endpoints: Endpoints;
  readonly #entity: string;
  readonly #path: string;
  readonly #list: DescribedOperation | undefined;
  readonly #operations: readonly DescribedOperation[];
  readonly #servers: Servers;

  constructor(plan: ResourcePlan, { writers, endpoints, operations, servers }: ResourceWriters) {
    this.#plan = plan;
    this.#servers = servers;
    this.#operations = operations;
    this.#writers = writers;
    this.#endpoints = endpoints;
    this.#entity = writers.types.nameOf(plan.of, 'read');
    this.#list = plan.members.get('getList');
    this.#path = this.#detailPath();
  }

  /** The path of a single record; if the description has none, a path below the list. */
  #detailPath(): string {
    const { members, segments } = this.#plan;
    const isListed = [...members.keys()].every((each) => each === 'getList' || each === 'create');
    return this.#list !== undefined && isListed
      ? `${this.#endpoints.path(this.#list).replace(/\/$/, '')}/:id`
      : this.#endpoints.path({ segments });
  }

  text(name: string, endpoint: string | undefined): string {
    const { members } = this.#plan;
    const more = [...this.#differences(), ...this.#extras()];
    const extended = more.map(([key, options, doc = '']): CodePiece => [
      doc,
      `${key}: `,
      codeOf(options),
    ]);
    const made: CodePiece = ['createResource(', codeOf(this.#base(endpoint)), ')'];
    const whole: CodePiece =
      extended.length === 0 ? made : [made, '.extend(', block(extended), ')'];
    const missing = ALL.filter((each) => !members.has(each));
    const errors = this.#endpoints.responses.errors(this.#entity, [
      ...members.values(),
      ...this.#plan.extras,
    ]);
    if (missing.length === 0) return errors + lay([`export const ${name} = `, whole, ';']);
    const source = this.#writers.names.take(camel(name), `${camel(name)}Endpoints`);
    const kept = [
      ...ALL.filter((each) => members.has(each)),
      ...this.#extras().map(([key]) => key),
    ];
    if (members.has('get')) kept.push('extend');
    const doc = docComment(missingText(missing, this.#plan, this.#operations));
    const picked = block([...new Set(kept)].map((key) => `${key}: ${source}.${key}`));
    const first = lay([`const ${source} = `, whole, ';']);
    return `${errors}${first}\n\n${doc}${lay([`export const ${name} = `, picked, ';'])}`;
  }

  #base(endpoint: string | undefined): Options {
    const options: Options = new Map<string, CodePiece>([
      ['urlPrefix', this.#commonPrefix()],
      ['path', stringLiteral(this.#path)],
      ['schema', this.#entity],
    ]);
    const others = this.#changePrefixes();
    if (others.size > 0) {
      // an option would be that of the list's changes, too
      options.delete('urlPrefix');
      options.set('Endpoint', atServers(this.#commonPrefix(), others));
    } else if (endpoint !== undefined) options.set('Endpoint', endpoint);
    const query = this.#sharedQuery();
    if (query !== undefined) options.set('searchParams', query);
    const styles =
      query === undefined ? undefined : this.#list && this.#endpoints.styles(this.#list);
    if (styles !== undefined) options.set('searchToString', styles);
    const body = this.#bodyOf('create') ?? this.#bodyOf('update');
    if (body !== undefined) options.set('body', body);
    const sends = this.#commonSends();
    if (sends !== undefined) options.set('getRequestInit', sends);
    const page = this.#list && this.#endpoints.pageParam(this.#list);
    if (page !== undefined) options.set('paginationField', stringLiteral(page));
    return options;
  }

  /** The search params of the list, which `create` gets, too, so none may be required. */
  #sharedQuery(): CodePiece | undefined {
    const required = this.#list?.query.some((each) => each.required) === true;
    return this.#list === undefined || required ? undefined : this.#endpoints.query(this.#list);
  }

  #bodyOf(name: MemberName): CodePiece | undefined {
    const operation = this.#plan.members.get(name);
    return operation && this.#endpoints.body(operation);
  }

  /** The prefix of the first member. */
  #commonPrefix(): string {
    const [first] = [...this.#plan.members.values()];
    return first === undefined ? 'urlPrefix' : this.#servers.prefixOf(first.servers);
  }

  /** The prefixes of the methods of a list and of the changes, if these differ, without that of the first member. */
  #changePrefixes(): Map<string, string> {
    const { members } = this.#plan;
    const names = ['getList', 'create', 'partialUpdate'] as const;
    const all = names.flatMap((name): [string, string][] => {
      const operation = members.get(name);
      return operation ? [[operation.method, this.#servers.prefixOf(operation.servers)]] : [];
    });
    const isOne = new Set(all.map(([, prefix]) => prefix)).size < 2;
    const common = this.#commonPrefix();
    return new Map(
      this.#list === undefined || isOne ? [] : all.filter(([, prefix]) => prefix !== common),
    );
  }

  #prefixOf(operation: DescribedOperation, options: Options): void {
    const own = this.#servers.prefixOf(operation.servers);
    const usual = this.#changePrefixes().get(operation.method) ?? this.#commonPrefix();
    if (own !== usual) options.set('urlPrefix', own);
  }

  /** How the shared body is sent, unless as usual. */
  #commonSends(): CodePiece | undefined {
    const { members } = this.#plan;
    const operation = [members.get('create'), members.get('update')].find(
      (each) => each !== undefined && this.#endpoints.body(each) !== undefined,
    );
    return operation && this.#endpoints.sends(operation);
  }

  /** Sets how the body of a member is sent, if this differs from the other members. */
  #sendsOf(operation: DescribedOperation, options: Options): void {
    const common = this.#commonSends();
    const own = this.#endpoints.sends(operation);
    options.delete('getRequestInit');
    const isSame = flat(own ?? '') === flat(common ?? '');
    if (this.#endpoints.body(operation) === undefined || isSame) return;
    options.set('getRequestInit', this.#endpoints.sendsAny(operation));
  }

  /** Sets how the changes of a list are sent, if this differs from the other members. */
  #changesOf(list: DescribedOperation, options: Options): void {
    const { members } = this.#plan;
    const change = list === this.#list ? members.get('partialUpdate') : undefined;
    const common = flat(this.#commonSends() ?? '');
    const told = [creationAt(list.path, this.#operations), change].flatMap((each) =>
      each !== undefined && this.#endpoints.body(each) !== undefined ? [each] : [],
    );
    if (told.every((each) => flat(this.#endpoints.sends(each) ?? '') === common)) return;
    const all = told.map((each) => property(each.method, this.#endpoints.sendsAny(each)));
    const [one = ''] = told.map((each) => this.#endpoints.sendsAny(each));
    const isOne = told.every((each) => flat(this.#endpoints.sendsAny(each)) === flat(one));
    options.set('getRequestInit', isOne ? one : ['sendEach(', block(all), ')']);
  }

  /** Members that differ from the defaults of createResource. */
  #differences(): Member[] {
    return ALL.flatMap((name): Member[] => {
      const operation = this.#plan.members.get(name);
      if (operation === undefined) return [];
      const options: Options = new Map();
      if (name === 'update' && operation.method === 'POST')
        options.set('method', stringLiteral('POST'));
      this.#prefixOf(operation, options);
      this.#pathOf(name, operation, options);
      this.#schemaOf(name, operation, options);
      const query = this.#endpoints.query(operation);
      const shared = name === 'getList' && this.#sharedQuery() !== undefined;
      if (query !== undefined && !shared && !options.has('searchParams'))
        options.set('searchParams', query);
      if (!shared) this.#stylesOf(operation, options);
      this.#ownBody(name, operation, options);
      if (name === 'getList') this.#changesOf(operation, options);
      else if (name !== 'get') this.#sendsOf(operation, options);
      return options.size === 0 ? [] : [[name, options]];
    });
  }

  /** All members have the styles of the list, except a member with search params in other styles. */
  #stylesOf(operation: DescribedOperation, options: Options): void {
    const common = this.#sharedQuery() === undefined ? undefined : this.#list;
    const styles = this.#endpoints.styles(operation);
    const styled = new Map(common?.query.map((each) => [each.name, each.style]));
    const differs = operation.query.some(
      ({ name, style }) => styled.has(name) && styled.get(name) !== style,
    );
    if (styles !== undefined) options.set('searchToString', styles);
    else if (differs) options.set('searchToString', 'searchStyles({})');
  }

  #pathOf(name: MemberName, operation: DescribedOperation, options: Options): void {
    const atList = name === 'getList' || name === 'create';
    const usual = atList
      ? this.#path.slice(0, this.#path.replace(/\/$/, '').lastIndexOf('/'))
      : this.#path;
    const path = this.#endpoints.path(operation);
    if (path !== usual) options.set('path', stringLiteral(path));
  }

  #schemaOf(name: MemberName, operation: DescribedOperation, options: Options): void {
    const { identities, schemas } = this.#writers;
    const { shape } = operation.response;
    if (name === 'delete') this.#deletionOf(operation, options);
    if (name === 'delete' || shape === undefined) return;
    const { responses } = this.#endpoints;
    const found = name === 'getList' ? identities.rowsOf(operation) : identities.recordIn(shape);
    const filters = name === 'getList' ? this.#endpoints.nonFilters(operation) : undefined;
    if (found === undefined || responses.isByStatus(operation)) {
      for (const [key, code] of this.#endpoints.response(operation)) options.set(key, code);
      if (!options.has('schema')) options.set('schema', 'undefined');
      return;
    }
    if (this.#endpoints.isLinked(operation)) {
      for (const [key, code] of this.#endpoints.linked(operation)) options.set(key, code);
      return;
    }
    const empty = responses.emptyList(operation);
    if (empty !== undefined) options.set('process', `(value: unknown) => value ?? ${empty}`);
    const isNull = operation.method !== 'GET' && responses.mayBeEmpty(operation);
    if (isWhole(found) && filters === undefined && !isNull) return;
    const wraps = this.#endpoints.wraps(operation, name === 'create');
    const schema = schemas.ofResponse(shape, wraps);
    if (schema !== undefined) options.set('schema', responses.orNull(operation, schema));
  }

  /** The deleted record is in the response, or the path names the record, or nothing does. */
  #deletionOf(operation: DescribedOperation, options: Options): void {
    const { identities, shapes } = this.#writers;
    const { shape } = operation.response;
    const own = identities.entitiesOf(this.#plan.of);
    const record = identities.recordIn(shape);
    if (record !== undefined && isWhole(record) && own.includes(record.of)) return;
    if (!this.#namesRecord(operation)) {
      const isEmpty = isSilent(operation.response);
      // any record may be gone: all are refetched; without a function the response would be the params
      if (isEmpty) options.set('process', '(value: unknown) => value');
      options.set('schema', isEmpty ? `orNull([new Delete(${this.#entity})])` : 'undefined');
      return;
    }
    const other = shape && shapes.follow(withoutNull(shape).shape);
    const names = other?.is === 'object' ? other.members.map((each) => each.name) : [];
    const isKey = (name: string) =>
      own.some(
        (of) => identities.fieldsOf(of).includes(name) || identities.of(of)?.otherwise === name,
      );
    // the key in the response would be taken for that of the deleted record
    if (names.some(isKey)) options.set('process', '(_: unknown, params: object) => params');
  }

  /** True if the path identifies the record. */
  #namesRecord({ segments }: Pick<DescribedOperation, 'segments'>): boolean {
    const { identities } = this.#writers;
    // a param that got another name does not name the record
    const template = this.#endpoints.path({ segments });
    const params = [...template.matchAll(/:(?:"([^"]+)"|([\w$]+))/g)].map(
      ([, quoted, plain]) => quoted ?? (plain as string),
    );
    return identities.entitiesOf(this.#plan.of).every((of) => {
      const { parts = [] } = identities.of(of) ?? {};
      return parts.every(({ member, param }) =>
        [param, member.length === 1 ? member[0] : undefined].some(
          (each) => each !== undefined && params.includes(each),
        ),
      );
    });
  }

  /**
   * The records that a change without a response leaves uncertain, which are refetched: those of a list that is changed
   * as a whole, the record below which an action without a body is called.
   */
  #uncertainAfter(operation: DescribedOperation): CodePiece | undefined {
    const { method, segments, body, response } = operation;
    const { segments: record } = this.#plan;
    if (!CHANGING_METHODS.has(method) || !isSilent(response)) return undefined;
    if (method !== 'POST' && isAbove(segments, record))
      return ['orNull([', method === 'DELETE' ? `new Delete(${this.#entity})` : this.#entity, '])'];
    const isAction = isAbove(record, segments) && paramOf(segments.at(-1)) === undefined;
    return isAction && body === undefined && this.#namesRecord(operation)
      ? ['orNull(', this.#entity, ')']
      : undefined;
  }

  #ownBody(name: MemberName, operation: DescribedOperation, options: Options): void {
    if (name === 'get' || name === 'getList') return;
    const shared = this.#bodyOf('create') ?? this.#bodyOf('update');
    const own = this.#endpoints.body(operation);
    if (name === 'delete') {
      if (own !== undefined) options.set('body', own);
      return;
    }
    const text = own && flat(own);
    if (text !== undefined && text === (shared && flat(shared))) return;
    options.set('body', own ?? 'undefined');
  }

  /** All other operations on the records, under the name of the operation. */
  #extras(): Member[] {
    const taken = new Set<string>([
      ...ALL,
      'extend',
      ...Object.getOwnPropertyNames(Object.prototype),
    ]);
    return this.#plan.extras.map((operation) => {
      let name = taken.has(operation.shortName) ? operation.name : operation.shortName;
      for (let next = 2; taken.has(name); next++) name = `${operation.name}${next}`;
      taken.add(name);
      const options: Options = new Map();
      this.#prefixOf(operation, options);
      for (const [key, code] of this.#endpoints.options(operation)) options.set(key, code);
      this.#sendsOf(operation, options);
      if (this.#endpoints.isList(operation)) this.#changesOf(operation, options);
      const uncertain = this.#uncertainAfter(operation);
      if (uncertain !== undefined) options.set('schema', uncertain);
      // a new member starts as a copy of `get`
      if (flat(options.get('schema') ?? '') === this.#entity) options.delete('schema');
      else if (!options.has('schema')) options.set('schema', 'undefined');
      return [name, options, docComment(operation.doc)];
    });
  }
}

const CHANGING_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

function codeOf(options: Options): CodePiece {
  return block([...options].map(([name, code]) => (name === code ? name : [`${name}: `, code])));
}

const METHODS: Readonly<Record<MemberName, readonly string[]>> = {
  get: ['GET'],
  getList: ['GET'],
  create: ['POST'],
  update: ['PUT', 'POST'],
  partialUpdate: ['PATCH'],
  delete: ['DELETE'],
};

/** Members that are not described, and members with another operation in their place. */
function missingText(
  missing: readonly MemberName[],
  { segments }: ResourcePlan,
  operations: readonly DescribedOperation[],
): string {
  const others = missing.map((name) => [name, otherAt(name, segments, operations)] as const);
  const none = others.flatMap(([name, other]) => (other === undefined ? [name] : []));
  const lines = none.length === 0 ? [] : [`The description has no ${none.join(', ')}.`];
  for (const [name, other] of others) {
    if (other === undefined) continue;
    const { method, path } = other;
    const kind = name === 'getList' ? 'rows' : 'record';
    lines.push(
      `There is no ${name}: ${method} ${path} does not answer the ${kind} of this resource.`,
    );
  }
  return lines.join('\n');
}

/** The operation in the place of a member that does not match the member. */
function otherAt(
  name: MemberName,
  segments: Path,
  operations: readonly DescribedOperation[],
): DescribedOperation | undefined {
  const atList = name === 'getList' || name === 'create';
  return operations.find(
    (each) =>
      METHODS[name].includes(each.method) &&
      (atList ? isAbove(each.segments, segments) : isSame(each.segments, segments)),
  );
}
