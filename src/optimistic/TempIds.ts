/** Temporary primary keys: requests with temporary keys wait for the keys of the server, which a response brings. */
import { DEV, SignalboxError } from '../errors.ts';
import type { ResolveTempIds, TempIdSource } from '../request/OptimisticWrites.ts';
import type { EntityDescriptor } from '../schema/EntityDescriptor.ts';
import type { EntityKind } from '../schema/EntityKind.ts';
import { hasField } from '../schema/fieldOf.ts';
import type { Args, Fields, NormalizedNode } from '../schema/schema.ts';
import { keysIn, swapKeys } from '../schema/toPk.ts';
import { withNodeAt } from '../store/entities/EntityContent.ts';
import { EntityRecord } from '../store/entities/EntityRecord.ts';
import { forgetOldest } from '../store/entities/EntityTable.ts';
import { dropPushedCreation } from '../store/entities/FieldVersions.ts';
import { isStoredList } from '../store/lists/ListRecord.ts';
import type { Table } from '../store/lists/ListTable.ts';
import { EMPTY, append } from '../store/records/SmallSet.ts';
import { StoreRecord } from '../store/records/StoreRecord.ts';
import { eachRecord } from '../store/records/eachRecord.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { DraftStore } from '../store/writes/Draft.ts';
import { KeyChanges, deleteConfirmedData, renameEntity } from '../store/writes/KeyChanges.ts';
import type { Duplicates, FillList } from '../store/writes/KeyChanges.ts';
import type { Layer } from './Layer.ts';
import { patchOf } from './patchOf.ts';

/** Ends a creation: removes its match from `named`, or fails with `reason`. */
type ResolveTempId = (named: EntityRecord[], reason: unknown) => readonly KeyReplacement[];

/** A temporary key, and the primary key from the server. */
type KeyReplacement = readonly [string, unknown];

export class TempIds implements TempIdSource {
  readonly #resolutions = new Map<string, Promise<KeyReplacement>>();

