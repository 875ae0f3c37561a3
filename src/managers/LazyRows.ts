/** Lines of a disk that are decoded, and written into the store, when they are first looked up there. */
import { EntityTable } from '../store/EntityTable.ts';
import { ListTable } from '../store/ListTable.ts';
import type { Store } from '../store/Store.ts';
import type { GcTable } from '../store/GcCycle.ts';
import type { Table } from '../store/Table.ts';
import { keyFor, keysShownBy, tablesShownBy } from './Filed.ts';
import type { Filed, FiledResult } from './Filed.ts';
import { Holders } from './Holders.ts';
import { interceptLookups } from './interceptLookups.ts';
import type { Lookups } from './interceptLookups.ts';
import type { Named } from './Named.ts';
import { filedIn, isPart, lineIn } from './rows.ts';
import type { DiskLine, PartOf } from './rows.ts';

/** Records that are written into the store together, complete with the records that they refer to. */
export interface Loaded {
  readonly entries: ReadonlyMap<string, Filed>;
  /** The lines of the lists and results among them. */
  readonly lines: ReadonlyMap<string, DiskLine>;
  /** The keys of lines that cannot be decoded. */
  readonly broken: readonly string[];
  /** The newest responses that show an entity which is loaded without them: the entity is as fresh as they are. */
  readonly holders: ReadonlyMap<string, FiledResult>;
}

interface LazyRowsOptions {
  readonly store: Store;
  readonly named: Named;
  readonly lines: Map<string, string>;
  /** True for records older than `maxAge`. */
  readonly isOld: (filed: Filed) => boolean;
  /** Wall time. */
  readonly now: () => number;
  /** Writes records into the store. */
  readonly plant: (loaded: Loaded, commit: Lookups['commit']) => void;
  readonly refuse: (key: string, reason: unknown) => void;
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
  readonly #holders: Holders;
  readonly #lookups: Lookups;
  #isOver = false;

  constructor(options: LazyRowsOptions) {
    this.#options = options;
    this.#lines = options.lines;
    this.#holders = new Holders(options.lines, (key) => this.#peek(key));
    this.#lookups = interceptLookups(options.store, {
      miss: (shelf, name) => this.#miss(shelf, name),
      all: () => this.loadAll(),
      cleared: () => this.end(),
    });
    this.#loadPresent();
  }

  /** Ends loading. */
  end(): void {
    this.#lines.clear();
    if (!this.#isOver) this.#lookups.stop();
    this.#isOver = true;
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
    const { store, named } = this.#options;
    if (mayConcernAll(store)) return this.loadAll();
    const keys = Array.from(store.results.keys(), (key) => keyFor('result', key));
    for (const { kind, records } of store.tables.values()) {
      const name = named.tableOf(kind);
      if (name !== undefined)
        for (const pk of records.keys()) keys.push(keyFor(kind.stores, name, pk));
    }
    this.#load(keys);
  }

  /** True if something was loaded. */
  #miss(shelf: GcTable, name: string): boolean {
    const { store, named } = this.#options;
    if (shelf.records === store.results) return this.#load([keyFor('result', name)]);
    const { kind } = shelf as Partial<Table>;
    if (kind === undefined) return false;
    if (kind.stores === 'all') this.loadAll();
    const table = named.tableOf(kind);
    return table !== undefined && this.#load([keyFor(kind.stores, table, name)]);
  }

  #load(keys: Iterable<string>): boolean {
    const found = new Set<string>();
    for (const key of keys) if (!isPart(key) && this.#lines.has(key)) found.add(key);
    if (found.size === 0) return false;
    const { isOld, plant, refuse } = this.#options;
    const entries = new Map<string, Filed>();
    const holders = new Map<string, FiledResult>();
    const lines = new Map<string, DiskLine>();
    const broken: string[] = [];
    const roots = found.size;
    let place = 0;
    // iteration includes members added to the set on the way
    for (const key of found) {
      const isRoot = place++ < roots;
      try {
        const text = this.#lines.get(key);
        if (text === undefined) continue;
        const line = lineIn(text);
        const filed = this.#take(key, line);
        const holder =
          isRoot && filed.kind === 'entity'
            ? this.#holders.of(key, filed, this.#needsHolder(filed))
            : undefined;
        if (holder !== undefined) holders.set(key, holder);
        if ((isRoot || filed.kind !== 'entity') && isOld(holder ?? filed)) continue;
        entries.set(key, filed);
        if (filed.kind !== 'entity') lines.set(key, line);
        for (const shown of keysShownBy(filed)) found.add(shown);
        for (const shown of this.#inTables(filed)) found.add(shown);
      } catch (error) {
        broken.push(key);
        refuse(key, (error as Error).message);
      }
    }
    plant({ entries, lines, broken, holders }, this.#lookups.commit);
    return true;
  }

  /** A test for the newest response that makes a difference. */
  #needsHolder(entity: Filed): (at: Filed['at']) => boolean {
    const { isOld, now } = this.#options;
    const isTooOld = isOld(entity);
    return ([, fetchedAt, expiresAt]) =>
      fetchedAt > entity.at[1] && (isTooOld || (expiresAt > now() && expiresAt > entity.at[2]));
  }

  *#inTables(filed: Filed): Iterable<string> {
    const tables = tablesShownBy(filed).map((name) => keyFor('entity', name, '').slice(0, -2));
    if (tables.length === 0) return;
    for (const key of this.#lines.keys())
      if (tables.some((table) => key.startsWith(table))) yield key;
  }

  #peek(key: string): Filed | undefined {
    const text = this.#lines.get(key);
    return text === undefined ? undefined : filedIn(key, lineIn(text), this.#partOf);
  }

  /** Decodes a line, which belongs to the store from now on. */
  #take(key: string, line: DiskLine): Filed {
    this.#lines.delete(key);
    this.#holders.delete(key);
    const parts: string[] = [];
    const filed = filedIn(key, line, (part) => {
      parts.push(part);
      return this.#partOf(part);
    });
    this.delete(parts);
    return filed;
  }

  readonly #partOf: PartOf = (key) => {
    const text = this.#lines.get(key);
    return text === undefined ? undefined : lineIn(text);
  };
}

/** True if earlier changes of the page may concern lists and results that are not in the store. */
function mayConcernAll({ layers, tables }: Store): boolean {
  if (!layers.isEmpty) return true;
  return [...tables.values()].some((table) => {
    if (table instanceof ListTable) return table.moved;
    if (!(table instanceof EntityTable)) return table.records.size > 0;
    if (table.indexes.size > 0 || table.rekeyed) return true;
    return [...table.records.values()].some(({ isConfirmed, time }) => !isConfirmed && time > 0);
  });
}
