// What the compiler must say about servers made from resources; the first test holds the code of docs/testing.md.
import { setupServer } from 'msw/node';
import { Controller, createResource, Entity } from 'signalbox';
import { createHandlers } from 'signalbox/testing/msw';
import { expectTypeOf, test } from 'vitest';

class Todo extends Entity {
  id = 0;
  title = '';
  completed = false;
  userId = 0;
}
class User extends Entity {
  id = 0;
  name = '';
  manager = false;
}
const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
const UserResource = createResource({ path: '/users/:id', schema: User }).extend({
  makeManager: { path: '/users/:id/make_manager', method: 'POST', body: undefined },
});
const controller = new Controller();
const users = [{ id: 1, name: 'Ada', manager: false }];

async function documented(): Promise<void> {
  const handlers = createHandlers(TodoResource, [
    { id: 1, title: 'read', completed: false, userId: 1 },
    { id: 2, title: 'write', completed: true, userId: 1 },
  ]);
  const server = setupServer(...handlers);
  server.listen();

  await controller.fetch(TodoResource.create, { title: 'rest', userId: 1 });
  console.log(handlers.rows); // three rows, the new one has id 3
  handlers.fail = { method: 'PATCH', times: 1, status: 503 };
  handlers.delay = 200;
  handlers.reset(); // the two rows, and neither failures nor delays
}

test('[T1] the code of docs/testing.md about createHandlers compiles', () => {
  expectTypeOf(documented).returns.toEqualTypeOf<Promise<void>>();
  createHandlers(UserResource, users, {
    actions: {
      // POST /users/:id/make_manager; `row` is the one that the path names, else it is 404
      makeManager: ({ row }) => Object.assign(row ?? {}, { manager: true }),
      // changes what would be answered
      getList: ({ usual }) => ({ items: usual(), at: '2030-01-01' }),
    },
    // params that are no fields
    filters: { text: (user, value) => user.name.includes(value) },
    sort: (one, other) => one.name.localeCompare(other.name),
    delay: ({ method }) => (method === 'GET' ? 100 : 300),
    fail: ({ member, row }) => (member === 'delete' && row?.manager ? 409 : undefined),
  });
});

test('[T1] `rows` of createHandlers has the type of the passed rows, also in an action', () => {
  const handlers = createHandlers(TodoResource, [{ id: 1, extra: new Date() }]);
  expectTypeOf(handlers.rows).toEqualTypeOf<{ id: number; extra: Date }[]>();
  createHandlers(UserResource, users, {
    actions: {
      makeManager: ({ row, rows }) => {
        expectTypeOf(row).toEqualTypeOf<
          { id: number; name: string; manager: boolean } | undefined
        >();
        expectTypeOf(rows).toEqualTypeOf<typeof users>();
      },
    },
  });
});

test('[T1] createHandlers accepts actions for members of the resource only', () => {
  type Actions = NonNullable<Parameters<typeof createHandlers<typeof UserResource, User>>[2]>;
  expectTypeOf<keyof NonNullable<Actions['actions']>>().toEqualTypeOf<
    'get' | 'getList' | 'create' | 'update' | 'partialUpdate' | 'delete' | 'makeManager'
  >();
  // @ts-expect-error: no such member
  createHandlers(UserResource, users, { actions: { makeManger: () => undefined } });
});
