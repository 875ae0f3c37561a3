// Tabs that share requests: a single tab sends the request for a key, and all tabs use the response.
import { All, subscribe } from 'signalbox';
import type { Controller } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { refusal, refused, settled, Todo, watch, wholeTodo } from '../setup/world.ts';
import { Street } from './severalTabs.ts';

const params = { id: 1 };

/** As many tabs, each of which has opened before the next. */
async function sharing(count: number): Promise<Street> {
  const it = new Street();
  for (let at = 0; at < count; at++) {
    it.share();
    await it.quiet();
  }
  return it;
}

/** Also runs timers that are due. */
async function pass(it: Street, ms: number): Promise<void> {
  await it.quiet();
  for (let left = ms; left > 0; left -= 100) {
    it.w.clock.advance(Math.min(left, 100));
    await it.quiet();
  }
}

describe('one request in all tabs', () => {
  test('[P5] 20 tabs that open and ask at the same time send one request for each key', async () => {
    const it = new Street();
    const asked = Array.from({ length: 20 }, () => {
      const tab = it.share();
      return Promise.all([tab.fetch(it.api.list, {}), tab.fetch(it.api.get, { id: 2 })]);
    });
    await it.quiet();
    expect([...it.w.log].sort()).toEqual(['get {"id":2}', 'list {}']);
    for (const call of it.w.calls)
      await call.answer(call.name === 'list' ? [wholeTodo()] : wholeTodo({ id: 2 }));
    await it.quiet();
    const titles = (await Promise.all(asked)).map(([list, one]) => [list.length, one.title]);
    expect(titles).toEqual(Array.from({ length: 20 }, () => [1, 'a']));
    expect(it.w.calls).toHaveLength(2);
  });

  test('[P5] a tab that asks while another one waits gets its response, and runs its readers once', async () => {
    const it = await sharing(2);
    const [first, second] = it.tabs as [Controller, Controller];
    void first.fetch(it.api.get, params);
    await it.quiet();
    const seen = watch(() => second.signal(it.api.get, params).value?.title);
    const asked = second.fetch(it.api.get, params);
    await it.quiet();
    await it.w.call().answer(wholeTodo());
    await it.quiet();
    expect((await asked).title).toBe('a');
    expect(seen.seen).toEqual([undefined, 'a']);
    expect(it.w.calls).toHaveLength(1);
    expect(it.post.news.filter((news) => 'commit' in (news as object))).toHaveLength(1);
  });

  test('[P5] a fetch of data that another tab has stored is sent', async () => {
    const it = await sharing(2);
    const [first, second] = it.tabs as [Controller, Controller];
    for (const tab of [first, second, second, first]) {
      const before = it.w.calls.length;
      const asked = tab.fetch(it.api.get, params);
      await it.quiet();
      expect(it.w.calls).toHaveLength(before + 1);
      await it.w.call().answer(wholeTodo());
      await asked;
      await it.quiet();
    }
  });

  test('[P5] an invalidation in one tab makes all tabs that show the data send one request', async () => {
    const it = await sharing(5);
    await it.tabs[0]?.setResponse(it.api.list, {}, [wholeTodo()]);
    await it.quiet();
    for (const tab of it.tabs) {
      const view = tab.view(it.api.list, {});
      view.retain();
      watch(tab.signal(it.api.list, {}));
    }
    it.tabs[3]?.expireAll(it.api.list);
    await it.quiet();
    expect(it.w.log).toEqual(['list {}']);
    await it.w.call().answer([wholeTodo({ title: 'b' })]);
    await pass(it, 1_000);
    expect(it.w.calls).toHaveLength(1);
    for (const tab of it.tabs) expect(tab.get(Todo, params)?.title).toBe('b');
  });

  test('[P5] a query that five tabs poll is asked for once in each interval', async () => {
    const it = new Street();
    const polled = it.api.get.extend({ pollFrequency: 10_000 });
    for (let at = 0; at < 5; at++) {
      subscribe(it.share(), polled, params);
      await pass(it, 700);
    }
    for (let times = 0; times < 10; times++) {
      expect(it.w.calls).toHaveLength(times + 1);
      await it.w.call().answer(wholeTodo({ title: `${times}` }));
      await pass(it, 10_000);
      for (const tab of it.tabs) expect(tab.get(Todo, params)?.title).toBe(`${times}`);
    }
  });

  test('[P5] when the tab that asks dies, another one sends the request', async () => {
    const it = await sharing(3);
    const asked = it.tabs.map((tab) => tab.fetch(it.api.get, params));
    await it.quiet();
    expect(it.w.calls).toHaveLength(1);
    it.kill(0);
    await pass(it, 1_000);
    expect(it.w.calls).toHaveLength(2);
    await it.w.call().answer(wholeTodo());
    await it.quiet();
    expect((await Promise.all(asked.slice(1))).map(({ title }) => title)).toEqual(['a', 'a']);
    expect(it.w.calls).toHaveLength(2);
  });

  test('[P5] an error stays in its tab: the others ask one after the other', async () => {
    const it = await sharing(3);
    const asked = it.tabs.map((tab) => tab.fetch(it.api.get, params));
    await it.quiet();
    const failed = refused(asked[0] as Promise<unknown>);
    await it.w.call().fail(refusal(500));
    expect(await failed).toMatchObject({ status: 500 });
    await pass(it, 1_000);
    expect(it.w.calls).toHaveLength(2);
    await it.w.call().answer(wholeTodo());
    await it.quiet();
    await Promise.all(asked.slice(1));
    expect(it.w.calls).toHaveLength(2);
  });

  test('[P5] a read that waits for another tab is sent if an own write came between', async () => {
    const it = await sharing(2);
    const [first, second] = it.tabs as [Controller, Controller];
    void first.fetch(it.api.get, params);
    await it.quiet();
    void second.fetch(it.api.update, params, { title: 'mine' });
    await it.quiet();
    await it.w.call(1).answer(wholeTodo({ title: 'mine' }));
    await it.quiet();
    const asked = second.fetch(it.api.get, params);
    await it.quiet();
    await it.w.call(0).answer(wholeTodo({ title: 'old' }));
    await pass(it, 1_000);
    expect(it.w.log).toEqual(['get {"id":1}', 'update {"id":1} {"title":"mine"}', 'get {"id":1}']);
    await it.w.call().answer(wholeTodo({ title: 'new' }));
    expect((await asked).title).toBe('new');
  });

  test('[P5] a log out ends the wait, and nothing of before comes', async () => {
    const it = await sharing(2);
    const [first, second] = it.tabs as [Controller, Controller];
    const asked = it.tabs.map((tab) => refused(tab.fetch(it.api.get, params)));
    await it.quiet();
    second.reset();
    await it.quiet();
    for (const error of await Promise.all(asked)) expect(error).toMatchObject({ code: 'F3' });
    await it.w.call(0).answer(wholeTodo());
    await pass(it, 1_000);
    expect([first.get(Todo, params), second.get(Todo, params)]).toEqual([undefined, undefined]);
    void second.fetch(it.api.get, params);
    await it.quiet();
    expect(it.w.calls).toHaveLength(2);
  });

  test('[P5] a tab that stops sends its waiting requests by itself', async () => {
    const it = await sharing(2);
    const [first, second] = it.tabs as [Controller, Controller];
    void first.fetch(it.api.get, params);
    await it.quiet();
    const asked = second.fetch(it.api.get, params);
    await it.quiet();
    it.stops[1]?.();
    await settled();
    expect(it.w.calls).toHaveLength(2);
    await it.w.call().answer(wholeTodo());
    expect((await asked).title).toBe('a');
  });
});

