/** The mock server: answers each operation of a description by method, address and schemas. */
import type { Answer, Asked } from '../setup/server.ts';
import { isObject, paramsIn } from './Description.ts';
import type { DescribedOperation, Description, Json } from './Description.ts';
import { MockRoutes, addressOf, keyParam } from './MockRoutes.ts';
import type { Place } from './MockRoutes.ts';
import { MockRows } from './MockRows.ts';
import type { MockRow } from './MockRows.ts';
import { Sampler } from './Sampler.ts';
import { pageOf } from './pageOf.ts';

export interface MockOptions {
  /** Random values are the same for the same seed. */
  readonly seed: string;
  /** How many rows each list has at first. Default: 4. */
  readonly rows?: number;
  /** Initial members of the rows of each list, by address and number: `() => ({ draft: false })`. */
  readonly members?: (address: string, at: number) => Json;
  /** True: a path without a matching row is answered with a new record instead of 404. */
  readonly invents?: boolean;
  /** The member that a path parameter refers to, if the name of the parameter differs: `{ username: 'login' }`. */
  readonly keys?: Readonly<Record<string, string>>;
  /** The changes of operations to a record, by method and path: `{ 'POST /todos/{id}/close': () => ({ open: false }) }`. */
  readonly actions?: Readonly<Record<string, (row: MockRow) => Json>>;
}

/*
 *   GET    /todos                 the rows of this address; envelope, count and page as in the schema
 *   POST   /todos                 a new row with the members of the body
 *   GET    /todos/{id}            the row of /todos; without such a list a separate record
 *   P*     /todos/{id}            the row with the members of the body
 *   DELETE /todos/{id}            the row leaves each list
 *   any    /todos/{id}/close      the row, changed by the action, if the schema is that of the row; else a random value
 *   GET    /settings              a separate record, which PUT and PATCH change
 */

interface Call {
  readonly of: DescribedOperation;
  /** The address without `.json` and a trailing slash. */
  readonly address: string;
  /** The values of the path's parameters, by their names. */
  readonly values: Json;
  readonly search: URLSearchParams;
  readonly body: Json;
}

export class MockApi {
  /** The faults of requests and responses against the description, a sentence each. */
  readonly faults: string[] = [];
  /** The rows that each list was answered with last, by address and search. */
  readonly shown = new Map<string, readonly Json[]>();
  readonly #description: Description;
  readonly #options: MockOptions;
  readonly #sampler: Sampler;
  readonly #routes: MockRoutes;
  readonly #rows: MockRows;

  constructor(description: Description, options: MockOptions) {
    this.#description = description;
    this.#options = options;
    this.#sampler = new Sampler(description);
    this.#routes = new MockRoutes(description, this.#sampler, options.keys);
    this.#rows = new MockRows(description, this.#sampler, options.seed);
  }

  /** Where the rows are in the response of an operation; undefined if the response lists no rows. */
  listAt(of: DescribedOperation): Place | undefined {
    return this.#routes.listAt(of);
  }

  /** Answers a request: 400 and a fault if the description lacks the operation, 404 if the row is missing. */
  respond({ method, url, text, headers }: Asked): Answer {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const found = this.#description.find(method, pathname);
    const [first] = found;
    if (first === undefined) return this.#refuse(`${method} ${pathname} is not described`);
    const type = headers['content-type'] ?? '';
    const complaintOf = ({ of }: { readonly of: DescribedOperation }) =>
      this.#complaint(of, searchParams, type, text);
    // several operations may have the same address: a fragment, which is not sent, distinguishes these operations
    const fitting = found.find((each) => complaintOf(each) === undefined);
    if (fitting === undefined)
      return this.#refuse(`${method} ${first.of.path}: ${complaintOf(first)}`);
    const { of } = fitting;
    const values = Object.fromEntries(
      paramsIn(of.path).map((name, at) => [name, fitting.values[at]]),
    );
    const [address, body] = [addressOf(pathname), parsed(type, text)];
    const call: Call = { of, address, values, search: searchParams, body };
    const answer = this.#answer(call);
    const list = this.#routes.listAt(of);
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

  /** The faults of a request: an unknown search parameter, a missing parameter, a body that the schema rejects. */
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
    const absent = of.query.find(({ name, required }) => required && !names.includes(name));
    if (absent !== undefined) return `no ${absent.name} in the search`;
    const isJson = /json/.test(type) && text !== '' && of.body !== undefined;
    return isJson ? this.#description.complaint(of.body, JSON.parse(text)) : undefined;
  }

