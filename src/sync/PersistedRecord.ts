/** The records on a disk: of each entity, each list and each request. `recordCodec` has their text. */
import type { Args, Fields } from '../schema/schema.ts';
import type { PageImage } from '../store/StorePort.ts';

/**
 * When the data were confirmed: a number that orders all records on the disk, and wall time, ms since 1970; and the
 * wall time until which the data are fresh.
 */
export type PersistedStamp = readonly [order: number, fetchedAt: number, expiresAt: number];

/** Primary keys by the name of their table. */
export type PksByTable = Readonly<Record<string, readonly string[]>>;

/** The records that a record refers to. */
export interface References {
  readonly entities: PksByTable;
  /** In the order in which lists are met when the record is written into a store, with repetitions. */
  readonly lists: PksByTable;
  /** Tables of which the record shows all rows. */
  readonly tables: readonly string[];
}

/** The references of a record without nested records. */
export const NO_REFERENCES: References = { entities: {}, lists: {}, tables: [] };

export interface PersistedEntity {
  readonly kind: 'entity';
  readonly name: string;
  readonly pk: string;
  readonly fields: Fields;
  readonly refs: References;
  readonly at: PersistedStamp;
  /** The position among the entities of the table. */
  readonly turn: number;
  /** The order of the creation after a deletion; 0: never deleted. No earlier response makes the entity complete. */
  readonly creationOrder: number;
  /** True if the fields alone give the primary key: not if `pk()` uses parents or arguments. */
  readonly hasKeyInFields: boolean;
}

export interface PersistedList {
  readonly kind: 'list';
  readonly name: string;
  readonly pk: string;
  /** The name of each member's table, and the primary key; of a map also the key of the member. */
  readonly members: readonly Address[];
  /** As of lists in memory: pages were added after the first. */
  readonly paged: boolean;
  readonly at: PersistedStamp;
}

/** The response to a request. */
export interface PersistedResponse {
  /** The response in the original form, with primary keys in the place of entities, and empty lists. */
  readonly value: unknown;
  readonly refs: References;
  /** Entities that the response shows but did not bring, by their keys. */
  readonly olderEntities: readonly string[];
  /** Of a list that is read in pages: the pages. */
  readonly pages?: readonly PageImage[] | undefined;
}

export interface PersistedRead {
  readonly kind: 'result';
  /** The name of the endpoint. */
  readonly name: string;
  readonly key: string;
  readonly args: Args;
  readonly at: PersistedStamp;
  /** Data confirmed before this order are expired; 0: never expired. */
  readonly expiredOrder: number;
  /** The same of an invalidation without a later response. */
  readonly invalidOrder: number;
  /** Undefined: only the expiry or invalidation is known. */
  readonly response: PersistedResponse | undefined;
}

export type PersistedRecord = PersistedEntity | PersistedList | PersistedRead;

/** The names of tables as JSON, cached: there are few. */
const prefixes = new Map<string, string>();

/** The key of a record. */
export function keyFor(kind: string, name: string, pk?: string): string {
  if (pk === undefined) return `["${kind}",${JSON.stringify(name)}]`;
  let known = prefixes.get(name);
  if (known === undefined) prefixes.set(name, (known = JSON.stringify(name)));
  return `["${kind}",${known},${JSON.stringify(pk)}]`;
}

export function keyOfRecord(persisted: PersistedRecord): string {
  if (persisted.kind === 'result') return keyFor('result', persisted.key);
  return keyFor(persisted.kind, persisted.name, persisted.pk);
}

/** A table, a primary key there, and of the member of a map also the key. */
type Address = readonly [name: string, pk: string, key?: string];

/** The entities and lists that `persisted` refers to, without complete tables. */
export function referencesOf(persisted: PersistedRecord): {
  readonly entities: readonly Address[];
  readonly lists: readonly Address[];
} {
  if (persisted.kind === 'list') return { entities: persisted.members, lists: [] };
  const refs = persisted.kind === 'entity' ? persisted.refs : persisted.response?.refs;
  // most rows have no nested records
  if (refs === NO_REFERENCES) return NONE;
  return { entities: pairsIn(refs?.entities), lists: pairsIn(refs?.lists) };
}

const NONE = { entities: [], lists: [] };

/** The keys of the records that `persisted` refers to, without complete tables. */
export function* referencedKeys(persisted: PersistedRecord): Iterable<string> {
  const { entities, lists } = referencesOf(persisted);
  for (const [name, pk] of entities) yield keyFor('entity', name, pk);
  for (const [name, pk] of lists) yield keyFor('list', name, pk);
}

/** The names of the tables of which the record shows all rows. */
export function referencedTables(persisted: PersistedRecord): readonly string[] {
  return persisted.kind === 'result' ? (persisted.response?.refs.tables ?? []) : [];
}

function pairsIn(pks: PksByTable = {}): readonly Address[] {
  return Object.entries(pks).flatMap(([name, all]) => all.map((pk) => [name, pk] as const));
}
