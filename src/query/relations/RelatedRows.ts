/** The record of all rows that belong to an entity by a key: filtered, sorted, limited or aggregated. */
import { projectForReader } from '../../schema/projectForReader.ts';
import { INVALID } from '../../schema/schema.ts';
import type { NormalizedNode } from '../../schema/schema.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import type { EntityTable } from '../../store/entities/EntityTable.ts';
import { DIRTY, THREW, StoreRecord } from '../../store/records/StoreRecord.ts';
import type { Builder } from '../../store/records/StoreRecord.ts';
import { markDirty } from '../../store/records/markDirty.ts';
import { SAME, VALUE } from '../engine/Partition.ts';
import type { RowPresenter } from '../engine/Partition.ts';
import type { Declaration, Pipeline } from '../engine/Pipeline.ts';
import { referencedBy, textsIn, toKey } from './ForeignKeyIndex.ts';
import type {
  IndexedKey,
  ForeignKeyIndex,
  KeyFields,
  KeyLookup,
  LookupFollower,
  PkReference,
} from './ForeignKeyIndex.ts';
import { entityOf } from './RelationTree.ts';
import type { RowRelations, RelatedRecord, RelationPlace, RelationTree } from './RelationTree.ts';

const EMPTY: readonly EntityRecord[] = [];

/** A relation from an entity to the rows that have the key of the entity. */
export interface RowsByKey {
  /** The key, in the rows or in the links of `manyToMany`. */
  readonly key: IndexedKey;
  /** The fields of the entity that the key equals; undefined: the primary key of the entity. */
  readonly references: KeyFields | undefined;
  /** How a link leads to its row; undefined: a link is the row. */
  readonly target: PkReference | undefined;
  /** True if the value is the first row, not all rows: `limit` of the declaration is 1. */
  readonly isSingle: boolean;
  // any: a declaration is contravariant in its rows
  readonly declaration: Declaration<any>;
  readonly include: RowRelations | undefined;
}

/*
 *   entity 7 ──key──► lookup of "7" in the index ──links──► rows ──► pipeline ──► value
 *
 * Without `target` each link is a row. With `target`, several links may lead to the same row, which is shown once.
 */
export class RelatedRows extends StoreRecord implements RelatedRecord, LookupFollower {
  readonly pk = '';
  readonly #relation: RowsByKey;
  readonly #parent: EntityRecord;
  readonly #place: RelationPlace;
  readonly #pipeline: Pipeline<unknown>;
  #index: ForeignKeyIndex | undefined;
  /** The keys of the entity, and the former keys, which rows may still hold. */
  #lookups: readonly KeyLookup[] = [];
  /** Undefined: each link is a row. */
  readonly #links: LinkTable | undefined;
  // undefined until there is a change: most related rows never change
  #changedLinks: Set<EntityRecord> | undefined;
  #changedRows: Set<EntityRecord> | undefined;
  #needsKey = true;
  #value: unknown = INVALID;

  constructor(relation: RowsByKey, parent: EntityRecord, place: RelationPlace) {
    super();
    this.#relation = relation;
    this.#parent = parent;
    this.#place = place;
    const { declaration, target } = relation;
    this.#links = target && new LinkTable();
    this.#pipeline = place.tree.createPipeline(declaration);
    this.flags |= DIRTY;
    parent.addParent(this);
  }

  get cachedValue(): unknown {
    return this.#value;
  }

  parts(): NormalizedNode {
    return [...this.#rows];
  }

  get #rows(): Iterable<EntityRecord> {
    // only rows are set in the pipeline
    return this.#pipeline.entries.keys() as Iterable<EntityRecord>;
  }

