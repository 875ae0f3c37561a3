/** The list changes that follow from the fields which optimistic writes change. */
import type { FilterValue } from '../schema/conditionsOf.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import { filterValueIn } from '../store/lists/FilterLookup.ts';
import type { StoredList } from '../store/lists/ListRecord.ts';
import { isHomeTable } from '../store/lists/ListTable.ts';
import type { FieldMove } from '../store/lists/fieldMovesIn.ts';
import { EMPTY } from '../store/records/SmallSet.ts';
import type { DraftStore } from '../store/writes/Draft.ts';
import { impliedMovesIn } from '../store/writes/writeDraft.ts';
import { pendingOf } from './PendingEntity.ts';
import type { PendingChange } from './foldChanges.ts';
import type { PendingPatch } from './foldPatches.ts';
import { countBefore } from './insertByIssueTime.ts';

export interface PendingMove {
  readonly list: StoredList;
  readonly change: PendingChange;
}

/**
 * Finds the lists that an entity enters and leaves because of the fields of its optimistic writes, from logical time
 * `from` on. Returns the patches that change such fields, in the order of issue, each with its moves.
 */
export function findMoves(store: DraftStore, record: EntityRecord, from: number): PendingPatch[] {
  const { kind, isConfirmed, versions } = record;
  const tables = store.tablesFollowing(kind.tableKey);
  const fields = tables.flatMap(({ groups }) => [...groups.byField.keys()]);
  const all = store.listTablesByEntity(kind.tableKey);
  const { patches = EMPTY } = pendingOf(record) ?? {};
  const first = countBefore(patches, from);
  const isKnown = (name: string) =>
    (isConfirmed && !versions.unreceived.includes(name)) ||
    patches.some(({ patch }, at) => at < first && patch?.recordShape?.names.includes(name));
  const known = new Set(fields.filter(isKnown));
  // writes with the same values before and after have the same effects
  const effects = new Map<string, readonly FieldMove[]>();
  return patches.slice(first).filter((pending) => {
    const { issued, patch, moves: old = EMPTY } = pending;
    const { draft } = pending.layer;
    const written = patch?.recordShape?.names;
    if (!written?.some((name) => fields.includes(name))) return false;
    const before = valuesAt(record, issued, fields, known);
    for (const name of written) known.add(name);
    // logical times are whole numbers
    const after = before && valuesAt(record, issued + 0.5, fields, known);
    pending.moves = EMPTY;
    if (!after) return true;
    // in JSON null stands for an undecided value, and 0 for an unknown one
    const key = JSON.stringify(
      [draft?.listChanges.length && issued, before, after],
      (_, value: unknown) => value ?? 0,
    );
    const change = {
      member: record,
      names: fields.filter((_, at) => before[at] !== after[at]),
      repeatedFields: EMPTY,
      isOwn: true,
      before: (name: string) => before[fields.indexOf(name)],
      after: (name: string) => after[fields.indexOf(name)],
    };
    const found =
      effects.get(key) ??
      tables.flatMap((table) => impliedMovesIn(table, change, isHomeTable(table, all), draft));
    effects.set(key, found);
    // moves that stay the same keep their references
    pending.moves = found.flatMap(({ list, op }) =>
      op
        ? (old.find((move) => move.list === list && move.change.op === op) ?? {
            list,
            change: { issued, op, members: [record], keys: EMPTY, isFieldMove: true },
          })
        : EMPTY,
    );
    return true;
  });
}

/** The known values of the fields at a logical time; undefined where the entity does not exist. */
function valuesAt(
  record: EntityRecord,
  time: number,
  fields: readonly string[],
  known: ReadonlySet<string>,
): FilterValue[] | undefined {
  const content = record.contentAsOf(time);
  return (
    content &&
    fields.map((name) => (known.has(name) ? filterValueIn(content, record, name) : undefined))
  );
}
