// What one tab confirms is shown in the others, once, and is never sent on.
import { effect } from '@preact/signals-core';
import { Controller, Delete, Endpoint, Entity } from 'signalbox';
import type { Commit, EndpointInterface } from 'signalbox';
import { connectTabs } from 'signalbox/tabs';
import type { TabChannel } from 'signalbox/tabs';
import { describe, expect, test, vi } from 'vitest';
import { refusal, refused, settled, Todo, User, watch } from '../setup/world.ts';
import { Street, street, todos } from './street.ts';

const params = { id: 1 };
const title = (tab: Controller | undefined) => tab?.get(Todo, params)?.title;
const titles = (tab: Controller | undefined, { api }: Street) =>
  tab?.getResponse(api.list, {}).data?.map((todo) => todo.title);
const warnings = () => vi.spyOn(console, 'warn').mockImplementation(() => {});

describe('what travels', () => {
  test('[P3] the answer of a read is shown in the other tab without a request', async () => {
    const it = await street();
    const [first, second] = it.tabs;
    const asked = first?.fetch(it.api.list, {});
    await it.w.call().answer([{ id: 1, title: 'a' }]);
    await asked;
    await it.quiet();
    expect(titles(second, it)).toEqual(['a']);
    await second?.fetchIfStale(it.api.list, {});
    await second?.fetchIfStale(it.api.get, params);
    expect(it.w.calls).toHaveLength(1);
  });

  test('[P3] mutations, list changes, deletions and set are shown in the other tab', async () => {
    const it = await street();
    const [first, second] = it.tabs as [Controller, Controller];
    await first.setResponse(it.api.list, {}, [params]);
    void first.fetch(it.api.create, { title: 'b' });
    await it.w.call().answer({ id: 2, title: 'b' });
    void first.fetch(it.api.update, params, { title: 'a' });
    await it.w.call().answer({ id: 1, title: 'a' });
    await it.quiet();
    expect(titles(second, it)).toEqual(['a', 'b']);
    await first.set([Todo], [{ id: 1, title: 'c' }]);
    void first.fetch(it.api.remove, { id: 2 });
    await it.w.call().answer(null);
    await it.quiet();
    expect(titles(second, it)).toEqual(['c']);
  });

  test('[P3] values travel as structured clones', async () => {
    class Event extends Entity {
      id = 0;
      at = new Date(0);
      by: Map<string, Error> | undefined = undefined;
    }
    const it = new Street();
    const [first, second] = [it.open({ names: { Event } }), it.open({ names: { Event } })];
    const by = new Map([['x', new Error('why')]]);
    await first.set(Event, params, { at: new Date(5), by });
    await it.quiet();
    expect(second.get(Event, params)).toEqual({ id: 1, at: new Date(5), by });
  });

  test('[P3] what is only expected stays in its tab, and so do errors', async () => {
    const it = await street();
    const [first, second] = it.tabs as [Controller, Controller];
    await first.set(Todo, params, { title: 'a' });
    const optimistic = it.api.update.extend({
      getOptimisticResponse: (_: unknown, own: object, fields: object) => ({ ...own, ...fields }),
    });
    const refusedUpdate = refused(first.fetch(optimistic, params, { title: 'b' }));
    await it.quiet();
    expect([title(first), title(second)]).toEqual(['b', 'a']);
    await it.w.call().fail(refusal(500));
    await refusedUpdate;
    const refusedRead = refused(first.fetch(it.api.get, params));
    await it.w.call().fail(refusal(404));
    await refusedRead;
    await it.quiet();
    expect(first.getError(it.api.get, params)).toBeDefined();
    expect(second.getError(it.api.get, params)).toBeUndefined();
  });

  test('[P3] a transaction arrives as one commit', async () => {
    const it = await street();
    const [first, second] = it.tabs as [Controller, Controller];
    const seen = watch(() => [1, 2].map((id) => second.entity(Todo, id).value?.title).join(' '));
    await first.transaction(async ({ set }) => {
      await set(Todo, { id: 1 }, { title: 'a' });
      await set(Todo, { id: 2 }, { title: 'b' });
    });
    await it.quiet();
    expect(seen.seen).toEqual([' ', 'a b']);
  });

  test('[P3] what a transaction did before it failed is asked again in all tabs', async () => {
    const it = await street();
    const [first, second] = it.tabs as [Controller, Controller];
    await first.setResponse(it.api.get, params, { id: 1, title: 'a' });
    await it.quiet();
    const failed = refused(
      first.transaction(({ fetch }) =>
        Promise.all([
          fetch(it.api.update, params, { title: 'b' }),
          fetch(it.api.remove, { id: 2 }),
        ]),
      ),
    );
    await it.quiet();
    await it.w.call(0).answer({ id: 1, title: 'b' });
    await it.w.call(1).fail(refusal(500));
    await failed;
    await it.quiet();
    expect(title(second)).toBe('a');
    for (const tab of [first, second])
      expect(tab.getResponse(it.api.get, params).expiresAt).toBe(0);
  });

  test('[P3] log out empties all tabs, and nothing older arrives', async () => {
    const it = await street();
    const [first, second] = it.tabs as [Controller, Controller];
    await first.set(Todo, params, { title: 'a' });
    await it.quiet();
    const resets = vi.fn<() => void>();
    second.on('reset', resets);
    const asked = refused(second.fetch(it.api.get, params));
    first.reset();
    await it.quiet();
    expect(await asked).toMatchObject({ code: 'F3' });
    await it.w.call().answer({ id: 1, title: 'b' });
    await it.quiet();
    expect([title(first), title(second), resets.mock.calls.length]).toEqual([
      undefined,
      undefined,
      1,
    ]);
    await second.set(Todo, params, { title: 'c' });
    await it.quiet();
    expect(title(first)).toBe('c');
  });

  test('[P3] what is written after a log out is newer than what others wrote before they heard of it', async () => {
    const it = await street();
    const [first, second] = it.tabs as [Controller, Controller];
    const reader = watch(second.entity(Todo, 1));
    for (const each of ['a', 'b', 'c', 'd']) await second.set(Todo, params, { title: each });
    first.reset();
    await first.set(Todo, params, { title: 'new' });
    await it.quiet();
    expect([title(first), reader.last?.title]).toEqual(['new', 'new']);
  });

  test('[P3] pages that were asked through an endpoint without a name make the list longer', async () => {
    const it = new Street();
    const all = it.w.read('all', [Todo]);
    const listOf = () => ({ endpoint: all, args: [{}] });
    const page = it.w.read('page', [Todo], { listOf } as never);
    const [first, second] = [it.open(), it.open()];
    await first.setResponse(all, {}, [params]);
    void first.fetch(page, { cursor: 1 });
    await it.w.call().answer([{ id: 2, title: 'b' }]);
    await it.quiet();
    for (const tab of [first, second]) expect(tab.getResponse(all, {}).data).toHaveLength(2);
  });

  test('[P3] listeners get the endpoint itself where it has a name', async () => {
    const it = await street();
    const [first, second] = it.tabs as [Controller, Controller];
    const heard: Commit[] = [];
    second.on('commit', (commit) => heard.push(commit));
    await first.setResponse(it.api.get, params, { id: 1 });
    await first.setResponse(it.api.get.extend({ dataExpiryLength: 1 }), params, {
      id: 1,
      title: 'a',
    });
    await it.quiet();
    const endpoints = heard.map(({ writes }) => writes[0]?.endpoint);
    expect(endpoints.map((endpoint) => endpoint?.name)).toEqual(['get', 'get']);
    expect([endpoints[0] === it.api.get, title(second)]).toEqual([true, 'a']);
    expect(await endpoints[1]?.()).toBeUndefined();
  });
});

