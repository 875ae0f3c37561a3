// The data that a stream refetches after a gap, and when.
import { SocketServer } from '../servers/eventServer.ts';
import { settled, world } from '../setup/world.ts';
import {
  Todo,
  countingSocket,
  eventStage,
  isOpen,
  isWaiting,
  receive,
  shows,
  socketStage,
  until,
} from './streaming.ts';
import type { Controller } from 'signalbox';
import { connectWebSocket } from 'signalbox/streams';
import type { MissedPeriod } from 'signalbox/streams';
import { expect, test } from 'vitest';

test('[P4] after a gap only mounted data are refetched, and only after the connection has reopened', async () => {
  const stage = await socketStage();
  const { server, rows, controller, todos, asked } = stage;
  const stream = stage.connect({ catchUp: [todos] });
  const list = controller.view(todos.getList);
  list.retain();
  await controller.fetch(todos.getList);
  await controller.fetch(todos.get, { id: 1 });
  await isOpen(stream);
  await settled();
  expect(asked()).toBe(2);
  server.cut();
  await isWaiting(stream);
  rows.set(1, { id: 1, title: 'missed', userId: 1 });
  expect(asked()).toBe(2);
  await isOpen(stream);
  await shows(controller, 1, 'missed');
  expect(asked()).toBe(3);
});

test('[P4] a message received during the refetch is not undone by the older response', async () => {
  const w = world();
  const { clock, page, calls, controller } = w;
  const list = w.read('list', [Todo]);
  const server = await new SocketServer().start();
  const { WebSocket: Socket, arrived } = countingSocket();
  const stream = connectWebSocket(controller, server.url, {
    receive,
    catchUp: [list],
    WebSocket: Socket,
  });
  controller.view(list, {}).retain();
  const first = controller.fetch(list, {});
  await calls[0]?.answer([{ id: 1, title: 'old' }]);
  await first;
  await isOpen(stream);
  server.cut();
  await isWaiting(stream);
  clock.advance(1_000);
  await isOpen(stream);
  await expect.poll(() => calls).toHaveLength(2);
  await expect.poll(() => server.clients.size).toBe(1);
  server.send({ id: 1, title: 'newest' });
  await arrived(1);
  clock.advance(0);
  await calls[1]?.answer([{ id: 1, title: 'older', userId: 2 }]);
  expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'newest', userId: 2 });
  stream.close();
  expect(page.listeners).toBe(1);
  await server.stop();
});

test('[P4] catchUp is called after onOpen has resolved', async () => {
  const stage = await socketStage();
  const gaps: MissedPeriod[] = [];
  const before = Date.now();
  const stream = stage.connect({
    onOpen: (send) => {
      send('subscribe');
      return new Promise((resolve) => (confirmed = resolve));
    },
    catchUp: (controller, gap) => {
      expect(controller).toBe(stage.controller);
      gaps.push(gap);
    },
  });
  let confirmed = () => {};
  await isOpen(stream);
  confirmed();
  await settled();
  stage.server.cut();
  await isWaiting(stream);
  await isOpen(stream);
  await settled();
  expect(gaps).toEqual([]);
  confirmed();
  await settled();
  expect(gaps).toEqual([{ since: expect.any(Number) as number, lastEventId: '' }]);
  expect(gaps[0]?.since).toBeGreaterThanOrEqual(before);
});

test('[P4] catchUp is called for a first connection only after a failed attempt', async () => {
  const stage = await eventStage();
  const { server } = stage;
  const gaps: MissedPeriod[] = [];
  const catchUp = (_: Controller, gap: MissedPeriod) => void gaps.push(gap);
  await isOpen(stage.connect({ catchUp: catchUp }));
  await settled();
  expect(gaps).toEqual([]);
  server.refuse = (_, response) => void response.writeHead(503).end();
  const stream = stage.connect({ catchUp: catchUp });
  await isWaiting(stream);
  server.refuse = undefined;
  await isOpen(stream);
  await settled();
  expect(gaps).toHaveLength(1);
});

