// A change confirmed in a tab is shown in the other tabs, once, and is never sent on.
import { Entity, transaction } from 'signalbox';
import type { Commit, Controller } from 'signalbox';
import { describe, expect, test, vi } from 'vitest';
import { refusal, refused, Todo, watch, wholeTodo } from '../setup/world.ts';
import { TabGroup, openTabs } from './severalTabs.ts';

const params = { id: 1 };
const title = (tab: Controller | undefined) => tab?.get(Todo, params)?.title;
const titles = (tab: Controller | undefined, { api }: TabGroup) =>
  tab?.getResponse(api.list, {}).data?.map((todo) => todo.title);

describe('data sent to other tabs', () => {
  test('[P3] the response of a read is shown in the other tab without a request', async () => {
    const group = await openTabs();
    const [first, second] = group.tabs;
    const asked = first?.fetch(group.api.list, {});
    await group.w.call().answer([wholeTodo()]);
    await asked;
    await group.quiet();
    expect(titles(second, group)).toEqual(['a']);
    await second?.fetchIfStale(group.api.list, {});
    await second?.fetchIfStale(group.api.get, params);
    expect(group.w.calls).toHaveLength(1);
  });

  test('[P3] mutations, list changes, deletions and set are shown in the other tab', async () => {
    const group = await openTabs();
    const [first, second] = group.tabs as [Controller, Controller];
    await first.setResponse(group.api.list, {}, [params]);
    void first.fetch(group.api.create, { title: 'b' });
    await group.w.call().answer({ id: 2, title: 'b' });
    void first.fetch(group.api.update, params, { title: 'a' });
    await group.w.call().answer({ id: 1, title: 'a' });
    await group.quiet();
    expect(titles(second, group)).toEqual(['a', 'b']);
    await first.set([Todo], [{ id: 1, title: 'c' }]);
    void first.fetch(group.api.remove, { id: 2 });
    await group.w.call().answer(null);
    await group.quiet();
    expect(titles(second, group)).toEqual(['c']);
  });

  test('[P3] dates, maps and errors are sent as structured clones', async () => {
    class Event extends Entity {
      id = 0;
      at = new Date(0);
      by: Map<string, Error> | undefined = undefined;
    }
    const group = new TabGroup();
    const [first, second] = [group.open({ names: { Event } }), group.open({ names: { Event } })];
    const by = new Map([['x', new Error('why')]]);
    await first.set(Event, params, { at: new Date(5), by });
    await group.quiet();
    expect(second.get(Event, params)).toEqual({ id: 1, at: new Date(5), by });
  });

  test('[P3] optimistic values and errors are not sent to other tabs', async () => {
    const group = await openTabs();
    const [first, second] = group.tabs as [Controller, Controller];
    await first.set(Todo, params, { title: 'a' });
    const optimistic = group.api.update.extend({
      getOptimisticResponse: (_: unknown, own: object, fields: object) => ({ ...own, ...fields }),
    });
    const refusedUpdate = refused(first.fetch(optimistic, params, { title: 'b' }));
    await group.quiet();
    expect([title(first), title(second)]).toEqual(['b', 'a']);
    await group.w.call().fail(refusal(500));
    await refusedUpdate;
    const refusedRead = refused(first.fetch(group.api.get, params));
    await group.w.call().fail(refusal(404));
    await refusedRead;
    await group.quiet();
    expect(first.getError(group.api.get, params)).toBeDefined();
    expect(second.getError(group.api.get, params)).toBeUndefined();
  });

  test('[P3] a transaction is received as one commit', async () => {
    const group = await openTabs();
    const [first, second] = group.tabs as [Controller, Controller];
    const seen = watch(() => [1, 2].map((id) => second.entity(Todo, id).value?.title).join(' '));
    await transaction(first, async ({ set }) => {
      await set(Todo, { id: 1 }, { title: 'a' });
      await set(Todo, { id: 2 }, { title: 'b' });
    });
    await group.quiet();
    expect(seen.seen).toEqual([' ', 'a b']);
  });

  test('[P3] confirmed writes of a failed transaction are not shown in other tabs, and expire in all tabs', async () => {
    const group = await openTabs();
    const [first, second] = group.tabs as [Controller, Controller];
    await first.setResponse(group.api.get, params, { id: 1, title: 'a' });
    await group.quiet();
    const failed = refused(
      transaction(first, ({ fetch }) =>
        Promise.all([
          fetch(group.api.update, params, { title: 'b' }),
          fetch(group.api.remove, { id: 2 }),
        ]),
      ),
    );
    await group.quiet();
    await group.w.call(0).answer({ id: 1, title: 'b' });
    await group.w.call(1).fail(refusal(500));
    await failed;
    await group.quiet();
    expect(title(second)).toBe('a');
    for (const tab of [first, second])
      expect(tab.getResponse(group.api.get, params).expiresAt).toBe(0);
  });

  test('[P3] a log out empties all tabs, and older responses are dropped', async () => {
    const group = await openTabs();
    const [first, second] = group.tabs as [Controller, Controller];
    await first.set(Todo, params, { title: 'a' });
    await group.quiet();
    const resets = vi.fn<() => void>();
    second.on('reset', resets);
    const asked = refused(second.fetch(group.api.get, params));
    first.reset();
    await group.quiet();
    expect(await asked).toMatchObject({ code: 'F3' });
    await group.w.call().answer({ id: 1, title: 'b' });
    await group.quiet();
    expect([title(first), title(second), resets.mock.calls.length]).toEqual([
      undefined,
      undefined,
      1,
    ]);
    await second.set(Todo, params, { title: 'c' });
    await group.quiet();
    expect(title(first)).toBe('c');
  });

  test('[P3] data written after a log out are newer than writes of tabs that had not received the log out', async () => {
    const group = await openTabs();
    const [first, second] = group.tabs as [Controller, Controller];
    const reader = watch(second.entity(Todo, 1));
    for (const each of ['a', 'b', 'c', 'd']) await second.set(Todo, params, { title: each });
    first.reset();
    await first.set(Todo, params, { title: 'new' });
    await group.quiet();
    expect([title(first), reader.last?.title]).toEqual(['new', 'new']);
  });

  test('[P3] a page of an endpoint without a name extends the list in other tabs', async () => {
    const group = new TabGroup();
    const all = group.w.read('all', [Todo]);
    const listOf = () => ({ endpoint: all, args: [{}] });
    const page = group.w.read('page', [Todo], { listOf } as never);
    const [first, second] = [group.open(), group.open()];
    await first.setResponse(all, {}, [params]);
    void first.fetch(page, { cursor: 1 });
    await group.w.call().answer([{ id: 2, title: 'b' }]);
    await group.quiet();
    for (const tab of [first, second]) expect(tab.getResponse(all, {}).data).toHaveLength(2);
  });

  test('[P3] commit listeners of other tabs get the endpoint itself if `names` contains the endpoint', async () => {
    const group = await openTabs();
    const [first, second] = group.tabs as [Controller, Controller];
    const heard: Commit[] = [];
    second.on('commit', (commit) => heard.push(commit));
    await first.setResponse(group.api.get, params, { id: 1 });
    await first.setResponse(group.api.get.extend({ dataExpiryLength: 1 }), params, {
      id: 1,
      title: 'a',
    });
    await group.quiet();
    const endpoints = heard.map(({ writes }) => writes[0]?.endpoint);
    expect(endpoints.map((endpoint) => endpoint?.name)).toEqual(['get', 'get']);
    expect([endpoints[0] === group.api.get, title(second)]).toEqual([true, 'a']);
    expect(await endpoints[1]?.()).toBeUndefined();
  });
});

