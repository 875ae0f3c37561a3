/** Serialized records of a disk or of another tab, staged for a store. `NodeSerializer` is the reverse. */
import type { EntityKind } from '../schema/EntityKind.ts';
import { createWalk, normalize } from '../schema/normalize.ts';
import type { NormalizeOptions } from '../schema/normalize.ts';
import { wrapOpaque } from '../schema/schema.ts';
import type {
  Fields,
  NormalizeContext,
  NormalizedNode,
  Ref,
  Schema,
  Sink,
  StoredKind,
} from '../schema/schema.ts';
import { Draft, writeDraft } from '../store/StorePort.ts';
import type { EntityRecord, Stamp, Store, StoreRecord } from '../store/StorePort.ts';
import { NO_REFERENCES } from './PersistedRecord.ts';
import type { References } from './PersistedRecord.ts';
import type { PersistableNames } from './Registry.ts';

/** Data of one time. Staging writes nothing; `write` writes by the rules of versions, so newer data of the page stay. */
export class StagedRestore {
  readonly stamp: Stamp;
  readonly draft: Draft;
  readonly #store: Store;
  readonly #names: PersistableNames;
  /** For entities without nested records, as most rows are. */
  readonly #flatWalk: NormalizeContext;

  /** `merges`: the merge functions of the application decide about entities that are stored already. */
  constructor(store: Store, names: PersistableNames, stamp: Stamp, merges = true) {
    this.stamp = stamp;
    this.draft = new Draft(store, merges ? stamp : undefined);
    this.#store = store;
    this.#names = names;
    this.#flatWalk = this.#walk(NO_REFERENCES);
  }

  /** Runs `work`, which stages all records. If `work` throws, nothing is staged. */
  stage<T>(work: () => T): T {
    try {
      const result = work();
      this.draft.prepare();
      return result;
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** Stages a single entity. Referenced entities are restored separately. */
  stageEntity(kind: EntityKind, pk: string, fields: Fields, refs: References): EntityRecord {
    const walk = refs === NO_REFERENCES ? this.#flatWalk : this.#walk(refs);
    return kind.stageEntity(fields, pk, fields, walk) as EntityRecord;
  }

  #walk(refs: References): NormalizeContext {
    return createWalk(this.#createSink(refs), { args: [], endpoint: undefined, mayHavePks: true });
  }

  /** Stages a response, without the entities and lists of the response. */
  stageResponse(
    schema: Schema,
    { value, refs }: { readonly value: unknown; readonly refs: References },
    { args, endpoint }: Pick<NormalizeOptions, 'args' | 'endpoint'>,
  ): NormalizedNode {
    if (schema === undefined) return wrapOpaque(value);
    const options = { args, endpoint, mayHavePks: true };
    return normalize(schema, value, this.#createSink(refs), options);
  }

  #createSink(refs: References): Sink {
    return new RestoreSink(this.draft, this.#names, refs);
  }

  discard(): void {
    this.draft.discard();
  }

  /** Writes the staged records, within a commit. */
  write(root: NormalizedNode, stamp: Stamp = this.stamp): void {
    writeDraft(this.#store, this.draft, stamp, { node: root, args: [] });
  }
}

/** Writes a single entity; of nested lists, each gets the serialized key. */
class RestoreSink implements Sink {
  readonly #draft: Draft;
  readonly #names: PersistableNames;
  readonly #refs: References;
  /** How many lists of each table were met. */
  readonly #met = new Map<string, number>();

  constructor(draft: Draft, names: PersistableNames, refs: References) {
    this.#draft = draft;
    this.#names = names;
    this.#refs = refs;
  }

  ref(kind: StoredKind, pk: string): Ref {
    if (kind.stores !== 'list') return this.#draft.ref(kind, pk);
    // the name of a list inside an entity may depend on the arguments of a request
    const name = this.#names.tableOf(kind) ?? '';
    const at = this.#met.get(name) ?? 0;
    this.#met.set(name, at + 1);
    return this.#draft.ref(kind, this.#refs.lists[name]?.[at] ?? pk);
  }

  put(ref: Ref, fields: Fields, nodes: readonly NormalizedNode[], kind: StoredKind): void {
    this.#draft.put(ref, fields, nodes, kind);
  }

  exists(ref: Ref): boolean {
    return this.#draft.exists(ref);
  }

  fill(ref: Ref, members: NormalizedNode): void {
    // so that the table counts as complete
    if (isTable(ref)) this.#draft.fill(ref, members);
  }

  remove(): void {}
  stageListChange(): void {}
}

function isTable(ref: Ref): boolean {
  return ((ref as StoreRecord).kind as StoredKind).stores === 'all';
}
