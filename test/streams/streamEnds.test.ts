// Streams end by close, by a reset, or by a listener; nothing of a stream is left.
import { EventServer, SocketServer } from '../servers/eventServer.ts';
import { released } from '../setup/garbage.ts';
import { settled, world } from '../setup/world.ts';
import {
  Todo,
  countingSocket,
  eventStage,
  gathered,
  isClosed,
  isOpen,
  isWaiting,
  receive,
  socketStage,
  until,
} from './streaming.ts';
import { EventSource } from 'eventsource';
import { connectEventSource, connectWebSocket } from 'signalbox/streams';
import { WebSocket } from 'undici';
import { expect, test, vi } from 'vitest';

test('[P4] a reset ends a stream and drops the queued messages', async () => {
  const { clock, page } = world();
  const stage = await socketStage({ clock, surroundings: page });
  const { server, controller } = stage;
  const { WebSocket: Socket, arrived } = countingSocket();
  const stream = stage.connect({ WebSocket: Socket });
  await isOpen(stream);
  await expect.poll(() => server.clients.size).toBe(1);
  server.send({ id: 1, title: 'of who was logged in' });
  await arrived(1);
  controller.reset();
  expect(stream.status.value).toBe('closed');
  clock.advance(1_000);
  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  expect([clock.waiting, page.listeners]).toEqual([0, 0]);
});

test('[P4] keepOnReset keeps the connection, and drops messages from before the reset', async () => {
  const { clock, page } = world();
  const stage = await socketStage({ clock, surroundings: page });
  const { server, controller } = stage;
  const { WebSocket: Socket, arrived } = countingSocket();
  const stream = stage.connect({ WebSocket: Socket, keepOnReset: true });
  await isOpen(stream);
  await expect.poll(() => server.clients.size).toBe(1);
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

test('[P4] after a message that resets the store no further message is received', async () => {
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
  await expect.poll(() => server.clients.size).toBe(1);
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

test('[P4] close() in each state leaves no timer, listener or attempt', async () => {
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
  await expect.poll(() => server.clients.size).toBe(0);
  clock.advance(60_000);
  page.comeBack('reconnect');
  expect(server.clients.size).toBe(0);
});

test('[P4] a closed stream can be garbage collected while its controller lives', async () => {
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
    await expect.poll(() => [events.clients, sockets.clients.size]).toEqual([0, 0]);
  });
  expect(gone).toEqual(['socket', 'socket options', 'source', 'source options']);
  expect(page.listeners).toBe(0);
  await Promise.all([events.stop(), sockets.stop()]);
});

test.each(['connecting', 'open', 'waiting'] as const)(
  '[P4] a status listener that closes the stream in state %s leaves no timer or listener',
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

test('[P4] an error of a status listener is reported, and the stream continues', async () => {
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

test('[P4] shouldReconnect and onError may close the stream', async () => {
  const { clock, page } = world();
  const { server, connect } = await socketStage({ clock, surroundings: page });
  const asking = connect({
    shouldReconnect: () => {
      asking.close();
      return true;
    },
  });
  await isOpen(asking);
  server.cut();
  await isClosed(asking);
  let fails = false;
  const told = connect({ onError: () => told.close() }, () => {
    if (fails) throw new Error('no token');
    return server.url;
  });
  await isOpen(told);
  fails = true;
  server.cut();
  await isWaiting(told);
  clock.advance(10);
  expect(told.status.value).toBe('closed');
  expect([clock.waiting, page.listeners]).toEqual([0, 0]);
});

test('[P4] a message that closes the stream before its write leaves earlier messages written', async () => {
  const { clock, come, commits, title, stream } = await gathered({
    receive({ id, title }, { set }) {
      if (id === 2) stream.close();
      set(Todo, { id }, { title });
    },
  });
  await come({ id: 1, title: 'a' }, { id: 2, title: 'b' }, { id: 3, title: 'c' });
  clock.advance(0);
  expect([1, 2, 3].map(title)).toEqual(['a', undefined, undefined]);
  expect(commits.flatMap(({ writes }) => writes.map(({ value }) => value))).toEqual([
    { id: 1, title: 'a' },
  ]);
});

test('[P4] a message that closes the stream after its write is the last message written', async () => {
  const { clock, come, commits, title, stream, todos, controller } = await gathered({
    receive({ id, title }, { set, expireAll }) {
      set(Todo, { id }, { title });
      expireAll(todos.getList);
      if (id === 2) stream.close();
      // after the end
      set(Todo, { id: 9 }, { title });
    },
  });
  await controller.setResponse(todos.getList, []);
  await come({ id: 2, title: 'finished' }, { id: 3, title: 'late' });
  clock.advance(0);
  expect([2, 3, 9].map(title)).toEqual(['finished', undefined, undefined]);
  expect(commits.flatMap(({ writes }) => writes.map(({ value }) => value))).toContainEqual({
    id: 2,
    title: 'finished',
  });
  expect(controller.getResponse(todos.getList).expiresAt).toBe(0);
});

test('[P4] an event source writes the steps of receive before close(), also in an async receiver', async () => {
  const { server, controller, connect } = await eventStage();
  for (const waits of [false, true]) {
    const stream = connect({
      async receive({ id, title }, { set }) {
        set(Todo, { id }, { title });
        if (waits) await settled();
        stream.close();
        set(Todo, { id: 9 }, { title });
      },
    });
    await isOpen(stream);
    await expect.poll(() => server.clients).toBe(1);
    server.send({ id: Number(waits), title: 'finished' });
    await isClosed(stream);
    await settled();
    expect(controller.get(Todo, { id: Number(waits) })?.title).toBe('finished');
    expect(controller.get(Todo, { id: 9 })).toBeUndefined();
    await expect.poll(() => server.clients).toBe(0);
  }
});
