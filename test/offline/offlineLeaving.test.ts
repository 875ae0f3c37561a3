// Pages that the user leaves: no task runs there any more. A browser completes transactions of the disk that the page has
// begun, or discards these.
import { indexedDbStorage } from 'signalbox/persist';
import type { OfflineOptions, PersistStorage } from 'signalbox/offline';
import { describe, expect, test, vi } from 'vitest';
import { StoppedClock } from '../setup/world.ts';
import { offlineServer, sharedLocks, turns, until } from './OfflineServer.ts';
import type { Tab, Task } from './OfflineServer.ts';

/** The document of a page that the user leaves. */
class LeavablePage extends EventTarget {
  readonly defaultView = new EventTarget();
  isHidden = false;
  isGone = false;

  /** The event, and what follows in the same task. */
  async leave(): Promise<void> {
    this.isHidden = true;
    this.defaultView.dispatchEvent(new Event('pagehide'));
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    this.isGone = true;
  }
}

type StorageFactory = NonNullable<OfflineOptions['storage']>;
type SynchronousStorage = NonNullable<PersistStorage['synchronous']>;

const never = new Promise<never>(() => {});

/** `localStorage`, which the pages of a test share. */
class LocalStorage implements SynchronousStorage {
  readonly texts = new Map<string, string>();
  isFull = false;

  get length(): number {
    return this.texts.size;
  }

  key(at: number): string | null {
    return [...this.texts.keys()][at] ?? null;
  }

  getItem(key: string): string | null {
    return this.texts.get(key) ?? null;
  }

  setItem(key: string, text: string): void {
    if (this.isFull) throw new DOMException('no room is left', 'QuotaExceededError');
    this.texts.set(key, text);
  }

  removeItem(key: string): void {
    this.texts.delete(key);
  }
}

/**
 * IndexedDB of a page: a page that is gone begins no transaction, and gets no response. With `localStorage`, the browser
 * discards all transactions of a page that is being left, but those that `localStorage` has no room for.
 */
function storageOf(page: LeavablePage, local?: LocalStorage): StorageFactory {
  return (name, clock) => {
    const disk = indexedDbStorage(name, clock);
    const discards = () => page.isHidden && local?.isFull === false;
    const unlessGone = <T>(begin: () => Promise<T>): Promise<T> =>
      page.isGone ? never : begin().then((value) => (page.isGone ? never : value));
    return {
      read: (prefix) => unlessGone(() => disk.read(prefix)),
      change: (keys, decide) =>
        unlessGone(() =>
          disk.change(keys, (found) => (page.isGone || discards() ? undefined : decide(found))),
        ),
      replace: (...write) => (discards() ? never : unlessGone(() => disk.replace(...write))),
      synchronous: local,
    };
  };
}

/** A server with tasks 5 and 6, and a page that can be left. */
async function setUpWith(local: LocalStorage | undefined, options: Partial<OfflineOptions> = {}) {
  const all = await offlineServer();
  for (const id of [5, 6]) all.rows.set(id, { id, title: 'a' });
  const locks = sharedLocks();
  const clock = new StoppedClock(1e12);
  const storage: StorageFactory = (name, given) => ({
    ...indexedDbStorage(name, given),
    synchronous: local,
  });
  const open = (more: Partial<OfflineOptions> = {}) =>
    all.page({ locks, storage, ...options, ...more }, { clock });
  const edit = ({ controller }: Tab, id: number, title: string) => {
    const sent = controller.fetch(all.tasks.partialUpdate, { id }, { title });
    sent.catch(() => {});
    return sent;
  };
  /** `onHide`: a listener that the application has added before the queue. */
  const openLeavable = async (onHide: (tab: Tab) => void = () => {}) => {
    const document = new LeavablePage();
    document.defaultView.addEventListener('pagehide', () => onHide(tab));
    vi.stubGlobal('document', document);
    const tab: Tab = open({ storage: storageOf(document, local) });
    vi.unstubAllGlobals();
    await tab.queue.ready;
    return { ...tab, document };
  };
  const records = async () => [
    ...(await indexedDbStorage(all.name, clock).read('left')).values(),
    ...(local?.texts.values() ?? []),
  ];
  const titles = () => all.asked.map(({ path, body }) => [path, (body as Task).title]);
  return { ...all, clock, open, openLeavable, edit, records, titles };
}

const locals = {
  'without localStorage': () => undefined,
  'with localStorage': () => new LocalStorage(),
  'with a full localStorage': () => Object.assign(new LocalStorage(), { isFull: true }),
};

