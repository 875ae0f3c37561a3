// Handlers of a resource through a real msw/node: each member's effect on the rows.
import { createResource, Entity, RestEndpoint } from 'signalbox';
import type { NetworkError } from 'signalbox';
import { createHandlers } from 'signalbox/testing/msw';
import { describe, expect, test } from 'vitest';
import { mock } from '../servers/mocked.ts';

class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
  userId = 0;
}

const todos = createResource({ urlPrefix: 'http://api.test', path: '/todos/:id', schema: Todo });

const rows = [
  { id: 1, title: 'one', done: false, userId: 1 },
  { id: 4, title: 'four', done: true, userId: 2 },
];

function setUp() {
  const handlers = createHandlers(todos, rows);
  return { handlers, ...mock(handlers) };
}

const refusal = (request: Promise<unknown>): Promise<NetworkError> =>
  request.then(
    () => Promise.reject(new Error('it was answered')),
    (error: NetworkError) => error,
  );

describe('reads', () => {
  test('[T1] createHandlers responds to getList with the rows, and to get with one row', async () => {
    const { controller, sent } = setUp();
    const list = await controller.fetch(todos.getList);
    expect(list.map(({ title }) => title)).toEqual(['one', 'four']);
    expect(list[0]).toBeInstanceOf(Todo);
    expect(await controller.fetch(todos.get, { id: '4' })).toBe(list[1]);
    expect(sent).toEqual(['GET /todos', 'GET /todos/4']);
  });

  test('[T1] createHandlers responds with 404 to get, updates and delete of an unknown id', async () => {
    const { controller, handlers } = setUp();
    const asked = [
      controller.fetch(todos.get, { id: 9 }),
      controller.fetch(todos.update, { id: 9 }, { title: 'x' }),
      controller.fetch(todos.partialUpdate, { id: 9 }, { title: 'x' }),
      controller.fetch(todos.delete, { id: 9 }),
    ];
    for (const request of asked) {
      expect(await refusal(request)).toMatchObject({
        status: 404,
        body: { message: 'there is no Todo {"id":"9"}' },
      });
    }
    expect(handlers.rows).toEqual(rows);
  });
});

describe('writes', () => {
  test('[T1] createHandlers gives a created row the next number, and reuses no deleted number', async () => {
    const { controller, handlers } = setUp();
    const made = await controller.fetch(todos.create, { title: 'new' });
    expect(made).toMatchObject({ id: 5, title: 'new', done: false });
    await controller.fetch(todos.delete, { id: 5 });
    const again = await controller.fetch(todos.create, { title: 'again' });
    expect(again.id).toBe(6);
    expect(handlers.rows.map(({ id }) => id)).toEqual([1, 4, 6]);
  });

  test('[T1] createHandlers adds a row created by push or unshift of a filtered list to that list', async () => {
    const { controller, handlers } = setUp();
    const mine = await controller.fetch(todos.getList, { userId: 2 });
    expect(mine.map(({ id }) => id)).toEqual([4]);
    await controller.fetch(todos.getList.push, { userId: 2 }, { title: 'last' });
    await controller.fetch(todos.getList.unshift, { userId: 2 }, { title: 'first' });
    expect(handlers.rows.slice(2)).toEqual([
      { id: 5, title: 'last', userId: 2 },
      { id: 6, title: 'first', userId: 2 },
    ]);
    const shown = controller.getResponse(todos.getList, { userId: 2 }).data;
    expect(shown?.map(({ title }) => title)).toEqual(['first', 'four', 'last']);
    const asked = await controller.fetch(todos.getList, { userId: 2 });
    expect(new Set(asked.map(({ id }) => id))).toEqual(new Set([4, 5, 6]));
  });

  test('[T1] createHandlers creates several rows by one request, or rejects all with 409', async () => {
    const { controller, handlers } = setUp();
    const several = todos.create.extend({ body: [] as object[] });
    await controller.fetch(several, [{ title: 'a' }, { title: 'b' }]);
    expect(handlers.rows.map(({ id }) => id)).toEqual([1, 4, 5, 6]);
    const taken = await refusal(controller.fetch(several, [{ title: 'c' }, { id: 4 }]));
    expect(taken).toMatchObject({ status: 409, body: { message: '4 is there already' } });
    expect(handlers.rows).toHaveLength(4);
  });

  test('[T1] createHandlers replaces a row on PUT, and merges fields into a row on PATCH', async () => {
    const { controller, handlers } = setUp();
    await controller.fetch(todos.partialUpdate, { id: '1' }, { done: true });
    expect(handlers.rows[0]).toEqual({ id: 1, title: 'one', done: true, userId: 1 });
    await controller.fetch(todos.update, { id: 1 }, { id: '77', title: 'whole' });
    expect(handlers.rows[0]).toEqual({ id: 1, title: 'whole' });
    expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'whole' });
  });

  test('[T1] createHandlers moves a row between filtered lists on getList.move and getList.remove', async () => {
    const { controller, handlers } = setUp();
    await controller.fetch(todos.getList, { userId: 1 });
    await controller.fetch(todos.getList, { userId: 2 });
    await controller.fetch(todos.getList.move, { id: 1 }, { userId: 2 });
    expect(handlers.rows[0]?.userId).toBe(2);
    const lists = [1, 2].map((userId) => controller.getResponse(todos.getList, { userId }).data);
    expect(lists.map((list) => list?.map(({ id }) => id))).toEqual([[], [4, 1]]);
    await controller.fetch(todos.getList.remove, { id: 1 }, { userId: 3 });
    expect(handlers.rows[0]?.userId).toBe(3);
    expect(await controller.fetch(todos.getList, { userId: 2 })).toHaveLength(1);
  });

  test("[T1] createHandlers deletes a row, and responds with the row if `deletion` is 'row'", async () => {
    const { controller, handlers } = setUp();
    expect(await controller.fetch(todos.delete, { id: 4 })).toEqual({ id: 4 });
    expect(handlers.rows.map(({ id }) => id)).toEqual([1]);
    const others = createResource({ urlPrefix: 'http://b.test', path: '/todos/:id', schema: Todo });
    const { controller: other } = mock(createHandlers(others, rows, { deletion: 'row' }));
    expect(await other.fetch(others.delete, { id: 4 })).toEqual(rows[1]);
  });

  test.each(['text', 7, null, true])(
    '[T1] createHandlers responds with 400 to a body that is no object: %j',
    async (body) => {
      const { controller, handlers } = setUp();
      const raw = {
        getRequestInit: () => ({
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      };
      const patch = { getRequestInit: () => ({ ...raw.getRequestInit(), method: 'PATCH' }) };
      const asked = [
        controller.fetch(todos.create.extend(raw), {}),
        controller.fetch(todos.partialUpdate.extend(patch), { id: 1 }, {}),
      ];
      for (const request of asked) {
        expect(await refusal(request)).toMatchObject({
          status: 400,
          body: { message: 'the body must be a JSON object' },
        });
      }
      expect(handlers.rows).toEqual(rows);
    },
  );

  test('[T1] createHandlers reads the fields of a FormData body', async () => {
    const { controller, handlers } = setUp();
    const form = new FormData();
    form.set('title', 'from a form');
    await controller.fetch(todos.create, form as never);
    expect(handlers.rows.at(-1)).toEqual({ id: 5, title: 'from a form' });
  });
});