  #hasRow(row: EntityRecord): boolean {
    return this.#pipeline.entries.has(row);
  }

  override includesPart(part: StoreRecord): boolean {
    return part !== this.#parent || this.#hasRow(this.#parent);
  }

  override get detectsOwnChanges(): boolean {
    return true;
  }

  override get isRelated(): boolean {
    return true;
  }

  override onPartDirty(child: StoreRecord): void {
    if (child === this.#parent) this.#needsKey = true;
    const entity = entityOf(child);
    const links = this.#links;
    if (this.#hasRow(entity)) {
      this.#noteRow(entity);
      // another record may have replaced the row of these links
      for (const link of links?.linksOf(entity) ?? []) this.#noteLink(link);
    } else if (links !== undefined) this.#noteLink(entity);
    this.#note();
  }

  onLookupChange(link: EntityRecord): void {
    this.#noteLink(link);
    this.#note();
  }

  #noteLink(link: EntityRecord): void {
    (this.#changedLinks ??= new Set()).add(link);
  }

  #noteRow(row: EntityRecord): void {
    (this.#changedRows ??= new Set()).add(row);
  }

  #note(): void {
    this.#place.tree.note(this, this.#place.depth);
  }

  recompute(builder: Builder): void {
    // not read yet
    if (this.#index === undefined) return;
    const level = this.#applyChanges(builder);
    if (this.#place.follower !== undefined) return;
    if (level === SAME && !(this.flags & THREW)) return;
    markDirty(this);
    // live rows follow their own changes, rows with related rows are immutable
    if (level !== VALUE || this.#relation.include !== undefined) this.notifyVisibilityChange();
  }

  protected build(builder: Builder): void {
    if (this.#index === undefined) this.connect(builder);
    this.#value = this.#present(({ row }) => row, false);
  }

  override buildLive(builder: Builder, row: (member: StoreRecord) => object): unknown {
    if (this.#index === undefined) this.connect(builder);
    return this.#relation.include === undefined
      ? this.#present(({ key }) => row(key as StoreRecord), true)
      : this.#present((entry) => entry.row, false);
  }

  #present(show: RowPresenter<unknown>, live: boolean): unknown {
    const value = this.#pipeline.value(show, live);
    return this.#relation.isSingle ? (value as readonly unknown[])[0] : value;
  }

  connect(builder: Builder): void {
    this.#index = this.#place.tree.indexOf(this.#relation, builder);
    if (this.#links === undefined) this.#fill(builder);
    else this.#applyChanges(builder);
  }

  /** As `applyChanges`, for the first rows: each link is a row. */
  #fill(builder: Builder): void {
    const links = this.#followKeys().flatMap(({ records }) => [...records]);
    try {
      for (const row of links)
        this.#pipeline.addRow(row, this.#rankOf(row), this.#valueOf(this.#link(row), builder));
    } catch (error) {
      // the next change continues here
      for (const link of links) {
        if (!this.#hasRow(link)) this.#release(link);
        this.#noteLink(link);
      }
      throw error;
    }
    this.#place.follower?.onRows(this.#rows, this.#pipeline);
    this.#pipeline.takeChangeLevel();
  }

  #applyChanges(builder: Builder): number {
    const pipeline = this.#pipeline;
    if (this.#needsKey)
      for (const { records } of this.#followKeys())
        for (const link of records) this.#noteLink(link);
    for (const link of this.#changedLinks ?? []) this.#moveLink(link);
    this.#changedLinks?.clear();
    const changed = this.#changedRows ?? EMPTY;
    for (const row of changed) this.#setRow(row, builder);
    this.#place.follower?.onRows(changed, pipeline);
    this.#changedRows?.clear();
    return pipeline.takeChangeLevel();
  }

  #setRow(row: EntityRecord, builder: Builder): void {
    if (!this.#hasRow(row)) return;
    const record = this.#place.tree.recordOf(row, this.#relation.include);
    this.#pipeline.setRow(row, this.#rankOf(row), this.#valueOf(record, builder));
  }

  /** The value of a row with nested related rows; undefined: readers do not see the row. */
  #valueOf(record: StoreRecord, builder: Builder): unknown {
    const { kind } = entityOf(record);
    const { args } = this.#place.tree;
    const value = builder.value(record);
    return value === INVALID ? undefined : projectForReader(value, { kind, args });
  }

  /** Follows the lookups of the present keys. Returns the lookups that came or left: their links come or leave. */
  #followKeys(): readonly KeyLookup[] {
    this.#needsKey = false;
    const index = this.#index as ForeignKeyIndex;
    const before = this.#lookups;
    const lookups: KeyLookup[] = [];
    for (const key of this.#keys()) lookups.push(this.#lookupOf(index, key));
    this.#lookups = lookups;
    if (before.length === 0) {
      for (const lookup of lookups) lookup.addParent(this);
      return lookups;
    }
    const left = before.filter((lookup) => !lookups.includes(lookup));
    const come = lookups.filter((lookup) => !before.includes(lookup));
    for (const lookup of left) lookup.removeParent(this);
    for (const lookup of come) lookup.addParent(this);
    return [...left, ...come];
  }

  #lookupOf(index: ForeignKeyIndex, key: string): KeyLookup {
    const { gc } = this.#place.tree.store;
    return gc.markUsed(index.records.get(key) ?? gc.track(index.lookupOf(key)));
  }

  /** The keys of the entity, behind each of the names that rows may give its class. */
  #keys(): readonly string[] {
    const { namesOf } = this.#relation.key;
    const keys = this.#ownKeys();
    if (namesOf === undefined) return keys.map(toKey);
    const { kind, instance = {} } = this.#parent;
    return namesOf(kind, instance).flatMap((name) => keys.map((key) => toKey([name, ...key])));
  }

  #ownKeys(): readonly (readonly string[])[] {
    const { references } = this.#relation;
    const parent = this.#parent;
    const { store } = this.#place.tree;
    // a record that is not built does not report its next change, nor another primary key
    store.value(parent);
    if (references !== undefined) {
      const texts = textsIn(parent, references);
      return texts === undefined ? [] : [texts];
    }
    const table = store.table(parent.kind) as EntityTable;
    const { aliases } = table;
    const keys = new Set([parent.pk]);
    // its rows may still hold a temporary key, or a key that has changed
    for (const old of aliases.keys()) if (table.resolveKey(old) === parent.pk) keys.add(old);
    return [...keys].map((key) => [key]);
  }

  /** The row that a link leads to; undefined: the link has no key, or belongs to another entity. */
  #rowBehind(link: EntityRecord, isHere: boolean): EntityRecord | undefined {
    const { target } = this.#relation;
    if (!isHere || target === undefined) return isHere ? link : undefined;
    return referencedBy(link, target, this.#place.tree.store);
  }

  #moveLink(link: EntityRecord): void {
    const isHere = this.#isLinked(link);
    const row = this.#rowBehind(link, isHere);
    const links = this.#links;
    let before = this.#hasRow(link) ? link : undefined;
    if (links !== undefined) {
      before = links.set(link, row);
      // the row does not report changes of its links
      if (isHere) link.addParent(this);
      else if (link !== this.#parent) link.removeParent(this);
    }
    if (before !== undefined && before !== row) {
      if (links?.hasLinks(before)) this.#noteRow(before);
      else this.#removeRow(before);
    }
    if (row === undefined) return;
    if (!this.#hasRow(row)) {
      this.#link(row);
      this.#pipeline.addRow(row, 0, undefined);
    }
    // the rank may be another
    this.#noteRow(row);
  }

  #isLinked(link: EntityRecord): boolean {
    for (const { records } of this.#lookups) if (records.has(link)) return true;
    return false;
  }

  #link(row: EntityRecord): StoreRecord {
    const { tree, depth } = this.#place;
    return tree.link(row, this.#relation.include, this, depth + 1);
  }

  #removeRow(row: EntityRecord): void {
    this.#noteRow(row);
    this.#pipeline.removeRow(row);
    this.#release(row);
  }

  #release(row: EntityRecord): void {
    const { tree } = this.#place;
    tree.release(row, this.#relation.include, this);
    // an entity that is among its own rows still reports changes of its key
    if (row === this.#parent) row.addParent(this);
  }

  /** Rows are ordered by arrival: of the entity, or of the first link. */
  #rankOf(row: EntityRecord): number {
    return this.#links?.rankOf(row) ?? row.arrivalNumber;
  }

  unlink(tree: RelationTree): void {
    tree.forget(this, this.#place.depth);
    for (const lookup of this.#lookups) {
      lookup.removeParent(this);
      if (this.#links !== undefined) for (const link of lookup.records) link.removeParent(this);
    }
    for (const row of this.#rows) tree.release(row, this.#relation.include, this);
    this.#parent.removeParent(this);
  }
}

/** The links of `manyToMany`: several links of an entity may lead to the same row, which is shown once. */
class LinkTable {
  readonly #rowOfLink = new Map<EntityRecord, EntityRecord>();
  readonly #linksOfRow = new Map<EntityRecord, Set<EntityRecord>>();

  /** The links that lead to a row. */
  linksOf(row: EntityRecord): Iterable<EntityRecord> {
    return this.#linksOfRow.get(row) ?? [];
  }

  /** Sets the row of a link; undefined: the link is gone. Returns the row before. */
  set(link: EntityRecord, row: EntityRecord | undefined): EntityRecord | undefined {
    const before = this.#rowOfLink.get(link);
    if (before === row) return before;
    if (before !== undefined) this.#remove(link, before);
    if (row === undefined) this.#rowOfLink.delete(link);
    else this.#add(link, row);
    return before;
  }

  #add(link: EntityRecord, row: EntityRecord): void {
    this.#rowOfLink.set(link, row);
    const links = this.#linksOfRow.get(row);
    if (links === undefined) this.#linksOfRow.set(row, new Set([link]));
    else links.add(link);
  }

  #remove(link: EntityRecord, row: EntityRecord): void {
    const links = this.#linksOfRow.get(row);
    links?.delete(link);
    if (links?.size === 0) this.#linksOfRow.delete(row);
  }

  hasLinks(row: EntityRecord): boolean {
    return this.#linksOfRow.has(row);
  }

  /** Rows are ordered by the arrival of their first link. */
  rankOf(row: EntityRecord): number {
    let rank = Infinity;
    for (const { arrivalNumber } of this.linksOf(row)) rank = Math.min(rank, arrivalNumber);
    return rank;
  }
}