describe('who runs', () => {
  test('[P3] a reader runs once per commit whose content it shows, and not for identical data', async () => {
    const it = await street(3);
    const [first, ...others] = it.tabs as [Controller, Controller, Controller];
    await first.setResponse(it.api.list, {}, [{ id: 1 }, { id: 2 }]);
    await it.quiet();
    const readers = others.flatMap((tab) => [
      watch(tab.entity(Todo, 1)),
      watch(tab.entity(Todo, 2)),
      watch(tab.signal(it.api.list, {})),
    ]);
    await first.setResponse(it.api.list, {}, [{ id: 1, title: 'a' }, { id: 2 }]);
    await it.quiet();
    await first.setResponse(it.api.list, {}, [{ id: 1, title: 'a' }, { id: 2 }]);
    await it.quiet();
    expect(readers.map(({ runs }) => runs)).toEqual([2, 1, 2, 2, 1, 2]);
  });
});

describe('no ping-pong', () => {
  test.each([2, 3])(
    '[P3] each of %d tabs hears a commit once, and sends it no further',
    async (count) => {
      const it = await street(count);
      const before = it.post.posted.length;
      const heard = it.tabs.map((tab) => {
        const commits: (true | undefined)[] = [];
        tab.on('commit', ({ replayed }) => commits.push(replayed));
        return commits;
      });
      await it.tabs[0]?.set(Todo, params, { title: 'a' });
      await it.quiet();
      expect(it.post.posted.length - before).toBe(1);
      expect(heard).toEqual([[undefined], ...Array.from({ length: count - 1 }, () => [true])]);
    },
  );

  test('[P3] what happens at once is one message', async () => {
    const it = await street();
    const before = it.post.posted.length;
    for (const id of [1, 2, 3]) void it.tabs[0]?.set(Todo, { id }, { title: 'a' });
    void it.tabs[0]?.fetch(it.api.get, params);
    await it.quiet();
    expect(it.post.posted.length - before).toBe(1);
  });

  /** Somebody shows it in every tab. */
  const show = (tab: Controller, endpoint: EndpointInterface, args: object) => {
    const view = tab.view(endpoint, args);
    const leave = view.retain();
    const stop = effect(() => {
      const { status } = view.result.value;
      if (status === 'pending') void view.ensure(false);
    });
    return () => (stop(), leave());
  };

  test.each([
    [
      'an invalidation',
      async (tab: Controller, { api }: Street) => tab.invalidate(api.get, params),
    ],
    ['expireAll', async (tab: Controller, { api }: Street) => tab.expireAll(api.get)],
    [
      'an empty answer',
      async (tab: Controller, { api, w }: Street) => {
        void tab.fetch(api.update, params, {});
        await w.call().answer(null);
        w.calls.shift();
      },
    ],
  ])('[P3] after %s each tab asks once for what it shows', async (_, cause) => {
    const it = await street(3);
    await it.tabs[0]?.setResponse(it.api.get, params, { id: 1, title: 'a' });
    await it.quiet();
    // the third shows nothing
    const stops = it.tabs.slice(0, 2).map((tab) => show(tab, it.api.get, params));
    expect(it.w.calls).toHaveLength(0);
    await cause(it.tabs[0] as Controller, it);
    await it.quiet();
    expect(it.w.log).toEqual(['get {"id":1}', 'get {"id":1}']);
    for (const [at, call] of [...it.w.calls].entries()) {
      await call.answer({ id: 1, title: `b${at}` });
      await it.quiet();
    }
    it.w.page.comeBack('focus');
    await it.quiet();
    expect(it.w.calls).toHaveLength(2);
    expect(it.tabs.map(title)).toEqual(['b1', 'b1', 'b1']);
    for (const stop of stops) stop();
  });

  test('[P3] answers that cannot be cloned do not make tabs ask each other for ever', async () => {
    const warn = warnings();
    const it = await street();
    const raw = it.w.read('raw', undefined);
    const stops = it.tabs.map((tab) => {
      void tab.setResponse(raw, params, 'a');
      return show(tab, raw, params);
    });
    await it.quiet();
    it.tabs[0]?.expireAll(raw);
    await it.quiet();
    for (const call of it.w.calls) await call.answer(() => 'b');
    await it.quiet();
    expect(it.w.calls).toHaveLength(2);
    expect(warn.mock.calls.flat().filter((text) => String(text).includes('B2'))).toHaveLength(1);
    for (const stop of stops) stop();
  });
});

