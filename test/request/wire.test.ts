/** Aborts and retries with a real server. */
import { EventEmitter, once } from 'node:events';
import { Controller, RestEndpoint } from 'signalbox';
import { expect, test } from 'vitest';
import { serve } from '../setup/server.ts';
import { refused, settled, StoppedClock, Todo } from '../setup/world.ts';

const at = (urlPrefix: string) => new RestEndpoint({ urlPrefix, path: '/todos/:id', schema: Todo });

/** A server that holds the first response; emits events when the client connects and disconnects. */
async function holding() {
  const events = new EventEmitter();
  const server = await serve((_, response) => {
    response.on('close', () => events.emit('hung up'));
    events.emit('came');
    return undefined;
  });
  return { get: at(server.address), came: once(events, 'came'), hungUp: once(events, 'hung up') };
}

test('[F3] unmounting the last reader closes the connection to the server', async () => {
  const { get, came, hungUp } = await holding();
  const clock = new StoppedClock();
  const view = new Controller({ clock }).view(get, { id: 1 });
  void view.ensure(true);
  const release = view.retain();
  await came;
  release();
  clock.advance(100);
  expect(await hungUp).toEqual([]);
});

test('[F3] an abort by the caller closes the connection to the server', async () => {
  const { get, came, hungUp } = await holding();
  const abort = new AbortController();
  const own = get.extend({ signal: abort.signal });
  const caught = refused(new Controller().fetch(own, { id: 1 }));
  await came;
  abort.abort();
  expect(await caught).toMatchObject({ name: 'AbortError' });
  expect(await hungUp).toEqual([]);
});

test('[F4] a timeout closes the connection to the server', async () => {
  const { get, came, hungUp } = await holding();
  const clock = new StoppedClock();
  const own = get.extend({ timeout: 1_000, retry: 0 });
  const caught = refused(new Controller({ clock }).fetch(own, { id: 1 }));
  await came;
  clock.advance(1_000);
  expect(await caught).toMatchObject({ code: 'F4', endpoint: 'GET /todos/:id' });
  expect(await hungUp).toEqual([]);
});

test('[F4] a retry waits for the time of `retry-after`', async () => {
  const clock = new StoppedClock();
  clock.chance = 0;
  const busy = { status: 503, headers: { 'retry-after': '20' } };
  const server = await serve(() => (server.asked.length === 1 ? busy : { body: { id: 1 } }));
  const controller = new Controller({ clock });
  const waits = new Promise<number>(
    (resolve) => void controller.on('retry', ({ delay }) => resolve(delay)),
  );
  const todo = controller.fetch(at(server.address), { id: 1 });
  expect(await waits).toBe(20_000);
  await settled();
  clock.advance(19_999);
  expect(server.asked).toHaveLength(1);
  clock.advance(1);
  expect(await todo).toEqual(Todo.fromJS({ id: 1 }));
  expect(server.asked).toHaveLength(2);
});
