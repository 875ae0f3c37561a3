/** Why a field reads as it does: who wrote it, what is expected above it, and who reads it. */
import type { Controller, Key } from '../Controller.ts';
import { contextOf } from '../fetch/FetchContext.ts';
import { isWatched } from '../reactive.ts';
import { EntityKind } from '../schema/EntityKind.ts';
import { kindOf } from '../schema/kindOf.ts';
import type { EntityClass } from '../schema/schema.ts';
import type { EntityRecord } from '../store/EntityRecord.ts';
import type { EntityTable } from '../store/EntityTable.ts';
import { FieldIndex, IndexLookup } from '../store/FieldIndex.ts';
import { fieldTime } from '../store/versioning.ts';
import type { StoreRecord } from '../store/StoreRecord.ts';
import { ResultRecord } from '../store/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import { Journal } from './Journal.ts';
import type { JournalEntry } from './Journal.ts';
import { recordName } from './plain.ts';

/** An unconfirmed write of the field. */
export interface WhyLayer {
  /** Of the mutation that is under way: as in events. */
  readonly id: number;
  /** `PATCH /todos/:id`; `transaction` for what one of these set. */
  readonly endpoint: string;
  /** Of its request; empty where it is answered already, or there is none. */
  readonly key: string;
  /** What it is expected to become; of a nested member, in the form of the answer. Undefined where it is deleted. */
  readonly value: unknown;
}

/** Whoever reads the field, or would run when it changes. */
export interface WhyReader {
  /**
   * `signal`, `field`, `listener`: of the entity itself, its live object, its components. `request`, `query`: what shows
   * it and is read itself. `entity`, `list`: what stands in between.
   */
  readonly kind: 'signal' | 'field' | 'listener' | 'request' | 'query' | 'entity' | 'list';
  /** The key of the request, the name of the thing, or how many listeners there are. */
  readonly name: string;
  /** Somebody is told when it changes: a watched signal or a component that is mounted. */
  readonly read: boolean;
}

/** Why a field reads as it does. */
export interface Why {
  /** What readers see; of a nested member, as they see it. */
  readonly value: unknown;
  /** What is confirmed of it, below all layers. Undefined: the entity is not stored. */
  readonly written:
    | {
        /** Logical time: what carries an earlier one does not replace it. */
        readonly time: number;
        /** Wall times of the last answer that wrote to the entity, ms since 1970. */
        readonly fetchedAt: number;
        readonly expiresAt: number;
        /** The commit that wrote it, while somebody records (`connectDevTools`, `recordCommits`). */
        readonly by: JournalEntry | undefined;
      }
    | undefined;
  /** In the order in which they lie above each other. */
  readonly layers: readonly WhyLayer[];
  readonly readers: readonly WhyReader[];
}

/**
 * `why(controller, Todo, 5, 'title')`: which response wrote the field (request, endpoint, logical and wall time), which
 * unconfirmed writes lie above it, and who reads it. Without a field: of the entity as a whole. It changes nothing.
 * Undefined where nothing is known of the entity.
 */
export function why<E extends EntityClass>(
  controller: Controller,
  Entity: E,
  pk: Key<E>,
  field?: string,
): Why | undefined {
  const record = recordOf(controller, Entity, pk);
  if (record === undefined) return undefined;
  const value = controller.entity(Entity, record.pk).peek() as { [name: string]: unknown };
  return {
    value: field === undefined ? value : value?.[field],
    written: writtenOf(controller, record, field),
    layers: layersOf(controller, record, field),
    readers: readersOf(record, contextOf(controller).store, field),
  };
}

function recordOf(controller: Controller, Entity: EntityClass, pk: unknown) {
  const kind = kindOf(Entity, 'entity') as EntityKind;
  const own = kind.pkOf([pk]);
  const table = contextOf(controller).store.tables.get(kind.table) as EntityTable | undefined;
  return own === undefined ? undefined : table?.records.get(own);
}

/** What is confirmed of an entity or a field of it. */
export function writtenOf(
  controller: Controller,
  record: EntityRecord,
  field?: string,
): Why['written'] {
  if (!record.isConfirmed) return undefined;
  const time = field === undefined ? record.latestTime : fieldTime(field, record.versions);
  const { fetchedAt, expiresAt } = record.versions.stamp;
  return { time, fetchedAt, expiresAt, by: Journal.of(controller)?.at(time) };
}

/** The unconfirmed writes of an entity or a field of it. */
export function layersOf(controller: Controller, record: EntityRecord, field?: string): WhyLayer[] {
  const { store, inflight } = contextOf(controller);
  const flights = [...inflight.flights];
  return [...store.layers.active].flatMap(({ writes: on, draft, issued: id, by }) => {
    if (!on.includes(record)) return [];
    const patch = draft?.patchOf(record);
    const key = flights.find(({ issued }) => issued === id)?.key ?? '';
    const told = { id, endpoint: by.title ?? 'transaction', key };
    if (patch === undefined || field === undefined) return [{ ...told, value: patch?.fields }];
    return patch.form?.names.includes(field) ? [{ ...told, value: patch.fields[field] }] : [];
  });
}

/** Who reads an entity or a field of it, and what shows it. */
export function readersOf(record: StoreRecord, store: Store, field?: string): WhyReader[] {
  return [...ownReaders(record, field), ...holders(record, store)];
}

function ownReaders(
  { cell, observers: fine }: StoreRecord,
  field: string | undefined,
): WhyReader[] {
  const fields: string[] = [];
  for (let cell = fine?.first; cell !== undefined; cell = cell.next) {
    if (cell.watchers > 0 && (field === undefined || cell.name === field)) fields.push(cell.name);
  }
  const listeners = fine?.listeners?.size ?? 0;
  return [
    ...(isWatched(cell) ? [{ kind: 'signal', name: 'entity', read: true } as const] : []),
    ...fields.map((name) => ({ kind: 'field', name, read: true }) as const),
    ...(listeners > 0 ? [{ kind: 'listener', name: String(listeners), read: true } as const] : []),
  ];
}

/** What shows it, directly or inside of something else, nearest first. */
function holders(record: StoreRecord, store: Store): WhyReader[] {
  const found = new Set<StoreRecord>([record]);
  // a set that grows while it is walked is walked to its end
  for (const child of found) for (const parent of child.allParents) found.add(parent);
  found.delete(record);
  const shown = [...found].filter(
    (holder) => !(holder instanceof FieldIndex || holder instanceof IndexLookup),
  );
  return shown.map((holder) => {
    const { cell, observers: fine } = holder;
    const listened = (fine?.listeners?.size ?? 0) > 0;
    const read = listened || [cell, fine?.result, fine?.shape].some((slot) => isWatched(slot));
    const name = holder instanceof ResultRecord ? holder.key : recordName(holder);
    return { kind: kindOfHolder(holder, store), name, read };
  });
}

function kindOfHolder(holder: StoreRecord, { results }: Store): WhyReader['kind'] {
  if (holder instanceof ResultRecord)
    return results.get(holder.key) === holder ? 'request' : 'query';
  const { kind } = holder;
  if (kind === undefined) return 'query';
  return kind instanceof EntityKind ? 'entity' : 'list';
}
