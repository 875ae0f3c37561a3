/** Lines of a disk that are decoded, and written into the store, when they are first looked up there. */
import { hasChangesOfMissing } from '../store/StorePort.ts';
import type { GcTable, Store, Table } from '../store/StorePort.ts';
import {
  NO_REFERENCES,
  keyFor,
  referencedKeys,
  referencedTables,
} from '../sync/PersistedRecord.ts';
import type { PersistedRecord, PersistedRead, PersistedStamp } from '../sync/PersistedRecord.ts';
import type { PersistableNames } from '../sync/PersistableNames.ts';
import { decodeRecord, isPart, isRow, lineIn, stampIn } from './recordCodec.ts';
import type { PartOf, DiskLine } from './recordCodec.ts';

/** Records that are written into the store together, complete with the records that they refer to. */
export interface Loaded {
  readonly entries: ReadonlyMap<string, PersistedRecord>;
  /** The lines of the lists and results among them. */
  readonly lines: ReadonlyMap<string, DiskLine>;
  /** The keys of lines that cannot be decoded. */
  readonly broken: readonly string[];
  /** The newest responses that show an entity which is loaded without them: the entity is as fresh as they are. */
  readonly holders: ReadonlyMap<string, PersistedRead>;
}

interface LazyRowsOptions {
  readonly store: Store;
  readonly names: PersistableNames;
  readonly lines: Map<string, string>;
  /** True for records older than `maxAge`. */
  readonly isOld: (persisted: PersistedRecord) => boolean;
  /** Wall time. */
  readonly now: () => number;
  /** Writes records into the store. */
  readonly restore: (loaded: Loaded) => void;
  readonly onRejected: (key: string, reason: unknown) => void;
}

/*
 *   a result is looked up             it is loaded, with the lists and entities that it shows
 *   an entity or a list is looked up  the same
 *   a row comes to a list, or is      all is loaded: any list may have to change
 *   deleted; requests expire by
 *   pattern; a complete table is read
 */
export class LazyRows {
  readonly #options: LazyRowsOptions;
  readonly #lines: Map<string, string>;
  readonly #holders: ResponseIndex;
  readonly #stop: () => void;
  #hasEnded = false;

  constructor(options: LazyRowsOptions) {
    this.#options = options;
    this.#lines = options.lines;
    this.#holders = new ResponseIndex(options.lines, (key) => this.#peek(key));
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
    for (const key of keys) this.#lines.delete(key);
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
    const { store, names } = this.#options;
    if (table.records === store.results) return this.#load([keyFor('result', name)]);
    const { kind } = table as Partial<Table>;
    if (kind === undefined) return false;
    if (kind.stores === 'all') this.loadAll();
    const tableName = names.tableOf(kind);
    return tableName !== undefined && this.#load([keyFor(kind.stores, tableName, name)]);
  }

  #load(keys: Iterable<string>): boolean {
    // a key may be in there twice: its line is decoded once
    const found: string[] = [];
    for (const key of keys) if (!isPart(key) && this.#lines.has(key)) found.push(key);
    if (found.length === 0) return false;
    const { isOld, restore, onRejected } = this.#options;
    const entries = new Map<string, PersistedRecord>();
    const holders = new Map<string, PersistedRead>();
    const lines = new Map<string, DiskLine>();
    const broken: string[] = [];
    const roots = found.length;
    let place = 0;
    // iteration includes the keys of parts, which are found on the way
    for (const key of found) {
      const isRoot = place++ < roots;
      try {
        const text = this.#lines.get(key);
        if (text === undefined) continue;
        const line = lineIn(text);
        const persisted = this.#decodeAndRemove(key, line);
        const holder =
          isRoot && persisted.kind === 'entity'
            ? this.#holders.newestWith(key, persisted, this.#needsHolder(persisted))
            : undefined;
        if (holder !== undefined) holders.set(key, holder);
        if ((isRoot || persisted.kind !== 'entity') && isOld(holder ?? persisted)) continue;
        entries.set(key, persisted);
        if (persisted.kind !== 'entity') lines.set(key, line);
        this.#addParts(persisted, found);
      } catch (error) {
        broken.push(key);
        onRejected(key, (error as Error).message);
      }
    }
    restore({ entries, lines, broken, holders });
    return true;
  }

