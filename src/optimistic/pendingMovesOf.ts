/** The list changes that follow from the fields which optimistic writes change. */
import type { EntityContent } from '../store/entities/EntityContent.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import { filterValueIn } from '../store/lists/FilterLookup.ts';
import type { FilterLookup } from '../store/lists/FilterLookup.ts';
import type { StoredList } from '../store/lists/ListRecord.ts';
import { isHomeTable } from '../store/lists/ListTable.ts';
import type { ListTable } from '../store/lists/ListTable.ts';
import type { FieldChange } from '../store/lists/fieldMovesIn.ts';
import { EMPTY } from '../store/records/SmallSet.ts';
import type { DraftStore } from '../store/writes/Draft.ts';
import { impliedMovesIn } from '../store/writes/writeDraft.ts';
import { pendingOf } from './PendingEntity.ts';
import type { PendingChange } from './foldChanges.ts';
import type { PendingPatch } from './foldPatches.ts';

export interface PendingMove {
  readonly list: StoredList;
  readonly change: PendingChange;
}

/**
 * The lists that an entity enters and leaves because of the fields of its optimistic writes, in the order of issue;
 * undefined if these write no field by which lists are filtered. The lists must not contain earlier results.
 */
export function pendingMovesOf(store: DraftStore, record: EntityRecord): PendingMove[] | undefined {
  const patches = pendingOf(record)?.patches ?? EMPTY;
  const tables = store.tablesFollowing(record.kind.tableKey);
  const fields = new Set(tables.flatMap(({ groups }) => [...groups.byField.keys()]));
  let moves: PendingMove[] | undefined;
  if (patches.length === 0 || fields.size === 0) return undefined;
  const all = store.listTablesByEntity(record.kind.tableKey);
  const known = new Set([...fields].filter((name) => isReceived(record, name)));
  for (const pending of patches) {
    const written = pending.patch?.recordShape?.names.filter((name) => fields.has(name)) ?? EMPTY;
    if (written.length === 0) continue;
    moves ??= [];
    const { before, after } = lookupsAround(record, pending, known, written);
    for (const name of written) known.add(name);
    if (before === undefined || after === undefined) continue;
    const names = written.filter((name) => before(name) !== after(name));
    const change = { member: record, names, repeatedFields: EMPTY, isOwn: true, before, after };
    if (names.length > 0)
      for (const table of tables)
        moves.push(...movesIn(table, change, pending, isHomeTable(table, all)));
  }
  return moves;
}

function isReceived({ isConfirmed, versions }: EntityRecord, name: string): boolean {
  return isConfirmed && !versions.unreceived.includes(name);
}

/** The fields below a write and with the write; undefined where the entity does not exist. */
function lookupsAround(
  record: EntityRecord,
  { issued }: PendingPatch,
  known: ReadonlySet<string>,
  written: readonly string[],
): { before: FilterLookup | undefined; after: FilterLookup | undefined } {
  const knownBefore = new Set(known);
  const lookup = (content: EntityContent | undefined, isAfter: boolean) =>
    content &&
    ((name: string) =>
      knownBefore.has(name) || (isAfter && written.includes(name))
        ? filterValueIn(content, record, name)
        : undefined);
  return {
    before: lookup(record.contentAsOf(issued), false),
    // logical times are whole numbers
    after: lookup(record.contentAsOf(issued + 0.5), true),
  };
}

function movesIn(
  table: ListTable,
  change: FieldChange,
  { issued, layer }: PendingPatch,
  isHome: boolean,
): PendingMove[] {
  const { member } = change;
  return impliedMovesIn(table, change, isHome, layer.draft).flatMap(({ list, op }) =>
    op === undefined
      ? EMPTY
      : [{ list, change: { issued, op, members: [member], keys: EMPTY, isFieldMove: true } }],
  );
}

export function areSameMoves(
  some: readonly PendingMove[],
  others: readonly PendingMove[],
): boolean {
  return (
    some.length === others.length &&
    some.every(({ list, change }, at) => {
      const other = others[at];
      return (
        other?.list === list &&
        other.change.issued === change.issued &&
        other.change.op === change.op
      );
    })
  );
}