describe('order', () => {
  test('[P3] an answer that another tab had asked for before does not undo an own write', async () => {
    const it = await street();
    const [first, second] = it.tabs as [Controller, Controller];
    const asked = first.fetch(it.api.list, {});
    await it.quiet();
    await second.set(Todo, params, { title: 'newer' });
    void second.fetch(it.api.create, {});
    await it.w.call().answer({ id: 2, title: 'created' });
    await it.w.call(0).answer([{ id: 1, title: 'older' }]);
    await asked;
    await it.quiet();
    for (const tab of [first, second]) expect(titles(tab, it)).toEqual(['newer', 'created']);
  });

  test('[P3] two tabs that write one field at once agree on one of them', async () => {
    const it = await street(3);
    for (const [at, tab] of it.tabs.entries()) void tab.set(Todo, params, { title: `by ${at}` });
    await it.quiet();
    expect(new Set(it.tabs.map(title)).size).toBe(1);
  });

  test('[P3] an invalidation does not hide what was asked after it, whichever is heard first', async () => {
    const it = await street(3);
    const [first, second, third] = it.tabs as [Controller, Controller, Controller];
    await first.setResponse(it.api.get, params, { id: 1, title: 'a' });
    await it.quiet();
    first.invalidate(it.api.get, params);
    await settled();
    // from the first to the second
    it.post.deliver(0);
    void second.fetch(it.api.get, params);
    await it.w.call().answer({ id: 1, title: 'b' });
    while (it.post.waiting > 0) {
      it.post.deliver(it.post.waiting - 1);
      await settled();
    }
    expect(third.getResponse(it.api.get, params).data?.title).toBe('b');
  });
});

