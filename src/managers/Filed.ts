/** The records on a disk: one for each entity, each list and each request. See rows.ts for their text. */
import type { Args, Fields } from '../schema/schema.ts';

/**
 * When the data were confirmed: a number that orders all records on the disk, and wall time, ms since 1970; and the
 * wall time until which they are fresh.
 */
export type At = readonly [order: number, fetchedAt: number, expiresAt: number];

/** Primary keys by the name of their table. */
export type Pks = Readonly<Record<string, readonly string[]>>;

/** The records that a record refers to. */
export interface Refs {
  readonly entities: Pks;
  /** In the order in which lists are met when the record is written into a store, with repetitions. */
  readonly lists: Pks;
  /** Tables of which the record shows all rows. */
  readonly tables: readonly string[];
}

export interface FiledEntity {
  readonly kind: 'entity';
  readonly name: string;
  readonly pk: string;
  readonly fields: Fields;
  readonly refs: Refs;
  readonly at: At;
  /** The position among the entities of the table. */
  readonly turn: number;
  /** The order of the creation after a deletion; 0: never deleted. No earlier response makes the entity complete. */
  readonly born: number;
  /** True if the fields alone give the primary key: not if `pk()` uses parents or arguments. */
  readonly named: boolean;
}

export interface FiledList {
  readonly kind: 'list';
  readonly name: string;
  readonly pk: string;
  /** The name of each member's table, and its primary key; of a map also the key of the member. */
  readonly members: readonly (readonly [name: string, pk: string, key?: string])[];
  /** As of lists in memory: pages were added after the first. */
  readonly paged: boolean;
  readonly at: At;
}

/** The response to a request. */
export interface FiledAnswer {
  /** The response in its original form, with primary keys in the place of entities, and empty lists. */
  readonly value: unknown;
  readonly refs: Refs;
  /** Entities that the response shows but did not bring, by their keys. */
  readonly apart: readonly string[];
}

export interface FiledResult {
  readonly kind: 'result';
  /** The name of the endpoint. */
  readonly name: string;
  readonly key: string;
  readonly args: Args;
  readonly at: At;
  /** Data confirmed before this order are expired; 0: never expired. */
  readonly expired: number;
  /** The same of an invalidation without a later response. */
  readonly invalid: number;
  /** Undefined: only the expiry or invalidation is known. */
  readonly answer: FiledAnswer | undefined;
}

export type Filed = FiledEntity | FiledList | FiledResult;

/** The names of tables as JSON, cached: there are few. */
const prefixes = new Map<string, string>();

/** The key of one record. */
export function keyFor(kind: string, name: string, pk?: string): string {
  if (pk === undefined) return `["${kind}",${JSON.stringify(name)}]`;
  let known = prefixes.get(name);
  if (known === undefined) prefixes.set(name, (known = JSON.stringify(name)));
  return `["${kind}",${known},${JSON.stringify(pk)}]`;
}

export function keyOfFiled(filed: Filed): string {
  if (filed.kind === 'result') return keyFor('result', filed.key);
  return keyFor(filed.kind, filed.name, filed.pk);
}

/** The keys of the records that `filed` refers to, without complete tables. */
export function* keysShownBy(filed: Filed): Iterable<string> {
  if (filed.kind === 'list')
    for (const [name, pk] of filed.members) yield keyFor('entity', name, pk);
  else {
    const refs = filed.kind === 'entity' ? filed.refs : filed.answer?.refs;
    for (const [name, pk] of pairsIn(refs?.entities)) yield keyFor('entity', name, pk);
    for (const [name, pk] of pairsIn(refs?.lists)) yield keyFor('list', name, pk);
  }
}

/** The names of the tables of which the record shows all rows. */
export function tablesShownBy(filed: Filed): readonly string[] {
  return filed.kind === 'result' ? (filed.answer?.refs.tables ?? []) : [];
}

function pairsIn(pks: Pks = {}): readonly (readonly [name: string, pk: string])[] {
  return Object.entries(pks).flatMap(([name, all]) => all.map((pk) => [name, pk] as const));
}
