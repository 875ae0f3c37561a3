// A commit is received once and sent no further; tabs agree on concurrent writes.
import { effect } from '@preact/signals-core';
import type { Controller, EndpointInterface } from 'signalbox';
import { describe, expect, test, vi } from 'vitest';
import { settled, Todo, wholeTodo } from '../setup/world.ts';
import { openTabs } from './severalTabs.ts';
import type { TabGroup } from './severalTabs.ts';

const params = { id: 1 };
const title = (tab: Controller | undefined) => tab?.get(Todo, params)?.title;
const titles = (tab: Controller | undefined, { api }: TabGroup) =>
  tab?.getResponse(api.list, {}).data?.map((todo) => todo.title);
const warnings = () => vi.spyOn(console, 'warn').mockImplementation(() => {});

describe('commits are not forwarded', () => {
  test.each([2, 3])(
    '[P3] each of %d tabs receives a commit once, and does not forward it',
    async (count) => {
      const group = await openTabs(count);
      const before = group.bus.posted.length;
      const heard = group.tabs.map((tab) => {
        const commits: (true | undefined)[] = [];
        tab.on('commit', ({ replayed }) => commits.push(replayed));
        return commits;
      });
      await group.tabs[0]?.set(Todo, params, { title: 'a' });
      await group.quiet();
      expect(group.bus.posted.length - before).toBe(1);
      expect(heard).toEqual([[undefined], ...Array.from({ length: count - 1 }, () => [true])]);
    },
  );

  test('[P3] synchronous writes are sent as one message', async () => {
    const group = await openTabs();
    const before = group.bus.posted.length;
    for (const id of [1, 2, 3]) void group.tabs[0]?.set(Todo, { id }, { title: 'a' });
    void group.tabs[0]?.fetch(group.api.get, params);
    await group.quiet();
    expect(group.bus.posted.length - before).toBe(1);
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
      async (tab: Controller, { api }: TabGroup) => tab.invalidate(api.get, params),
    ],
    ['expireAll', async (tab: Controller, { api }: TabGroup) => tab.expireAll(api.get)],
    [
      'an empty response',
      async (tab: Controller, { api, w }: TabGroup) => {
        void tab.fetch(api.update, params, {});
        await w.call().answer(null);
        w.calls.shift();
      },
    ],
  ])('[P3] after %s each tab with a mounted reader sends one request', async (_, cause) => {
    const group = await openTabs(3);
    await group.tabs[0]?.setResponse(group.api.get, params, { id: 1, title: 'a' });
    await group.quiet();
    // the third shows nothing
    const stops = group.tabs.slice(0, 2).map((tab) => show(tab, group.api.get, params));
    expect(group.w.calls).toHaveLength(0);
    await cause(group.tabs[0] as Controller, group);
    await group.quiet();
    expect(group.w.log).toEqual(['get {"id":1}', 'get {"id":1}']);
    for (const [at, call] of [...group.w.calls].entries()) {
      await call.answer({ id: 1, title: `b${at}` });
      await group.quiet();
    }
    group.w.page.comeBack('focus');
    await group.quiet();
    expect(group.w.calls).toHaveLength(2);
    expect(group.tabs.map(title)).toEqual(['b1', 'b1', 'b1']);
    for (const stop of stops) stop();
  });

  test.each([
    ['expireAll', (tab: Controller, { get }: TabGroup['api']) => tab.expireAll(get)],
    ['invalidateAll', (tab: Controller, { get }: TabGroup['api']) => tab.invalidateAll(get)],
    [
      'expireAll of several endpoints',
      (tab: Controller, { list, get }: TabGroup['api']) =>
        tab.expireAll({ testKey: () => false, anyOf: [list, get] }),
    ],
  ])(
    '[P3] %s in one tab refetches mounted data that only another tab has stored',
    async (_, cause) => {
      const group = await openTabs();
      const [first, second] = group.tabs as [Controller, Controller];
      await first.set(Todo, params, wholeTodo());
      await group.quiet();
      // known from another response: no request of the first tab has had this key
      const stop = show(second, group.api.get, params);
      cause(first, group.api);
      await group.quiet();
      expect(group.w.log).toEqual(['get {"id":1}']);
      await group.w.call().answer(wholeTodo({ title: 'b' }));
      await group.quiet();
      expect(group.tabs.map(title)).toEqual(['b', 'b']);
      expect(group.w.calls).toHaveLength(1);
      stop();
    },
  );

  test('[P3] responses that cannot be cloned are requested once per tab, with one warning', async () => {
    const warn = warnings();
    const group = await openTabs();
    const raw = group.w.read('raw', undefined);
    const stops = group.tabs.map((tab) => {
      void tab.setResponse(raw, params, 'a');
      return show(tab, raw, params);
    });
    await group.quiet();
    group.tabs[0]?.expireAll(raw);
    await group.quiet();
    for (const call of group.w.calls) await call.answer(() => 'b');
    await group.quiet();
    expect(group.w.calls).toHaveLength(2);
    expect(warn.mock.calls.flat().filter((text) => String(text).includes('B2'))).toHaveLength(1);
    for (const stop of stops) stop();
  });
});

describe('order', () => {
  test('[P3] a response to a read that another tab issued earlier does not undo an own write', async () => {
    const group = await openTabs();
    const [first, second] = group.tabs as [Controller, Controller];
    const asked = first.fetch(group.api.list, {});
    await group.quiet();
    await second.set(Todo, params, { title: 'newer' });
    void second.fetch(group.api.create, {});
    await group.w.call().answer({ id: 2, title: 'created' });
    await group.w.call(0).answer([{ id: 1, title: 'older' }]);
    await asked;
    await group.quiet();
    for (const tab of [first, second]) expect(titles(tab, group)).toEqual(['newer', 'created']);
  });

  test('[P3] tabs that write one field at once end with the same value', async () => {
    const group = await openTabs(3);
    for (const [at, tab] of group.tabs.entries()) void tab.set(Todo, params, { title: `by ${at}` });
    await group.quiet();
    expect(new Set(group.tabs.map(title)).size).toBe(1);
  });

  test('[P3] an invalidation does not hide data requested later, in any order of messages', async () => {
    const group = await openTabs(3);
    const [first, second, third] = group.tabs as [Controller, Controller, Controller];
    await first.setResponse(group.api.get, params, { id: 1, title: 'a' });
    await group.quiet();
    first.invalidate(group.api.get, params);
    await settled();
    // from the first to the second
    group.bus.deliver(0);
    void second.fetch(group.api.get, params);
    await group.w.call().answer({ id: 1, title: 'b' });
    while (group.bus.waiting > 0) {
      group.bus.deliver(group.bus.waiting - 1);
      await settled();
    }
    expect(third.getResponse(group.api.get, params).data?.title).toBe('b');
  });
});
