/** Serializes a store for the page: each entity once, with a number, and the responses with these numbers. */
import { QueryRecord } from '../query/QueryRecord.ts';
import { Decoded } from '../schema/DecoderKind.ts';
import { ReaderDependentValue } from '../schema/ReaderDependentValue.ts';
import { ObjectNode } from '../schema/containers.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { setOwn } from '../schema/fieldOf.ts';
import { dependsOnReader, projectForReader } from '../schema/projectForReader.ts';
import { Composite, OpaqueValue } from '../schema/schema.ts';
import type { Args, Fields, Kind, NormalizedNode } from '../schema/schema.ts';
import { encode, encodeList, encodeMembers, isEncodedUndefined } from '../schema/wire.ts';
import type { Json } from '../schema/wire.ts';
import {
  EntityRecord,
  ListRecord,
  StoreRecord,
  pageImagesOf,
  toNewReaderResult,
} from '../store/StorePort.ts';
import type { MapRecord, ResultRecord, Store } from '../store/StorePort.ts';
import type { ViewContext } from '../view/View.ts';

/** The serialized state of a request. */
export interface DehydratedResult {
  /** The response in the original form, with a number in the place of each entity. */
  readonly data?: Json;
  /** Of a list that is read in pages: the pages. */
  readonly pages?: Json;
  /** Wall time, ms since 1970. */
  readonly fetchedAt?: number;
  /** Infinity, which does not expire, is null in JSON. */
  readonly expiresAt?: number | null;
  readonly failure?: {
    readonly error: Json;
    readonly hard: boolean;
    readonly expiresAt: number | null;
  };
  /** Places of readers that do not suspend, and rendered before the response came. */
  readonly blanks?: readonly string[];
}

/** A serialized entity: the number in this store, the primary key, and the fields as JSON with tags. */
export type DehydratedEntity = readonly [number: number, pk: string, fields: Json];

/** A part of a store: plain JSON. Parts of the same store must be received in the order of creation. */
export interface ServerState {
  /** The version of this format: a page ignores payloads of another version. */
  readonly version: number;
  readonly entities: readonly DehydratedEntity[];
  readonly results: readonly (readonly [key: string, DehydratedResult])[];
}

/** The fields of an entity in two lists. Entities with the same fields share `names`, which is not changed. */
export interface EncodedRow {
  readonly names: readonly string[];
  readonly values: readonly Json[];
}

/** An entity that the page does not have in this form yet. */
export interface EncodedEntity {
  readonly number: number;
  readonly pk: string;
  readonly row: EncodedRow;
}

/** The entities and the results that the page does not have yet. */
export interface DehydratedChanges {
  readonly entities: readonly EncodedEntity[];
  readonly results: ServerState['results'];
}

/** A serialized entity. */
interface NumberedEntity {
  readonly number: number;
  /** The last result in which the entity was found. */
  take: number;
  /** The fields that were last sent. */
  sent: EncodedRow | undefined;
}

type Numbers = Map<EntityRecord, NumberedEntity>;

/** Serializes the store part by part: each part holds the changes since the part before. */
export class Dehydrator {
  readonly #context: ViewContext;
  readonly #store: Store;
  readonly #numbers: Numbers = new Map();
  #last = 0;
  #takes = 0;
  /** The last serialized result of each request, and the places that had rendered without the result. */
  readonly #sent = new Map<ResultRecord, { readonly result: unknown; readonly blanks: string }>();

  constructor(context: ViewContext) {
    this.#context = context;
    this.#store = context.store;
  }

  /** The changes of these requests; undefined if there are none. */
  take(records: Iterable<ResultRecord>): DehydratedChanges | undefined {
    const entities: EncodedEntity[] = [];
    const results: [string, DehydratedResult][] = [];
    const blanks = this.#blanks();
    for (const record of records) {
      const result = toNewReaderResult(record.result());
      if (result.status === 'pending') continue;
      const { key } = record;
      const places = blanks.get(key) ?? [];
      const sent = this.#sent.get(record);
      // a place that rendered without the response may have rendered again since then
      if (sent?.result === result && sent.blanks === places.join()) continue;
      this.#sent.set(record, { result, blanks: places.join() });
      const dehydrated = this.#dehydrate(record, entities);
      results.push([key, places.length > 0 ? { ...dehydrated, blanks: places } : dehydrated]);
    }
    return results.length === 0 ? undefined : { entities, results };
  }

