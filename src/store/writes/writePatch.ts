/** Writes entities, and finds the lists that rows enter and leave because a field has changed. */
import type { FilterValue } from '../../schema/conditionsOf.ts';
import { equal } from '../../schema/equal.ts';
import { fieldOf } from '../../schema/fieldOf.ts';
import type { Fields } from '../../schema/schema.ts';
import type { EntityPatch } from '../entities/EntityPatch.ts';
import type { EntityRecord } from '../entities/EntityRecord.ts';
import { filterValueIn } from '../lists/FilterLookup.ts';
import { ANY_FIELD } from '../lists/ListGroups.ts';
import type { ListTable } from '../lists/ListTable.ts';
import type { FieldChange } from '../lists/fieldMoves.ts';
import { EMPTY, append } from '../records/append.ts';
import { fieldTimeInStamp } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import type { DraftStore } from './Draft.ts';

/** A change of an entity by a confirmed write. */
export interface WrittenChange extends FieldChange {
  readonly member: EntityRecord;
  /** Logical times at which the request was issued, of the latest changed field, and of its response. */
  readonly issued: number;
  readonly time: number;
  readonly confirmedAt: number;
}

/** The confirmed value of a field: as arguments are compared with the field, and as the record holds it. */
interface KnownValue {
  readonly text: FilterValue;
  readonly raw: unknown;
}

/** Writes a patch. Returns the change of the fields by which stored lists are filtered; undefined if there is none. */
export function writePatch(
  store: DraftStore,
  record: EntityRecord,
  patch: EntityPatch,
  stamp: Stamp,
): WrittenChange | undefined {
  const { isConfirmed, kind } = record;
  if (isConfirmed) store.noteOverwrite(kind.tableKey);
  const tables = isConfirmed ? store.tablesFollowing(kind.tableKey) : EMPTY;
  const written = tables.length > 0 ? writtenNames(tables, record, patch, stamp) : EMPTY;
  if (written.length === 0) return void record.write(patch, stamp);
  const before = new Map<string, KnownValue>();
  for (const { groups } of tables)
    for (const name of groups.fields) if (!before.has(name)) before.set(name, read(record, name));
  record.write(patch, stamp);
  const names = written.filter((name) => {
    const old = before.get(name);
    const { text, raw } = read(record, name);
    return old !== undefined && (old.text !== text || !equal(old.raw, raw));
  });
  const isSearched = written.includes(ANY_FIELD);
  if (names.length === 0 && !isSearched) return undefined;
  return {
    member: record,
    names,
    isOwn: stamp.own !== undefined,
    before: (name) => before.get(name)?.text,
    after: (name) => read(record, name).text,
    issued: stamp.time,
    confirmedAt: stamp.ownTime ?? stamp.time,
    time: Math.max(stamp.time, ...names.map((name) => fieldTimeInStamp(name, stamp))),
  };
}

function read(record: EntityRecord, name: string): KnownValue {
  const { confirmedNodes, confirmedFields, versions, kind } = record;
  const at = kind.descriptor.nestedIndexes.get(name);
  const raw = at === undefined ? fieldOf(confirmedFields ?? {}, name) : confirmedNodes[at];
  const isUnknown = versions.unreceived.includes(name);
  return { raw, text: isUnknown ? undefined : filterValueIn(record.base, record, name) };
}

/** The names of fields by which lists are filtered, and that a patch may change. */
function writtenNames(
  tables: readonly ListTable[],
  record: EntityRecord,
  patch: EntityPatch,
  { own }: Stamp,
): readonly string[] {
  let found: string[] = EMPTY;
  for (const { groups } of tables)
    for (const name of groups.byField.keys())
      if (
        name === ANY_FIELD ? own && changesAnyField(record, patch) : mayChange(record, patch, name)
      )
        found = append(found, name);
  return found;
}

function mayChange(record: EntityRecord, { fields, nodes }: EntityPatch, name: string): boolean {
  const at = record.kind.descriptor.nestedIndexes.get(name);
  if (at !== undefined) return nodes[at] !== undefined && nodes[at] !== record.confirmedNodes[at];
  if (!Object.hasOwn(fields, name)) return false;
  return fields[name] !== confirmed(record, name) || record.versions.unreceived.includes(name);
}

function changesAnyField(record: EntityRecord, { fields, nodes }: EntityPatch): boolean {
  const { nestedIndexes } = record.kind.descriptor;
  return (
    nodes.some((node, at) => node !== undefined && !equal(node, record.confirmedNodes[at])) ||
    Object.keys(fields).some(
      (name) => !nestedIndexes.has(name) && !equal(fields[name], confirmed(record, name)),
    )
  );
}

function confirmed({ confirmedFields }: EntityRecord, name: string): unknown {
  return fieldOf(confirmedFields as Fields, name);
}
