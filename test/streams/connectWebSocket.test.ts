// A WebSocket of undici against a real server on loopback.
import { ws } from 'msw';
import { setupServer } from 'msw/node';
import { Controller } from 'signalbox';
import { connectWebSocket } from 'signalbox/streams';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'undici';
import { WebSocket as EmittingSocket } from 'ws';
import { world } from '../setup/world.ts';
import { isClosed, isOpen, isWaiting, shows, socketStage, Todo, until } from './streaming.ts';
import type { Message } from './streaming.ts';

test('[P4] connectWebSocket writes the data of text and binary messages to the store', async () => {
  const { server, controller, connect } = await socketStage();
  const stream = connect({
    parse: (data) =>
      JSON.parse(typeof data === 'string' ? data : new TextDecoder().decode(data as ArrayBuffer)),
  });
  await isOpen(stream);
  server.send({ id: 1, title: 'text' });
  await shows(controller, 1, 'text');
  for (const client of server.clients) client.send(Buffer.from('{"id":1,"title":"bytes"}'));
  await shows(controller, 1, 'bytes');
  expect(controller.get(Todo, { id: 1 })?.title).toBe('bytes');
});

test('[P4] send passes text and bytes unchanged and other values as JSON, and returns false unless open', async () => {
  const { server, connect } = await socketStage();
  const stream = connect();
  expect(stream.send('too early')).toBe(false);
  await isOpen(stream);
  expect(stream.send('text')).toBe(true);
  stream.send({ to: 'all' });
  stream.send(new TextEncoder().encode('bytes'));
  await expect.poll(() => server.heard).toEqual(['text', '{"to":"all"}', 'bytes']);
  stream.close();
  expect(stream.send('too late')).toBe(false);
});

test('[P4] send returns false while the socket is closing, and nothing is sent', async () => {
  const { server, connect } = await socketStage();
  let socket: WebSocket | undefined;
  class LastSocket extends WebSocket {
    constructor(url: string, protocols?: string | string[]) {
      super(url, protocols);
      socket = this;
    }
  }
  const stream = connect({ WebSocket: LastSocket, onOpen: (send) => send('hello') });
  await expect.poll(() => server.heard).toEqual(['hello']);
  socket?.close();
  expect([stream.status.value, stream.send('lost')]).toEqual(['open', false]);
  await isWaiting(stream);
  expect([stream.send('too late'), server.heard]).toEqual([false, ['hello']]);
});

test('[P4] a lost socket reconnects with a new address, and onOpen subscribes again', async () => {
  const { server, controller, connect } = await socketStage();
  let tokens = 0;
  const stream = connect(
    { onOpen: (send) => send({ subscribe: 'todos' }) },
    async () => `${server.url}?token=${++tokens}`,
  );
  const subscribed = async (times: number) => {
    const messages = Array.from({ length: times }, () => '{"subscribe":"todos"}');
    await expect.poll(() => server.heard).toEqual(messages);
  };
  await subscribed(1);
  server.cut();
  await isWaiting(stream);
  await isOpen(stream);
  server.send({ id: 1, title: 'again' });
  await shows(controller, 1, 'again');
  await subscribed(2);
  expect(server.asked).toEqual(['/live?token=1', '/live?token=2']);
});

test('[P4] a socket reconnects when the server listens again', async () => {
  const { server, controller, connect } = await socketStage();
  const stream = connect();
  await isOpen(stream);
  await server.stop();
  await isWaiting(stream);
  await server.start();
  await isOpen(stream);
  server.send({ id: 1, title: 'back' });
  await shows(controller, 1, 'back');
  expect(server.asked).toHaveLength(2);
});

test('[P4] a rejected socket retries', async () => {
  const { server, connect } = await socketStage();
  server.refuses = true;
  const stream = connect();
  await isWaiting(stream);
  server.refuses = false;
  await isOpen(stream);
  expect(server.asked.length).toBeGreaterThan(1);
});

test.each([1000, 1008, 4001])(
  '[P4] a socket that the server closes with %i does not reconnect',
  async (code) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { server, connect } = await socketStage();
    const stream = connect();
    await isOpen(stream);
    server.end(code, 'enough');
    await isClosed(stream);
    expect(server.asked).toHaveLength(1);
  },
);

test.each([1001, 1011, 1012, 3000])(
  '[P4] a socket that the server closes with %i reconnects',
  async (code) => {
    const { server, connect } = await socketStage();
    const stream = connect();
    await isOpen(stream);
    server.end(code);
    await isWaiting(stream);
    await isOpen(stream);
    expect(server.asked).toHaveLength(2);
  },
);

