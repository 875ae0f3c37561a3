// How a stream waits and comes back, what it catches up, and that nothing of it is left behind its end.
import type { Controller } from 'signalbox';
import { connectEventSource, connectWebSocket } from 'signalbox/streams';
import type { Gap } from 'signalbox/streams';
import { EventSource } from 'eventsource';
import { WebSocket } from 'undici';
import { expect, test, vi } from 'vitest';
import { EventServer, SocketServer } from '../servers/eventServer.ts';
import { released } from '../setup/garbage.ts';
import { settled, world } from '../setup/world.ts';
import {
  countingSocket,
  eventStage,
  isClosed,
  isOpen,
  isWaiting,
  receive,
  shows,
  socketStage,
  Todo,
  until,
} from './streaming.ts';

/** On a stopped clock, its network in hand. */
async function still(options: Parameters<Stage['connect']>[0] = {}) {
  const { clock, page } = world();
  const stage = await socketStage({ clock, surroundings: page });
  const stream = stage.connect({ backoff: {}, ...options });
  return { ...stage, clock, page, stream };
}
type Stage = Awaited<ReturnType<typeof socketStage>>;

test('[P4] pauses double from one second to thirty, each a random part of that', async () => {
  const { server, clock, stream } = await still();
  await isOpen(stream);
  clock.chance = 1;
  await server.stop();
  await isWaiting(stream);
  for (const ms of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    clock.advance(ms - 1);
    expect(stream.status.value).toBe('waiting');
    clock.advance(1);
    expect(stream.status.value).toBe('connecting');
    await isWaiting(stream);
  }
  clock.chance = 0.25;
  clock.advance(30_000);
  await isWaiting(stream);
  await server.start();
  clock.advance(7_500);
  await isOpen(stream);
});

test('[P4] a connection that opens and breaks at once is no success; one that stood, or spoke, is', async () => {
  const { server, clock, stream } = await still({ backoff: { first: 100, most: 1_000 } });
  clock.chance = 1;
  const pause = async (ms: number) => {
    await isWaiting(stream);
    clock.advance(ms - 1);
    expect(stream.status.value).toBe('waiting');
    clock.advance(1);
    await isOpen(stream);
  };
  await isOpen(stream);
  server.cut();
  await pause(100);
  server.cut();
  await pause(200);
  server.cut();
  await pause(400);
  clock.advance(100);
  server.cut();
  await pause(100);
  server.cut();
  await pause(200);
  await vi.waitFor(() => expect(server.clients.size).toBe(1));
  server.send({ id: 1, title: 'spoke' });
  await vi.waitFor(() => expect(clock.waiting).toBe(1));
  server.cut();
  await pause(100);
});

test('[P4] nothing is tried while the network is away, and at once when it is back', async () => {
  const { server, clock, page, stream } = await still();
  await isOpen(stream);
  page.offline = true;
  server.cut();
  await isWaiting(stream);
  clock.advance(600_000);
  expect(stream.status.value).toBe('waiting');
  expect(server.asked).toHaveLength(1);
  page.comeBack('focus');
  page.offline = true;
  expect(stream.status.value).toBe('waiting');
  page.comeBack('reconnect');
  expect(stream.status.value).toBe('connecting');
  await isOpen(stream);
  expect(clock.waiting).toBe(0);
});

test('[P4] an open stream lets the network come back without another connection', async () => {
  const { server, page, stream } = await still();
  page.comeBack('reconnect');
  await isOpen(stream);
  page.comeBack('reconnect');
  await settled();
  expect(server.asked).toHaveLength(1);
});

test('[P4] the platform`s own attempts give way when the network is back, unless they know what came last', async () => {
  const { clock, page } = world();
  const { server, connect } = await eventStage({ clock, surroundings: page });
  server.retry = 3_600_000;
  const stream = connect();
  const knowing = connect({ events: ['message', 'named'] });
  await isOpen(stream);
  await isOpen(knowing);
  server.send({ id: 1 }, { event: 'named', id: 5 });
  await vi.waitFor(() => expect(clock.waiting).toBe(1));
  server.cut();
  await until(() => [stream, knowing].every(({ status }) => status.value === 'connecting'));
  page.comeBack('reconnect');
  await isOpen(stream);
  expect(knowing.status.value).toBe('connecting');
  expect(server.asked).toHaveLength(3);
});

