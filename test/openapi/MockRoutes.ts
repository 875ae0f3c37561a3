/** Which operations list, read and own which records of a description, and where these stand in the responses. */
import { paramsIn } from './Description.ts';
import type { DescribedOperation, Description, Json } from './Description.ts';
import { plain } from './MockRows.ts';
import type { Sampler } from './Sampler.ts';

/** Where a record, or the rows of a list, stand in a response: below these members, none for the response itself. */
export interface Place {
  readonly within: readonly string[];
  /** Of the record, or of each row. */
  readonly schema: unknown;
  /** The most rows that the schema allows. */
  readonly most: number;
}

/** The most members of an envelope. */
const ENVELOPE = 10;
const USUAL = /^(?:data|items|entries|results|values|rows|records)$/i;
const IDENTIFYING = ['id', 'sid', 'uuid', 'slug', 'name', 'key'];

export class MockRoutes {
  readonly #description: Description;
  readonly #sampler: Sampler;
  readonly #keys: Readonly<Record<string, string>>;
  /** The operations, each with an address. */
  readonly #addresses: readonly { readonly of: DescribedOperation; readonly address: string }[];

  /** `keys` are the members that path parameters refer to, if the names differ. */
  constructor(
    description: Description,
    sampler: Sampler,
    keys: Readonly<Record<string, string>> = {},
  ) {
    this.#description = description;
    this.#sampler = sampler;
    this.#keys = keys;
    this.#addresses = description.operations.map((of) => ({ of, address: addressOf(of.path) }));
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

  /** Rows in a schema and in nested objects, two levels down. */
  #listsIn(schema: unknown, path: string, within: readonly string[]): Place[] {
    const flat = this.#sampler.flat(schema, path);
    const most = Number(flat['maxItems'] ?? Infinity);
    if (this.#isRecord(flat['items'], path)) return [{ within, schema: flat['items'], most }];
    const inner = Object.entries(this.#membersOf(schema, path));
    // a record may hold lists, an envelope is small and has no identifier
    const identifying = new Set(['id', ...paramsIn(path)].map(plain));
    const isEnvelope =
      inner.length <= ENVELOPE && !inner.some(([name]) => identifying.has(plain(name)));
    if (within.length > 1 || !isEnvelope) return [];
    return inner.flatMap(([name, each]) => this.#listsIn(each, path, [...within, name]));
  }

  /** The list that a creation enters, or that the record of a path is in. */
  listBeside({ path }: DescribedOperation): Place | undefined {
    const address = addressOf(path);
    const isOne = keyParam(path) !== undefined;
    const reader = this.#reader(isOne ? address.slice(0, address.lastIndexOf('/')) : address);
    return reader && this.listAt(reader);
  }

  /** The operation that reads the record of a path, or of the path above with this record as response. */
  ownerOf(of: DescribedOperation): DescribedOperation | undefined {
    const own = addressOf(of.path);
    if (keyParam(of.path) !== undefined) return this.#reader(own) ?? of;
    for (let path = own; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
      const reader = keyParam(path) === undefined ? undefined : this.#reader(path);
      const place = reader && this.placeOf(reader, this.keyOf(reader));
      const mine = reader && this.placeOf(of, this.keyOf(reader));
      const schema = (each: Place | undefined) => this.#description.resolve(each?.schema);
      if (mine !== undefined && schema(place) === schema(mine)) return reader;
    }
    return undefined;
  }

  #reader(address: string): DescribedOperation | undefined {
    return this.#addresses.find((each) => each.of.method === 'GET' && each.address === address)?.of;
  }

  /** Where the record is in the response of an operation: the response has the key, or an object in the response has the key. */
  placeOf({ path, response }: DescribedOperation, key: string | undefined): Place | undefined {
    if (response === undefined) return undefined;
    const members = this.#membersOf(response, path);
    if (key === undefined || key in members)
      return { within: [], schema: response, most: Infinity };
    const found = Object.entries(members).find(([, each]) => key in this.#membersOf(each, path));
    return found && { within: [found[0]], schema: found[1], most: Infinity };
  }

  /** The member that names a row of a list in the path below the list. */
  keyBelow({ path }: DescribedOperation, rows: unknown): string | undefined {
    const start = `${addressOf(path)}/`;
    const below = this.#addresses.find(
      ({ address }) =>
        address.startsWith(start) && /^\{[^{}/]+\}$/.test(address.slice(start.length)),
    );
    return this.#memberFor(below && keyParam(below.of.path), rows, path);
  }

  /** The member that the last parameter of an operation's path names. */
  keyOf({ path, response }: DescribedOperation): string {
    const param = keyParam(path) as string;
    const inner = Object.values(this.#membersOf(response, path));
    const records = [response, ...inner].filter((each) => this.#isRecord(each, path));
    const found = records.flatMap((each) => this.#memberFor(param, each, path) ?? []);
    return found[0] ?? param;
  }

  /** `issue_number` is `number`, `todoId` is `id`, else the usual identifier of a record. */
  #memberFor(param: string | undefined, schema: unknown, seed: string): string | undefined {
    const names = Object.keys(this.#membersOf(schema, seed));
    const said = param === undefined ? undefined : (this.#keys[param] ?? param);
    const tail = said?.split(/_|(?=[A-Z][a-z])/).at(-1);
    const wanted = [said, tail, ...IDENTIFYING].map((each) => plain(each ?? ''));
    const found = wanted.flatMap((each) => names.find((name) => plain(name) === each) ?? []);
    return found[0];
  }

  #isRecord(schema: unknown, seed: string): boolean {
    return schema !== undefined && 'properties' in this.#sampler.flat(schema, seed);
  }

  #membersOf(schema: unknown, seed: string): Json {
    return (this.#sampler.flat(schema, seed)['properties'] ?? {}) as Json;
  }
}

/** The parameter that is the last segment of a path. */
export const keyParam = (path: string): string | undefined =>
  /\/\{([^{}]+)\}(?:\.json)?\/?$/.exec(path.split('#')[0] as string)?.[1];

/** A path without parts that do not distinguish records: a fragment, `.json`, a trailing slash. */
export const addressOf = (path: string): string =>
  (path.split('#')[0] as string).replace(/\.json$/, '').replace(/\/$/, '');
