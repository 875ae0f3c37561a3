/** Makes 100,000 mutations and the reads around them, and tells whether the heap stays flat. */
import { effect } from '@preact/signals-core';
import { Collection, Controller, Delete, Endpoint, Entity } from 'signalbox';

declare const gc: () => void;

class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
}

const count = Number(process.env['MUTATIONS'] ?? 100_000);
const SWEEP_AFTER = 400;
const controller = new Controller({ sweepAfter: SWEEP_AFTER, dataExpiryLength: 0 });
const todos = new Collection([Todo]);

// answers at once, as a server would
const name = { sideEffect: true } as const;
const getList = new Endpoint(async () => [] as object[], { name: 'list', schema: todos });
const getTodo = new Endpoint(async ({ id }: { id: number }) => ({ id, title: `t${id}` }), {
  name: 'get',
  schema: Todo,
});
const create = new Endpoint(async (body: { id: number; title: string }) => ({ ...body }), {
  ...name,
  name: 'create',
  schema: todos.push,
});
const update = new Endpoint(
  async ({ id }: { id: number }, body: { title: string }) => ({ id, ...body }),
  { ...name, name: 'update', schema: Todo },
);
const remove = new Endpoint(async ({ id }: { id: number }) => ({ id }), {
  ...name,
  name: 'remove',
  schema: new Delete(Todo),
});

/** One row comes, is read, changed and deleted: what is left has no reader. */
async function live(id: number): Promise<void> {
  await controller.fetch(create, { id, title: 'new' });
  await controller.fetch(getTodo, { id });
  await controller.fetch(update, { id }, { title: `changed ${id}` });
  await controller.fetch(remove, { id });
}

async function settled(): Promise<number> {
  // twice the time in which the last of it goes
  await new Promise((resolve) => setTimeout(resolve, 4 * SWEEP_AFTER));
  gc();
  await new Promise((resolve) => setTimeout(resolve, SWEEP_AFTER));
  gc();
  return process.memoryUsage().heapUsed;
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(2)} MiB`;
await controller.fetch(getList);
let runs = 0;
const stop = effect(() => {
  void controller.signal(getList).value;
  runs++;
});
const rounds = Math.ceil(count / 3);
const warm = Math.ceil(rounds / 5);
for (let id = 1; id <= warm; id++) await live(id);
const before = await settled();
process.stdout.write(`after ${warm * 3} mutations: ${megabytes(before)}\n`);
const started = performance.now();
for (let id = warm + 1; id <= rounds; id++) {
  await live(id);
  if (id % Math.ceil(rounds / 10) === 0) {
    // a turn of the loop: timers are due
    await new Promise((resolve) => setTimeout(resolve, 1));
    gc();
    const heap = megabytes(process.memoryUsage().heapUsed);
    process.stdout.write(`${id * 3} mutations: ${heap} while it runs\n`);
  }
  if (id % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
}
const seconds = (performance.now() - started) / 1000;
const after = await settled();
const flat = after < before * 1.1 + 2 ** 19;
process.stdout.write(
  `after ${rounds * 3} mutations: ${megabytes(after)}; ${Math.round(((rounds - warm) * 3) / seconds)} a second; ` +
    `the list ran ${runs} times; ${flat ? 'flat' : 'NOT FLAT'}\n`,
);
stop();
if (!flat) process.exitCode = 1;
