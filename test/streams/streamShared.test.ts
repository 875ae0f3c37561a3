// A stream connection for all tabs, shared through a real channel.
import { EventSource } from 'eventsource';
import { Controller, createResource } from 'signalbox';
import { connectEventSource } from 'signalbox/streams';
import type { EventSourceOptions, MissedPeriod, Stream } from 'signalbox/streams';
import { connectTabs, shareConnection } from 'signalbox/tabs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EventServer } from '../servers/eventServer.ts';
import { settled } from '../setup/world.ts';
import { isClosed, isOpen, receive, SOON, Todo, until } from './streaming.ts';
import type { Message } from './streaming.ts';

let count = 0;

/** Tabs of an application, each with a stream from the same server. */
async function stage() {
  const server = new EventServer();
  await server.start();
  onTestFinished(() => server.stop());
  const name = `streams ${++count}`;
  const todos = createResource({ path: '/todos/:id', schema: Todo });
  const gaps: MissedPeriod[] = [];
  const open = (
    options: Partial<EventSourceOptions<Message>> = {},
    connected = true,
    owner?: string,
  ) => {
    const controller = new Controller();
    if (connected) onTestFinished(connectTabs(controller, { names: { todos, Todo }, name, owner }));
    const stream = connectEventSource<Message>(controller, server.url, {
      receive,
      catchUp: (_, gap) => void gaps.push(gap),
      backoff: SOON,
      EventSource,
      share: shareConnection,
      ...options,
    });
    onTestFinished(() => stream.close());
    return { controller, stream };
  };
  return { server, open, gaps };
}

const statuses = (streams: readonly Stream[]) => streams.map(({ status }) => status.value).sort();
const isLed = (streams: readonly Stream[]) =>
  until(() => streams.some(({ status }) => status.value === 'open'));

test('[P5] five tabs share one connection, and each tab shows the messages', async () => {
  const { server, open } = await stage();
  const tabs = Array.from({ length: 5 }, () => open());
  const streams = tabs.map(({ stream }) => stream);
  await isLed(streams);
  expect(statuses(streams)).toEqual(['following', 'following', 'following', 'following', 'open']);
  expect(server.asked).toHaveLength(1);
  server.send({ id: 1, title: 'pushed' });
  const titles = tabs.map(({ controller }) => controller.entity(Todo, 1));
  await until(() => titles.every(({ value }) => value?.title === 'pushed'));
});

test('[P5] where the platform refuses channels and locks, each tab connects its stream', async () => {
  const refuse = function () {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  const locks = { request: async () => refuse(), query: async () => refuse() };
  vi.stubGlobal('BroadcastChannel', refuse);
  vi.stubGlobal('navigator', { locks });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { server, open } = await stage();
  const tabs = [open(), open()];
  await Promise.all(tabs.map(({ stream }) => isOpen(stream)));
  expect(server.asked).toHaveLength(2);
  server.send({ id: 1, title: 'pushed' });
  const titles = tabs.map(({ controller }) => controller.entity(Todo, 1));
  await until(() => titles.every(({ value }) => value?.title === 'pushed'));
});

test('[P5] when the tab with the connection closes its stream, another tab connects and catches up', async () => {
  const { server, open, gaps } = await stage();
  const first = open();
  await isLed([first.stream]);
  const others = [open(), open()];
  server.send({ id: 1, title: 'a' }, { id: 7 });
  await until(() =>
    others.every(({ controller }) => controller.entity(Todo, 1).value?.title === 'a'),
  );
  // the leader sends the current position
  await new Promise((resolve) => setTimeout(resolve, 600));
  // and the others have received the position, however late the timer was
  for (let turn = 0; turn < 50; turn++) await settled();
  const before = Date.now();
  first.stream.close();
  const streams = others.map(({ stream }) => stream);
  await isLed(streams);
  await expect.poll(() => gaps).toHaveLength(1);
  expect(gaps[0]?.lastEventId).toBe('7');
  expect(gaps[0]?.since).toBeLessThanOrEqual(before);
  expect(gaps[0]?.since).toBeGreaterThan(before - 5_000);
  expect(statuses([first.stream, ...streams])).toEqual(['closed', 'following', 'open']);
  expect(server.asked).toHaveLength(2);
});

test('[P5] a new tab that leads before the last message of the former leader arrives catches up, once', async () => {
  const { server, open, gaps } = await stage();
  const { stream } = open();
  await isLed([stream]);
  const former = new BroadcastChannel(`signalbox stream streams ${count}  ${server.url}`);
  onTestFinished(() => former.close());
  const gap = { since: Date.now() - 2_000, lastEventId: '7' };
  former.postMessage(gap);
  await expect.poll(() => gaps).toEqual([gap]);
  // two leaders may exist for a moment: the other one is no former leader
  former.postMessage({ ...gap, since: Date.now() });
  for (let turn = 0; turn < 50; turn++) await settled();
  expect(gaps).toHaveLength(1);
  expect(server.asked).toHaveLength(1);
});

test('[P5] a log out in one tab closes the stream in all tabs', async () => {
  const { server, open } = await stage();
  const tabs = [open(), open()];
  await isLed(tabs.map(({ stream }) => stream));
  tabs[1]?.controller.reset();
  await Promise.all(tabs.map(({ stream }) => isClosed(stream)));
  await expect.poll(() => server.clients).toBe(0);
});

test('[P6] tabs of two owners have separate streams', async () => {
  const { open } = await stage();
  const streams = ['ada', 'ada', 'bob'].map((owner) => open({}, true, owner).stream);
  await expect.poll(() => statuses(streams)).toEqual(['following', 'open', 'open']);
});

test('[P5] a shared stream without connected tabs or without a name throws L7', async () => {
  const { server, open } = await stage();
  expect(() => open({}, false)).toThrow(/L7/);
  const nameless = () =>
    connectEventSource(new Controller(), () => server.url, {
      receive,
      catchUp: false,
      EventSource,
      share: shareConnection,
    });
  expect(nameless).toThrow(/L7/);
  expect(server.asked).toEqual([]);
});