describe('notified readers', () => {
  test('[P3] a commit of another tab runs a reader once if the content has changed, and not for identical data', async () => {
    const group = await openTabs(3);
    const [first, ...others] = group.tabs as [Controller, Controller, Controller];
    await first.setResponse(group.api.list, {}, [{ id: 1 }, { id: 2 }]);
    await group.quiet();
    const readers = others.flatMap((tab) => [
      watch(tab.entity(Todo, 1)),
      watch(tab.entity(Todo, 2)),
      watch(tab.signal(group.api.list, {})),
    ]);
    await first.setResponse(group.api.list, {}, [{ id: 1, title: 'a' }, { id: 2 }]);
    await group.quiet();
    await first.setResponse(group.api.list, {}, [{ id: 1, title: 'a' }, { id: 2 }]);
    await group.quiet();
    expect(readers.map(({ runs }) => runs)).toEqual([2, 1, 2, 2, 1, 2]);
  });
});

test('[N21] a change in one tab moves the row in lists that only another tab has', async () => {
  const group = await openTabs();
  const [first, second] = group.tabs as [Controller, Controller];
  await first.set(Todo, wholeTodo());
  await group.quiet();
  await second.setResponse(group.api.list, { done: false }, [wholeTodo()]);
  await second.setResponse(group.api.list, { done: true }, []);
  await group.quiet();
  void first.fetch(group.api.update, params, { done: true });
  await group.w.call().answer(wholeTodo({ done: true }));
  await group.quiet();
  const shown = [false, true].map((done) =>
    second.getResponse(group.api.list, { done }).data?.map(({ id }) => id),
  );
  expect(shown).toEqual([[], [1]]);
});