  /** A test for the newest response that makes a difference. */
  #needsHolder(entity: PersistedRecord): (at: PersistedRecord['at']) => boolean {
    const { isOld, now } = this.#options;
    const isTooOld = isOld(entity);
    return ([, fetchedAt, expiresAt]) =>
      fetchedAt > entity.at[1] && (isTooOld || (expiresAt > now() && expiresAt > entity.at[2]));
  }

  /** Adds the keys of all records that the record shows. */
  #addParts(persisted: PersistedRecord, keys: string[]): void {
    // most rows have no nested records
    if (persisted.kind === 'entity' && persisted.refs === NO_REFERENCES) return;
    for (const part of this.#partsOf(persisted)) keys.push(part);
  }

  /** The keys of all records that the record shows. */
  *#partsOf(persisted: PersistedRecord): Iterable<string> {
    yield* referencedKeys(persisted);
    if (persisted.kind === 'result') yield* this.#inTables(persisted);
  }

  *#inTables(persisted: PersistedRecord): Iterable<string> {
    const tables = referencedTables(persisted).map((name) =>
      keyFor('entity', name, '').slice(0, -2),
    );
    if (tables.length === 0) return;
    for (const key of this.#lines.keys())
      if (tables.some((table) => key.startsWith(table))) yield key;
  }

  #peek(key: string): PersistedRecord | undefined {
    const text = this.#lines.get(key);
    return text === undefined ? undefined : decodeRecord(key, lineIn(text), this.#partOf);
  }

  /** Decodes a line, which belongs to the store from now on. */
  #decodeAndRemove(key: string, line: DiskLine): PersistedRecord {
    this.#lines.delete(key);
    if (isRow(key)) return decodeRecord(key, line, this.#partOf);
    this.#holders.delete(key);
    const parts: string[] = [];
    const persisted = decodeRecord(key, line, (part) => {
      parts.push(part);
      return this.#partOf(part);
    });
    this.delete(parts);
    return persisted;
  }

  readonly #partOf: PartOf = (key) => {
    const text = this.#lines.get(key);
    return text === undefined ? undefined : lineIn(text);
  };
}

/** The records that a response shows. */
interface ResponseReferences {
  readonly result: PersistedRead;
  readonly olderEntities: ReadonlySet<string>;
  /** The keys found so far: lists before entities. */
  readonly keys: Set<string>;
  readonly entities: Set<string>;
}

const RESULT = '["result",';

class ResponseIndex {
  readonly #times = new Map<string, PersistedStamp>();
  readonly #references = new Map<string, ResponseReferences>();
  readonly #peek: (key: string) => PersistedRecord | undefined;

  /** `peek` decodes a line. */
  constructor(
    lines: ReadonlyMap<string, string>,
    peek: (key: string) => PersistedRecord | undefined,
  ) {
    this.#peek = peek;
    for (const [key, text] of lines) {
      if (!key.startsWith(RESULT)) continue;
      const at = stampIn(lineIn(text));
      if (at !== undefined) this.#times.set(key, [at[0], at[1], at[2]]);
    }
  }

  /** The record is in the store now. */
  delete(key: string): void {
    this.#times.delete(key);
    this.#references.delete(key);
  }

  /** The newest response that brought this entity; `isOfUse`: tests its times. */
  newestWith(
    key: string,
    persisted: PersistedRecord,
    isOfUse: (at: PersistedStamp) => boolean,
  ): PersistedRead | undefined {
    const candidates = [...this.#times].filter(([, at]) => isOfUse(at));
    candidates.sort(([, one], [, other]) => other[1] - one[1]);
    for (const [name] of candidates) {
      const references = this.#referencesOf(name);
      if (
        references !== undefined &&
        !references.olderEntities.has(key) &&
        this.#shows(references, key)
      )
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

  /** A broken line has no contents: it is refused when it is loaded. */
  #tryPeek(key: string): PersistedRecord | undefined {
    try {
      return this.#peek(key);
    } catch {
      return undefined;
    }
  }
}
