// Tabs that share requests: a single tab sends the request for a key, and all tabs use the response.
import { All, Entity, subscribe } from 'signalbox';
import type { Controller } from 'signalbox';
import { describe, expect, test, vi } from 'vitest';
import { refusal, refused, settled, Todo, watch, wholeTodo } from '../setup/world.ts';
import { TabGroup } from './severalTabs.ts';

const params = { id: 1 };

/** As many tabs, each of which has opened before the next. */
async function sharing(count: number): Promise<TabGroup> {
  const group = new TabGroup();
  for (let at = 0; at < count; at++) {
    group.share();
    await group.quiet();
  }
  return group;
}

/** Also runs timers that are due. */
async function pass(group: TabGroup, ms: number): Promise<void> {
  await group.quiet();
  for (let left = ms; left > 0; left -= 100) {
    group.w.clock.advance(Math.min(left, 100));
    await group.quiet();
  }
}

describe('one request in all tabs', () => {
  test('[P5] 20 tabs that open and read at the same time send one request for each key', async () => {
    const group = new TabGroup();
    const asked = Array.from({ length: 20 }, () => {
      const tab = group.share();
      return Promise.all([tab.fetch(group.api.list, {}), tab.fetch(group.api.get, { id: 2 })]);
    });
    await group.quiet();
    expect([...group.w.log].sort()).toEqual(['get {"id":2}', 'list {}']);
    for (const call of group.w.calls)
      await call.answer(call.name === 'list' ? [wholeTodo()] : wholeTodo({ id: 2 }));
    await group.quiet();
    const titles = (await Promise.all(asked)).map(([list, one]) => [list.length, one.title]);
    expect(titles).toEqual(Array.from({ length: 20 }, () => [1, 'a']));
    expect(group.w.calls).toHaveLength(2);
  });

  test('[P5] a tab that reads during the request of another tab gets the response, and runs its readers once', async () => {
    const group = await sharing(2);
    const [first, second] = group.tabs as [Controller, Controller];
    void first.fetch(group.api.get, params);
    await group.quiet();
    const seen = watch(() => second.signal(group.api.get, params).value?.title);
    const asked = second.fetch(group.api.get, params);
    await group.quiet();
    await group.w.call().answer(wholeTodo());
    await group.quiet();
    expect((await asked).title).toBe('a');
    expect(seen.seen).toEqual([undefined, 'a']);
    expect(group.w.calls).toHaveLength(1);
    expect(group.bus.news.filter((news) => 'commit' in (news as object))).toHaveLength(1);
  });

  test('[P5] fetch sends a request also for data that another tab has stored', async () => {
    const group = await sharing(2);
    const [first, second] = group.tabs as [Controller, Controller];
    for (const tab of [first, second, second, first]) {
      const before = group.w.calls.length;
      const asked = tab.fetch(group.api.get, params);
      await group.quiet();
      expect(group.w.calls).toHaveLength(before + 1);
      await group.w.call().answer(wholeTodo());
      await asked;
      await group.quiet();
    }
  });

  test('[P5] expireAll in one tab causes one request for five tabs with mounted readers', async () => {
    const group = await sharing(5);
    await group.tabs[0]?.setResponse(group.api.list, {}, [wholeTodo()]);
    await group.quiet();
    for (const tab of group.tabs) {
      const view = tab.view(group.api.list, {});
      view.retain();
      watch(tab.signal(group.api.list, {}));
    }
    group.tabs[3]?.expireAll(group.api.list);
    await group.quiet();
    expect(group.w.log).toEqual(['list {}']);
    await group.w.call().answer([wholeTodo({ title: 'b' })]);
    await pass(group, 1_000);
    expect(group.w.calls).toHaveLength(1);
    for (const tab of group.tabs) expect(tab.get(Todo, params)?.title).toBe('b');
  });

  test('[P5] five tabs that poll a key send one request in each interval', async () => {
    const group = new TabGroup();
    const polled = group.api.get.extend({ pollFrequency: 10_000 });
    for (let at = 0; at < 5; at++) {
      subscribe(group.share(), polled, params);
      await pass(group, 700);
    }
    for (let times = 0; times < 10; times++) {
      expect(group.w.calls).toHaveLength(times + 1);
      await group.w.call().answer(wholeTodo({ title: `${times}` }));
      await pass(group, 10_000);
      for (const tab of group.tabs) expect(tab.get(Todo, params)?.title).toBe(`${times}`);
    }
  });

  test('[P5] a read that waits for another tab, and a newer read of the same view, each get a response', async () => {
    const it = await sharing(2);
    const [first, second] = it.tabs as [Controller, Controller];
    await second.setResponse(it.api.list, {}, [wholeTodo()]);
    await it.quiet();
    void first.fetch(it.api.list, {});
    await it.quiet();
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const errors: unknown[] = [];
    second.on('error', ({ error }) => errors.push(error));
    second.view(it.api.list, {}).retain();
    watch(second.signal(it.api.list, {}));
    // sent before the creation is confirmed, and after
    second.expireAll(it.api.list);
    void second.fetch(it.api.create, { title: 'b' });
    await it.quiet();
    await it.w.call().answer(wholeTodo({ id: 2, title: 'b' }));
    await it.quiet();
    second.expireAll(it.api.list);
    await it.quiet();
    await it.w.call(0).answer([wholeTodo()]);
    await pass(it, 3_000);
    expect(it.w.log).toEqual(['list {}', 'create {"title":"b"}', 'list {}']);
    await it.w.call().answer([wholeTodo(), wholeTodo({ id: 2, title: 'c' })]);
    await pass(it, 3_000);
    void first.fetch(it.api.list, {});
    await it.quiet();
    await it.w.call().answer([wholeTodo(), wholeTodo({ id: 2, title: 'd' })]);
    await it.quiet();
    expect({ errors, warnings: warnings.mock.calls }).toEqual({ errors: [], warnings: [] });
    for (const tab of it.tabs) expect(tab.get(Todo, { id: 2 })?.title).toBe('d');
  });

  test('[P5] if the requesting tab is killed, another tab sends the request', async () => {
    const group = await sharing(3);
    const asked = group.tabs.map((tab) => tab.fetch(group.api.get, params));
    await group.quiet();
    expect(group.w.calls).toHaveLength(1);
    group.kill(0);
    await pass(group, 1_000);
    expect(group.w.calls).toHaveLength(2);
    await group.w.call().answer(wholeTodo());
    await group.quiet();
    expect((await Promise.all(asked.slice(1))).map(({ title }) => title)).toEqual(['a', 'a']);
    expect(group.w.calls).toHaveLength(2);
  });

  test('[P5] an error is not shared: the next tab sends the request', async () => {
    const group = await sharing(3);
    const asked = group.tabs.map((tab) => tab.fetch(group.api.get, params));
    await group.quiet();
    const failed = refused(asked[0] as Promise<unknown>);
    await group.w.call().fail(refusal(500));
    expect(await failed).toMatchObject({ status: 500 });
    await pass(group, 1_000);
    expect(group.w.calls).toHaveLength(2);
    await group.w.call().answer(wholeTodo());
    await group.quiet();
    await Promise.all(asked.slice(1));
    expect(group.w.calls).toHaveLength(2);
  });

  test('[P5] a read that waits for another tab is sent after an own write in between', async () => {
    const group = await sharing(2);
    const [first, second] = group.tabs as [Controller, Controller];
    void first.fetch(group.api.get, params);
    await group.quiet();
    void second.fetch(group.api.update, params, { title: 'mine' });
    await group.quiet();
    await group.w.call(1).answer(wholeTodo({ title: 'mine' }));
    await group.quiet();
    const asked = second.fetch(group.api.get, params);
    await group.quiet();
    await group.w.call(0).answer(wholeTodo({ title: 'old' }));
    await pass(group, 1_000);
    expect(group.w.log).toEqual([
      'get {"id":1}',
      'update {"id":1} {"title":"mine"}',
      'get {"id":1}',
    ]);
    await group.w.call().answer(wholeTodo({ title: 'new' }));
    expect((await asked).title).toBe('new');
  });

  test('[P5] a log out rejects waiting reads in all tabs, and later responses are dropped', async () => {
    const group = await sharing(2);
    const [first, second] = group.tabs as [Controller, Controller];
    const asked = group.tabs.map((tab) => refused(tab.fetch(group.api.get, params)));
    await group.quiet();
    second.reset();
    await group.quiet();
    for (const error of await Promise.all(asked)) expect(error).toMatchObject({ code: 'F3' });
    await group.w.call(0).answer(wholeTodo());
    await pass(group, 1_000);
    expect([first.get(Todo, params), second.get(Todo, params)]).toEqual([undefined, undefined]);
    void second.fetch(group.api.get, params);
    await group.quiet();
    expect(group.w.calls).toHaveLength(2);
  });

  test('[P5] a tab that is disconnected sends its waiting requests itself', async () => {
    const group = await sharing(2);
    const [first, second] = group.tabs as [Controller, Controller];
    void first.fetch(group.api.get, params);
    await group.quiet();
    const asked = second.fetch(group.api.get, params);
    await group.quiet();
    group.stops[1]?.();
    await settled();
    expect(group.w.calls).toHaveLength(2);
    await group.w.call().answer(wholeTodo());
    expect((await asked).title).toBe('a');
  });
});