  /** `created`: the entities with temporary keys, in the order in which the response will contain them. */
  expectKeys(created: readonly EntityRecord[], args: Args): ResolveTempIds {
    // the server keeps a key in the arguments, which the caller has chosen
    const callerKeys = keysIn(args);
    const kept = new Set(created.filter(({ pk }) => callerKeys.includes(pk)));
    const ends = created
      .filter((record) => !kept.has(record))
      .map((record) => this.#expectKey(record));
    forgetOldest(this.#resolutions);
    return (answer, reason: unknown = DEV ? 'the response has no key for it' : 'unknown') => {
      const records: EntityRecord[] = [];
      eachRecord(
        answer,
        (record) => record instanceof EntityRecord && !kept.has(record) && records.push(record),
      );
      return new Map(ends.flatMap((end) => end(records, reason)));
    };
  }

  /** Returns the function that ends the creation. Entities of a kind match entities of the response in their order. */
  #expectKey({ pk, kind }: EntityRecord): ResolveTempId {
    let end!: ResolveTempId;
    const name = new Promise<KeyReplacement>((resolve, reject) => {
      end = (named, reason) => {
        const record = takeFirstOfKind(named, kind);
        if (record === undefined || record.pk === pk) {
          reject(unresolvedTempIdError(pk, reason));
          return EMPTY;
        }
        const known: KeyReplacement = [pk, typedPkOf(record)];
        resolve(known);
        return [known];
      };
    });
    // prevents an unhandled rejection if no request waits for this key
    name.catch(() => {});
    this.#resolutions.set(pk, name);
    return end;
  }

  /** The promised keys of the temporary keys in `args`. */
  resolutionsFor(args: Args): Promise<KeyReplacement>[] {
    return keysIn(args).flatMap((key) => this.#resolutions.get(key) ?? []);
  }

  /** Replaces temporary keys in `args` by the server's keys. Undefined if `args` contains none. */
  resolveArgs(args: Args): Promise<Args> | undefined {
    const waits = this.resolutionsFor(args);
    if (waits.length === 0) return undefined;
    return Promise.all(waits).then((names) => {
      const serverKeys = new Map(names);
      return swapKeys(args, (key) => serverKeys.get(key));
    });
  }
}

/** The error of a request whose temporary key will never be resolved. */
export function unresolvedTempIdError(pk: string, reason: unknown): SignalboxError {
  return new SignalboxError('E6', { pk, reason }, { status: 400, cause: reason });
}

/** The primary key as stored in the entity: a numeric key stays a number. */
function typedPkOf(record: EntityRecord): unknown {
  const { kind, pk, confirmedFields } = record;
  const { declaredPkField } = kind.descriptor;
  if (declaredPkField === undefined) return pk;
  return confirmedFields?.[declaredPkField.field] ?? (declaredPkField.numeric ? Number(pk) : pk);
}

/** The temporary primary key of this number: of the type that the class declares, and unlike any server key. */
export function createTempPk(
  { declaredPkField }: EntityDescriptor,
  serial: number,
): string | number {
  hasIssuedTempIds = true;
  const isNumeric = declaredPkField?.numeric === true;
  return isNumeric ? Number.MIN_SAFE_INTEGER + serial : `temporary-${serial}`;
}

/** True once a temporary key was created. */
export let hasIssuedTempIds = false;

/** True for temporary keys that are numbers. A text key may come from a server. */
export function isNumericTempPk(pk: string): boolean {
  return /^-90071\d{11}$/.test(pk);
}

export class LayerKeyChanges extends KeyChanges {
  /** The optimistic result shown so far. The created entities get server keys in their order. */
  readonly #layer: Layer;
  #unnamed: EntityRecord[] | undefined;
  /** Entities that had temporary keys. */
  #named: EntityRecord[] = EMPTY;
  #merged: Duplicates[] = EMPTY;

  constructor(store: DraftStore, stamp: Stamp | undefined, layer: Layer) {
    super(store, stamp);
    this.#layer = layer;
  }

  protected override resolveCreated(
    { kind }: Table,
    pk: string,
    known: EntityRecord | undefined,
  ): StoreRecord | undefined {
    if (known !== undefined && (!this.stamp || patchOf(this.#layer.draft, known))) return known;
    this.#unnamed ??= callerKeysLast(this.#layer);
    const record = takeFirstOfKind(this.#unnamed, kind as EntityKind);
    if (record === undefined) return known;
    const undo = renameEntity(this.store.tables, record, known?.pk ?? pk);
    this.undoRenames = append(this.undoRenames, undo);
    if (known === undefined) this.#named = append(this.#named, record);
    else this.#merged = append<Duplicates>(this.#merged, [record, known]);
    return known ?? record;
  }

  override apply(stamp: Stamp): Stamp {
    for (const [from, to] of this.#merged) {
      dropPushedCreation(to);
      this.store.layers.movePatches(from, to);
      deleteConfirmedData(this.store, from);
    }
    return super.apply(stamp);
  }

  /** Keeps optimistic lists that are nested in renamed entities but missing in the response: passes each to `fill`. */
  override keepNestedLists(fill: FillList): void {
    for (const record of this.#named) this.#keepListsIn(record, fill);
  }

  #keepListsIn(record: EntityRecord, fill: FillList): void {
    const { kind, stagedPatch } = record;
    const { draft } = this.#layer;
    const shown = patchOf(draft, record);
    if (stagedPatch === undefined || shown === undefined) return;
    for (const [at, { name }] of kind.descriptor.nested.entries()) {
      const list = shown.nodes[at];
      const isLeftOut = !hasField(stagedPatch.fields, name) && hasField(shown.fields, name);
      if (!isLeftOut || !(list instanceof StoreRecord) || !isStoredList(list)) continue;
      stagedPatch.fields = { ...stagedPatch.fields, [name]: shown.fields[name] };
      stagedPatch.nodes = withNodeAt(stagedPatch.nodes, at, list);
      const members = draft?.fills.find((one) => one.list === list)?.members ?? EMPTY;
      fill(list, confirmedIn(members));
    }
  }
}

/** The members of a list or map that exist: those created with the entity and not in the response do not. */
function confirmedIn(members: NormalizedNode): NormalizedNode {
  const isConfirmed = (member: NormalizedNode) => (member as EntityRecord).isConfirmed;
  if (Array.isArray(members)) return members.filter(isConfirmed);
  return Object.fromEntries(
    Object.entries(members as Fields).filter(([, member]) => isConfirmed(member)),
  );
}

/** The created entities in their order, those with keys that the caller chose last. */
function callerKeysLast(layer: Layer): EntityRecord[] {
  const created = layer.createdEntities;
  if (created.length < 2) return created;
  const callerKeys = new Set(keysIn(layer.call.args));
  return created.sort(
    (one, other) => Number(callerKeys.has(one.pk)) - Number(callerKeys.has(other.pk)),
  );
}

/** Removes and returns the first record of a kind that is not in the response under its own key. */
export function takeFirstOfKind(records: EntityRecord[], of: EntityKind): EntityRecord | undefined {
  const at = records.findIndex(
    ({ kind, stagedPatch }) => kind.tableKey === of.tableKey && stagedPatch === undefined,
  );
  return at < 0 ? undefined : records.splice(at, 1)[0];
}
