/** Persists the confirmed data of a controller on the disk of the browser, to start the next page with these data. */
import type { Controller } from '../Controller.ts';
import { nextTask } from '../clock.ts';
import { checkObject, DEV, SignalboxError, warn } from '../errors.ts';
import { contextOf } from '../request/FetchContext.ts';
import type { FetchContext } from '../request/FetchContext.ts';
import { registerOpeningRequest } from '../request/InFlightRequest.ts';
import { DirtyTracker } from '../sync/DirtyTracker.ts';
import { watchStorage } from '../sync/PersistStorage.ts';
import type { StorageFactory, Transform, PersistStorage } from '../sync/PersistStorage.ts';
import { referencedKeys } from '../sync/PersistedRecord.ts';
import type { PersistedRecord } from '../sync/PersistedRecord.ts';
import { PersistableNames } from '../sync/Registry.ts';
import type { PersistFilter, Names } from '../sync/Registry.ts';
import { indexedDbStorage } from '../sync/indexedDbStorage.ts';
import type { LineChanges } from './ChunkIndex.ts';
import { ChunkStore } from './ChunkStore.ts';
import { Generation } from './DiskHead.ts';
import type { Beginning, FreshHead } from './DiskHead.ts';
import { LazyRows } from './LazyRows.ts';
import type { Loaded } from './LazyRows.ts';
import { LinePacker, PendingLines } from './LinePacker.ts';
import type { Packed } from './LinePacker.ts';
import { StoreRestore } from './StoreRestore.ts';
import { StoreSerializer } from './StoreSerializer.ts';
import { atOnce, inSlices } from './TimeSlice.ts';
import type { UnreadLines } from './UnreadLines.ts';
import { decodeRecord, isRow } from './recordCodec.ts';

export { indexedDbStorage } from '../sync/indexedDbStorage.ts';
export { opfsStorage } from './opfsStorage.ts';
export type {
  PersistStorage,
  StorageFactory,
  StorageWrite,
  StoredData,
  Transform,
} from '../sync/PersistStorage.ts';
export type { Names, PersistFilter } from '../sync/Registry.ts';

// ms
const A_WEEK = 604_800_000;

/** The options of `persist`. */
export interface PersistOptions {
  /**
   * The data to persist, by names that stay the same: resources, endpoints, entity classes, other schemas, or objects
   * of these. Responses of other endpoints are not persisted.
   */
  readonly names: Names;
  /** The name of the database. Default `signalbox`. */
  readonly name?: string | undefined;
  /** The version of your schemas: data written under another version are dropped. Default 0. */
  readonly version?: string | number | undefined;
  /** Milliseconds from the arrival of a response until the response is dropped, fresh or stale. Default one week. */
  readonly maxAge?: number | undefined;
  /**
   * Returns false for data that must not reach the disk. Gets the name of an endpoint with the arguments of the
   * request, or the name of an entity class. Lists and responses with an excluded entity are not persisted either.
   * Default: everything that has a name is.
   */
  readonly include?: PersistFilter | undefined;
  /**
   * Calls the argument when the page may be about to end: all changes are written at once. Default: when the document
   * is hidden or left.
   */
  readonly leaving?: PageHideSource | undefined;
  /**
   * The owner of the data in the controller: the id of the logged-in user. Data of other owners on the same disk
   * are neither read, written nor deleted. Default: a single owner for all.
   */
  readonly owner?: string | undefined;
  /** Transforms all data on their way to the disk and back, for example by encryption. */
  readonly transform?: Transform | undefined;
  /** The storage of the records. Default `indexedDbStorage`. */
  readonly storage?: StorageFactory | undefined;
}

/** A controller that is being persisted. */
export interface Persistence {
  /** Resolves when all data of the disk are in the controller. Never rejects: without a disk the page starts empty. */
  readonly ready: Promise<void>;
  /** Resolves when everything confirmed by now has been written, or refused by the disk. */
  flush(): Promise<void>;
  /** Empties the disk. The controller stays unchanged, and later responses are persisted again. */
  clear(): Promise<void>;
  /** Writes the pending changes, and stops persisting. */
  stop(): void;
}