describe('a tab that opens', () => {
  /** A tab with a list, an own change, a deletion, and a detail. */
  async function full(): Promise<TabGroup> {
    const group = await sharing(1);
    const [first] = group.tabs as [Controller];
    await first.setResponse(
      group.api.list,
      {},
      [1, 2, 3].map((id) => wholeTodo({ id })),
    );
    void first.fetch(group.api.update, params, { title: 'b' });
    await settled();
    await group.w.call().answer(wholeTodo({ title: 'b' }));
    void first.fetch(group.api.remove, { id: 2 });
    await settled();
    await group.w.call().answer(null);
    await first.setResponse(group.api.get, { id: 7 }, wholeTodo({ id: 7 }));
    await group.quiet();
    return group;
  }
  const titles = (tab: Controller, group: TabGroup) =>
    tab.getResponse(group.api.list, {}).data?.map(({ id, title }) => `${id} ${title}`);

  test('[P5] a late tab receives the data of the other tabs, and requests no fresh data', async () => {
    const group = await full();
    const before = group.w.calls.length;
    const late = group.share();
    const asked = Promise.all([
      late.fetchIfStale(group.api.list, {}),
      late.fetchIfStale(group.api.get, { id: 7 }),
      // another response contained the row
      late.fetchIfStale(group.api.get, { id: 3 }),
    ]);
    await group.quiet();
    await asked;
    expect(titles(late, group)).toEqual(['1 b', '3 a']);
    expect(late.get(new All(Todo))).toHaveLength(3);
    expect(group.w.calls).toHaveLength(before);
    const [first] = group.tabs as [Controller];
    for (const [endpoint, args] of [
      [group.api.list, {}],
      [group.api.get, { id: 7 }],
    ] as const)
      expect(late.getResponse(endpoint as never, args as never).expiresAt).toBe(
        first.getResponse(endpoint as never, args as never).expiresAt,
      );
  });

  test('[P5] a late tab shows data that have expired in other tabs, and refetches', async () => {
    const group = await full();
    group.w.clock.advance(100_000);
    const late = group.share();
    await group.quiet();
    const asked = late.fetchIfStale(group.api.list, {});
    await group.quiet();
    expect(titles(late, group)).toEqual(['1 b', '3 a']);
    await group.w.call().answer([]);
    await asked;
    expect(titles(late, group)).toEqual([]);
  });

  test('[P5] a tab shows the response of a read issued before and sent after the transfer of data', async () => {
    const group = await full();
    const [first] = group.tabs as [Controller];
    await first.setResponse(group.api.list, {}, [wholeTodo({ id: 3 })]);
    first.expireAll(group.api.list);
    const late = group.share();
    const asked = late.fetch(group.api.list, {});
    await group.quiet();
    await group.w.call().answer([3, 4].map((id) => wholeTodo({ id })));
    await asked;
    await group.quiet();
    for (const tab of [late, first]) expect(titles(tab, group)).toEqual(['3 a', '4 a']);
  });

  test('[P5] writes during the transfer of data to a late tab keep the order of writes', async () => {
    const group = await full();
    const [first] = group.tabs as [Controller];
    // requested before the own change and the deletion were known, answered after
    const stale = first.fetch(group.api.list, {});
    await settled();
    void first.fetch(group.api.update, params, { title: 'c' });
    await settled();
    await group.w.call().answer(wholeTodo({ title: 'c' }));
    const late = group.share();
    await group.quiet();
    expect(late.get(Todo, params)?.title).toBe('c');
    await group.w.calls
      .find(({ name }) => name === 'list')
      ?.answer([1, 3].map((id) => wholeTodo({ id })));
    await stale;
    await group.quiet();
    expect([first.get(Todo, params)?.title, late.get(Todo, params)?.title]).toEqual(['c', 'c']);
  });

  test('[P5] a late tab receives the data from the next leader after the first was killed', async () => {
    const group = await full();
    group.share();
    await group.quiet();
    group.kill(0);
    await group.quiet();
    const late = group.share();
    const before = group.w.calls.length;
    const asked = late.fetch(group.api.list, {});
    await group.quiet();
    await asked;
    expect(titles(late, group)).toEqual(['1 b', '3 a']);
    expect(group.w.calls).toHaveLength(before);
  });

  test('[P5] a late tab of another version receives no data, and sends its request', async () => {
    const group = await full();
    const before = group.w.calls.length;
    const late = group.share({ version: 2 });
    void late.fetch(group.api.list, {});
    await group.quiet();
    expect(group.w.calls).toHaveLength(before + 1);
    expect(late.get(new All(Todo)) ?? []).toEqual([]);
  });

  test('[P5] a late tab waits one second for a leader that does not respond, and then sends its request', async () => {
    const group = await full();
    const before = group.w.calls.length;
    const late = group.share();
    const asked = late.fetch(group.api.list, {});
    // nothing arrives
    await settled();
    expect(group.w.calls).toHaveLength(before);
    group.w.clock.advance(1_000);
    await settled();
    expect(group.w.calls).toHaveLength(before + 1);
    await group.w.call().answer([]);
    await asked;
  });

  test('[P5] a late tab receives a large store in slices of at most 200 rows', async () => {
    const group = await sharing(1);
    const rows = Array.from({ length: 5_000 }, (_, at) => wholeTodo({ id: at + 1 }));
    await group.tabs[0]?.setResponse(group.api.list, {}, rows);
    await group.quiet();
    const late = group.share();
    await group.quiet();
    expect(late.getResponse(group.api.list, {}).data).toHaveLength(5_000);
    const slices = group.bus.news.flatMap((news) => {
      const { handover } = news as { handover?: { rows?: unknown[] } };
      return handover?.rows?.length ?? [];
    });
    expect(slices.length).toBeGreaterThan(25);
    expect(Math.max(...slices)).toBeLessThanOrEqual(200);
  });

  test.each([
    ['an older version is replaced', 1, 'handed over'],
    ['a newer version stays', 3, 'own'],
  ])(
    '[P5] of a class with versions, the row that a late tab has already is compared by version: %s',
    async (_, rev, shown) => {
      class Card extends Entity {
        id = 0;
        rev = 0;
        title = '';
        static override shouldReorder(_was: unknown, _is: unknown, old: object, next: object) {
          return (next as Card).rev < (old as Card).rev;
        }
      }
      const group = new TabGroup();
      const card = group.w.read('card', Card);
      const first = group.share({ names: { card } });
      await group.quiet();
      await first.setResponse(card, params, { id: 1, rev: 2, title: 'handed over' });
      await group.quiet();
      const late = group.share({ names: { card } });
      // as from a disk
      await late.set(Card, params, { id: 1, rev, title: 'own' });
      await group.quiet();
      expect(late.get(Card, params)).toMatchObject({ title: shown });
    },
  );

  test('[P5] a late tab receives no data from before a log out', async () => {
    const group = await full();
    const late = group.share();
    // the first slice is in flight
    await settled();
    group.bus.deliver(0);
    await settled();
    group.tabs[0]?.reset();
    await group.quiet();
    expect(late.get(new All(Todo)) ?? []).toEqual([]);
    expect(late.getResponse(group.api.list, {}).data).toBeUndefined();
  });

  test('[P5] a late tab requests the data if the store of the leader cannot be cloned', async () => {
    const group = await full();
    await group.tabs[0]?.set(Todo, { id: 9 }, { title: 'x', render: () => {} });
    await group.quiet();
    const before = group.w.calls.length;
    const late = group.share();
    const asked = late.fetch(group.api.list, {});
    await group.quiet();
    expect(group.w.calls).toHaveLength(before + 1);
    await group.w.call().answer([]);
    await asked;
    expect(titles(late, group)).toEqual([]);
  });
});