test('[P4] after a gap what is mounted is asked again once the connection is there, not before, and only that', async () => {
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

test('[P4] what is received while it catches up is not undone by the older answer', async () => {
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
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  await vi.waitFor(() => expect(server.clients.size).toBe(1));
  server.send({ id: 1, title: 'newest' });
  await arrived(1);
  clock.advance(0);
  await calls[1]?.answer([{ id: 1, title: 'older', userId: 2 }]);
  expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'newest', userId: 2 });
  stream.close();
  expect(page.listeners).toBe(1);
  await server.stop();
});

test('[P4] it catches up when the greeting is done', async () => {
  const stage = await socketStage();
  const gaps: Gap[] = [];
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

test('[P4] the first connection catches up only where it took more than one attempt', async () => {
  const stage = await eventStage();
  const { server } = stage;
  const gaps: Gap[] = [];
  const catchUp = (_: Controller, gap: Gap) => void gaps.push(gap);
  await isOpen(stage.connect({ catchUp }));
  await settled();
  expect(gaps).toEqual([]);
  server.refuse = (_, response) => void response.writeHead(503).end();
  const stream = stage.connect({ catchUp });
  await isWaiting(stream);
  server.refuse = undefined;
  await isOpen(stream);
  await settled();
  expect(gaps).toHaveLength(1);
});

test('[P4] the platform`s own reconnection is a gap, too, and tells the last id', async () => {
  const stage = await eventStage();
  const { server, controller } = stage;
  const gaps: Gap[] = [];
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

test('[P4] a server that repeats what was missed needs no catching up', async () => {
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

test('[P4] catching up that fails is reported, and the stream goes on', async () => {
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
])('[P4] %s in catchUp is told at once', async (_, named) => {
  const { connect } = await socketStage();
  expect(() => connect({ catchUp: [named] })).toThrow(expect.objectContaining({ code: 'L5' }));
});

test('[P4] a reset ends a stream, and what was received before it is not written', async () => {
  const { clock, page } = world();
  const stage = await socketStage({ clock, surroundings: page });
  const { server, controller } = stage;
  const { WebSocket: Socket, arrived } = countingSocket();
  const stream = stage.connect({ WebSocket: Socket });
  await isOpen(stream);
  await vi.waitFor(() => expect(server.clients.size).toBe(1));
  server.send({ id: 1, title: 'of who was logged in' });
  await arrived(1);
  controller.reset();
  expect(stream.status.value).toBe('closed');
  clock.advance(1_000);
  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  expect([clock.waiting, page.listeners]).toEqual([0, 0]);
});

test('[P4] keepOnReset keeps the connection, not what came before', async () => {
  const { clock, page } = world();
  const stage = await socketStage({ clock, surroundings: page });
  const { server, controller } = stage;
  const { WebSocket: Socket, arrived } = countingSocket();
  const stream = stage.connect({ WebSocket: Socket, keepOnReset: true });
  await isOpen(stream);
  await vi.waitFor(() => expect(server.clients.size).toBe(1));
  server.send({ id: 1, title: 'before' });
  await arrived(1);
  controller.reset();
  server.send({ id: 2, title: 'after' });
  await arrived(2);
  clock.advance(0);
  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  expect(controller.get(Todo, { id: 2 })?.title).toBe('after');
  expect(server.asked).toHaveLength(1);
});

test('[P4] a message that logs out is the last that is received', async () => {
  const { clock, page } = world();
  const stage = await socketStage({ clock, surroundings: page });
  const { server, controller } = stage;
  const { WebSocket: Socket, arrived } = countingSocket();
  const commits: string[] = [];
  controller.on('commit', ({ cause }) => void commits.push(cause));
  const stream = stage.connect({
    WebSocket: Socket,
    receive({ id, title }, { set }) {
      set(Todo, { id }, { title });
      if (id === 2) controller.reset();
    },
  });
  await isOpen(stream);
  await vi.waitFor(() => expect(server.clients.size).toBe(1));
  for (const id of [1, 2, 3]) server.send({ id, title: 'of the old user' });
  await arrived(3);
  clock.advance(0);
  expect([1, 2, 3].map((id) => controller.get(Todo, { id }))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(commits).toEqual(['reset']);
  expect(stream.status.value).toBe('closed');
});

test('[P4] closing ends every state: no timer, no listener, no attempt is left', async () => {
  const { clock, page } = world();
  const { server, connect } = await socketStage({ clock, surroundings: page });
  const states = ['connecting', 'open', 'waiting', 'asking'] as const;
  for (const state of states) {
    const address = () => (state === 'asking' ? Promise.resolve(server.url) : server.url);
    const stream = connect({ heartbeat: { ms: 100 } }, address);
    if (state === 'open' || state === 'waiting') await isOpen(stream);
    if (state === 'waiting') {
      server.cut();
      await isWaiting(stream);
    }
    stream.close();
    stream.close();
    await settled();
    expect(stream.status.value).toBe('closed');
    expect({ state, timers: clock.waiting, listeners: page.listeners }).toEqual({
      state,
      timers: 0,
      listeners: 0,
    });
  }
  await vi.waitFor(() => expect(server.clients.size).toBe(0));
  clock.advance(60_000);
  page.comeBack('reconnect');
  expect(server.clients.size).toBe(0);
});

test('[P4] nothing holds a stream that is closed, however long its controller lives', async () => {
  const { page, controller } = world();
  const events = await new EventServer().start();
  const sockets = await new SocketServer().start();
  const gone = await released(async (tag) => {
    const socket = connectWebSocket(
      controller,
      sockets.url,
      tag('socket options', { receive, catchUp: false, WebSocket, heartbeat: { ms: 100 } }),
    );
    const source = connectEventSource(
      controller,
      events.url,
      tag('source options', { receive, catchUp: false, EventSource }),
    );
    tag('socket', socket);
    tag('source', source);
    await Promise.all([isOpen(socket), isOpen(source)]);
    socket.close();
    source.close();
    await Promise.all([isClosed(socket), isClosed(source)]);
    await vi.waitFor(() => expect([events.clients, sockets.clients.size]).toEqual([0, 0]));
  });
  expect(gone).toEqual(['socket', 'socket options', 'source', 'source options']);
  expect(page.listeners).toBe(0);
  await Promise.all([events.stop(), sockets.stop()]);
});

test('[P4] a stream that begins without a network waits for it, and then catches up', async () => {
  const { clock, page } = world();
  const { server, connect } = await socketStage({ clock, surroundings: page });
  page.offline = true;
  const gaps: Gap[] = [];
  const stream = connect({ catchUp: (_, gap) => void gaps.push(gap) });
  expect(stream.status.value).toBe('waiting');
  clock.advance(60_000);
  expect(server.asked).toEqual([]);
  page.comeBack('reconnect');
  await isOpen(stream);
  await settled();
  expect(gaps).toEqual([{ since: 1_000_000, lastEventId: '' }]);
});

test.each(['connecting', 'open', 'waiting'] as const)(
  '[P4] a reader that closes the stream when it is %s leaves nothing behind',
  async (state) => {
    const { clock, page } = world();
    const { server, connect } = await socketStage({ clock, surroundings: page });
    let greeted = 0;
    const stream = connect({ heartbeat: { ms: 100 }, onOpen: () => void greeted++ });
    let before = state !== 'open';
    stream.status.subscribe((status) => {
      if (status === state && !before) stream.close();
      before &&= status !== 'open';
    });
    if (state !== 'open') {
      await isOpen(stream);
      server.cut();
      await until(() => stream.status.value !== 'open');
      clock.advance(10);
    }
    await isClosed(stream);
    expect([clock.waiting, page.listeners, greeted]).toEqual([0, 0, state === 'open' ? 0 : 1]);
  },
);

test('[P4] a reader of the status that throws is reported, and stops nothing', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { server, connect } = await socketStage();
  const stream = connect();
  await isOpen(stream);
  stream.status.subscribe((status) => {
    if (status === 'waiting') throw new Error('a bad reader');
  });
  server.cut();
  await isWaiting(stream);
  await isOpen(stream);
  expect(said).toHaveBeenCalledOnce();
});

test('[P4] what failed to catch up is caught up after the next gap, since the first', async () => {
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
  expect(gaps[0]).toBe(1_001_000);
  expect(gaps[1]).toBe(gaps[0]);
  expect(gaps[2]).toBeGreaterThan(1_002_000);
});
