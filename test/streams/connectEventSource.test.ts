// Server-sent events from a real server on loopback, through an EventSource for Node.
import { EventSource } from 'eventsource';
import { Controller, Delete } from 'signalbox';
import { connectEventSource } from 'signalbox/streams';
import { sse } from 'msw';
import { setupServer } from 'msw/node';
import { EventSource as PlatformSource } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventStage, isClosed, isOpen, isWaiting, shows, Todo, until } from './streaming.ts';
import type { Message } from './streaming.ts';

test('[P4] connectEventSource writes the data of received events to the store', async () => {
  const { server, controller, connect } = await eventStage();
  const stream = connect();
  expect(stream.status.value).toBe('connecting');
  await isOpen(stream);
  server.send({ id: 1, title: 'pushed' });
  await shows(controller, 1, 'pushed');
  expect(stream.status.value).toBe('open');
});

test('[P4] named events create, change and delete rows of a list', async () => {
  const { server, controller, todos, connect } = await eventStage();
  const deletion = new Delete(Todo);
  await controller.fetch(todos.getList);
  const list = controller.signal(todos.getList);
  const stream = connect({
    events: ['created', 'changed', 'deleted'],
    receive(todo, { type, set }) {
      if (type === 'created') set(todos.getList.push.schema, todo);
      else set(type === 'deleted' ? deletion : Todo, { id: todo.id }, todo);
    },
  });
  await isOpen(stream);
  server.send({ id: 2, title: 'two' }, { event: 'created' });
  server.send({ id: 3, title: 'three' }, { event: 'created' });
  server.send({ id: 2, title: 'TWO' }, { event: 'changed' });
  server.send({ id: 1 }, { event: 'deleted' });
  server.send({ id: 3, title: 'not listened to' });
  await until(() => list.value?.length === 2 && list.value[0]?.id === 2);
  expect(list.value?.map(({ title }) => title)).toEqual(['TWO', 'three']);
});

test('[P4] after a cut the platform reconnects the event source with Last-Event-ID', async () => {
  const { server, controller, connect } = await eventStage();
  const stream = connect();
  await isOpen(stream);
  server.send({ id: 1, title: 'seen' }, { id: 7 });
  await shows(controller, 1, 'seen');
  const seen: string[] = [];
  stream.status.subscribe((status) => void seen.push(status));
  server.cut();
  await until(() => stream.status.value === 'open' && seen.length > 1);
  expect(seen).toEqual(['open', 'connecting', 'open']);
  expect(server.asked.map(({ lastEventId }) => lastEventId)).toEqual([undefined, '7']);
});

test('[P4] an EventSource closed by the platform is reopened, and the last id is passed to the address function', async () => {
  const { server, controller, connect } = await eventStage();
  const ids: string[] = [];
  const stream = connect({}, async (id) => {
    ids.push(id);
    return `${server.url}?after=${id}`;
  });
  await isOpen(stream);
  server.send({ id: 1, title: 'seen' }, { id: 'a1' });
  await shows(controller, 1, 'seen');
  server.refuse = (_, response) => {
    response.writeHead(503).end();
    server.refuse = undefined;
  };
  const seen: string[] = [];
  stream.status.subscribe((status) => void seen.push(status));
  server.cut();
  await until(() => stream.status.value === 'open' && seen.includes('waiting'));
  expect(seen).toEqual(['open', 'connecting', 'waiting', 'connecting', 'open']);
  expect(ids).toEqual(['', 'a1']);
  expect(server.asked.at(-1)).toMatchObject({ url: '/events?after=a1' });
  // and stays known if the new connection sends none
  server.send({ id: 1, title: 'again' });
  await shows(controller, 1, 'again');
  server.refuse = (_, response) => void response.writeHead(500).end();
  server.cut();
  await until(() => stream.status.value !== 'open' && ids.length > 2);
  expect(ids.at(-1)).toBe('a1');
});