test('[P4] shouldReconnect decides for each close; undefined or an error means the default', async () => {
  const { server, connect, errors } = await socketStage();
  const codes: number[] = [];
  const stream = connect({
    shouldReconnect({ code }) {
      codes.push(code);
      if (code === 4002) throw new Error('what is that?');
      return code === 1012 ? undefined : code === 4001;
    },
  });
  for (const code of [4001, 1012, 4002]) {
    await isOpen(stream);
    server.end(code);
    await isWaiting(stream);
  }
  await isOpen(stream);
  server.end(1001);
  await isClosed(stream);
  expect(codes).toEqual([4001, 1012, 4002, 1001]);
  expect(errors.map(({ code }) => code)).toEqual(['L4']);
});

test('[P4] a rejected onOpen reports L3, and the socket reconnects', async () => {
  const { server, connect, errors } = await socketStage();
  let fails = true;
  const stream = connect({
    onOpen: async () => {
      if (fails) throw new Error('not logged in');
    },
  });
  await isWaiting(stream);
  fails = false;
  await isOpen(stream);
  expect(server.asked.length).toBeGreaterThan(1);
  expect(errors[0]).toMatchObject({ code: 'L3', cause: { message: 'not logged in' } });
});

test('[P4] an address that is invalid or cannot be fetched is reported as L3, and retried', async () => {
  const { server, connect, errors } = await socketStage();
  const addresses = [
    () => Promise.reject(new Error('no token')),
    () => 'no address at all',
    () => server.url,
  ];
  const stream = connect({ name: 'todos' }, () => (addresses.shift() as () => string)());
  await isOpen(stream);
  expect(errors.map(({ code }) => code)).toEqual(['L3', 'L3']);
  expect(errors[0]?.message).toContain('todos');
  expect(() => connect({}, 'no address at all')).toThrow(expect.objectContaining({ code: 'L3' }));
  expect(() => connect({ WebSocket: undefined })).toThrow('WebSocket is not available');
});

test('[P4] a silent socket gets one ping, and reconnects if no response arrives', async () => {
  const { clock, page } = world();
  const { server, connect } = await socketStage({ clock, surroundings: page });
  const stream = connect({ heartbeat: { ms: 1_000, ping: 'ping' }, parse: () => undefined });
  server.onMessage = (client, text) => {
    if (text === 'ping' && server.heard.length < 3) client.send('pong');
  };
  await isOpen(stream);
  for (const pings of [1, 2]) {
    clock.advance(1_000);
    await expect.poll(() => server.heard).toHaveLength(pings);
    // the response waits to be read
    await expect.poll(() => clock.waiting).toBe(2);
    clock.advance(0);
    expect(stream.status.value).toBe('open');
  }
  clock.advance(1_000);
  expect(stream.status.value).toBe('open');
  clock.advance(500);
  expect(stream.status.value).toBe('waiting');
  clock.advance(10);
  await isOpen(stream);
  expect(server.heard).toEqual(['ping', 'ping', 'ping']);
});

test('[P4] a server that does not respond is abandoned after the time of the heartbeat, and retried', async () => {
  const { clock, page } = world();
  const { server, connect } = await socketStage({ clock, surroundings: page });
  const silent = server.url.replace('/live', '/silent');
  server.hangs = true;
  const stream = connect({ heartbeat: { ms: 1_000 } }, silent);
  await expect.poll(() => server.asked).toHaveLength(1);
  clock.advance(1_500);
  expect(stream.status.value).toBe('waiting');
  server.hangs = false;
  clock.advance(10);
  await isOpen(stream);
});

test('[P4] close() while a socket connects throws no error, also for a socket that is an EventEmitter', async () => {
  const { server, connect } = await socketStage();
  connect().close();
  connect({ WebSocket: EmittingSocket }).close();
  const stream = connect({ WebSocket: EmittingSocket });
  await isOpen(stream);
  await expect.poll(() => server.clients.size).toBe(1);
  stream.close();
  await expect.poll(() => server.clients.size).toBe(0);
});

test('[P4] a socket receives messages of a network mocked by msw', async () => {
  vi.stubGlobal('WebSocket', WebSocket);
  onTestFinished(() => void vi.unstubAllGlobals());
  const chat = ws.link('ws://api.test/live');
  const network = setupServer(
    chat.addEventListener('connection', ({ client }) => {
      client.send(JSON.stringify({ id: 5, title: 'mocked' }));
    }),
  );
  network.listen();
  onTestFinished(() => network.close());
  const controller = new Controller();
  const stream = connectWebSocket<Message>(controller, 'ws://api.test/live', {
    receive: (todo, { set }) => set(Todo, { id: todo.id }, todo),
    catchUp: false,
  });
  onTestFinished(() => stream.close());
  await shows(controller, 5, 'mocked');
  await until(() => stream.status.value === 'open');
  expect(controller.get(Todo, { id: 5 })?.title).toBe('mocked');
});
