/** What lies on a disk: a record for each entity, each list and each request. See rows.ts for their text. */
import type { Args, Fields } from '../schema/schema.ts';

/**
 * When it was known to be true: a number that orders all that lies there, and wall time, ms since 1970; and until when
 * it counts as fresh.
 */
export type At = readonly [order: number, fetchedAt: number, expiresAt: number];

/** Primary keys by the name of their table. */
export type Pks = Readonly<Record<string, readonly string[]>>;

/** Whom a record shows. */
export interface Refs {
  readonly entities: Pks;
  /** In the order in which they are met when it is written into a store, and as often. */
  readonly lists: Pks;
  /** Tables of which it shows all. */
  readonly tables: readonly string[];
}

export interface FiledEntity {
  readonly kind: 'entity';
  readonly name: string;
  readonly pk: string;
  readonly fields: Fields;
  readonly refs: Refs;
  readonly at: At;
  /** Entities of a table stand in this order. */
  readonly turn: number;
  /** The order of its creation where it was created again; 0: it was not. No response before that makes it complete. */
  readonly born: number;
  /** Its fields alone give its primary key: not so where `pk()` looks at parents or arguments. */
  readonly named: boolean;
}

export interface FiledList {
  readonly kind: 'list';
  readonly name: string;
  readonly pk: string;
  /** The name of each member's table, and its primary key; of a map: its key, too. */
  readonly members: readonly (readonly [name: string, pk: string, key?: string])[];
  /** As of lists in memory: pages stand behind the first. */
  readonly paged: boolean;
  readonly at: At;
}

/** What came of a request. */
export interface FiledAnswer {
  /** As it came, with primary keys in the place of entities, and lists empty. */
  readonly value: unknown;
  readonly refs: Refs;
  /** Entities that it shows and did not bring, by their keys. */
  readonly apart: readonly string[];
}

export interface FiledResult {
  readonly kind: 'result';
  /** Of the endpoint. */
  readonly name: string;
  readonly key: string;
  readonly args: Args;
  readonly at: At;
  /** What was known before this counts as expired; 0: it was never said. */
  readonly expired: number;
  /** The same of an invalidation that no answer has mended. */
  readonly invalid: number;
  /** Without one: what is expired or invalid is what the arguments alone tell. */
  readonly answer: FiledAnswer | undefined;
}

export type Filed = FiledEntity | FiledList | FiledResult;

/** Names of tables as JSON: there are few. */
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

/** The keys of what a record shows, tables apart. */
export function* keysShownBy(filed: Filed): Iterable<string> {
  if (filed.kind === 'list')
    for (const [name, pk] of filed.members) yield keyFor('entity', name, pk);
  else {
    const refs = filed.kind === 'entity' ? filed.refs : filed.answer?.refs;
    for (const [name, pk] of pairsIn(refs?.entities)) yield keyFor('entity', name, pk);
    for (const [name, pk] of pairsIn(refs?.lists)) yield keyFor('list', name, pk);
  }
}

/** The names of the tables of which a record shows all. */
export function tablesShownBy(filed: Filed): readonly string[] {
  return filed.kind === 'result' ? (filed.answer?.refs.tables ?? []) : [];
}

function pairsIn(pks: Pks = {}): readonly (readonly [name: string, pk: string])[] {
  return Object.entries(pks).flatMap(([name, all]) => all.map((pk) => [name, pk] as const));
}