test('[P4] a reconnection by the platform calls catchUp with the last event id', async () => {
  const stage = await eventStage();
  const { server, controller } = stage;
  const gaps: MissedPeriod[] = [];
  const stream = stage.connect({ catchUp: (_, gap) => void gaps.push(gap) });
  await isOpen(stream);
  server.send({ id: 1, title: 'seen' }, { id: 'x' });
  await shows(controller, 1, 'seen');
  server.cut();
  await until(() => stream.status.value === 'connecting');
  await isOpen(stream);
  await settled();
  expect(gaps.map(({ lastEventId }) => lastEventId)).toEqual(['x']);
});

test('[P4] with catchUp false, missed messages that the server repeats are written without a refetch', async () => {
  const stage = await eventStage();
  const { server, controller, todos, asked } = stage;
  const log: string[] = [];
  server.onOpen = ({ lastEventId = '-1' }, send) => {
    for (let id = Number(lastEventId) + 1; id < log.length; id++)
      send(`id: ${id}\ndata: ${log[id]}\n\n`);
  };
  const stream = stage.connect({ catchUp: false });
  controller.view(todos.getList).retain();
  await controller.fetch(todos.getList);
  await isOpen(stream);
  const say = (title: string) => log.push(JSON.stringify({ id: 1, title }));
  say('first');
  server.send({ id: 1, title: 'first' }, { id: 0 });
  await shows(controller, 1, 'first');
  server.cut();
  say('missed');
  await shows(controller, 1, 'missed');
  expect(asked()).toBe(1);
});

test('[P4] an error of catchUp is reported as L4, and the stream continues', async () => {
  const { server, connect, errors, controller } = await socketStage();
  const stream = connect({ catchUp: () => Promise.reject(new Error('no')) });
  await isOpen(stream);
  server.cut();
  await isWaiting(stream);
  await isOpen(stream);
  server.send({ id: 1, title: 'goes on' });
  await shows(controller, 1, 'goes on');
  expect(errors.map(({ code }) => code)).toEqual(['L4']);
});

test.each<[string, object]>([
  ['an entity', Todo],
  ['an object without endpoints', {}],
])('[P4] %s in catchUp throws L5', async (_, named) => {
  const { connect } = await socketStage();
  expect(() => connect({ catchUp: [named] })).toThrow(expect.objectContaining({ code: 'L5' }));
});

test('[P4] a failed catchUp is called again after the next gap, with the time of the first gap', async () => {
  const { clock, page } = world();
  const { server, connect } = await socketStage({ clock, surroundings: page });
  const gaps: number[] = [];
  const stream = connect({
    catchUp(_, { since }) {
      gaps.push(since);
      if (gaps.length === 1) throw new Error('not now');
    },
  });
  for (const wanted of [0, 1, 2, 3]) {
    await isOpen(stream);
    await settled();
    expect(gaps).toHaveLength(wanted);
    clock.advance(1_000);
    server.cut();
    await isWaiting(stream);
    clock.advance(10);
  }
  expect(gaps).toEqual([1_000_000, 1_000_000, 1_002_020]);
});

test('[P4] the gap passed to catchUp begins with the last message of the server', async () => {
  const { clock, page } = world();
  const { server, connect } = await socketStage({ clock, surroundings: page });
  const gaps: number[] = [];
  const { WebSocket: Socket, arrived } = countingSocket();
  const stream = connect({
    WebSocket: Socket,
    heartbeat: { ms: 1_000 },
    catchUp: (_, { since }) => void gaps.push(since),
  });
  await isOpen(stream);
  await expect.poll(() => server.clients.size).toBe(1);
  clock.advance(100);
  server.send({ id: 1, title: 'the last' });
  await arrived(1);
  clock.advance(1_400);
  expect(stream.status.value).toBe('waiting');
  clock.advance(10);
  await isOpen(stream);
  await settled();
  expect(gaps).toEqual([1_000_100]);
});
