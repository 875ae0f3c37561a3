/** What the mock server answers: each operation of a description by its method, its address and its schemas. */
import type { Answer, Asked } from '../setup/server.ts';
import { isObject } from './Description.ts';
import type { DescribedOperation, Description, Json } from './Description.ts';
import { MockRows, plain } from './MockRows.ts';
import type { MockRow, Place } from './MockRows.ts';
import { Sampler } from './Sampler.ts';
import { pageOf } from './pageOf.ts';

export interface MockOptions {
  /** Random values are the same for the same seed. */
  readonly seed: string;
  /** How many rows each list has at first. Default: 4. */
  readonly rows?: number;
  /** Members of the rows of each list at first, by its address and their number: `() => ({ draft: false })`. */
  readonly members?: (address: string, at: number) => Json;
  /** The member that a path parameter names, where its name does not say it: `{ username: 'login' }`. */
  readonly keys?: Readonly<Record<string, string>>;
  /** What operations change in a record, by method and path: `{ 'POST /todos/{id}/close': () => ({ open: false }) }`. */
  readonly actions?: Readonly<Record<string, (row: MockRow) => Json>>;
}

/*
 *   GET    /todos                 the rows of this address; envelope, count and page as the schema has them
 *   POST   /todos                 a new row with the members of the body
 *   GET    /todos/{id}            the row of /todos; without such a list a record of its own
 *   P*     /todos/{id}            the row with the members of the body
 *   DELETE /todos/{id}            the row leaves each list
 *   any    /todos/{id}/close      the row, changed by its action, where the schema is the row's; else a random value
 *   GET    /settings              a record of its own, which PUT and PATCH change
 */

interface Call {
  readonly of: DescribedOperation;
  /** The address without `.json` and a slash at its end. */
  readonly address: string;
  readonly search: URLSearchParams;
  readonly body: Json;
}

export class MockApi {
  /** What requests and responses break of the description, one sentence each. */
  readonly faults: string[] = [];
  /** The rows that each list was answered with last, by address and search. */
  readonly shown = new Map<string, readonly Json[]>();
  readonly #description: Description;
  readonly #options: MockOptions;
  readonly #sampler: Sampler;
  readonly #rows: MockRows;

  constructor(description: Description, options: MockOptions) {
    this.#description = description;
    this.#options = options;
    this.#sampler = new Sampler(description);
    this.#rows = new MockRows(description, this.#sampler, options.seed);
  }

  /** Answers one request; 400 and a fault where the description has none such, 404 where there is no such row. */
  respond({ method, url, text, headers }: Asked): Answer {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const found = this.#description.find(method, pathname);
    if (found === undefined) return this.#refuse(`${method} ${pathname} is not described`);
    const { of } = found;
    const type = headers['content-type'] ?? '';
    const complaint = this.#complaint(of, searchParams, type, text);
    if (complaint !== undefined) return this.#refuse(`${method} ${of.path}: ${complaint}`);
    const call = {
      of,
      address: addressOf(pathname),
      search: searchParams,
      body: parsed(type, text),
    };
    const answer = this.#answer(call);
    const list = this.listAt(of);
    if (list !== undefined) this.shown.set(url, rowsOf(answer.body, list));
    const isSuccess = of.response !== undefined && answer.status === of.status;
    const broken = isSuccess ? this.#description.complaint(of.response, answer.body) : undefined;
    if (broken !== undefined) this.faults.push(`${method} ${of.path} answers ${broken}`);
    return answer;
  }