describe('a tab that opens', () => {
  /** A tab with a list, an own change, a deletion, and a detail. */
  async function full(): Promise<Street> {
    const it = await sharing(1);
    const [first] = it.tabs as [Controller];
    await first.setResponse(
      it.api.list,
      {},
      [1, 2, 3].map((id) => wholeTodo({ id })),
    );
    void first.fetch(it.api.update, params, { title: 'b' });
    await settled();
    await it.w.call().answer(wholeTodo({ title: 'b' }));
    void first.fetch(it.api.remove, { id: 2 });
    await settled();
    await it.w.call().answer(null);
    await first.setResponse(it.api.get, { id: 7 }, wholeTodo({ id: 7 }));
    await it.quiet();
    return it;
  }
  const titles = (tab: Controller, it: Street) =>
    tab.getResponse(it.api.list, {}).data?.map(({ id, title }) => `${id} ${title}`);

  test('[P5] receives the data of the others, and fetches none that are fresh there', async () => {
    const it = await full();
    const before = it.w.calls.length;
    const late = it.share();
    const asked = Promise.all([
      late.fetchIfStale(it.api.list, {}),
      late.fetchIfStale(it.api.get, { id: 7 }),
      // another response contained the row
      late.fetchIfStale(it.api.get, { id: 3 }),
    ]);
    await it.quiet();
    await asked;
    expect(titles(late, it)).toEqual(['1 b', '3 a']);
    expect(late.get(new All(Todo))).toHaveLength(3);
    expect(it.w.calls).toHaveLength(before);
    const [first] = it.tabs as [Controller];
    for (const [endpoint, args] of [
      [it.api.list, {}],
      [it.api.get, { id: 7 }],
    ] as const)
      expect(late.getResponse(endpoint as never, args as never).expiresAt).toBe(
        first.getResponse(endpoint as never, args as never).expiresAt,
      );
  });

  test('[P5] shows data that have expired there, and refetches them', async () => {
    const it = await full();
    it.w.clock.advance(100_000);
    const late = it.share();
    await it.quiet();
    const asked = late.fetchIfStale(it.api.list, {});
    await it.quiet();
    expect(titles(late, it)).toEqual(['1 b', '3 a']);
    await it.w.call().answer([]);
    await asked;
    expect(titles(late, it)).toEqual([]);
  });

  test('[P5] applies writes during the transfer by the rules of order', async () => {
    const it = await full();
    const [first] = it.tabs as [Controller];
    // requested before the own change and the deletion were known, answered after
    const stale = first.fetch(it.api.list, {});
    await settled();
    void first.fetch(it.api.update, params, { title: 'c' });
    await settled();
    await it.w.call().answer(wholeTodo({ title: 'c' }));
    const late = it.share();
    await it.quiet();
    expect(late.get(Todo, params)?.title).toBe('c');
    await it.w.calls
      .find(({ name }) => name === 'list')
      ?.answer([1, 3].map((id) => wholeTodo({ id })));
    await stale;
    await it.quiet();
    expect([first.get(Todo, params)?.title, late.get(Todo, params)?.title]).toEqual(['c', 'c']);
  });

  test('[P5] is handed over by the next leader when the first one has gone', async () => {
    const it = await full();
    it.share();
    await it.quiet();
    it.kill(0);
    await it.quiet();
    const late = it.share();
    const before = it.w.calls.length;
    const asked = late.fetch(it.api.list, {});
    await it.quiet();
    await asked;
    expect(titles(late, it)).toEqual(['1 b', '3 a']);
    expect(it.w.calls).toHaveLength(before);
  });

  test('[P5] of another version is handed nothing, and asks by itself', async () => {
    const it = await full();
    const before = it.w.calls.length;
    const late = it.share({ version: 2 });
    void late.fetch(it.api.list, {});
    await it.quiet();
    expect(it.w.calls).toHaveLength(before + 1);
    expect(late.get(new All(Todo)) ?? []).toEqual([]);
  });

  test('[P5] waits no longer than a second for a leader that does not answer', async () => {
    const it = await full();
    const before = it.w.calls.length;
    const late = it.share();
    const asked = late.fetch(it.api.list, {});
    // nothing arrives
    await settled();
    expect(it.w.calls).toHaveLength(before);
    it.w.clock.advance(1_000);
    await settled();
    expect(it.w.calls).toHaveLength(before + 1);
    await it.w.call().answer([]);
    await asked;
  });

  test('[P5] is handed a large store in slices', async () => {
    const it = await sharing(1);
    const rows = Array.from({ length: 5_000 }, (_, at) => wholeTodo({ id: at + 1 }));
    await it.tabs[0]?.setResponse(it.api.list, {}, rows);
    await it.quiet();
    const late = it.share();
    await it.quiet();
    expect(late.getResponse(it.api.list, {}).data).toHaveLength(5_000);
    const slices = it.post.news.flatMap((news) => {
      const { handover } = news as { handover?: { rows?: unknown[] } };
      return handover?.rows?.length ?? [];
    });
    expect(slices.length).toBeGreaterThan(25);
    expect(Math.max(...slices)).toBeLessThanOrEqual(200);
  });

  test('[P5] is handed nothing of before a log out', async () => {
    const it = await full();
    const late = it.share();
    // the first slice is in flight
    await settled();
    it.post.deliver(0);
    await settled();
    it.tabs[0]?.reset();
    await it.quiet();
    expect(late.get(new All(Todo)) ?? []).toEqual([]);
    expect(late.getResponse(it.api.list, {}).data).toBeUndefined();
  });

  test('[P5] fetches data that cannot be cloned', async () => {
    const it = await full();
    await it.tabs[0]?.set(Todo, { id: 9 }, { title: 'x', render: () => {} });
    await it.quiet();
    const before = it.w.calls.length;
    const late = it.share();
    const asked = late.fetch(it.api.list, {});
    await it.quiet();
    expect(it.w.calls).toHaveLength(before + 1);
    await it.w.call().answer([]);
    await asked;
    expect(titles(late, it)).toEqual([]);
  });
});
