// Tabs that open late, have another version, send mismatched data, or close.
import { Controller, Delete, Endpoint, Entity } from 'signalbox';
import { connectTabs, shareRequests } from 'signalbox/tabs';
import type { TabChannel } from 'signalbox/tabs';
import { describe, expect, test, vi } from 'vitest';
import { settled, Todo, User } from '../setup/world.ts';
import { TabGroup, openTabs, todos } from './severalTabs.ts';

const params = { id: 1 };
const title = (tab: Controller | undefined) => tab?.get(Todo, params)?.title;
const titles = (tab: Controller | undefined, { api }: TabGroup) =>
  tab?.getResponse(api.list, {}).data?.map((todo) => todo.title);
const warnings = () => vi.spyOn(console, 'warn').mockImplementation(() => {});

describe('late tabs, tabs of other versions and closed tabs', () => {
  test('[P3] a tab that opens late has no data, and its writes are the latest', async () => {
    const group = await openTabs();
    const [first] = group.tabs as [Controller];
    for (let at = 0; at < 100; at++) await first.set(Todo, params, { title: String(at) });
    await group.quiet();
    const late = group.open();
    expect(title(late)).toBeUndefined();
    await group.quiet();
    await late.set(Todo, params, { title: 'late' });
    await group.quiet();
    expect(group.tabs.map(title)).toEqual(['late', 'late', 'late']);
  });

  test('[P8] a tab that opens directly after a log out is not reset by that log out', async () => {
    const group = await openTabs();
    const [first] = group.tabs as [Controller];
    // many changes in a moment: logical time is ahead of wall time
    for (let at = 0; at < 100; at++) await first.set(Todo, params, { title: String(at) });
    first.reset();
    await group.quiet();
    const late = group.open();
    let resets = 0;
    late.on('reset', () => resets++);
    await late.set(Todo, params, { title: 'new' });
    await group.quiet();
    expect([title(late), resets]).toEqual(['new', 0]);
    first.reset();
    await group.quiet();
    expect([title(late), resets]).toEqual([undefined, 1]);
  });

  test('[P3] the first response of a late tab is newer than the data of other tabs', async () => {
    const group = await openTabs();
    const [first] = group.tabs as [Controller];
    await first.setResponse(group.api.get, params, { id: 1, title: 'a' });
    await group.quiet();
    group.w.clock.advance(60_000);
    void group.open().fetch(group.api.get, params);
    await group.quiet();
    await group.w.call().answer({ id: 1, title: 'b' });
    await group.quiet();
    expect(title(first)).toBe('b');
  });

  test('[P3] requests that a tab sends on focus are newer than messages not received yet', async () => {
    const group = await openTabs();
    const [first, second] = group.tabs as [Controller, Controller];
    await first.setResponse(group.api.get, params, { id: 1, title: 'a' });
    await group.quiet();
    const leave = second.view(group.api.get, params).retain();
    group.w.clock.advance(60_001);
    for (const each of ['b', 'c', 'd']) await first.set(Todo, params, { title: each });
    await settled();
    group.w.page.comeBack('focus');
    await group.quiet();
    await group.w.call().answer({ id: 1, title: 'e' });
    await group.quiet();
    expect(group.tabs.map(title)).toEqual(['e', 'e']);
    leave();
  });

  test('[P3] a late tab learns of requests in flight: a row created there stays in the list', async () => {
    const group = await openTabs(1);
    const [first] = group.tabs as [Controller];
    void first.fetch(group.api.list, {});
    await group.quiet();
    const late = group.open();
    await group.quiet();
    await late.setResponse(group.api.get, params, { id: 1 });
    void late.fetch(group.api.create, {});
    await group.w.call().answer({ id: 2, title: 'created' });
    await group.w.call(0).answer([{ id: 1, title: 'a' }]);
    await group.quiet();
    for (const tab of [first, late]) expect(titles(tab, group)).toEqual(['a', 'created']);
  });

  test('[P3] messages of tabs of another version, and messages in other forms, are ignored', async () => {
    const group = new TabGroup();
    const first = group.open({ version: 1 });
    const second = group.open({ version: 2 });
    const channel = group.bus.channel();
    for (const strange of [null, 'text', { signalbox: 0 }, { signalbox: 2, news: [] }])
      channel.postMessage(strange);
    await first.set(Todo, params, { title: 'a' });
    await group.quiet();
    expect(title(second)).toBeUndefined();
  });

  test('[P6] tabs of different owners exchange no data, requests or log outs', async () => {
    const group = new TabGroup();
    const [ada, adas, bob, nobody] = ['ada', 'ada', 'bob', undefined].map((owner) =>
      group.share({ owner }),
    ) as [Controller, Controller, Controller, Controller];
    await group.quiet();
    await ada.set(Todo, params, { title: 'of ada' });
    await group.quiet();
    expect([ada, adas, bob, nobody].map(title)).toEqual(['of ada', 'of ada', undefined, undefined]);
    for (const tab of group.tabs) tab.fetch(group.api.list, {}).catch(() => {});
    await group.quiet();
    // a request per owner
    expect(group.w.log).toEqual(['list {}', 'list {}', 'list {}']);
    bob.reset();
    nobody.reset();
    await group.quiet();
    expect([ada, adas].map(title)).toEqual(['of ada', 'of ada']);
    adas.reset();
    await group.quiet();
    expect(title(ada)).toBeUndefined();
  });

  test('[P6] each owner has a separate channel by default', async () => {
    const names = vi.fn<(name: string) => void>();
    class Channel {
      onmessage = null;
      constructor(name: string) {
        names(name);
      }
      postMessage(): void {}
      close(): void {}
    }
    vi.stubGlobal('BroadcastChannel', Channel);
    for (const owner of [undefined, 'ada', 'a/b: c'])
      connectTabs(new Controller(), { names: {}, owner })();
    vi.unstubAllGlobals();
    expect(names.mock.calls.flat()).toEqual([
      'signalbox',
      'signalbox of ada',
      'signalbox of a%2Fb%3A%20c',
    ]);
  });

  test('[P3] writes under names that the other tab does not have are omitted, with a warning in each tab', async () => {
    const warn = warnings();
    const group = new TabGroup();
    const first = group.open();
    const second = group.open({ names: { get: group.api.get } });
    for (const each of ['a', 'b']) await first.set(new Delete(User), { id: 3 }, { each });
    await first.setResponse(group.api.list, {}, [{ id: 1, title: 'a' }]);
    await first.setResponse(group.api.list, {}, [{ id: 1, title: 'b' }]);
    await first.setResponse(group.api.get, params, { id: 1, title: 'c' });
    await group.quiet();
    expect(title(second)).toBe('c');
    expect(warn.mock.calls.flat().map((text) => String(text).slice(0, 14))).toEqual([
      '[signalbox B1]',
      '[signalbox B4]',
    ]);
  });

  test('[P3] an invalid commit is omitted with one warning, and later commits are received', async () => {
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
    const group = new TabGroup();
    const first = group.open({ names: { Strict } });
    const second = group.open({ names: { Strict: Stricter } });
    for (const text of ['a', 'bad', 'bad']) await first.set(Strict, params, { title: text });
    await group.quiet();
    expect(second.get(Stricter, params)?.title).toBe('a');
    await first.set(Strict, params, { title: 'b' });
    await group.quiet();
    expect(second.get(Stricter, params)?.title).toBe('b');
    expect(warn).toHaveBeenCalledOnce();
    expect(warn.mock.calls[0]?.[0]).toContain('[signalbox B3]');
  });

  test('[P3] data that cannot be cloned or have no name expire in the other tabs', async () => {
    const warn = warnings();
    const group = await openTabs();
    const [first, second] = group.tabs as [Controller, Controller];
    const raw = group.w.read('bytes', undefined);
    for (const tab of group.tabs) await tab.setResponse(raw, params, 'a');
    await first.setResponse(group.api.get, params, { id: 1, title: 'a' });
    await group.quiet();
    await first.setResponse(raw, params, () => 'b');
    await first.set(new Delete(Todo), params, {});
    await first.set(Todo, { id: 2 }, { title: 'after' });
    await group.quiet();
    expect(second.getResponse(raw, params)).toMatchObject({ data: 'a', expiresAt: 0 });
    expect(second.getResponse(group.api.get, params)).toMatchObject({ expiresAt: 0 });
    expect(second.get(Todo, { id: 2 })?.title).toBe('after');
    expect(
      warn.mock.calls
        .flat()
        .map((text) => String(text).slice(0, 14))
        .sort(),
    ).toEqual(['[signalbox B1]', '[signalbox B2]']);
  });

  test('[P3] data of a schema without a name stay fresh in the tab that has received the response', async () => {
    class Nameless extends Entity {
      id = 0;
      static override key = 'Nameless';
    }
    const warn = warnings();
    const group = await openTabs();
    const [first] = group.tabs as [Controller];
    const getNameless = group.w.read('getNameless', Nameless);
    await first.setResponse(getNameless, params, { id: 1 });
    await group.quiet();
    expect(warn.mock.calls[0]?.[0]).toContain('[signalbox B1]');
    expect(first.getResponse(getNameless, params).expiresAt).toBeGreaterThan(group.w.clock.now());
  });

  test('[P3] arguments that cannot be cloned do not prevent commits from being received', async () => {
    const group = await openTabs();
    const [first, second] = group.tabs as [Controller, Controller];
    warnings();
    void first.fetch(group.api.update, params, new FormData());
    // a function identifies no read: the key names the rest
    const get = group.api.get.extend({ key: ({ id }) => group.api.get.key({ id }) });
    void first.fetch(get, { id: 1, render: () => {} });
    await group.w.call(0).answer({ id: 1, title: 'a' });
    await group.quiet();
    expect(title(second)).toBe('a');
    await group.w.call(1).answer({ id: 1, title: 'b' });
    await group.quiet();
    await first.set(Todo, params, { title: 'c' });
    await group.quiet();
    expect(title(second)).toBe('c');
  });

  test('[P3] a stopped tab neither receives nor sends messages', async () => {
    const group = await openTabs();
    const [first, second] = group.tabs as [Controller, Controller];
    void second.set(Todo, params, { title: 'last word' });
    group.stops[1]?.();
    group.stops[1]?.();
    await second.set(Todo, params, { title: 'a' });
    await group.quiet();
    expect(title(first)).toBe('last word');
    await first.set(Todo, params, { title: 'b' });
    await group.quiet();
    expect([title(second), group.bus.open]).toEqual(['a', 1]);
  });

  test('[P3] requests of a tab that closed without a message are forgotten after a minute', async () => {
    const group = await openTabs();
    const [first, second] = group.tabs as [Controller, Controller];
    const pending: number[] = [];
    second.on('commit', (commit) => pending.push(commit.pending.length));
    const set = () => second.set(Todo, params, { title: String(pending.length) });
    void first.fetch(group.api.list, {});
    await group.quiet();
    await set();
    group.w.clock.advance(60_001);
    await set();
    await group.quiet();
    await set();
    group.stops[0]?.();
    await group.quiet();
    expect(pending).toEqual([1, 1, 0]);
  });
});

test('[P3] connectTabs throws B5 for invalid names, and does nothing without a BroadcastChannel', async () => {
  const controller = new Controller();
  expect(() => connectTabs(controller, { names: Todo as never })).toThrow('B5');
  vi.stubGlobal('BroadcastChannel', undefined);
  connectTabs(controller, { names: { Todo } })();
  vi.unstubAllGlobals();
  await controller.set(Todo, params, { title: 'a' });
  expect(title(controller)).toBe('a');
});

test('[P3] with a BroadcastChannel that throws, as in Firefox without cookies, connectTabs does nothing', async () => {
  const refuse = function () {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  vi.stubGlobal('BroadcastChannel', refuse);
  const controller = new Controller();
  connectTabs(controller, { names: { Todo }, share: shareRequests })();
  vi.unstubAllGlobals();
  await controller.set(Todo, params, { title: 'a' });
  expect(title(controller)).toBe('a');
});

test('[P3] an error of the channel is logged, and the write is stored', async () => {
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