  #refuse(fault: string): Answer {
    this.faults.push(fault);
    return { status: 400, body: { fault } };
  }

  /** What a request breaks: an unknown search parameter, an absent one, a body that the schema refuses. */
  #complaint(
    of: DescribedOperation,
    search: URLSearchParams,
    type: string,
    text: string,
  ): string | undefined {
    const known = of.query.map(({ name }) => name.replace(/\[.*$/, ''));
    const names = [...search.keys()].map((name) => name.replace(/\[.*$/, ''));
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined) return `no search parameter ${unknown}`;
    const absent = of.query.find(({ name, required }) => required && !search.has(name));
    if (absent !== undefined) return `no ${absent.name} in the search`;
    const isJson = /json/.test(type) && text !== '' && of.body !== undefined;
    return isJson ? this.#description.complaint(of.body, JSON.parse(text)) : undefined;
  }

  #answer(call: Call): Answer {
    const { of } = call;
    const list = this.listAt(of);
    if (list !== undefined) return this.#list(call, list);
    const creates = of.method === 'POST' ? this.#listBeside(of) : undefined;
    if (creates !== undefined && keyParam(of.path) === undefined)
      return this.#create(call, creates);
    const row = this.#rowOf(call);
    if (row === undefined) return { status: 404, body: { message: 'Not Found' } };
    if (of.method === 'DELETE' && keyParam(of.path) !== undefined) this.#rows.delete(row);
    return this.#record(call, row);
  }

  /** The rows in the response of an operation: of a member named as the path or usually, else the only ones. */
  listAt({ method, path, response }: DescribedOperation): Place | undefined {
    if (method !== 'GET' || response === undefined || keyParam(path) !== undefined)
      return undefined;
    const found = this.#listsIn(response, path, []);
    const word = plain(addressOf(path).split('/').at(-1) as string);
    const last = ({ within }: Place) => within.at(-1) ?? '';
    return (
      found.find((each) => plain(last(each)) === word) ??
      found.find((each) => USUAL.test(last(each))) ??
      (found.length === 1 ? found[0] : undefined)
    );
  }

  /** Rows in a schema and in the objects that it holds, two levels down. */
  #listsIn(schema: unknown, seed: string, within: readonly string[]): Place[] {
    const flat = this.#sampler.flat(schema, seed);
    const most = Number(flat['maxItems'] ?? Infinity);
    if (this.#isRecord(flat['items'], seed)) return [{ within, schema: flat['items'], most }];
    const inner = Object.entries(this.#membersOf(schema, seed));
    // a record may hold lists, an envelope is small and has no identifier
    const isEnvelope = inner.length <= ENVELOPE && !inner.some(([name]) => name === 'id');
    if (within.length > 1 || !isEnvelope) return [];
    return inner.flatMap(([name, each]) => this.#listsIn(each, seed, [...within, name]));
  }

  #membersOf(schema: unknown, seed: string): Json {
    return (this.#sampler.flat(schema, seed)['properties'] ?? {}) as Json;
  }

  #isRecord(schema: unknown, seed: string): boolean {
    return schema !== undefined && 'properties' in this.#sampler.flat(schema, seed);
  }

  #list({ of, address, search }: Call, list: Place): Answer {
    const key = this.#keyBelow(of, list.schema);
    const all = this.#rowsAt(address, list, key);
    const shown = all.map((row) => this.#rows.render(row, list.schema)).filter(isObject);
    const { rows, headers, more } = pageOf(shown, { key, search, query: of.query, address });
    const envelope = this.#envelope(of, address, list, rows) as Json;
    if (list.within.length === 0) return { status: of.status, headers, body: envelope };
    const counts = Object.keys(envelope).filter((name) => COUNT.test(name));
    const counted = Object.fromEntries(counts.map((name) => [name, all.length]));
    const told = 'has_more' in envelope ? { ...counted, has_more: more } : counted;
    return { status: of.status, headers, body: { ...envelope, ...told } };
  }

  #rowsAt(address: string, { schema, most }: Place, key: string | undefined): MockRow[] {
    const known = this.#rows.list(address);
    if (known !== undefined) return known;
    const count = Math.min(this.#options.rows ?? 4, most);
    const made = Array.from({ length: count }, (_, at) => {
      const row = this.#rows.create(address, schema, key);
      this.#rows.change(row, this.#options.members?.(address, at) ?? {}, schema);
      return row;
    });
    return this.#rows.setList(address, made, key);
  }

  /** The response of an operation with this value in its place. */
  #envelope(of: DescribedOperation, address: string, { within }: Place, value: unknown): unknown {
    if (within.length === 0) return value;
    const sampled = this.#sampler.sample(of.response, `${this.#options.seed} ${address}`);
    return placed(sampled, within, value);
  }

  #create(call: Call, list: Place): Answer {
    const { of, address, body } = call;
    const key = this.#keyBelow(of, list.schema);
    const rows = this.#rowsAt(address, list, key);
    const place = this.#placeOf(of, key);
    const row = this.#rows.create(address, place?.schema ?? list.schema, key);
    this.#rows.change(row, bodyOf(body), place?.schema ?? list.schema);
    rows.push(row);
    return this.#record(call, row);
  }

  /** The record that an address leads to: of a list, or by itself. */
  #rowOf({ of, address }: Call): MockRow | undefined {
    const owner = this.#owner(of);
    if (owner === undefined) return this.#rows.document(address);
    const at = address.split('/').slice(0, addressOf(owner.path).split('/').length);
    const list = at.slice(0, -1).join('/');
    const value = decodeURIComponent(at.at(-1) as string);
    const key = this.#keyOf(owner);
    const known = this.#rows.find(list, key, value);
    if (known !== undefined || this.#listBeside(owner) !== undefined) return known;
    const row = this.#rows.document(at.join('/'));
    const schema = this.#placeOf(owner, key)?.schema;
    if (row.fields.size === 0) this.#rows.change(row, { [key]: value }, schema);
    return row;
  }

  /** The operation that reads the record of a path, or of the path above it whose record the response is. */
  #owner(of: DescribedOperation): DescribedOperation | undefined {
    const own = addressOf(of.path);
    if (keyParam(of.path) !== undefined) return this.#reader(own) ?? of;
    for (let path = own; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
      const reader = keyParam(path) === undefined ? undefined : this.#reader(path);
      const place = reader && this.#placeOf(reader, this.#keyOf(reader));
      const mine = reader && this.#placeOf(of, this.#keyOf(reader));
      const same =
        this.#description.resolve(place?.schema) === this.#description.resolve(mine?.schema);
      if (reader !== undefined && mine !== undefined && same) return reader;
    }
    return undefined;
  }

  #reader(address: string): DescribedOperation | undefined {
    return this.#description.operations.find(
      ({ method, path }) => method === 'GET' && addressOf(path) === address,
    );
  }

  #record({ of, address, body }: Call, row: MockRow): Answer {
    if (of.response === undefined)
      return { status: of.status, ...(of.type && { body: 'content' }) };
    const owner = this.#owner(of);
    const key = owner && this.#keyOf(owner);
    const whole = { within: [], schema: of.response, most: Infinity };
    const place = this.#placeOf(of, key) ?? whole;
    const changes = of.method === 'GET' || of.method === 'DELETE' ? {} : bodyOf(body);
    this.#rows.change(row, changes, place.schema);
    const action = this.#options.actions?.[`${of.method} ${of.path}`];
    if (action !== undefined) this.#rows.change(row, action(row), place.schema);
    const shown = this.#rows.render(row, place.schema);
    return { status: of.status, body: this.#envelope(of, address, place, shown) };
  }

  /** Where the record is in the response of an operation: the response has the key, or an object in it has. */
  #placeOf({ path, response }: DescribedOperation, key: string | undefined): Place | undefined {
    if (response === undefined) return undefined;
    const members = this.#membersOf(response, path);
    if (key === undefined || key in members)
      return { within: [], schema: response, most: Infinity };
    const found = Object.entries(members).find(([, each]) => key in this.#membersOf(each, path));
    return found && { within: [found[0]], schema: found[1], most: Infinity };
  }

  #listBeside({ path }: DescribedOperation): Place | undefined {
    const address = addressOf(path);
    const above =
      keyParam(path) === undefined ? address : address.slice(0, address.lastIndexOf('/'));
    const reader = this.#reader(above);
    return reader && this.listAt(reader);
  }

  /** The member that names a row in the path below its list. */
  #keyBelow({ path }: DescribedOperation, rows: unknown): string | undefined {
    const start = `${addressOf(path)}/`;
    const below = this.#description.operations.find((each) => {
      const address = addressOf(each.path);
      return address.startsWith(start) && /^\{[^{}/]+\}$/.test(address.slice(start.length));
    });
    return this.#memberFor(below && keyParam(below.path), rows, path);
  }

  #keyOf(owner: DescribedOperation): string {
    const param = keyParam(owner.path) as string;
    const { response, path } = owner;
    const members = this.#membersOf(response, path);
    const records = [response, ...Object.values(members)].filter((each) =>
      this.#isRecord(each, path),
    );
    const found = records.flatMap((each) => this.#memberFor(param, each, path) ?? []);
    return found[0] ?? param;
  }

  /** `issue_number` is `number`, `todoId` is `id`, else what usually identifies a record. */
  #memberFor(param: string | undefined, schema: unknown, seed: string): string | undefined {
    const names = Object.keys(this.#membersOf(schema, seed));
    const said = param === undefined ? undefined : (this.#options.keys?.[param] ?? param);
    const tail = said?.split(/_|(?=[A-Z][a-z])/).at(-1);
    const wanted = [said, tail, ...IDENTIFYING].map((each) => plain(each ?? ''));
    for (const each of wanted) {
      const name = names.find((name) => plain(name) === each);
      if (name !== undefined) return name;
    }
    return undefined;
  }
}

