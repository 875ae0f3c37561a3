/** Why a field has its value: the response that wrote the value, the optimistic writes above, and the readers. */
import type { Controller, Key } from '../Controller.ts';
import { checkArgument, DEV } from '../errors.ts';
import { layersOf } from '../optimistic/Layers.ts';
import { patchOf } from '../optimistic/patchOf.ts';
import { contextOf } from '../request/FetchContext.ts';
import { EntityKind } from '../schema/EntityKind.ts';
import { kindOf } from '../schema/kindOf.ts';
import type { EntityClass } from '../schema/schema.ts';
import { isWatched } from '../signals.ts';
import { FieldIndex, IndexRecord, ResultRecord, fieldTime } from '../store/StorePort.ts';
import type { EntityRecord, EntityTable, Store, StoreRecord } from '../store/StorePort.ts';
import { WriteHistory } from './WriteHistory.ts';
import type { WriteHistoryEntry } from './WriteHistory.ts';
import { callTitle, recordName } from './toPlain.ts';

/** An optimistic write of the field. */
export interface WhyLayer {
  /** The id of the pending mutation, as in events. */
  readonly id: number;
  /** `PATCH /todos/:id`; `transaction` for a write of a transaction. */
  readonly endpoint: string;
  /** The key of the request; empty if the request has ended, or there is none. */
  readonly key: string;
  /** The optimistic value; a nested member has the form of the response. Undefined if the layer deletes the entity. */
  readonly value: unknown;
}

/** A reader of the field, or a record made of the entity. */
export interface WhyReader {
  /**
   * `signal`, `field`, `listener`: readers of the entity itself, of the live object, of the components. `request`,
   * `query`: readable records made of the entity. `entity`, `list`: records in between.
   */
  readonly kind: 'signal' | 'field' | 'listener' | 'request' | 'query' | 'entity' | 'list';
  /** The key of the request, the name of the record, or the number of listeners. */
  readonly name: string;
  /** True if a change notifies a reader: a watched signal or a mounted component. */
  readonly read: boolean;
}

/** Why a field has its value. */
export interface Why {
  /** The value that readers see, also in nested members. */
  readonly value: unknown;
  /** The confirmed write, below all layers. Undefined: the entity is not stored. */
  readonly written:
    | {
        /** Logical time: data of an earlier time do not replace the value. */
        readonly time: number;
        /** Wall times of the last response that wrote to the entity, ms since 1970. */
        readonly fetchedAt: number;
        readonly expiresAt: number;
        /** The commit that wrote the value, if commits are recorded (`connectDevTools`, `recordCommits`). */
        readonly by: WriteHistoryEntry | undefined;
      }
    | undefined;
  /** In the order of issue. */
  readonly layers: readonly WhyLayer[];
  readonly readers: readonly WhyReader[];
}

/**
 * `why(controller, Todo, 5, 'title')`: the response that wrote the field (request, endpoint, logical and wall time),
 * the optimistic writes above, and the readers. Without a field: the same for the complete entity. The store is not
 * changed. Undefined if the entity is unknown.
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
    written: whyWrittenOf(controller, record, field),
    layers: whyLayersOf(controller, record, field),
    readers: whyReadersOf(record, contextOf(controller).store, field),
  };
}

function recordOf(controller: Controller, Entity: EntityClass, pk: unknown) {
  const kind = kindOf(Entity, 'entity') as EntityKind;
  if (DEV) checkArgument(kind instanceof EntityKind, 'why', Entity, 'an entity class');
  const pkText = kind.pkInArgs([pk]);
  const table = contextOf(controller).store.tables.get(kind.tableKey) as EntityTable | undefined;
  return pkText === undefined ? undefined : table?.records.get(pkText);
}

/** The confirmed write of an entity or a field. */
export function whyWrittenOf(
  controller: Controller,
  record: EntityRecord,
  field?: string,
): Why['written'] {
  if (!record.isConfirmed) return undefined;
  const time = field === undefined ? record.latestTime : fieldTime(field, record.versions);
  const { fetchedAt, expiresAt } = record.versions.stamp;
  return { time, fetchedAt, expiresAt, by: WriteHistory.of(controller)?.at(time) };
}

/** The optimistic writes of an entity or a field. */
export function whyLayersOf(
  controller: Controller,
  record: EntityRecord,
  field?: string,
): WhyLayer[] {
  const { store, inflight } = contextOf(controller);
  const flights = [...inflight.allRequests];
  return [...layersOf(store).active].flatMap(({ writtenRecords, draft, issued: id, call }) => {
    if (!writtenRecords.includes(record)) return [];
    const patch = patchOf(draft, record);
    const key = flights.find(({ issued }) => issued === id)?.key ?? '';
    const told = { id, endpoint: callTitle(call), key };
    if (patch === undefined || field === undefined) return [{ ...told, value: patch?.fields }];
    return patch.recordShape?.names.includes(field)
      ? [{ ...told, value: patch.fields[field] }]
      : [];
  });
}

/** The readers of an entity or a field, and the records made of the entity. */
export function whyReadersOf(record: StoreRecord, store: Store, field?: string): WhyReader[] {
  return [...directReadersOf(record, field), ...holdersOf(record, store)];
}

function directReadersOf({ cell, observers }: StoreRecord, field: string | undefined): WhyReader[] {
  const fields: string[] = [];
  for (let cell = observers?.firstField; cell !== undefined; cell = cell.next) {
    if (cell.watchers > 0 && (field === undefined || cell.name === field)) fields.push(cell.name);
  }
  const listeners = observers?.listeners?.size ?? 0;
  return [
    ...(isWatched(cell) ? [{ kind: 'signal', name: 'entity', read: true } as const] : []),
    ...fields.map((name) => ({ kind: 'field', name, read: true }) as const),
    ...(listeners > 0 ? [{ kind: 'listener', name: String(listeners), read: true } as const] : []),
  ];
}

/** The records made of `record`, directly or indirectly, nearest first. */
function holdersOf(record: StoreRecord, store: Store): WhyReader[] {
  const found = new Set<StoreRecord>([record]);
  // iteration includes members added to the set on the way
  for (const child of found) for (const parent of child.allParents) found.add(parent);
  found.delete(record);
  const records = [...found].filter(
    (holder) => !(holder instanceof FieldIndex || holder instanceof IndexRecord),
  );
  return records.map((holder) => {
    const { cell, observers } = holder;
    const listened = (observers?.listeners?.size ?? 0) > 0;
    const read =
      listened || [cell, observers?.result, observers?.shape].some((signal) => isWatched(signal));
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
