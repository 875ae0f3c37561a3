// A commit is received once and sent no further; tabs agree on concurrent writes.
import { effect } from '@preact/signals-core';
import type { Controller, EndpointInterface } from 'signalbox';
import { describe, expect, test, vi } from 'vitest';
import { settled, Todo } from '../setup/world.ts';
import { street } from './severalTabs.ts';
import type { Street } from './severalTabs.ts';

const params = { id: 1 };
const title = (tab: Controller | undefined) => tab?.get(Todo, params)?.title;
const titles = (tab: Controller | undefined, { api }: Street) =>
  tab?.getResponse(api.list, {}).data?.map((todo) => todo.title);
const warnings = () => vi.spyOn(console, 'warn').mockImplementation(() => {});

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

  test('[P3] synchronous writes are one message', async () => {
    const it = await street();
    const before = it.post.posted.length;
    for (const id of [1, 2, 3]) void it.tabs[0]?.set(Todo, { id }, { title: 'a' });
    void it.tabs[0]?.fetch(it.api.get, params);
    await it.quiet();
    expect(it.post.posted.length - before).toBe(1);
  });

  /** Mounts a reader in every tab. */
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

  test('[P3] an invalidation does not hide data requested after it, in any order of messages', async () => {
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