/**
 * Persists the confirmed data of the controller in IndexedDB, and starts the controller with the data stored there.
 * Optimistic layers and errors are not persisted. `reset` empties the disk. Each write is a transaction, so the next
 * page finds complete data. If the disk fails or holds invalid data, these data are lost with a warning (P1 to P4).
 * Throws P5 for a name without a value.
 */
export function persist(controller: Controller, options: PersistOptions): Persistence {
  if (DEV) checkObject('persist', options, 'an object with names');
  const { names, name = 'signalbox', version = 0, maxAge = A_WEEK } = options;
  if (DEV) checkObject('the option names of persist', names, 'an object of resources');
  const { include = () => true, leaving = onPageHide } = options;
  check(names);
  const persistableNames = new PersistableNames(names, include);
  const { owner, transform, storage: open = indexedDbStorage } = options;
  const { clock } = contextOf(controller);
  const storage = open(name, clock);
  const report = (doing: string, reason: string) => warn('P3', name + doing, { doing, reason });
  return new Persister(controller, {
    names: persistableNames,
    storage: DEV ? watchStorage(storage, clock, report) : storage,
    owner,
    transform,
    name,
    version,
    maxAge,
    leaving,
  });
}

function check(names: Names): void {
  for (const [name, thing] of Object.entries(names))
    if (thing === null || (typeof thing !== 'object' && typeof thing !== 'function'))
      throw new SignalboxError('P5', { name, value: thing });
}

/** Calls `leave` each time the page may have become invisible for good. Returns a function that stops. */
export type PageHideSource = (leave: () => void) => () => void;

/** Hidden, closed or left: browsers guarantee no event after these. Without a page: never. */
const onPageHide: PageHideSource = (leave) => {
  const { document: page } = globalThis as { document?: Document };
  if (page === undefined) return () => {};
  const hide = () => {
    if (page.visibilityState === 'hidden') leave();
  };
  page.addEventListener('visibilitychange', hide);
  page.defaultView?.addEventListener('pagehide', leave);
  return () => {
    page.removeEventListener('visibilitychange', hide);
    page.defaultView?.removeEventListener('pagehide', leave);
  };
};

// ms: changes within this time are written together
const WRITE_DELAY = 20;
// lines written between two collections; and how often a starting page collects, ms
const LINES_PER_COLLECTION = 1_000;
const COLLECTION_INTERVAL = 300_000;

/** The options of a persistence: data, storage and age. */
interface PersisterOptions {
  readonly names: PersistableNames;
  readonly storage: PersistStorage;
  readonly owner: string | undefined;
  readonly transform: Transform | undefined;
  /** The name of the database. */
  readonly name: string;
  readonly version: string | number;
  /** ms */
  readonly maxAge: number;
  readonly leaving: PageHideSource;
}

/** A persistence: when data are read from the disk and written to the disk, and how failures are handled. */
class Persister {
  readonly ready: Promise<void>;
  readonly #context: FetchContext;
  readonly #options: PersisterOptions;
  readonly #disk: ChunkStore;
  readonly #serializer: StoreSerializer;
  readonly #dirty: DirtyTracker;
  readonly #packer: LinePacker;
  readonly #stopLeaving: () => void;
  readonly #generation: Generation;
  /** Serializes the writes: a later write must not overtake a failed one. */
  #writes: Promise<void>;
  #timer: unknown;
  #isLoaded = false;
  #lazyRows: LazyRows | undefined;
  /** The packing under way, which runs in slices. */
  #packing: Generator<void, Packed> | undefined;
  readonly #pending: PendingLines = new PendingLines();
  /** When to collect unused lines: wall time. */
  #collectAt = Infinity;
  /** How often this page has emptied the disk. */
  #resets = 0;
  /** How many lines may be written until the next collection. */
  #linesUntilCollection = LINES_PER_COLLECTION;