test('[P4] an event with an empty id clears the id of the last event', async () => {
  // as browsers: an event without an id has the id of the last event
  vi.stubGlobal('EventSource', PlatformSource);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { server, controller, connect } = await eventStage();
  const ids: string[] = [];
  const stream = connect({ EventSource: undefined }, (id) => (ids.push(id), server.url));
  const reopens = async () => {
    server.refuse = (_, response) => {
      response.writeHead(503).end();
      server.refuse = undefined;
    };
    const { length } = ids;
    server.cut();
    await until(() => stream.status.value === 'open' && ids.length > length);
  };
  await isOpen(stream);
  server.send({ id: 1, title: 'first' }, { id: 'a1' });
  server.send({ id: 1, title: 'without an id' });
  await shows(controller, 1, 'without an id');
  await reopens();
  // this connection has not received an id: the id of the former one stays
  server.send({ id: 1, title: 'still without an id' });
  await shows(controller, 1, 'still without an id');
  await reopens();
  server.send({ id: 1, title: 'second' }, { id: 'a2' });
  server.send({ id: 1, title: 'forgotten' }, { id: '' });
  await shows(controller, 1, 'forgotten');
  await reopens();
  expect(ids).toEqual(['', 'a1', 'a1', '']);
});

test.each([
  ['a page instead of events', { 'content-type': 'text/html' }, 200],
  ['status 500', {}, 500],
])('[P4] an event source that receives %s is retried', async (_, headers, status) => {
  const { server, connect } = await eventStage();
  server.refuse = (_request, response) => void response.writeHead(status, headers).end();
  const stream = connect();
  await isWaiting(stream);
  server.refuse = undefined;
  await isOpen(stream);
  expect(server.asked.length).toBeGreaterThan(1);
});

test('[P4] an event source connects once a server that was down is reachable', async () => {
  const { server, connect } = await eventStage();
  await server.stop();
  // the platform tries by itself, after 3 s
  const stream = connect({
    EventSource: class extends EventSource {
      constructor(url: string) {
        super(url);
        this.addEventListener('error', () => this.close());
      }
    },
  });
  await isWaiting(stream);
  await server.start();
  await isOpen(stream);
  expect(server.asked).toHaveLength(1);
});

test('[P4] status 204 closes an event source, unless shouldReconnect returns true', async () => {
  const { server, connect } = await eventStage();
  server.refuse = (_, response) => void response.writeHead(204).end();
  await isClosed(connect());
  expect(server.asked).toHaveLength(1);
  const codes: unknown[] = [];
  const stream = connect({ shouldReconnect: ({ code }) => codes.push(code) < 2 });
  await isClosed(stream);
  expect(codes).toEqual([204, 204]);
});

test('[P4] events of the server named `error` and `open` are received', async () => {
  const { server, controller, connect } = await eventStage();
  const stream = connect({ events: ['error', 'open'] });
  await isOpen(stream);
  server.send({ id: 1, title: 'error' }, { event: 'error' });
  await shows(controller, 1, 'error');
  server.send({ id: 1, title: 'open' }, { event: 'open' });
  await shows(controller, 1, 'open');
  expect(stream.status.value).toBe('open');
});

test('[P4] an invalid address, or a platform without EventSource, throws at once', async () => {
  const { connect } = await eventStage();
  expect(() => connect({}, 'http://')).toThrow(expect.objectContaining({ code: 'L3' }));
  expect(() => connect({ EventSource: undefined })).toThrow('EventSource is not available');
});

test('[P4] the EventSource of the platform is the default', async () => {
  const { server, connect } = await eventStage();
  vi.stubGlobal('EventSource', EventSource);
  onTestFinished(() => void vi.unstubAllGlobals());
  await isOpen(connect({ EventSource: undefined }, new URL(server.url)));
  expect(server.clients).toBe(1);
});

test('[P4] an event source receives events of a network mocked by msw', async () => {
  vi.stubGlobal('EventSource', EventSource);
  onTestFinished(() => void vi.unstubAllGlobals());
  const network = setupServer(
    sse<{ message: object }>('http://api.test/events', ({ client }) => {
      client.send({ data: { id: 5, title: 'mocked' } });
    }),
  );
  network.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => network.close());
  const controller = new Controller();
  const stream = connectEventSource<Message>(controller, 'http://api.test/events', {
    receive: (todo, { set }) => set(Todo, { id: todo.id }, todo),
    catchUp: false,
  });
  onTestFinished(() => stream.close());
  await shows(controller, 5, 'mocked');
  expect(controller.get(Todo, { id: 5 })?.title).toBe('mocked');
});