class Note extends Entity {
  slug = '';
  text = '';
  override pk() {
    return this.slug;
  }
}

test.each([
  ['the key after keys that end in digits', ['note-8', 'note-9'], 'note-10'],
  ['the next number if the keys are numeric strings', ['1', '2'], '3'],
  ['a new key if no key has digits', ['a', 'b'], 'slug-1'],
  ['a string if there are no rows and the class declares a string', [], 'slug-1'],
])('[T1] createHandlers gives a created row %s', async (_, slugs, expected) => {
  const notes = createResource({ urlPrefix: 'http://n.test', path: '/notes/:slug', schema: Note });
  const { controller } = mock(
    createHandlers(
      notes,
      slugs.map((slug) => ({ slug, text: 'x' })),
    ),
  );
  const made = await controller.fetch(notes.create, { text: 'new' });
  expect(made.slug).toBe(expected);
  expect(await controller.fetch(notes.get, { slug: expected })).toMatchObject({ text: 'new' });
});

class Seat extends Entity {
  hall = '';
  row = 0;
  taken = false;
  override pk() {
    return `${this.hall}-${this.row}`;
  }
}

test('[T1] createHandlers finds a row with a compound primary key by its fields and by its key', async () => {
  const seats = createResource({
    urlPrefix: 'http://s.test',
    path: '/halls/:hall/seats/:row',
    schema: Seat,
  });
  const byKey = new RestEndpoint({ urlPrefix: 'http://s.test', path: '/seats/:key', schema: Seat });
  const handlers = createHandlers({ ...seats, byKey }, [{ hall: 'a', row: 7, taken: false }]);
  const { controller } = mock(handlers);
  const seat = await controller.fetch(seats.get, { hall: 'a', row: 7 });
  expect(await controller.fetch(byKey, { key: 'a-7' })).toBe(seat);
  await controller.fetch(seats.create, { hall: 'b' }, { row: 2 });
  await controller.fetch(seats.update, { hall: 'b', row: 2 }, { taken: true });
  expect(handlers.rows[1]).toEqual({ hall: 'b', row: 2, taken: true });
  expect(await controller.fetch(seats.getList, { hall: 'b' })).toHaveLength(1);
  const nameless = await refusal(controller.fetch(seats.create, { hall: 'b' }, { row: 2 }));
  expect(nameless.status).toBe(409);
});
