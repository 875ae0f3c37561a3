/** Lines of a disk that are decoded, and written into the store, when they are first looked up there. */
import { hasChangesOfMissing } from '../store/StorePort.ts';
import type { EntityTable, GcTable, Store, Table } from '../store/StorePort.ts';
import {
  NO_REFERENCES,
  keyFor,
  referencedKeys,
  referencedTables,
  referencesOf,
} from '../sync/PersistedRecord.ts';
import type {
  PersistedEntity,
  PersistedList,
  PersistedRead,
  PersistedRecord,
  PersistedStamp,
} from '../sync/PersistedRecord.ts';
import type { PersistableNames } from '../sync/Registry.ts';
import type { UnreadLines } from './UnreadLines.ts';
import { decodeRecord, keyOfLine, stampIn } from './recordCodec.ts';
import type { DiskLine, PartOf } from './recordCodec.ts';

interface LazyRowsOptions {
  readonly store: Store;
  readonly names: PersistableNames;
  readonly lines: UnreadLines;
  /** True for records older than `maxAge`. */
  readonly isOld: (persisted: PersistedRecord) => boolean;
  /** Wall time. */
  readonly now: () => number;
  /** Writes records into the store. */
  readonly restore: (loaded: Loaded) => void;
  readonly onRejected: (key: string, reason: unknown) => void;
}

/*
 *   a result is looked up             the result is loaded, with all lists and entities shown there
 *   an entity or a list is looked up  the same
 *   a row comes to a list, or is      all is loaded: any list may have to change
 *   deleted; requests expire by
 *   pattern; a complete table is read
 */
export class LazyRows {
  readonly #options: LazyRowsOptions;
  readonly #lines: UnreadLines;
  readonly #holders: ResponseIndex;
  readonly #stop: () => void;
  #hasEnded = false;
  #isStaging = false;

  constructor(options: LazyRowsOptions) {
    this.#options = options;
    this.#lines = options.lines;
    this.#holders = new ResponseIndex(options.lines, (line) => decodeRecord(line, this.#partOf));
    this.#stop = options.store.provide({
      load: (table, name) => this.#loadNamed(table, name),
      loadAll: () => this.loadAll(),
      clear: () => this.end(),
    });
    this.#loadPresent();
  }

  /** Ends loading. */
  end(): void {
    this.#lines.clear();
    if (!this.#hasEnded) this.#stop();
    this.#hasEnded = true;
  }

  /** Deletes unused lines. */
  delete(keys: Iterable<string>): void {
    for (const key of keys) this.#lines.take(key);
  }

  loadAll(): void {
    this.#load(this.#lines.keys());
    this.end();
  }

  /** Loads the records that the page looked up, or changed, before the disk was read. */
  #loadPresent(): void {
    const { store, names } = this.#options;
    if (hasChangesOfMissing(store)) return this.loadAll();
    const keys = Array.from(store.results.keys(), (key) => keyFor('result', key));
    for (const { kind, records } of store.tables.values()) {
      const name = names.tableOf(kind);
      if (name !== undefined)
        for (const pk of records.keys()) keys.push(keyFor(kind.stores, name, pk));
    }
    this.#load(keys);
  }

  /** True if something was loaded. */
  #loadNamed(table: GcTable, name: string): boolean {
    // entities come with all referenced records, but the page may have changed a key
    if (this.#isStaging && (table as Partial<EntityTable>).aliases?.size === 0) return false;
    const { store, names } = this.#options;
    if (table.records === store.results) return this.#load([keyFor('result', name)]);
    const { kind } = table as Partial<Table>;
    if (kind === undefined) return false;
    if (kind.stores === 'all') this.loadAll();
    const tableName = names.tableOf(kind);
    return tableName !== undefined && this.#load([keyFor(kind.stores, tableName, name)]);
  }

  #load(keys: Iterable<string>): boolean {
    const loading = new Loaded((work) => this.#stageEntities(work));
    for (const key of keys) this.#add(loading, this.#lines.take(key), true);
    if (loading.isEmpty) return false;
    // iteration includes the records that are added on the way
    for (const persisted of loading.holdersOfParts) this.#addParts(loading, persisted);
    this.#options.restore(loading);
    return true;
  }

  #stageEntities(work: () => void): void {
    const wasStaging = this.#isStaging;
    this.#isStaging = true;
    try {
      work();
    } finally {
      this.#isStaging = wasStaging;
    }
  }

  #add(loading: Loaded, line: DiskLine | undefined, isRoot = false): void {
    if (line === undefined) return;
    loading.isEmpty = false;
    try {
      const persisted = this.#decode(line);
      const isEntity = persisted.kind === 'entity';
      const holder = isRoot && isEntity ? this.#holderOf(line, persisted) : undefined;
      if (holder !== undefined) loading.holders.set(keyOfLine(line), holder);
      if ((isRoot || !isEntity) && this.#options.isOld(holder ?? persisted)) return;
      loading.add(persisted);
      if (!isEntity) loading.lines.push(line);
    } catch (error) {
      const key = keyOfLine(line);
      loading.broken.push(key);
      this.#options.onRejected(key, (error as Error).message);
    }
  }

  /** Adds all records that the record shows. */
  #addParts(loading: Loaded, persisted: PersistedRecord): void {
    const { entities, lists } = referencesOf(persisted);
    for (const entity of entities) this.#add(loading, this.#lines.takeEntity(entity[0], entity[1]));
    for (const [name, pk] of lists) this.#add(loading, this.#lines.take(keyFor('list', name, pk)));
    const tables = referencedTables(persisted).map((name) =>
      keyFor('entity', name, '').slice(0, -2),
    );
    if (tables.length === 0) return;
    for (const key of this.#lines.keys())
      if (tables.some((table) => key.startsWith(table))) this.#add(loading, this.#lines.take(key));
  }

  /** The newest response that shows the entity, if that makes a difference. */
  #holderOf(line: DiskLine, persisted: PersistedRecord): PersistedRead | undefined {
    const isOfUse = this.#needsHolder(persisted);
    return this.#holders.newestWith(() => keyOfLine(line), isOfUse);
  }

  /** A test for the newest response that makes a difference. */
  #needsHolder(entity: PersistedRecord): (at: PersistedRecord['at']) => boolean {
    const { isOld, now } = this.#options;
    const isTooOld = isOld(entity);
    return ([, fetchedAt, expiresAt]) =>
      fetchedAt > entity.at[1] && (isTooOld || (expiresAt > now() && expiresAt > entity.at[2]));
  }

  #decode(line: DiskLine): PersistedRecord {
    if (line[0][0] === 'entity') return decodeRecord(line, this.#partOf);
    this.#holders.delete(keyOfLine(line));
    const parts: string[] = [];
    const persisted = decodeRecord(line, (key) => {
      parts.push(key);
      return this.#partOf(key);
    });
    this.delete(parts);
    return persisted;
  }

  readonly #partOf: PartOf = (key) => this.#lines.get(key);
}