  constructor(controller: Controller, options: PersisterOptions) {
    this.#context = contextOf(controller);
    this.#options = options;
    const { store, clock } = this.#context;
    this.#generation = new Generation(this.#context, options.version);
    this.#disk = new ChunkStore({ ...options, clock });
    this.#serializer = new StoreSerializer(store, options.names, this.#disk);
    this.#dirty = new DirtyTracker(controller, store, {
      changed: () => this.#scheduleWrite(),
      emptied: (time) => void this.#empty(this.#generation.reset(time)),
    });
    this.#packer = new LinePacker(this.#serializer, this.#dirty, options.name);
    this.#stopLeaving = options.leaving(() => void this.#writeOnHide());
    this.ready = this.#load();
    this.#writes = this.ready.then(() => this.#collectIfDue());
  }

  flush(): Promise<void> {
    return this.#flush(true);
  }

  clear(): Promise<void> {
    return this.#empty((disk) => disk.empty());
  }

  stop(): void {
    void this.flush();
    this.#dirty.stop();
    this.#stopLeaving();
  }

  #scheduleWrite(): void {
    this.#timer ??= this.#context.clock.after(WRITE_DELAY, () => void this.#flush(false));
  }

  /** `all`: also writes changes of freshness alone. */
  #flush(all: boolean): Promise<void> {
    this.#context.clock.clear(this.#timer);
    this.#timer = undefined;
    return (this.#writes = this.#writes.then(() => this.#write(all)));
  }

  async #load(): Promise<void> {
    const resets = this.#resets;
    const endReading = registerOpeningRequest(this.#context, 'persist');
    try {
      const found = await this.#disk.begin(() => this.#generation.fresh());
      if (!this.#generation.join(found.head)) this.#detach();
      else if (resets === this.#resets) this.#startFrom(found);
    } catch (reason) {
      warn('P3', this.#options.name, { doing: 'read', reason });
    } finally {
      endReading();
      this.#isLoaded = true;
    }
  }

  #startFrom({ head, lines, dropped, broken }: Beginning): void {
    const { names, name, version } = this.#options;
    if (dropped !== undefined) warn('P1', name, { found: dropped.version, expected: version });
    for (const [key, reason] of broken) warn('P2', name + key, { record: key, reason });
    this.#serializer.snapshot.startAfter(head);
    this.#collectAt = head.collectedAt + Math.min(COLLECTION_INTERVAL, this.#options.maxAge);
    const { store, clock } = this.#context;
    this.#linesUntilCollection = LINES_PER_COLLECTION + this.#disk.size;
    const now = () => clock.now();
    this.#lazyRows = new LazyRows({
      store,
      names,
      lines,
      now,
      isOld: ({ at }) => at[1] < now() - this.#options.maxAge,
      restore: (loaded) => this.#restore(loaded, head.turn),
      onRejected: (key, reason) => this.#reject(key, reason),
    });
  }

  #reject(key: string, reason: unknown): void {
    warn('P2', this.#options.name + key, { record: key, reason });
    this.#dropLines([key]);
    this.#scheduleWrite();
  }

  #dropLines(keys: Iterable<string>): void {
    const dropped = [...keys];
    this.#pending.delete(dropped);
    for (const key of dropped) this.#serializer.drop(key);
  }

  #restore(loaded: Loaded, lastTurn: number): void {
    const { names } = this.#options;
    const serializer = this.#serializer;
    const onRejected = (key: string, reason: unknown) => this.#reject(key, reason);
    const { store, clock } = this.#context;
    const options = { store, names, onRejected, now: clock.now(), lastTurn };
    const restoring = new StoreRestore(options, loaded);
    this.#dirty.withoutTracking(() => {
      for (const { record, persisted, wasStored } of restoring.restore())
        if (!wasStored) serializer.snapshot.setFromDisk(record, persisted);
      for (const persisted of loaded.results) serializer.addEndpointName(persisted);
      for (const line of loaded.lines) this.#packer.addKnown(line);
    });
  }

  /** The disk holds data of another generation than this page. */
  #detach(): void {
    warn('P6', this.#options.name, { name: this.#options.name });
    // if the generation is the same again, all records are compared anew
    this.#forgetDisk();
  }

  #forgetDisk(): void {
    this.#disk.forget();
    this.#serializer.clear();
    this.#packer.clear();
    this.#packing = undefined;
    this.#pending.clear();
  }

  /** Packs and writes synchronously: the next page may start before the requests of this page reach the disk. */
  async #writeOnHide(): Promise<void> {
    if (!this.#isLoaded) return;
    this.#addPacked(atOnce(this.#packing ?? this.#pack()));
    await this.#tryWrite({ isLeaving: true });
  }

  #pack(): Generator<void, Packed> {
    return this.#packer.pack(() => this.#context.clock.now());
  }

  async #write(all: boolean): Promise<void> {
    if (this.#generation.head === undefined) return this.#dirty.clear();
    const packing = (this.#packing ??= this.#pack());
    const packed = await inSlices(packing, () => this.#packing !== packing);
    if (packed === undefined) return;
    this.#addPacked(packed);
    // a change of freshness alone waits for another write, or for the end of the page
    if (!all && this.#pending.isFreshness) return;
    await this.#tryWrite();
    // collecting is not due before so many lines were written
    if (this.#linesUntilCollection < 0) await this.#collectIfDue();
  }

  #addPacked(packed: Packed): void {
    this.#packing = undefined;
    this.#pending.add(packed);
    this.#linesUntilCollection -= packed.changes.size;
  }

  async #tryWrite({
    collectedAt,
    isLeaving = false,
  }: { collectedAt?: number; isLeaving?: boolean } = {}): Promise<void> {
    const resets = this.#resets;
    const { head } = this.#generation;
    const { changes, counters: others } = this.#pending;
    if (head === undefined || (changes.size === 0 && collectedAt === undefined)) return;
    const counters = collectedAt === undefined ? others : { ...others, collectedAt };
    try {
      const rest = isLeaving ? changes : await this.#writeAhead(changes, head);
      // the page is being left, or was reset
      if (this.#pending.changes !== changes) return;
      const isWritten = await this.#disk.write(rest, counters, head);
      if (this.#pending.settle(changes)) this.#serializer.settle();
      if (!isWritten && resets === this.#resets) this.#detach();
    } catch (reason) {
      warn('P3', this.#options.name, { doing: 'write', reason });
    }
  }

  /** Writes many changes in parts. Returns the changes that are left to write. */
  async #writeAhead(changes: LineChanges, head: FreshHead): Promise<LineChanges> {
    const { parts, rest } = splitWrite(changes, this.#disk);
    for (const part of parts) {
      const isWritten = await this.#disk.write(part, this.#pending.counters, head);
      if (!isWritten || this.#pending.changes !== changes) return changes;
      await nextTask();
    }
    return rest;
  }

  async #collectIfDue(): Promise<void> {
    if (this.#context.clock.now() >= this.#collectAt) await this.#collect();
  }

  /** Collects unused lines by the content of the disk, as other pages write there, too. */
  async #collect(): Promise<void> {
    const { head } = this.#generation;
    const resets = this.#resets;
    const now = this.#context.clock.now();
    const { maxAge } = this.#options;
    if (head === undefined) return;
    try {
      const lines = await this.#disk.readAll(head);
      const work = lines && collectGarbageLines(lines, { now, maxAge });
      const keys = work && (await inSlices(work, () => resets !== this.#resets));
      if (keys === undefined) return;
      this.#lazyRows?.delete(keys);
      this.#dropLines(keys);
      this.#collectAt = now + COLLECTION_INTERVAL;
      await this.#tryWrite({ collectedAt: now });
    } catch (reason) {
      warn('P3', this.#options.name, { doing: 'read', reason });
    }
    this.#linesUntilCollection = LINES_PER_COLLECTION + this.#disk.size;
  }

  #empty(work: (disk: ChunkStore) => Promise<void>): Promise<void> {
    this.#resets++;
    this.#forgetDisk();
    const done = work(this.#disk).catch((reason: unknown) =>
      warn('P3', this.#options.name, { doing: 'clear', reason }),
    );
    // `work` has already begun: only later writes wait for `done`
    this.#writes = this.#writes.then(() => done);
    return done;
  }
}

/** The keys of unused lines, in slices. */
function* collectGarbageLines(
  lines: UnreadLines,
  options: { readonly now: number; readonly maxAge: number },
): Generator<void, Set<string>> {
  const entries = new Map<string, PersistedRecord>();
  const lineOf = (key: string) => lines.get(key);
  for (const key of lines.keys()) {
    yield;
    const line = lineOf(key);
    try {
      if (line !== undefined) entries.set(key, decodeRecord(line, lineOf));
    } catch {
      // a broken line is refused when looked up
    }
  }
  return yield* collectGarbage(entries, options);
}

// lines of a part
const LINES_PER_PART = 2_000;

/**
 * The rows among the changes that are not on the disk yet, in full parts, and the rest. Records on the disk do not refer
 * to these rows before the rest is written, so the parts can be written in sequence, without blocking the page.
 */
function splitWrite(
  changes: LineChanges,
  disk: ChunkStore,
): { readonly parts: readonly LineChanges[]; readonly rest: LineChanges } {
  if (changes.size < 2 * LINES_PER_PART) return { parts: [], rest: changes };
  const parts: LineChanges[] = [];
  const rest = new Map<string, string | undefined>();
  let part = new Map<string, string>();
  for (const [key, line] of changes) {
    if (line === undefined || !isRow(key) || disk.has(key)) {
      rest.set(key, line);
      continue;
    }
    part.set(key, line);
    if (part.size < LINES_PER_PART) continue;
    parts.push(part);
    part = new Map();
  }
  for (const [key, line] of part) rest.set(key, line);
  return { parts, rest };
}

// the default lifetime of unread records in memory, ms
const UNUSED_LIFETIME = 300_000;

/**
 * The keys of records older than `maxAge` ms, and of entities that no other record refers to: these are collected five
 * minutes after they have expired. In slices.
 */
function* collectGarbage(
  entries: ReadonlyMap<string, PersistedRecord>,
  { now, maxAge }: { readonly now: number; readonly maxAge: number },
): Generator<void, Set<string>> {
  const garbage = new Set<string>();
  const used = new Set<string>();
  const completeTables: string[] = [];
  for (const [key, persisted] of entries) {
    const [, fetchedAt, expiresAt] = persisted.at;
    const isOld = fetchedAt < now - maxAge;
    const isYoung = !isOld && Math.max(fetchedAt, expiresAt) + UNUSED_LIFETIME >= now;
    if (persisted.kind === 'entity' && isYoung) used.add(key);
    if (persisted.kind === 'entity' || isOld) garbage.add(key);
    else for (const part of referencedKeys(persisted)) used.add(part);
    yield;
    if (persisted.kind === 'result' && !isOld)
      completeTables.push(...(persisted.response?.refs.tables ?? []));
  }
  const tables = new Set(completeTables);
  for (const [key, persisted] of entries)
    if (persisted.kind === 'entity' && tables.has(persisted.name)) used.add(key);
  // iteration includes members added to the set on the way
  for (const key of used) {
    const persisted = entries.get(key);
    yield;
    if (persisted?.kind === 'entity') garbage.delete(key);
    if (persisted?.kind === 'entity')
      for (const nested of referencedKeys(persisted)) used.add(nested);
  }
  return garbage;
}