  #answer(call: Call): Answer {
    const { of } = call;
    const list = this.#routes.listAt(of);
    if (list !== undefined) return this.#list(call, list);
    const creates = of.method === 'POST' ? this.#routes.listBeside(of) : undefined;
    if (creates !== undefined && keyParam(of.path) === undefined)
      return this.#create(call, creates);
    const row = this.#rowOf(call);
    if (row === undefined) return { status: 404, body: { message: 'Not Found' } };
    if (of.method === 'DELETE' && keyParam(of.path) !== undefined) this.#rows.delete(row);
    return this.#record(call, row);
  }

  #list({ of, address, search }: Call, list: Place): Answer {
    const key = this.#routes.keyBelow(of, list.schema);
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

  /** The response of an operation with this value in the right place. */
  #envelope(of: DescribedOperation, address: string, { within }: Place, value: unknown): unknown {
    if (within.length === 0) return value;
    const sampled = this.#sampler.sample(of.response, `${this.#options.seed} ${address}`);
    return placed(sampled, within, value);
  }

  #create(call: Call, list: Place): Answer {
    const { of, address, body } = call;
    const key = this.#routes.keyBelow(of, list.schema);
    const rows = this.#rowsAt(address, list, key);
    const place = this.#routes.placeOf(of, key);
    const row = this.#rows.create(address, place?.schema ?? list.schema, key);
    this.#rows.change(row, bodyOf(body), place?.schema ?? list.schema);
    rows.push(row);
    return this.#record(call, row, place);
  }

  /** The record of an address: of a list, or a separate record, with the values that the path names. */
  #rowOf({ of, address, values }: Call): MockRow | undefined {
    const owner = this.#routes.ownerOf(of);
    const key = owner && this.#routes.keyOf(owner);
    const length = addressOf((owner ?? of).path).split('/').length;
    const at = address.split('/').slice(0, length);
    const value = decodeURIComponent(at.at(-1) as string);
    const known = key && this.#rows.find(at.slice(0, -1).join('/'), key, value);
    if (known) return known;
    const isListed = owner !== undefined && this.#routes.listBeside(owner) !== undefined;
    if (isListed && this.#options.invents !== true) return undefined;
    const row = this.#rows.document(at.join('/'));
    const place = this.#routes.placeOf(owner ?? of, key);
    const named = { ...values, ...(key === undefined ? {} : { [key]: value }) };
    if (row.fields.size === 0) this.#rows.change(row, named, place?.schema);
    return row;
  }

  /** A response with a record, in the place that the key names if no place is given. */
  #record({ of, address, body }: Call, row: MockRow, given?: Place): Answer {
    if (of.response === undefined)
      return { status: of.status, ...(of.type && { body: 'content' }) };
    const owner = this.#routes.ownerOf(of);
    const whole = { within: [], schema: of.response, most: Infinity };
    const place = given ?? this.#routes.placeOf(of, owner && this.#routes.keyOf(owner)) ?? whole;
    const changes = of.method === 'GET' || of.method === 'DELETE' ? {} : bodyOf(body);
    this.#rows.change(row, changes, place.schema);
    const action = this.#options.actions?.[`${of.method} ${of.path}`];
    if (action !== undefined) this.#rows.change(row, action(row), place.schema);
    const shown = this.#rows.render(row, place.schema);
    return { status: of.status, body: this.#envelope(of, address, place, shown) };
  }
}

/** The rows in a response; none if the member is missing. */
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

const COUNT = /^(?:total|count|total_?count|\w+sCount)$/i;

/** The members of a body; the members of the only object in the body if there is nothing else. */
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
