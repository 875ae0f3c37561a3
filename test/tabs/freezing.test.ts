// Pages that the browser freezes: no timer, response or lock arrives there, but messages of other pages do.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { electLeader } from 'signalbox/tabs';
import { settled } from '../setup/world.ts';
import { BrowserLocks } from '../sync/BrowserLocks.ts';
import { offlineServer, until } from '../offline/OfflineServer.ts';

/** The document of a page that can be frozen. */
class FreezablePage extends EventTarget {
  readonly defaultView = new EventTarget();
  readonly emit = (type: 'freeze' | 'resume') => void this.dispatchEvent(new Event(type));
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 100) {
    await vi.advanceTimersByTimeAsync(Math.min(left, 100));
    for (let turns = 0; turns < 5; turns++) await settled();
  }
}

let elections = 0;

describe('leases without Web Locks', () => {
  /** Tabs of the same election, each with a separate document. */
  function setUp() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    vi.stubGlobal('navigator', { locks: undefined });
    const name = `freezing ${++elections}`;
    const leading = new Set<string>();
    const open = (tab: string) => {
      const page = new FreezablePage();
      vi.stubGlobal('document', page);
      const stop = electLeader(name, () => {
        leading.add(tab);
        return () => void leading.delete(tab);
      });
      vi.stubGlobal('document', undefined);
      return { page, stop };
    };
    return { open, leading };
  }

  test('[P8] a leader releases its lease before a freeze, and is a candidate again after resuming', async () => {
    const { open, leading } = setUp();
    const one = open('one');
    await pass(1_000);
    const other = open('other');
    await pass(1_000);
    expect([...leading]).toEqual(['one']);
    one.page.emit('freeze');
    await pass(1_000);
    expect([...leading]).toEqual(['other']);
    one.page.emit('resume');
    await pass(13_000);
    expect([...leading]).toEqual(['other']);
    other.stop();
    await pass(1_000);
    expect([...leading]).toEqual(['one']);
    one.stop();
  });

  test('[P8] frozen tabs do not delay the election of another tab', async () => {
    const { open, leading } = setUp();
    const one = open('one');
    await pass(1_000);
    const waiting = [open('two'), open('three'), open('four')];
    await pass(1_000);
    for (const { page } of waiting.slice(0, 2)) page.emit('freeze');
    one.stop();
    await pass(1_000);
    expect([...leading]).toEqual(['four']);
    for (const { page } of waiting.slice(0, 2)) page.emit('resume');
    await pass(30_000);
    expect([...leading]).toEqual(['four']);
    for (const { stop } of waiting) stop();
  });
});

describe('Web Locks', () => {
  /** Pages of the same server and profile, each with a separate document. */
  async function setUp() {
    const locks = new BrowserLocks();
    const all = await offlineServer();
    for (const id of [1, 2]) all.rows.set(id, { id, title: 'a', done: false });
    const open = async (name: string) => {
      const document = new FreezablePage();
      vi.stubGlobal('navigator', { locks: locks.of(name) });
      vi.stubGlobal('document', document);
      const tab = all.page({}, { timeout: 0 });
      await tab.queue.ready;
      const edit = (id: number, title: string) =>
        void tab.controller.fetch(all.tasks.partialUpdate, { id }, { title }).catch(() => {});
      return { ...tab, document, edit };
    };
    const bodies = () => all.asked.map(({ body }) => (body as { title: string }).title);
    return { ...all, open, bodies };
  }

  test('[P8] a page releases its queues before a freeze, and the next page sends the mutations under the same key', async () => {
    const { open, bodies, asked, state, release, applied } = await setUp();
    const one = await open('one');
    state.holds = true;
    one.edit(1, 'b');
    one.edit(1, 'c');
    await until(() => asked.length === 1);
    const other = await open('other');
    expect(other.queue.pending.value).toHaveLength(2);
    one.document.emit('freeze');
    await until(() => asked.length === 2);
    release();
    await until(() => bodies().includes('c'));
    one.document.emit('resume');
    await until(() => [one, other].every(({ queue }) => queue.pending.value.length === 0));
    expect(bodies()).toEqual(['b', 'b', 'c']);
    expect(applied).toHaveLength(2);
    // the page that was frozen works as before
    one.edit(2, 'd');
    await until(() => one.queue.pending.value.length === 0 && bodies().includes('d'));
    expect(bodies()).toEqual(['b', 'b', 'c', 'd']);
  });

  test('[P8] a page that is frozen while it waits for a queue sends its mutation after resuming, in order', async () => {
    const { open, bodies, asked, state, release } = await setUp();
    const [one, waiting, last] = [await open('one'), await open('waiting'), await open('last')];
    state.holds = true;
    one.edit(1, 'b');
    await until(() => asked.length === 1);
    waiting.edit(1, 'c');
    await until(() => waiting.queue.pending.value.length === 1);
    waiting.document.emit('freeze');
    last.edit(1, 'd');
    await until(() => last.queue.pending.value.length === 1);
    release();
    await until(() => bodies().length === 3);
    waiting.document.emit('resume');
    await until(() => [one, waiting, last].every(({ queue }) => queue.pending.value.length === 0));
    expect(bodies()).toEqual(['b', 'c', 'd']);
  });
});