describe('who comes late, who is of another version, who goes', () => {
  test('[P3] a tab that opens late knows nothing, and what it writes is newer', async () => {
    const it = await street();
    const [first] = it.tabs as [Controller];
    for (let at = 0; at < 100; at++) await first.set(Todo, params, { title: String(at) });
    await it.quiet();
    const late = it.open();
    expect(title(late)).toBeUndefined();
    await it.quiet();
    await late.set(Todo, params, { title: 'late' });
    await it.quiet();
    expect(it.tabs.map(title)).toEqual(['late', 'late', 'late']);
  });

  test('[P3] its first answer is newer where it asked at once, too', async () => {
    const it = await street();
    const [first] = it.tabs as [Controller];
    await first.setResponse(it.api.get, params, { id: 1, title: 'a' });
    await it.quiet();
    it.w.clock.advance(60_000);
    void it.open().fetch(it.api.get, params);
    await it.quiet();
    await it.w.call().answer({ id: 1, title: 'b' });
    await it.quiet();
    expect(title(first)).toBe('b');
  });

  test('[P3] what a tab asks when it wakes is newer than what it has not heard yet', async () => {
    const it = await street();
    const [first, second] = it.tabs as [Controller, Controller];
    await first.setResponse(it.api.get, params, { id: 1, title: 'a' });
    await it.quiet();
    const leave = second.view(it.api.get, params).retain();
    it.w.clock.advance(60_001);
    for (const each of ['b', 'c', 'd']) await first.set(Todo, params, { title: each });
    await settled();
    it.w.page.comeBack('focus');
    await it.quiet();
    await it.w.call().answer({ id: 1, title: 'e' });
    await it.quiet();
    expect(it.tabs.map(title)).toEqual(['e', 'e']);
    leave();
  });

  test('[P3] a tab that opens late hears of requests under way', async () => {
    const it = await street(1);
    const [first] = it.tabs as [Controller];
    void first.fetch(it.api.list, {});
    await it.quiet();
    const late = it.open();
    await it.quiet();
    await late.setResponse(it.api.get, params, { id: 1 });
    void late.fetch(it.api.create, {});
    await it.w.call().answer({ id: 2, title: 'created' });
    await it.w.call(0).answer([{ id: 1, title: 'a' }]);
    await it.quiet();
    for (const tab of [first, late]) expect(titles(tab, it)).toEqual(['a', 'created']);
  });

  test('[P3] tabs of another version, other names, and other messages are not listened to', async () => {
    const it = new Street();
    const first = it.open({ version: 1 });
    const second = it.open({ version: 2 });
    const channel = it.post.channel();
    for (const strange of [null, 'text', { signalbox: 0 }, { signalbox: 2, news: [] }])
      channel.postMessage(strange);
    await first.set(Todo, params, { title: 'a' });
    await it.quiet();
    expect(title(second)).toBeUndefined();
  });

  test('[P3] names that are unknown here are left out with one warning', async () => {
    const warn = warnings();
    const it = new Street();
    const first = it.open();
    const second = it.open({ names: { get: it.api.get } });
    for (const each of ['a', 'b']) await first.set(new Delete(User), { id: 3 }, { each });
    await first.setResponse(it.api.list, {}, [{ id: 1, title: 'a' }]);
    await first.setResponse(it.api.list, {}, [{ id: 1, title: 'b' }]);
    await first.setResponse(it.api.get, params, { id: 1, title: 'c' });
    await it.quiet();
    expect(title(second)).toBe('c');
    expect(warn.mock.calls.flat().map((text) => String(text).slice(0, 14))).toEqual([
      '[signalbox B1]',
      '[signalbox B4]',
    ]);
  });

  test('[P3] a commit that does not fit is left out with one warning; later ones are not', async () => {
    class Strict extends Entity {
      id = 0;
      title = '';
      static override key = 'Strict';
    }
    class Stricter extends Strict {
      static override validate = (record: Partial<Strict>) =>
        record.title === 'bad' ? 'no bad titles' : undefined;
    }
    const warn = warnings();
    const it = new Street();
    const first = it.open({ names: { Strict } });
    const second = it.open({ names: { Strict: Stricter } });
    for (const text of ['a', 'bad', 'bad']) await first.set(Strict, params, { title: text });
    await it.quiet();
    expect(second.get(Stricter, params)?.title).toBe('a');
    await first.set(Strict, params, { title: 'b' });
    await it.quiet();
    expect(second.get(Stricter, params)?.title).toBe('b');
    expect(warn).toHaveBeenCalledOnce();
    expect(warn.mock.calls[0]?.[0]).toContain('[signalbox B3]');
  });

  test('[P3] what cannot be cloned, or has no name, lets the others ask again', async () => {
    const warn = warnings();
    const it = await street();
    const [first, second] = it.tabs as [Controller, Controller];
    const raw = it.w.read('bytes', undefined);
    for (const tab of it.tabs) await tab.setResponse(raw, params, 'a');
    await first.setResponse(it.api.get, params, { id: 1, title: 'a' });
    await it.quiet();
    await first.setResponse(raw, params, () => 'b');
    await first.set(new Delete(Todo), params, {});
    await first.set(Todo, { id: 2 }, { title: 'after' });
    await it.quiet();
    expect(second.getResponse(raw, params)).toMatchObject({ data: 'a', expiresAt: 0 });
    expect(second.getResponse(it.api.get, params)).toMatchObject({ expiresAt: 0 });
    expect(second.get(Todo, { id: 2 })?.title).toBe('after');
    expect(
      warn.mock.calls
        .flat()
        .map((text) => String(text).slice(0, 14))
        .sort(),
    ).toEqual(['[signalbox B1]', '[signalbox B2]']);
  });

  test('[P3] arguments that cannot be cloned do not keep requests from being told', async () => {
    const it = await street();
    const [first, second] = it.tabs as [Controller, Controller];
    warnings();
    void first.fetch(it.api.update, params, new FormData());
    void first.fetch(it.api.get, { id: 1, render: () => {} });
    await it.w.call(0).answer({ id: 1, title: 'a' });
    await it.quiet();
    expect(title(second)).toBe('a');
    await it.w.call(1).answer({ id: 1, title: 'b' });
    await it.quiet();
    await first.set(Todo, params, { title: 'c' });
    await it.quiet();
    expect(title(second)).toBe('c');
  });

  test('[P3] who has stopped neither hears nor says anything', async () => {
    const it = await street();
    const [first, second] = it.tabs as [Controller, Controller];
    void second.set(Todo, params, { title: 'last word' });
    it.stops[1]?.();
    it.stops[1]?.();
    await second.set(Todo, params, { title: 'a' });
    await it.quiet();
    expect(title(first)).toBe('last word');
    await first.set(Todo, params, { title: 'b' });
    await it.quiet();
    expect([title(second), it.post.open]).toEqual(['a', 1]);
  });

  test('[P3] requests of a tab that went without a word are forgotten after a minute', async () => {
    const it = await street();
    const [first, second] = it.tabs as [Controller, Controller];
    const pending: number[] = [];
    second.on('commit', (commit) => pending.push(commit.pending.length));
    const set = () => second.set(Todo, params, { title: String(pending.length) });
    void first.fetch(it.api.list, {});
    await it.quiet();
    await set();
    it.w.clock.advance(60_001);
    await set();
    await it.quiet();
    await set();
    it.stops[0]?.();
    await it.quiet();
    expect(pending).toEqual([1, 1, 0]);
  });
});

test('[P3] bad names are an error; without a channel nothing happens', async () => {
  const controller = new Controller();
  expect(() => connectTabs(controller, { names: Todo as never })).toThrow('B5');
  vi.stubGlobal('BroadcastChannel', undefined);
  connectTabs(controller, { names: { Todo } })();
  vi.unstubAllGlobals();
  await controller.set(Todo, params, { title: 'a' });
  expect(title(controller)).toBe('a');
});

test('[P3] a channel that fails stops nothing', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  warnings();
  const channel: TabChannel = {
    onmessage: null,
    postMessage: (message) => {
      if ((message as { news: unknown[] }).news.length > 0) throw new Error('closed');
    },
    close() {},
  };
  const controller = new Controller();
  connectTabs(controller, { names: { todos, plain: new Endpoint(async () => 1) }, channel });
  await controller.set(Todo, params, { title: 'a' });
  await settled();
  expect(title(controller)).toBe('a');
  expect(errors).toHaveBeenCalledOnce();
});