/** Records that are written into the store together, complete with all referenced records. */
export class Loaded {
  isEmpty = true;
  readonly entities: PersistedEntity[] = [];
  readonly lists: PersistedList[] = [];
  readonly results: PersistedRead[] = [];
  /** The records that refer to others. */
  readonly holdersOfParts: PersistedRecord[] = [];
  /** The lines of the lists and results. */
  readonly lines: DiskLine[] = [];
  /** The keys of lines that cannot be decoded. */
  readonly broken: string[] = [];
  /** The newest response that shows an entity, for entities loaded alone: the entity is as fresh as the response. */
  readonly holders: Map<string, PersistedRead> = new Map();
  /** Runs `work`, which looks up the entities and their parts, without look-ups on the disk. */
  readonly stageEntities: (work: () => void) => void;

  constructor(stageEntities: (work: () => void) => void) {
    this.stageEntities = stageEntities;
  }

  add(persisted: PersistedRecord): void {
    if (persisted.kind === 'entity') this.entities.push(persisted);
    else if (persisted.kind === 'list') this.lists.push(persisted);
    else this.results.push(persisted);
    // most rows have no nested records
    if (persisted.kind !== 'entity' || persisted.refs !== NO_REFERENCES)
      this.holdersOfParts.push(persisted);
  }
}

/** The records that a response shows. */
interface ResponseReferences {
  readonly result: PersistedRead;
  readonly olderEntities: ReadonlySet<string>;
  /** The keys found so far: lists before entities. */
  readonly keys: Set<string>;
  readonly entities: Set<string>;
}

class ResponseIndex {
  readonly #references = new Map<string, ResponseReferences>();
  readonly #lines: UnreadLines;
  readonly #decode: (line: DiskLine) => PersistedRecord;

  constructor(lines: UnreadLines, decode: (line: DiskLine) => PersistedRecord) {
    this.#lines = lines;
    this.#decode = decode;
  }

  /** The record is in the store now. */
  delete(key: string): void {
    this.#references.delete(key);
  }

  /** The newest response that brought an entity; `isOfUse`: tests the times of a response. */
  newestWith(
    keyOf: () => string,
    isOfUse: (at: PersistedStamp) => boolean,
  ): PersistedRead | undefined {
    const candidates: (readonly [name: string, fetchedAt: number])[] = [];
    for (const name of this.#lines.results) {
      const line = this.#lines.get(name);
      const at = line && stampIn(line);
      if (at !== undefined && isOfUse(at)) candidates.push([name, at[1]]);
    }
    candidates.sort(([, one], [, other]) => other - one);
    for (const [name] of candidates) {
      const references = this.#referencesOf(name);
      if (references === undefined) continue;
      const key = keyOf();
      if (!references.olderEntities.has(key) && this.#shows(references, key))
        return references.result;
    }
    return undefined;
  }

  #referencesOf(name: string): ResponseReferences | undefined {
    const known = this.#references.get(name);
    if (known !== undefined) return known;
    const result = this.#tryPeek(name);
    if (result?.kind !== 'result') return undefined;
    const keys = new Set(referencedKeys(result));
    for (const key of keys) {
      const list = key.startsWith('["list",') ? this.#tryPeek(key) : undefined;
      if (list !== undefined) for (const member of referencedKeys(list)) keys.add(member);
    }
    const olderEntities = new Set(result.response?.olderEntities);
    const references = { result, olderEntities, keys, entities: new Set(keys) };
    this.#references.set(name, references);
    return references;
  }

  /** Lists are searched first, because no row has to be decoded for them. */
  #shows({ keys, entities }: ResponseReferences, key: string): boolean {
    if (keys.has(key)) return true;
    for (const next of entities) {
      entities.delete(next);
      const persisted = this.#tryPeek(next);
      for (const part of persisted === undefined ? [] : referencedKeys(persisted))
        if (!keys.has(part)) {
          keys.add(part);
          entities.add(part);
        }
      if (keys.has(key)) return true;
    }
    return false;
  }

  /** A broken line has no contents, and is refused when loaded. */
  #tryPeek(key: string): PersistedRecord | undefined {
    const line = this.#lines.get(key);
    try {
      return line && this.#decode(line);
    } catch {
      return undefined;
    }
  }
}
