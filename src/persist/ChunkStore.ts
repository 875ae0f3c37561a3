/** Lines of text by key, grouped into records (chunks) of a storage. */
import type { Clock } from '../clock.ts';
import type {
  PersistStorage,
  StoragePlace,
  StorageWrite,
  StoredData,
  Transform,
} from '../sync/PersistStorage.ts';
import { ChunkIndex, planRewrite, rewriteChunks } from './ChunkIndex.ts';
import type { Chunk, LineChanges, Rewrite, RewritePlan } from './ChunkIndex.ts';
import {
  emptyHead,
  headAfter,
  headIn,
  headText,
  isSameGeneration,
  isSameState,
  nextHead,
} from './DiskHead.ts';
import type {
  Beginning,
  DiskCounters,
  DiskHead,
  FollowedReset,
  FreshHead,
  PageState,
  WriteOutcome,
} from './DiskHead.ts';
import { TimeSlice } from './TimeSlice.ts';
import { UnreadLines } from './UnreadLines.ts';
import { isRepeated } from './recordCodec.ts';

/*
 *   page      time →   load: generation 1    write ✓                    write ✗ (the head says 2)
 *   another                                          log out: generation 2, all rows deleted
 *
 * A write replaces the chunks with changed lines, and the head, which lists the valid chunks: a single change of the
 * storage, made only if the head is unchanged. After a write of another page, the new chunks are read first. A line
 * that another page has written with the same content is not written again: n tabs write a received commit once.
 */
export class ChunkStore {
  readonly #storage: PersistStorage;
  readonly #transform: Transform | undefined;
  readonly #clock: Clock;
  readonly #headKey: string;
  readonly #prefix: string;
  #index: ChunkIndex = new ChunkIndex();
  /** The head as last read or written. The chunks of this head are in the index. */
  #head: DiskHead | undefined;
  /** True while the head may be outdated: during a write, after a failed write, after a write of another page. */
  #mayBeOutdated = false;
  /** Grows whenever the known state of the disk becomes invalid: an operation that began before writes nothing. */
  #epoch = 0;
  /** Makes the ids of chunks unique among pages. */
  readonly #page = Math.random().toString(36).slice(2, 8);
  /** Lines last written by another page. */
  readonly #foreign = new Set<string>();
  /** Keys of the storage that are unused. */
  #garbage: readonly string[] = [];

  constructor({ storage, owner, transform, clock }: StoragePlace) {
    const name = owner === undefined ? 'signalbox' : `signalbox of ${encodeURIComponent(owner)}`;
    this.#storage = storage;
    this.#transform = transform;
    this.#clock = clock;
    this.#prefix = `${name}:`;
    this.#headKey = `${name}:head`;
  }

  /** True if a line of this key is on the disk. */
  has(key: string): boolean {
    return this.#index.places.has(key);
  }

  /** How many lines there are. */
  get size(): number {
    return this.#index.places.size;
  }