describe.each(Object.keys(locals) as (keyof typeof locals)[])(
  'an edit while the page is left, %s',
  (kind) => {
    const setUp = (options?: Partial<OfflineOptions>) => setUpWith(locals[kind](), options);

    test.each(['before', 'after'] as const)(
      '[P2] is sent once by the next page, where the listener of pagehide was added %s the queue',
      async (order) => {
        const { openLeavable, open, edit, titles, records, applied } = await setUp();
        const save = (tab: Tab) => void edit(tab, 5, 'b');
        const tab = await openLeavable(order === 'before' ? save : undefined);
        if (order === 'after')
          tab.document.defaultView.addEventListener('pagehide', () => save(tab));
        await tab.document.leave();
        await turns(20);
        expect(titles()).toEqual([]);
        const next = open();
        await next.queue.ready;
        expect(next.queue.pending.value).toMatchObject([{ args: [{ id: 5 }, { title: 'b' }] }]);
        await until(() => next.queue.pending.value.length === 0);
        expect(titles()).toEqual([['/tasks/5', 'b']]);
        await turns(20);
        expect([await records(), applied.length]).toEqual([[], 1]);
      },
    );

    test('[P2] is sent after the edits that were logged before, with those issued just before', async () => {
      const { openLeavable, open, edit, titles } = await setUp();
      const tab = await openLeavable((left) => void edit(left, 5, 'd'));
      tab.page.offline = true;
      void edit(tab, 5, 'b');
      await until(() => tab.queue.pending.value.length === 1);
      void edit(tab, 5, 'c');
      void edit(tab, 6, 'c');
      await tab.document.leave();
      const next = open();
      await next.queue.ready;
      await until(() => next.queue.pending.value.length === 0);
      expect(titles().filter(([path]) => path === '/tasks/5')).toEqual(
        ['b', 'c', 'd'].map((title) => ['/tasks/5', title]),
      );
      expect(titles()).toHaveLength(4);
    });

    test('[P2] is sent by another open tab within 10 s', async () => {
      const { openLeavable, open, edit, titles, clock } = await setUp();
      const other = open();
      const tab = await openLeavable((left) => void edit(left, 5, 'b'));
      await other.queue.ready;
      await tab.document.leave();
      await turns(20);
      clock.advance(10_000);
      await until(() => titles().length === 1);
      await turns(20);
      expect(titles()).toEqual([['/tasks/5', 'b']]);
    });

    test('[P2] is sent once if the page stays', async () => {
      const { openLeavable, open, edit, titles, records } = await setUp();
      const tab = await openLeavable((left) => void edit(left, 5, 'b'));
      tab.document.defaultView.dispatchEvent(new Event('pagehide'));
      await until(() => tab.queue.pending.value.length === 1);
      tab.document.defaultView.dispatchEvent(new Event('pageshow'));
      await until(() => tab.queue.pending.value.length === 0);
      await turns(20);
      expect([titles(), await records()]).toEqual([[['/tasks/5', 'b']], []]);
      const next = open();
      await next.queue.ready;
      await turns(20);
      expect([next.queue.pending.value, titles()]).toEqual([[], [['/tasks/5', 'b']]]);
    });

    test('[P6] of an owner with a transform is encoded on the disk, and sent for this owner', async () => {
      const flip = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 7);
      const transform = { encode: flip, decode: flip };
      const { openLeavable, open, edit, titles, records } = await setUp({
        owner: 'ada',
        transform,
      });
      const tab = await openLeavable((left) => void edit(left, 5, 'secret'));
      await tab.document.leave();
      await turns(20);
      const stored = await records();
      expect(stored).toHaveLength(1);
      expect(JSON.stringify(stored)).not.toContain('secret');
      const other = open({ owner: 'bob', transform: undefined });
      await other.queue.ready;
      await turns(20);
      expect(titles()).toEqual([]);
      const next = open();
      await next.queue.ready;
      await until(() => titles().length === 1);
      expect(titles()).toEqual([['/tasks/5', 'secret']]);
    });

    test('[P8] is removed by a log out of the next page', async () => {
      const { openLeavable, open, edit, titles, records } = await setUp();
      const tab = await openLeavable((left) => void edit(left, 5, 'b'));
      await tab.document.leave();
      await turns(20);
      expect(await records()).toHaveLength(1);
      const next = open();
      next.controller.reset();
      await turns(50);
      expect([await records(), titles()]).toEqual([[], []]);
    });
  },
);
