/** Matches entities shown under temporary keys with the keys that the server gives them. */
import type { EntityKind } from '../schema/EntityKind.ts';
import type { EntityRecord } from './EntityRecord.ts';
import type { EntityTable } from './EntityTable.ts';
import type { Node } from '../schema/schema.ts';
import type { EntityContent } from './EntityContent.ts';
import { ListRecord } from './ListRecord.ts';
import { append, EMPTY } from './append.ts';
import { rekeyLists, renameEntity } from './renameEntity.ts';
import type { TableMap } from './renameEntity.ts';
import type { Table } from './Table.ts';

/** An optimistic entity, and the stored entity that turned out to be the same. */
interface MatchedPair {
  readonly optimistic: EntityRecord;
  readonly stored: EntityRecord;
}

/** The write of a layer, and its entities without server keys. */
export interface OptimisticWrite {
  readonly createdEntities: EntityRecord[];
  readonly draft:
    | {
        patchOf(record: EntityRecord): EntityContent | undefined;
        readonly fills: readonly { readonly list: unknown; readonly members: readonly Node[] }[];
      }
    | undefined;
}

export class TempIdMatcher {
  readonly #optimistic: OptimisticWrite;
  readonly #tables: TableMap;
  #unmatched: EntityRecord[] | undefined;
  #undo: (() => void)[] = EMPTY;
  /** Entities that have server keys now. */
  renamed: EntityRecord[] = EMPTY;
  merged: MatchedPair[] = EMPTY;

  /** Entities created by the layer get server keys in their order. */
  constructor(layer: OptimisticWrite, tables: TableMap) {
    this.#optimistic = layer;
    this.#tables = tables;
  }

  /** The entity of this table that gets the key `pk` from now on; undefined if none is left. */
  assignServerId(table: Table, pk: string): EntityRecord | undefined {
    const entityTable = table as EntityTable;
    const record = entityTable.hasKey(pk) ? undefined : this.#takeUnmatched(entityTable);
    if (record === undefined) return undefined;
    this.#undo = append(this.#undo, renameEntity(this.#tables, record, pk));
    this.renamed = append(this.renamed, record);
    return record;
  }

  /** A response names an entity that a read has already stored: that entity replaces the optimistic one. */
  mergeWithExisting(table: Table, known: EntityRecord): void {
    if (this.#optimistic.draft?.patchOf(known) !== undefined) return;
    const record = this.#takeUnmatched(table as EntityTable);
    if (record === undefined) return;
    this.merged = append(this.merged, { optimistic: record, stored: known });
    const { pk: from } = record;
    const undoRekey = rekeyLists(this.#tables, { record, from, to: known.pk, temporary: true });
    const entityTable = table as EntityTable;
    entityTable.addAlias(from, known.pk);
    this.#undo = append(this.#undo, () => {
      undoRekey();
      entityTable.undoRename(record, from);
    });
  }

  #takeUnmatched({ kind }: EntityTable): EntityRecord | undefined {
    return takeFirstOfKind((this.#unmatched ??= this.#optimistic.createdEntities), kind);
  }

  /** Keeps optimistic lists nested in renamed entities if the response leaves them out: passes each to `fill`. */
  keepNestedLists(fill: (list: ListRecord, members: readonly Node[]) => void): void {
    const { draft } = this.#optimistic;
    for (const record of this.renamed) {
      const { stagedPatch } = record;
      const optimisticPatch = draft?.patchOf(record);
      record.kind.descriptor.nested.forEach(({ name }, at) => {
        const list = optimisticPatch?.nodes[at];
        if (
          stagedPatch === undefined ||
          !(list instanceof ListRecord) ||
          stagedPatch.nodes[at] !== undefined
        )
          return;
        stagedPatch.fields = { ...stagedPatch.fields, [name]: optimisticPatch?.fields[name] };
        stagedPatch.nodes = stagedPatch.nodes.map((node, place) => (place === at ? list : node));
        const members = draft?.fills.find((one) => one.list === list)?.members ?? [];
        // members created with the entity that are not in the response do not exist
        fill(
          list,
          members.filter((member) => (member as EntityRecord).isConfirmed),
        );
      });
    }
  }

  /** Restores the temporary keys. */
  undo(): void {
    for (const undoRekey of this.#undo) undoRekey();
  }
}

/** Removes and returns the first record of a kind. */
export function takeFirstOfKind(records: EntityRecord[], of: EntityKind): EntityRecord | undefined {
  const at = records.findIndex(({ kind }) => kind.tableKey === of.tableKey);
  return at < 0 ? undefined : records.splice(at, 1)[0];
}