  /**
   * Returns the content of the disk. If the version is not that of the heads that `createHead` returns, all content is
   * deleted in the same change, and a new head is written: of two pages that begin on an empty disk the second page
   * finds the head of the first.
   */
  async begin(createHead: () => FreshHead): Promise<Beginning> {
    for (let dropped: Pick<Beginning, 'dropped'> = {}; ;) {
      // each try has a new generation: a log out may have ended the generation that was written before
      const fresh = createHead();
      const found = await this.#storage.read(this.#prefix);
      const head = headIn(found.get(this.#headKey));
      if (head !== undefined && head.version === fresh.version)
        return { ...dropped, ...(await this.#takeOver(head, found)) };
      const isEmpty = found.size === 0 || (head !== undefined && found.size === 1);
      await this.#storage.change([this.#headKey], ([present]) => {
        const now = headIn(present);
        if (now?.version === fresh.version) return undefined;
        if (!isEmpty) dropped = { dropped: { version: now?.version } };
        return this.#emptied({ ...fresh, endedAt: now?.endedAt ?? 0 });
      });
    }
  }

  async #takeOver(
    head: DiskHead,
    found: ReadonlyMap<string, StoredData>,
  ): Promise<Omit<Beginning, 'dropped'>> {
    const epoch = this.#epoch;
    const data = head.chunks.map((id) => [id, found.get(this.#prefix + id)] as const);
    const { index, lines, broken } = await readChunks(data, this.#transform);
    if (epoch !== this.#epoch) return { head, lines, broken };
    this.#index = index;
    this.#head = head;
    this.#mayBeOutdated = false;
    this.#garbage = Array.from(broken.keys(), (id) => this.#prefix + id);
    return { head, lines, broken };
  }

  /**
   * Writes everything or, if the promise rejects, nothing. False if the disk is of another generation than `page` by
   * now: nothing is written.
   */
  async write(changes: LineChanges, counters: DiskCounters, page: FreshHead): Promise<boolean> {
    const epoch = this.#epoch;
    for (;;) {
      if (this.#mayBeOutdated && !(await this.#refresh(page))) return false;
      if (epoch !== this.#epoch) return false;
      const outcome = await (this.#transform === undefined
        ? this.#writePlain(changes, counters, { page, epoch })
        : this.#writeEncoded(changes, counters, { page, epoch }));
      if (outcome !== 'stale') return outcome === 'done';
    }
  }

  /** Reads, rewrites and writes the chunks in a single change of the storage, which begins before this returns. */
  async #writePlain(
    changes: LineChanges,
    counters: DiskCounters,
    state: PageState,
  ): Promise<WriteOutcome> {
    const plan = planRewrite(this.#index, changes);
    const keys = plan.chunks.map(({ id }) => this.#prefix + id);
    return this.#change(keys, state, (found) => {
      const texts = new Map(plan.chunks.map((chunk, at) => [chunk, textIn(found[at])]));
      return this.#writeOf(this.#rewrite(plan, texts), counters);
    });
  }

  /** Encodes chunks between two changes of the storage: the second happens if nothing was written in between. */
  async #writeEncoded(
    changes: LineChanges,
    counters: DiskCounters,
    state: PageState,
  ): Promise<WriteOutcome> {
    const plan = planRewrite(this.#index, changes);
    const found = await this.#get(plan.chunks.map(({ id }) => this.#prefix + id));
    // another page has replaced a chunk
    if (found.includes(undefined)) return this.#change([], state, () => undefined);
    const texts = new Map<Chunk, string>();
    for (const [at, chunk] of plan.chunks.entries())
      texts.set(chunk, await decodeData(found[at], this.#transform));
    const rewrite = this.#rewrite(plan, texts);
    const encoded = new Map<string, StoredData>();
    for (const { text } of rewrite?.added ?? [])
      encoded.set(text, await encodeText(text, this.#transform));
    return this.#change([], state, () => this.#writeOf(rewrite, counters, encoded));
  }

  async #change(
    keys: readonly string[],
    { page, epoch }: PageState,
    decide: (found: readonly (StoredData | undefined)[]) => StorageWrite | undefined,
  ): Promise<WriteOutcome> {
    const attempt: { outcome: WriteOutcome } = { outcome: 'stale' };
    const known = this.#head;
    this.#mayBeOutdated = true;
    await this.#storage.change([this.#headKey, ...keys], ([data, ...found]) => {
      const present = headIn(data);
      attempt.outcome = 'stale';
      if (epoch !== this.#epoch || !isSameGeneration(present, page)) attempt.outcome = 'ended';
      else if (known === this.#head && isSameState(present, known)) attempt.outcome = 'done';
      return attempt.outcome === 'done' ? decide(found) : undefined;
    });
    if (epoch !== this.#epoch) return 'ended';
    if (attempt.outcome === 'done') this.#mayBeOutdated = false;
    return attempt.outcome;
  }

  #rewrite(plan: RewritePlan, texts: ReadonlyMap<Chunk, string>): Rewrite | undefined {
    const { revision = 0 } = this.#head ?? {};
    return rewriteChunks(plan, {
      textOf: (chunk) => texts.get(chunk) as string,
      isSame: (key, present, next) => this.#foreign.has(key) && isRepeated(present, next),
      idOf: (number) => `${revision + 1}-${number}-${this.#page}`,
    });
  }

  /** The change of the storage, and the new state of this page, in which the lines count as written. */
  #writeOf(
    rewrite: Rewrite | undefined,
    counters: DiskCounters,
    encoded?: ReadonlyMap<string, StoredData>,
  ): StorageWrite | undefined {
    if (rewrite === undefined && counters.collectedAt === undefined) return undefined;
    const { added = [], removed = new Set<string>(), dropped = [] } = rewrite ?? {};
    for (const chunk of added) {
      this.#index.add(chunk);
      if (this.#foreign.size > 0) for (const key of chunk.keys) this.#foreign.delete(key);
    }
    for (const id of removed) this.#index.chunks.delete(id);
    this.#index.drop(dropped);
    this.#head = nextHead(this.#head as DiskHead, counters, [...this.#index.chunks.keys()]);
    const remove = [...Array.from(removed, (id) => this.#prefix + id), ...this.#garbage];
    this.#garbage = [];
    const put = new Map<string, StoredData>();
    for (const { id, text } of added) put.set(this.#prefix + id, encoded?.get(text) ?? text);
    return { put: put.set(this.#headKey, headText(this.#head)), remove };
  }

  /** Reads the chunks that other pages have written. False if the disk is of another generation. */
  async #refresh(page: FreshHead): Promise<boolean> {
    const epoch = this.#epoch;
    for (;;) {
      const [data] = await this.#get([this.#headKey]);
      const head = headIn(data);
      if (head === undefined || !isSameGeneration(head, page)) return false;
      const present = new Set(head.chunks);
      const gone = [...this.#index.chunks.keys()].filter((id) => !present.has(id));
      const ids = head.chunks.filter((id) => !this.#index.chunks.has(id));
      const found = await this.#get(ids.map((id) => this.#prefix + id));
      // replaced between the two reads
      if (found.includes(undefined)) continue;
      const texts = await Promise.all(found.map((data) => decodeData(data, this.#transform)));
      if (epoch !== this.#epoch) return false;
      for (const [at, id] of ids.entries())
        for (const key of this.#index.addFromText({ id, text: texts[at] as string }))
          this.#foreign.add(key);
      this.#index.remove(new Set(gone));
      this.#head = head;
      this.#mayBeOutdated = false;
      return true;
    }
  }

  async #get(keys: readonly string[]): Promise<readonly (StoredData | undefined)[]> {
    let all: readonly (StoredData | undefined)[] = [];
    if (keys.length > 0) await this.#storage.change(keys, (found) => void (all = found));
    return all;
  }

  /** All present lines, including lines of other pages. */
  async readAll(page: FreshHead): Promise<UnreadLines | undefined> {
    const found = await this.#storage.read(this.#prefix);
    const head = headIn(found.get(this.#headKey));
    if (head === undefined || !isSameGeneration(head, page)) return undefined;
    return (await this.#takeOver(head, found)).lines;
  }

  /**
   * A log out: deletes all rows. Once this has returned, the deletion happens, whatever becomes of this page. If the
   * storage has to be opened first, the rows are deleted then, unless another page has logged out since.
   */
  async renew(fresh: FreshHead): Promise<void> {
    await this.#storage.replace(this.#emptied(fresh), this.#headKey, (data) => {
      const present = headIn(data);
      return present !== undefined && present.endedAt > fresh.endedAt;
    });
  }

  /** Deletes all rows. The generation stays, so the same pages may write. */
  async empty(): Promise<void> {
    await this.#storage.change([this.#headKey], ([data]) => {
      const present = headIn(data);
      return present && this.#emptied(present, present.revision + 1);
    });
  }

  /** Follows the reset of another page: deletes all rows, unless the other page has. */
  follow(reset: FollowedReset): Promise<void> {
    return this.#storage.change([this.#headKey], ([data]) => {
      const head = headAfter(reset, headIn(data));
      return head && this.#emptied(head);
    });
  }

  /** Discards the known state of the disk: the disk is read before the next write. */
  forget(): void {
    this.#epoch++;
    this.#clear();
  }

  #clear(): void {
    this.#index = new ChunkIndex();
    this.#foreign.clear();
    this.#mayBeOutdated = true;
  }

  #emptied(fresh: FreshHead, revision = 0): StorageWrite {
    this.#clear();
    const head = { ...emptyHead(fresh, this.#clock.now()), revision };
    this.#head = head;
    this.#mayBeOutdated = false;
    const put = new Map([[this.#headKey, headText(head)]]);
    return { put, removeAll: this.#prefix };
  }
}

/** All chunks of a disk, decoded. */
interface ReadChunks {
  readonly index: ChunkIndex;
  readonly lines: UnreadLines;
  /** The ids of chunks that cannot be decoded, with the reason. */
  readonly broken: ReadonlyMap<string, unknown>;
}

/** Decodes chunks in slices. */
async function readChunks(
  chunks: Iterable<readonly [id: string, data: StoredData | undefined]>,
  transform: Transform | undefined,
): Promise<ReadChunks> {
  const lines = new UnreadLines();
  const broken = new Map<string, unknown>();
  const index = new ChunkIndex();
  const slice = new TimeSlice();
  for (const [id, data] of chunks) {
    try {
      const text = await decodeData(data, transform);
      lines.addChunk(text, index.addFromText({ id, text }));
    } catch (reason) {
      broken.set(id, reason);
    }
    if (slice.isOver) await slice.next();
  }
  return { index, lines, broken };
}

/** Chunks as a storage holds them: text, or bytes behind a transform. */
async function decodeData(
  data: StoredData | undefined,
  transform: Transform | undefined,
): Promise<string> {
  if (data === undefined) throw new TypeError('it is missing');
  if (transform === undefined || typeof data === 'string') return textIn(data, transform);
  return new TextDecoder('utf-8', { fatal: true }).decode(await transform.decode(data));
}

/** The text of a chunk without a transform. Throws a TypeError if only the data or only the storage has a transform. */
function textIn(data: StoredData | undefined, transform?: Transform): string {
  if (typeof data === 'string' && transform === undefined) return data;
  throw new TypeError('it was written with another transform');
}

async function encodeText(text: string, transform: Transform | undefined): Promise<StoredData> {
  return transform === undefined ? text : transform.encode(new TextEncoder().encode(text));
}
