// Malformed messages and unknown names: each is reported, none throws, others are received.
import * as fc from 'fast-check';
import type { StreamSteps } from 'signalbox/streams';
import { expect, test } from 'vitest';
import { settled } from '../setup/world.ts';
import { eventStage, isOpen, socketStage, Todo } from './streaming.ts';

/** A receiver like those of applications: a message names a resource and a change. */
function receiver(resources: Record<string, Resource>) {
  return (message: Named, { set, invalidate, invalidateAll, expireAll }: StreamSteps) => {
    const resource = resources[message.of] as Resource;
    if (message.verb === 'invalidateAll') invalidateAll(resource.getList);
    else if (message.verb === 'expireAll') expireAll(resources[message.of] as never);
    else if (message.verb === 'invalidate')
      invalidate(resource[message.how ?? 'get'], { id: message.id });
    else set(Todo, { id: message.id }, message as object);
  };
}
interface Named {
  readonly of: string;
  readonly verb?: string;
  readonly how?: 'get' | 'update';
  readonly id: number;
}
type Resource = Awaited<ReturnType<typeof socketStage>>['todos'];

async function named() {
  const stage = await socketStage();
  const { server, controller, errors, todos } = stage;
  const stream = stage.connect({ receive: receiver({ todo: todos }) });
  await isOpen(stream);
  await expect.poll(() => server.clients.size).toBe(1);
  let last = 0;
  /** Waits until the last sent message is received. */
  const received = async () => {
    const title = `last ${++last}`;
    server.send({ of: 'todo', id: 9, title });
    await expect.poll(() => controller.get(Todo, { id: 9 })?.title).toBe(title);
    await settled();
  };
  const say = (data: string | Uint8Array) => {
    for (const client of server.clients) client.send(data);
  };
  return { stream, server, controller, errors, todos, received, say };
}

test.each<[string, string, string]>([
  ['is not JSON', '{"of": "todo"', 'L1'],
  ['is empty', '', 'L1'],
  ['is null', 'null', 'L2'],
  ['is a number', '5', 'L2'],
  ['is a list', '[[]]', 'L2'],
  ['invalidates one of an unknown resource', '{"of": "x", "verb": "invalidate", "id": 1}', 'L2'],
  ['invalidates all of an unknown resource', '{"of": "x", "verb": "invalidateAll"}', 'L2'],
  ['lets an unknown resource expire', '{"of": "x", "verb": "expireAll"}', 'L2'],
  [
    'invalidates a mutation',
    '{"of": "todo", "verb": "invalidate", "how": "update", "id": 1}',
    'L2',
  ],
  ['invalidates without arguments', '{"of": "todo", "verb": "invalidate"}', 'L2'],
  ['names a prototype', '{"of": "__proto__", "verb": "expireAll"}', ''],
])(
  '[P4] a message that %s throws nothing, and later messages are received',
  async (_, data, code) => {
    const { stream, errors, received, say } = await named();
    say(data);
    await received();
    expect(errors.map((error) => error.code)).toEqual(code === '' ? [] : [code]);
    expect(stream.status.value).toBe('open');
  },
);

test('[P4] after any malformed messages of a socket later messages are received', async () => {
  const { stream, received, say } = await named();
  const message = fc.oneof(
    fc.string(),
    fc.json(),
    fc.uint8Array(),
    fc
      .record({
        of: fc.constantFrom<unknown>('todo', 'x', null, '__proto__', 'constructor'),
        verb: fc.constantFrom<unknown>('invalidate', 'invalidateAll', 'expireAll', undefined, 1),
        how: fc.constantFrom<unknown>('get', 'update', 'delete', undefined),
        id: fc.constantFrom<unknown>(1, '1', null, {}, undefined),
        title: fc.jsonValue(),
      })
      .map((value) => JSON.stringify(value)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 20 }), async (messages) => {
      for (const each of messages) say(each);
      await received();
    }),
    { numRuns: 50 },
  );
  expect(stream.status.value).toBe('open');
});

test('[P4] after any malformed lines of an event server later messages are received', async () => {
  const { server, connect, controller } = await eventStage();
  await isOpen(connect({ receive: ({ id, title }, { set }) => set(Todo, { id }, { id, title }) }));
  let last = 0;
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'data',
      'data:',
      'id: \u0000',
      'id',
      'retry: x',
      'event: error',
      'event: open',
      ': c',
      '\r',
      '',
    ),
    fc.json().map((text) => `data: ${text}`),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
      server.write(`${lines.join('\n')}\n\n`);
      const title = `last ${++last}`;
      server.send({ id: 9, title });
      await expect.poll(() => controller.get(Todo, { id: 9 })?.title).toBe(title);
    }),
    { numRuns: 100 },
  );
});
