// Delays of a stream before the next attempt, and the wait for the network.
import type { MissedPeriod } from 'signalbox/streams';
import { expect, test } from 'vitest';
import { settled, world } from '../setup/world.ts';
import { eventStage, isOpen, isWaiting, socketStage, Todo, until } from './streaming.ts';

/** A stream on a stopped clock and a controlled network. */
async function still(options: Parameters<Stage['connect']>[0] = {}) {
  const { clock, page } = world();
  const stage = await socketStage({ clock, surroundings: page });
  const stream = stage.connect({ backoff: {}, ...options });
  return { ...stage, clock, page, stream };
}
type Stage = Awaited<ReturnType<typeof socketStage>>;

test('[P4] the pause before a new attempt doubles from 1 s to 30 s, multiplied by a random factor', async () => {
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

test('[P4] the pause grows while connections break at once, and is reset after a stable connection', async () => {
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
  await expect.poll(() => server.clients.size).toBe(1);
  server.send({ id: 1, title: 'spoke' });
  await expect.poll(() => clock.waiting).toBe(1);
  server.cut();
  await pause(400);
});

test('[P4] a server that ends each connection at once gets five connections and five list requests in 20 s', async () => {
  const { clock, page } = world();
  const { server, connect, controller, todos, asked } = await socketStage({
    clock,
    surroundings: page,
  });
  clock.chance = 1;
  controller.view(todos.getList).retain();
  await controller.fetch(todos.getList);
  server.onOpen = (client) => {
    client.send(JSON.stringify({ id: 1, title: 'welcome' }));
    client.close(1011);
  };
  const stream = connect({ backoff: undefined, catchUp: [todos] });
  for (let ms = 0; ms < 20_000; ms += 500) {
    await isWaiting(stream);
    clock.advance(500);
  }
  expect(server.asked).toHaveLength(5);
  await expect.poll(() => asked()).toBe(5);
  expect(controller.get(Todo, { id: 1 })).toBeDefined();
});

test('[P4] without a network no attempt is made, and the stream reconnects when the network returns', async () => {
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

test('[P4] an open stream does not reconnect when the network returns', async () => {
  const { server, page, stream } = await still();
  page.comeBack('reconnect');
  await isOpen(stream);
  page.comeBack('reconnect');
  await settled();
  expect(server.asked).toHaveLength(1);
});

test('[P4] a waiting event source reconnects when the network returns, unless it has a last event id', async () => {
  const { clock, page } = world();
  const { server, connect } = await eventStage({ clock, surroundings: page });
  server.retry = 3_600_000;
  const stream = connect();
  const knowing = connect({ events: ['message', 'named'] });
  await isOpen(stream);
  await isOpen(knowing);
  server.send({ id: 1 }, { event: 'named', id: 5 });
  await expect.poll(() => clock.waiting).toBe(1);
  server.cut();
  await until(() => [stream, knowing].every(({ status }) => status.value === 'connecting'));
  page.comeBack('reconnect');
  await isOpen(stream);
  expect(knowing.status.value).toBe('connecting');
  expect(server.asked).toHaveLength(3);
});

test('[P4] a stream opened without a network connects when the network returns, and catches up', async () => {
  const { clock, page } = world();
  const { server, connect } = await socketStage({ clock, surroundings: page });
  page.offline = true;
  const gaps: MissedPeriod[] = [];
  const stream = connect({ catchUp: (_, gap) => void gaps.push(gap) });
  expect(stream.status.value).toBe('waiting');
  clock.advance(60_000);
  expect(server.asked).toEqual([]);
  page.comeBack('reconnect');
  await isOpen(stream);
  await settled();
  expect(gaps).toEqual([{ since: 1_000_000, lastEventId: '' }]);
});