/** The rows in a response; none where it has no such member. */
export function rowsOf(response: unknown, { within }: Place): readonly Json[] {
  const rows = within.reduce((at, name) => (at as Json | undefined)?.[name], response);
  return Array.isArray(rows) ? rows : [];
}

/** A copy of an envelope with a value below these members. */
function placed(envelope: unknown, within: readonly string[], value: unknown): unknown {
  const [name, ...deeper] = within;
  if (name === undefined) return value;
  const known = isObject(envelope) ? envelope : {};
  return { ...known, [name]: placed(known[name], deeper, value) };
}

/** The most members of an envelope. */
const ENVELOPE = 10;
const USUAL = /^(?:data|items|entries|results|values|rows|records)$/i;
const COUNT = /^(?:total|count|total_?count|\w+sCount)$/i;
const IDENTIFYING = ['id', 'sid', 'uuid', 'slug', 'name', 'key'];

/** The parameter that is the last segment of a path. */
const keyParam = (path: string): string | undefined =>
  /\/\{([^{}]+)\}(?:\.json)?\/?$/.exec(path.split('#')[0] as string)?.[1];

const addressOf = (path: string): string =>
  (path.split('#')[0] as string).replace(/\.json$/, '').replace(/\/$/, '');

/** The members that a body sends; those of the one object in it where it holds nothing else. */
function bodyOf(body: Json): Json {
  const [first, ...others] = Object.values(body);
  return others.length === 0 && isObject(first) ? first : body;
}

function parsed(type: string, text: string): Json {
  if (text === '') return {};
  if (/json/.test(type)) {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  }
  return /urlencoded/.test(type) ? Object.fromEntries(new URLSearchParams(text)) : {};
}
