/** Stages the data of a disk: one entity, or the records that one request shows. */
import type { Fields, Node, Ref, Sink, StoredKind } from '../schema/schema.ts';
import type { Draft } from '../store/writes/Draft.ts';
import type { StoreRecord } from '../store/records/StoreRecord.ts';
import type { References } from './PersistedRecord.ts';
import type { PersistableNames } from './PersistableNames.ts';

/** Writes only the one entity: the records that it refers to are persisted on their own. */
export class RestoreSink implements Sink {
  readonly #draft: Draft;
  readonly #named: PersistableNames;
  readonly #refs: References;
  /** How many lists of each table were met. */
  readonly #met = new Map<string, number>();

  constructor(draft: Draft, named: PersistableNames, refs: References) {
    this.#draft = draft;
    this.#named = named;
    this.#refs = refs;
  }

  ref(kind: StoredKind, pk: string): Ref {
    if (kind.stores !== 'list') return this.#draft.ref(kind, pk);
    // the name of a list inside an entity may depend on the arguments of a request
    const name = this.#named.tableOf(kind) ?? '';
    const at = this.#met.get(name) ?? 0;
    this.#met.set(name, at + 1);
    return this.#draft.ref(kind, this.#refs.lists[name]?.[at] ?? pk);
  }

  put(ref: Ref, fields: Fields, nodes: readonly Node[], kind: StoredKind): void {
    this.#draft.put(ref, fields, nodes, kind);
  }

  exists(ref: Ref): boolean {
    return this.#draft.exists(ref);
  }

  fill(ref: Ref, members: Node): void {
    // so that the table counts as complete
    if (isTable(ref)) this.#draft.fill(ref, members);
  }

  remove(): void {}
  stageListChange(): void {}
}

function isTable(ref: Ref): boolean {
  return ((ref as StoreRecord).kind as StoredKind).stores === 'all';
}