  /** The places that rendered without data, by the key of their request. */
  #blanks(): Map<string, string[]> {
    const blanks = new Map<string, string[]>();
    for (const [place, key] of this.#context.pendingKeyByPlace ?? []) {
      const places = blanks.get(key);
      if (places === undefined) blanks.set(key, [place]);
      else places.push(place);
    }
    return blanks;
  }

  #dehydrate(record: ResultRecord, entities: EncodedEntity[]): DehydratedResult {
    const { node, args, kind, stamp, failure } = record;
    const dehydrated: { -readonly [K in keyof DehydratedResult]: DehydratedResult[K] } = {};
    if (failure !== undefined) {
      const { error, hard, expiresAt } = failure;
      dehydrated.failure = { error: encode(error), hard, expiresAt };
    }
    if (!record.canRead()) return dehydrated;
    // the fields of a projected entity depend on the request: serialized once for each request
    const numbers: Numbers = dependsOnReader(kind) ? new Map() : this.#numbers;
    const found: EntityRecord[] = [];
    const take = ++this.#takes;
    const number = (entity: EntityRecord): number => {
      let numbered = numbers.get(entity);
      if (numbered === undefined)
        numbers.set(entity, (numbered = { number: ++this.#last, take: 0, sent: undefined }));
      if (numbered.take !== take) found.push(entity);
      numbered.take = take;
      return numbered.number;
    };
    const writer = new ResponseWriter(this.#store, args, number);
    const data = writer.node(node);
    // the response cannot be serialized: the page sends the request
    if (isEncodedUndefined(data) && record.data() !== undefined) return dehydrated;
    dehydrated.data = data;
    const pages = pageImagesOf(record);
    if (pages !== undefined) dehydrated.pages = encode(pages);
    dehydrated.fetchedAt = stamp.fetchedAt;
    dehydrated.expiresAt = record.expiryAt(Infinity);
    // iteration includes entities found on the way; recursion could overflow the call stack
    for (const entity of found) {
      const numbered = numbers.get(entity) as NumberedEntity;
      const row = writer.row(entity);
      const { sent, number } = numbered;
      if (sent !== undefined && JSON.stringify(sent) === JSON.stringify(row)) continue;
      numbered.sent = row;
      entities.push({ number, pk: entity.pk, row });
    }
    return dehydrated;
  }
}

/** From normalized nodes back to the form of responses. */
class ResponseWriter {
  readonly #store: Store;
  readonly #args: Args;
  readonly #number: (entity: EntityRecord) => number;
  /** The names of the fields of the last entity of each class. */
  readonly #names = new Map<EntityKind, readonly string[]>();

  constructor(store: Store, args: Args, number: (entity: EntityRecord) => number) {
    this.#store = store;
    this.#args = args;
    this.#number = number;
  }

  readonly node = (node: NormalizedNode): Json => {
    if (node instanceof StoreRecord) return this.#record(node);
    if (node instanceof Decoded) return encode(node.raw);
    if (node instanceof OpaqueValue) return encode(node.value);
    if (node instanceof ObjectNode) return this.#object(node);
    if (node instanceof Composite) return this.node(node.inner);
    if (Array.isArray(node))
      return encodeList((node as NormalizedNode[]).flatMap((part) => this.#part(part)));
    if (node === null || typeof node !== 'object') return encode(node);
    return encodeMembers(node as Fields, this.node);
  };

  /** A single member; for a complete table, all rows. */
  #part(node: NormalizedNode): readonly Json[] {
    const isTable = node instanceof ListRecord && node.kind.stores === 'all';
    return isTable ? (node.members ?? []).map(this.node) : [this.node(node)];
  }

  #object({ rest, inner }: ObjectNode): Json {
    return encodeMembers({ ...rest, ...inner }, (member, name) =>
      Object.hasOwn(inner, name) ? this.node(member) : encode(member),
    );
  }

  #record(record: StoreRecord): Json {
    if (record instanceof EntityRecord) return this.#entity(record);
    if (record instanceof ListRecord) return this.#rows(record);
    if (record instanceof QueryRecord)
      return this.node(record.lists.flatMap(({ members = [] }) => members));
    const { entries } = record as MapRecord;
    return entries === undefined ? encode(entries) : encodeMembers(fromPairs(entries), this.node);
  }

  #rows({ members }: ListRecord): Json {
    return members === undefined ? encode(members) : encodeList(members.map(this.node));
  }

  #entity(entity: EntityRecord): Json {
    if (!entity.exists) return encode(undefined);
    // columns of a Scalar: the values that belong to these arguments
    if (entity.instance instanceof ReaderDependentValue)
      return encode(entity.instance.valueFor(this.#args));
    return { $: this.#number(entity) };
  }

  row({ kind, instance = {}, nodes, versions }: EntityRecord): EncodedRow {
    const { nested, nestedIndexes } = kind.descriptor;
    const values: Json[] = [];
    let names = this.#names.get(kind) ?? [];
    const add = (name: string) => {
      const at = nestedIndexes.get(name);
      const member = at === undefined ? instance[name] : nodes[at];
      // a default of a field that was never received is not sent
      if (member === undefined || versions.unreceived.includes(name)) return;
      if (names[values.length] !== name) names = [...names.slice(0, values.length), name];
      values.push(at === undefined ? encode(member) : this.#member(member, nested[at]?.kind));
    };
    for (const name of Object.keys(instance)) add(name);
    for (const { name } of nested) if (!Object.hasOwn(instance, name)) add(name);
    if (names.length > values.length) names = names.slice(0, values.length);
    this.#names.set(kind, names);
    return tagNames({ names, values });
  }

  #member(node: NormalizedNode, kind: Kind | undefined): Json {
    if (kind?.normalizesAbsent !== true) return this.node(node);
    const column = kind.denormalize(node, this.#store);
    return encode(projectForReader(column, { kind, args: this.#args }));
  }
}

/** In the source text of a script, a member `__proto__` would set the prototype; `$` marks a tag. */
function tagNames(row: EncodedRow): EncodedRow {
  const { names } = row;
  if (!names.includes('$') && !names.includes('__proto__')) return row;
  const tagged = encodeMembers(fieldsOf(row), (member) => member as Json) as { readonly $: Json };
  return { names: ['$'], values: [tagged.$] };
}

/** The fields as an object. */
export function fieldsOf({ names, values }: EncodedRow): Record<string, Json> {
  const fields: Record<string, Json> = {};
  names.forEach((name, at) => setOwn(fields, name, values[at]));
  return fields;
}

function fromPairs(pairs: Iterable<readonly [string, NormalizedNode]>): Fields {
  return Object.fromEntries(pairs);
}
