// Several writes and requests that are confirmed, or rolled back, together.
import { Collection, Delete, Entity, replay, transaction, live as liveOf } from 'signalbox';
import type { Transaction } from 'signalbox';
import { expect, test } from 'vitest';
import { refusal, refused, settled, Todo, watch, wholeTodo, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

const body = (_: unknown, params: object, fields: object) => ({ ...params, ...fields });

async function stage() {
  const w = world();
  const todos = new Collection([Todo]);
  const list = w.read('list', todos);
  const update = w.mutation('update', Todo, { getOptimisticResponse: body });
  const create = w.mutation('create', todos.push, {
    getOptimisticResponse: (_: unknown, fields: object) => fields,
  });
  const { controller } = w;
  void controller.fetch(list, {});
  await w.call().answer([
    { id: 1, title: 'one' },
    { id: 2, title: 'two' },
  ]);
  const titles = () => controller.get(todos, {})?.map(({ title }) => title);
  return { w, controller, todos, list, update, create, titles };
}

test('[O9] a transaction shows each step at once and confirms all of them in one commit', async () => {
  const { w, controller, update, titles } = await stage();
  const commits: string[] = [];
  controller.on('commit', ({ cause }) => void commits.push(cause));
  const done = transaction(controller, async ({ fetch, set }) => {
    await set(Todo, { id: 2 }, { title: 'TWO' });
    return fetch(update, { id: 1 }, { title: 'ONE' });
  });
  await settled();
  expect(titles()).toEqual(['ONE', 'TWO']);
  await w.call().answer({ id: 1, title: 'ONE', userId: 3 });
  expect(await done).toBe(controller.get(Todo, { id: 1 }));
  expect(titles()).toEqual(['ONE', 'TWO']);
  expect(commits.filter((cause) => cause === 'answer')).toHaveLength(1);
});

test('[O9] a transaction rolls back all steps, including those with a response, when a request fails', async () => {
  const { w, controller, update, titles } = await stage();
  const seen = watch(() =>
    controller.signal(w.read('list', new Collection([Todo])), {}).value?.map(({ title }) => title),
  );
  const done = transaction(controller, async ({ fetch, set }) => {
    void set(Todo, { id: 2 }, { title: 'set' });
    await fetch(update, { id: 1 }, { title: 'ONE' });
    await fetch(update, { id: 2 }, { title: 'TWO' });
  });
  await w.call().answer({ id: 1, title: 'ONE' });
  expect(titles()).toEqual(['ONE', 'TWO']);
  void w.call().fail(refusal(500));
  expect(await refused(done)).toMatchObject({ status: 500 });
  expect(titles()).toEqual(['one', 'two']);
  expect(seen.last).toEqual(['one', 'two']);
});

/** The work of a transaction, and the answers of the server after the work has begun. */
interface FailingTransaction {
  readonly work: (steps: Transaction, api: Awaited<ReturnType<typeof stage>>) => Promise<unknown>;
  readonly answers: (w: World) => unknown;
}

test.each<[name: string, FailingTransaction]>([
  [
    'a value and a refused request',
    {
      async work({ fetch, set }, { update }) {
        void set(Todo, { id: 1 }, { title: 'ONE' });
        await fetch(update, { id: 2 }, { title: 'TWO' });
      },
      answers: (w) => w.call().fail(refusal(500)),
    },
  ],
  [
    'two requests in flight, one of them refused',
    {
      work: ({ fetch }, { update }) =>
        Promise.all([
          fetch(update, { id: 1 }, { title: 'ONE' }),
          fetch(update, { id: 2 }, { title: 'TWO' }),
        ]),
      answers: (w) => w.call().fail(refusal(500)),
    },
  ],
  [
    'a confirmed and a refused request',
    {
      work: ({ fetch }, { update }) =>
        Promise.all([
          fetch(update, { id: 1 }, { title: 'ONE' }),
          fetch(update, { id: 2 }, { title: 'TWO' }),
        ]),
      async answers(w) {
        await w.call(1).answer({ id: 1, title: 'ONE' });
        await w.call(2).fail(refusal(500));
      },
    },
  ],
  [
    'requests in flight when the function throws',
    {
      async work({ fetch }, { update }) {
        void fetch(update, { id: 1 }, { title: 'ONE' });
        void fetch(update, { id: 2 }, { title: 'TWO' });
        await settled();
        await settled();
        throw new Error('changed my mind');
      },
      answers: () => settled(),
    },
  ],
  [
    'a refused request whose error is caught',
    {
      async work({ fetch, set }, { update }) {
        void set(Todo, { id: 1 }, { title: 'ONE' });
        await refused(fetch(update, { id: 2 }, { title: 'TWO' }));
        await settled();
      },
      answers: (w) => w.call().fail(refusal(500)),
    },
  ],
  [
    'a request with its own signal, which is aborted',
    {
      async work({ fetch, set }, { update }) {
        const abort = new AbortController();
        void set(Todo, { id: 1 }, { title: 'ONE' });
        const asked = fetch(update.extend({ signal: abort.signal }), { id: 2 }, { title: 'TWO' });
        await settled();
        await settled();
        abort.abort();
        await asked;
      },
      answers: () => settled(),
    },
  ],
])(
  '[O9] a transaction with %s rolls back all of its steps in one commit',
  async (_, { work, answers }) => {
    const api = await stage();
    const { w, controller, list } = api;
    const shown = controller.signal(list, {});
    const seen = watch(() => shown.value?.map(({ title }) => title).join());
    const causes: string[] = [];
    controller.on('commit', ({ cause }) => void causes.push(cause));
    const failed = refused(transaction(controller, (steps) => work(steps, api)));
    await settled();
    expect(seen.last).toBe('ONE,TWO');
    await answers(w);
    await failed;
    expect(seen.seen).toEqual(['one,two', 'ONE,TWO', 'one,two']);
    expect(causes.filter((cause) => cause === 'rollback')).toHaveLength(1);
  },
);

test('[O9] a refused request ends a transaction at once, while its function waits for another request', async () => {
  const { w, controller, update, titles } = await stage();
  const done = transaction(controller, async ({ fetch }) => {
    void fetch(update, { id: 1 }, { title: 'ONE' });
    await fetch(update, { id: 2 }, { title: 'TWO' });
  });
  const failed = refused(done);
  await settled();
  await w.call(1).fail(refusal(409));
  expect([titles(), w.call(2).signal?.aborted]).toEqual([['one', 'two'], true]);
  expect(await failed).toMatchObject({ status: 409 });
});

test('[O9] a mounted detail that a step of a failed transaction deleted is shown as before', async () => {
  const { w, controller } = await stage();
  const get = w.read('get', Todo);
  const remove = w.mutation('remove', new Delete(Todo));
  await controller.setResponse(get, { id: 1 }, wholeTodo());
  const view = controller.view(get, { id: 1 });
  view.retain();
  const failed = refused(
    transaction(controller, async ({ fetch }) => {
      await fetch(remove, { id: 1 });
      throw new Error('changed my mind');
    }),
  );
  await settled();
  await w.call().answer({});
  await failed;
  expect(view.result.value).toMatchObject({ status: 'success', data: { title: 'a' } });
  expect(view.result.value).not.toHaveProperty('deleted');
});

test('[O9] an exception in the function of a transaction aborts requests in flight, and refetches their data', async () => {
  const { w, controller, list, update, titles } = await stage();
  const view = controller.view(list, {});
  view.retain();
  const done = transaction(controller, async ({ fetch }) => {
    await fetch(update, { id: 1 }, { title: 'ONE' });
    void fetch(update, { id: 2 }, { title: 'TWO' });
    throw new Error('changed my mind');
  });
  const failed = refused(done);
  await w.call().answer({ id: 1, title: 'ONE' });
  expect(await failed).toMatchObject({ message: 'changed my mind' });
  expect(w.log.slice(1)).toEqual([
    'update {"id":1} {"title":"ONE"}',
    'update {"id":2} {"title":"TWO"}',
    'list {}',
  ]);
  expect(w.call(2).signal?.aborted).toBe(true);
  expect(titles()).toEqual(['one', 'two']);
});

/** A transaction that deletes both rows of a mounted list, and waits for both responses. */
async function deleteBoth() {
  const { w, controller, list, titles } = await stage();
  const remove = w.mutation('remove', new Delete(Todo));
  controller.view(list, {}).retain();
  const done = transaction(controller, ({ fetch }) =>
    Promise.all([fetch(remove, { id: 1 }), fetch(remove, { id: 2 })]),
  );
  return { w, titles, done };
}

test('[O9] a transaction that fails refetches lists with a row that an earlier step deleted on the server', async () => {
  const { w, titles, done } = await deleteBoth();
  await w.call(1).answer({});
  expect(titles()).toEqual(['two']);
  void w.call(2).fail(refusal(403));
  await refused(done);
  expect(titles()).toEqual(['one', 'two']);
  expect(w.log.slice(1)).toEqual(['remove {"id":1}', 'remove {"id":2}', 'list {}']);
  await w.call().answer([{ id: 2, title: 'two' }]);
  expect(titles()).toEqual(['two']);
});

test('[O9] a transaction that fails refetches data that its aborted requests may have changed', async () => {
  const { w, titles, done } = await deleteBoth();
  void w.call(2).fail(refusal(403));
  await refused(done);
  expect(w.call(1).signal?.aborted).toBe(true);
  expect(titles()).toEqual(['one', 'two']);
  expect(w.log.slice(1)).toEqual(['remove {"id":1}', 'remove {"id":2}', 'list {}']);
});

test('[O9] a transaction that fails refetches nothing for requests that were refused or not yet sent', async () => {
  const { w, controller, list, create, update, todos } = await stage();
  controller.view(list, {}).retain();
  const done = transaction(controller, ({ fetch }) => {
    const created = fetch(create, { title: 'three' });
    const id = controller.get(todos, {})?.at(-1)?.id;
    return Promise.all([created, fetch(update, { id }, { title: 'THREE' })]);
  });
  void w.call().fail(refusal(422));
  await refused(done);
  expect(w.log.slice(1)).toEqual(['create {"title":"three"}']);
});

test('[O9] a later step of a transaction can use the key of a row that an earlier step created', async () => {
  const { w, controller, create, update, todos } = await stage();
  const done = transaction(controller, async ({ fetch }) => {
    const { id } = await fetch(create, { title: 'three' });
    await fetch(update, { id }, { title: 'THREE' });
  });
  const temporary = controller.get(todos, {})?.at(-1)?.id as number;
  const live = liveOf(controller, Todo, temporary);
  await w.call().answer({ id: 3, title: 'three' });
  expect(w.log.at(-1)).toBe('update {"id":3} {"title":"THREE"}');
  await w.call().answer({ id: 3, title: 'THREE' });
  await done;
  expect(controller.get(todos, {})?.map(({ id, title }) => `${id} ${title}`)).toEqual([
    '1 one',
    '2 two',
    '3 THREE',
  ]);
  expect(liveOf(controller, Todo, 3)).toBe(live);
});

test('[O9] a transaction that fails removes the row that an earlier step created', async () => {
  const { w, controller, create, update, titles } = await stage();
  const done = transaction(controller, async ({ fetch }) => {
    await fetch(create, { title: 'three' });
    await fetch(update, { id: 1 }, { title: 'ONE' });
  });
  await w.call().answer({ id: 3, title: 'three' });
  expect(titles()).toEqual(['ONE', 'two', 'three']);
  void w.call().fail(refusal(409));
  await refused(done);
  expect(titles()).toEqual(['one', 'two']);
  expect(controller.get(Todo, { id: 3 })).toBeUndefined();
});

test('[O9] a transaction waits for requests that its function did not await, and fails with their error', async () => {
  const { w, controller, update, titles } = await stage();
  const done = transaction(controller, ({ fetch }) => {
    void fetch(update, { id: 1 }, { title: 'ONE' });
    return 'done';
  });
  await settled();
  void w.call().fail(refusal(500));
  expect(await refused(done)).toMatchObject({ status: 500 });
  expect(titles()).toEqual(['one', 'two']);
});

test('[O9] an invalid value in a step rejects the transaction with S1, and rolls back the other steps', async () => {
  const { controller, titles } = await stage();
  const done = transaction(controller, async ({ set }) => {
    await set(Todo, { id: 1 }, { title: 'ONE' });
    await set(Todo, { id: null }, { title: 'nobody' });
  });
  expect(await refused(done)).toMatchObject({ code: 'S1' });
  expect(titles()).toEqual(['one', 'two']);
});

test('[R8] after an empty response in a transaction the list is refetched when the transaction ends', async () => {
  const { w, controller, list, update, titles } = await stage();
  controller.view(list, {}).retain();
  const done = transaction(controller, async ({ fetch }) => {
    await fetch(update, { id: 1 }, { title: 'ONE' });
    await fetch(update, { id: 2 }, { title: 'TWO' });
  });
  await w.call().answer(null);
  expect(w.log.at(-1)).toBe('update {"id":2} {"title":"TWO"}');
  await w.call().answer({ id: 2, title: 'TWO' });
  await done;
  expect([w.log.at(-1), titles()]).toEqual(['list {}', ['ONE', 'TWO']]);
});

test('[O9] a fetch with null arguments in a transaction resolves with undefined, and sends no request', async () => {
  const { w, controller, update } = await stage();
  expect(await transaction(controller, ({ fetch }) => fetch(update, null))).toBeUndefined();
  expect(w.calls).toHaveLength(1);
});

test('[O9] synchronous steps, and calls of the controller among them, are one commit and one run of each reader', async () => {
  const { controller, titles } = await stage();
  const seen = watch(() => [1, 2].map((id) => controller.entity(Todo, id).value?.title));
  let commits = 0;
  controller.on('commit', () => void commits++);
  await transaction(controller, ({ set }) => {
    void set(Todo, { id: 1 }, { title: 'ONE' });
    void controller.set(Todo, { id: 2 }, { title: 'TWO' });
    expect(titles()).toEqual(['ONE', 'TWO']);
  });
  expect(seen.seen).toEqual([
    ['one', 'two'],
    ['ONE', 'TWO'],
  ]);
  expect(commits).toBe(1);
});

test('[O9] a row that a step deletes and a later step creates again has the fields of the later step', async () => {
  const { controller } = world();
  const other = world().controller;
  controller.on('commit', (commit) => replay(other, commit));
  const replace = (waits: boolean) =>
    transaction(controller, ({ set }) => {
      void set(new Delete(Todo), { id: 1 }, { id: 1 });
      void set(Todo, { id: 1 }, { id: 1, title: 'new' });
      return waits ? settled() : undefined;
    });
  for (const waits of [false, true]) {
    await controller.set(Todo, { id: 1 }, { id: 1, title: 'old', userId: 3 });
    await replace(waits);
    for (const { title, userId } of [controller, other].map((one) => one.get(Todo, { id: 1 })!))
      expect([title, userId]).toEqual(['new', Todo.fromJS().userId]);
  }
});

test('[O9] synchronous steps that are rolled back at once notify no reader', async () => {
  const { controller, titles } = await stage();
  const seen = watch(controller.entity(Todo, 1));
  const done = transaction(controller, () => {
    void controller.set(Todo, { id: 1 }, { title: 'ONE' });
    throw new Error('changed my mind');
  });
  expect(await refused(done)).toMatchObject({ message: 'changed my mind' });
  expect([seen.runs, titles()]).toEqual([1, ['one', 'two']]);
});

test('[O9] a removal of a row with a required member shows during the transaction and after its end', async () => {
  class Author extends Entity {
    id = 0;
  }
  class Post extends Entity {
    id = 0;
    author = Author.fromJS();
    static override schema = { author: Author };
  }
  const { controller } = world();
  const posts = new Collection([Post]);
  void controller.set(posts, {}, [
    { id: 1, author: { id: 1 } },
    { id: 2, author: { id: 2 } },
  ]);
  const ids = () => controller.get(posts, {})?.map(({ id }) => id);
  await transaction(controller, ({ set }) => {
    void set(posts.remove, {}, { id: 1 });
    expect(ids()).toEqual([2]);
  });
  expect(ids()).toEqual([2]);
});

test('[O9] a reset between two steps rejects the transaction with ResetError, and stores nothing', async () => {
  const { w, controller, titles } = await stage();
  const done = transaction(controller, async ({ set }) => {
    await set(Todo, { id: 1 }, { title: 'ONE' });
    controller.reset();
    await set(Todo, { id: 2 }, { title: 'TWO' });
  });
  expect(await refused(done)).toMatchObject({ name: 'ResetError' });
  expect([titles(), controller.get(Todo, { id: 2 })]).toEqual([undefined, undefined]);
  expect(w.calls).toHaveLength(1);
});

test('[O9] a reset while a step is in flight rejects the transaction with ResetError, and stores nothing', async () => {
  const { w, controller, update, titles } = await stage();
  const done = transaction(controller, ({ fetch }) => fetch(update, { id: 1 }, { title: 'ONE' }));
  await settled();
  controller.reset();
  expect(await refused(done)).toMatchObject({ name: 'ResetError' });
  await w.call().answer({ id: 1, title: 'ONE' });
  expect(titles()).toBeUndefined();
});

test('[O9] a mutation without a schema as a step of a transaction resolves with its response', async () => {
  const { w, controller, update, titles } = await stage();
  const ping = w.mutation('ping', undefined);
  const answer = { pong: true };
  const done = transaction(controller, ({ fetch }) =>
    Promise.all([fetch(ping, {}), fetch(update, { id: 1 }, { title: 'ONE' })]),
  );
  await w.call(1).answer(answer);
  await w.call(2).answer({ id: 1, title: 'ONE' });
  expect(await done).toEqual([answer, controller.get(Todo, { id: 1 })]);
  expect(titles()).toEqual(['ONE', 'two']);
});

test('[O9] the end of an inner transaction shows no state without the values of the outer transaction', async () => {
  const { controller, list } = await stage();
  const shown = controller.signal(list, {});
  const seen = watch(() => shown.value?.map(({ title }) => title).join());
  await transaction(controller, async ({ set }) => {
    await Promise.all([
      transaction(controller, (inner) => inner.set(Todo, { id: 1 }, { title: 'a' })),
      set(Todo, { id: 2 }, { title: 'b' }),
      controller.set(Todo, { id: 1 }, { title: 'c' }),
    ]);
  });
  expect(seen.seen).toEqual(['one,two', 'c,b']);
});

test('[O9] a successful inner transaction is rolled back when the outer transaction fails', async () => {
  const { w, controller, update, titles } = await stage();
  const inner: unknown[] = [];
  const done = transaction(controller, async ({ fetch }) => {
    inner.push(await transaction(controller, ({ set }) => set(Todo, { id: 1 }, { title: 'ONE' })));
    expect(titles()).toEqual(['ONE', 'two']);
    await fetch(update, { id: 2 }, { title: 'TWO' });
  });
  await settled();
  void w.call().fail(refusal(500));
  expect(await refused(done)).toMatchObject({ status: 500 });
  expect([inner.length, titles()]).toEqual([1, ['one', 'two']]);
});

test('[O9] a transaction started after an await by the steps of another transaction is part of that transaction', async () => {
  const { w, controller, update, titles } = await stage();
  const commits: string[] = [];
  const done = transaction(controller, async ({ fetch, transaction }) => {
    await fetch(update, { id: 2 }, { title: 'TWO' });
    await transaction(({ fetch: ask }) => void ask(update, { id: 1 }, { title: 'ONE' }));
    commits.push('inner');
  });
  await w.call().answer({ id: 2, title: 'TWO' });
  controller.on('commit', ({ cause }) => void commits.push(cause));
  // the transaction waits for the request that the function did not await
  expect(commits).toEqual([]);
  await w.call().answer({ id: 1, title: 'ONE' });
  await done;
  expect(commits.slice(-2)).toEqual(['inner', 'answer']);
  expect(titles()).toEqual(['ONE', 'TWO']);
});

test('[O9] a failed inner transaction fails the outer transaction, even if its error is caught', async () => {
  const { w, controller, update, titles } = await stage();
  const done = transaction(controller, async ({ set, transaction }) => {
    await set(Todo, { id: 2 }, { title: 'TWO' });
    const part = transaction(({ fetch }) => fetch(update, { id: 1 }, { title: 'ONE' }));
    expect(await refused(part)).toMatchObject({ status: 409 });
    await transaction(() => 'more');
  });
  await settled();
  void w.call().fail(refusal(409));
  expect(await refused(done)).toMatchObject({ status: 409 });
  expect(titles()).toEqual(['one', 'two']);
});

test('[O9] steps after the end of a transaction reject, with F5 after a success, and show no value', async () => {
  const { w, controller, update, titles } = await stage();
  const held: { set?: typeof controller.set; fetch?: typeof controller.fetch } = {};
  const failing = transaction(controller, ({ fetch, set }) => {
    Object.assign(held, { set });
    return fetch(update, { id: 1 }, { title: 'ONE' });
  });
  void w.call().fail(refusal(500));
  await refused(failing);
  const late = () => held.set?.(Todo, { id: 1 }, { title: 'late' }) ?? Promise.resolve();
  expect(await refused(late())).toMatchObject({ status: 500 });
  await transaction(controller, (steps) => void Object.assign(held, steps));
  expect(await refused(late())).toMatchObject({ code: 'F5' });
  const asked = held.fetch?.(update, { id: 1 }, { title: 'late' }) ?? Promise.resolve();
  expect(await refused(asked)).toMatchObject({ code: 'F5' });
  expect([w.calls.length, titles()]).toEqual([2, ['one', 'two']]);
});
