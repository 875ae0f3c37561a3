// A message is applied completely or not at all: bad and late messages, and their effect on others.
import { Entity } from 'signalbox';
import type { StreamSteps } from 'signalbox/streams';
import { expect, test, vi } from 'vitest';
import { refused, settled, watch } from '../setup/world.ts';
import { Todo, gathered } from './streaming.ts';
import type { Message } from './streaming.ts';

test('[O2] the response to a read issued before a message cannot undo the message', async () => {
  const { w, controller, clock, come, title } = await gathered();
  const get = w.read('get', Todo);
  const asked = controller.fetch(get, { id: 1 });
  await come({ id: 1, title: 'pushed' });
  clock.advance(0);
  await w.call().answer({ id: 1, title: 'old', userId: 3 });
  await asked;
  expect(title(1)).toBe('pushed');
  expect(controller.get(Todo, { id: 1 })?.userId).toBe(3);
});

const mixed = [
  { id: 1, title: 'before' },
  { id: 2, title: 'half' },
  { id: 3, title: 'after' },
];

test.each<[string, (message: Message, steps: StreamSteps) => void]>([
  [
    'does not match its schema',
    ({ id, title }, { set }) => {
      set(Todo, { id }, { title });
      if (id === 2) set(Todo, { id: 9 }, 'no object');
    },
  ],
  [
    'makes receive throw',
    ({ id, title }, { set }) => {
      set(Todo, { id }, { title });
      if (id === 2) throw new Error('what is this?');
    },
  ],
  [
    'updates a missing entity',
    ({ id, title }, { set }) => {
      set(Todo, { id }, { title });
      if (id === 2) set(Todo, { id: 9 }, (todo) => ({ ...todo, title }));
    },
  ],
])(
  '[P4] a message that %s writes nothing and is reported; other messages are written',
  async (_, receive) => {
    const { controller, clock, come, errors, commits, title } = await gathered({ receive });
    await come(...mixed);
    clock.advance(0);
    expect([1, 2, 3, 9].map(title)).toEqual(['before', undefined, 'after', undefined]);
    expect(commits).toHaveLength(1);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code: 'L2' });
    expect(errors[0]?.message).toMatch(/a message of "ws:.*\/live" \("message"\)/);
    await controller.set(Todo, { id: 2 }, { title: 'later' });
    expect(title(2)).toBe('later');
  },
);

test('[P4] a message that cannot be processed is reported with its data or its type', async () => {
  const { server, clock, come, errors, title } = await gathered({
    receive({ type, id, title }, { set }) {
      if (type === 'moved') throw new Error('unknown');
      set(Todo, { id }, { title });
    },
  });
  for (const client of server.clients) client.send('{"id": 1');
  await come({ type: 'moved', id: 1 }, { id: 2, title: 'after' });
  const advanced = () => {
    clock.advance(0);
    return title(2);
  };
  await expect.poll(advanced).toBe('after');
  expect(errors.map(({ code }) => code)).toEqual(['L1', 'L2']);
  expect(errors[0]?.message).toContain('{\\"id\\": 1');
  expect(errors[1]?.message).toContain('"moved"');
});

test('[P4] without onError, or if onError throws, errors are logged', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { clock, come } = await gathered({
    receive: () => {
      throw new Error('broken');
    },
    onError: undefined as never,
  });
  await come({ id: 1 });
  clock.advance(0);
  expect(said).toHaveBeenCalledWith(expect.objectContaining({ code: 'L2' }));
  const other = await gathered({
    parse: () => JSON.parse('{'),
    onError: () => {
      throw new Error('the listener is broken');
    },
  });
  await other.come({ id: 1 }, { id: 2 });
  other.clock.advance(0);
  expect(said).toHaveBeenCalledTimes(3);
});

test('[P4] an updater function in receive gets the value of earlier messages, without optimistic values', async () => {
  const { w, controller, clock, come, title } = await gathered({
    receive: ({ id, title }, { set }) =>
      set(Todo, { id }, (todo) => ({ title: `${todo.title}${String(title)}` })),
  });
  await controller.set(Todo, { id: 1 }, { title: '' });
  const update = w.mutation('update', Todo, {
    getOptimisticResponse: (_: unknown, params: object, body: object) => ({ ...params, ...body }),
  });
  const done = controller.fetch(update, { id: 1 }, { title: 'expected' });
  await come({ id: 1, title: 'a' }, { id: 1, title: 'b' });
  clock.advance(0);
  expect(title(1)).toBe('expected');
  const failed = refused(done);
  await w.call().fail(new Error('no'));
  expect(await failed).toMatchObject({ message: 'no' });
  expect(title(1)).toBe('ab');
});

test('[P4] writes of an async receiver after an await are committed at once, and an error is reported', async () => {
  let go = () => {};
  const waits = new Promise<void>((resolve) => (go = resolve));
  const { clock, come, commits, title, errors } = await gathered({
    async receive({ id, title }, { set }) {
      set(Todo, { id }, { title: 'first' });
      await waits;
      set(Todo, { id }, { title });
      set(Todo, { id: 9 }, 'no object');
    },
  });
  await come({ id: 1, title: 'second' });
  clock.advance(0);
  expect(title(1)).toBe('first');
  go();
  await settled();
  expect(title(1)).toBe('second');
  expect(commits).toHaveLength(2);
  expect(errors.map(({ code }) => code)).toEqual(['L2']);
});

test('[P4] a message may contain entities that require each other', async () => {
  class User extends Entity {
    id = 0;
    name = '';
  }
  class Note extends Entity {
    id = 0;
    author = User.fromJS();
    static override schema = { author: User };
  }
  const { controller, clock, come } = await gathered({
    receive({ id }, { set }) {
      set(Note, { id }, { author: 7 });
      set(User, { id: 7 }, { name: 'Ada' });
    },
  });
  await come({ id: 1 });
  clock.advance(0);
  expect(controller.get(Note, { id: 1 })?.author.name).toBe('Ada');
});

test('[P4] a closed stream writes nothing, queued messages included', async () => {
  let late: StreamSteps | undefined;
  const { server, clock, come, stream, title } = await gathered({
    receive({ id, title }, steps) {
      late = steps;
      steps.set(Todo, { id }, { title });
    },
  });
  await come({ id: 1, title: 'received' });
  clock.advance(0);
  await come({ id: 2, title: 'waits' });
  stream.close();
  clock.advance(1_000);
  late?.set(Todo, { id: 3 }, { title: 'late' });
  expect([1, 2, 3].map(title)).toEqual(['received', undefined, undefined]);
  expect(clock.waiting).toBe(0);
  await expect.poll(() => server.clients.size).toBe(0);
});

test('[P4] an error of a reader stops neither other messages nor the stream', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { controller, clock, come, commits, title } = await gathered();
  watch(() => {
    if (controller.entity(Todo, 1).value !== undefined) throw new Error('a bad reader');
    return true;
  });
  await come({ id: 1, title: 'a' }, { id: 2, title: 'b' });
  clock.advance(0);
  await come({ id: 2, title: 'c' });
  clock.advance(0);
  expect(title(2)).toBe('c');
  expect(commits).toHaveLength(2);
});
