// Behaviours of rows whose primary key changes: by an edit, or when the server assigns the key.
import { All, Endpoint } from 'signalbox';
import type { EndpointOptions } from 'signalbox';
import { expect } from 'vitest';
import { lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { Todo, User, world } from './world.ts';
import type { Row, TodoParams, World } from './world.ts';

type Ask = (params: TodoParams, body: Partial<Row>) => Promise<object>;

/** An edited title changes the slug: the row has another key afterwards, and the old key has no row. */
function renameOf({ server }: World) {
  const options: EndpointOptions<Ask> & object = { name: 'rename', sideEffect: true, schema: Todo };
  const rename: Ask = ({ id }, body) =>
    server.ask(`PUT /todos/${id}`, () => server.show(Object.assign(server.row(id) as Row, body)));
  return new Endpoint(rename, { ...options, method: 'PUT' } as typeof options);
}

export const naming: Behaviours = {
  '[N19] an edit of the primary key is shown in list and detail, and the old key is not requested':
    async (driver) => {
      const w = world({ size: 3 });
      const detail = { view: 'detail', params: { id: 2 } } as const;
      const screen = await shown(driver, w, { view: 'list', params: {} }, detail);
      const all = ['t1 by ada', 'new by bob', 't3 by ada', 'new by bob'];
      await screen.act(() => w.controller.fetch(renameOf(w), { id: 2 }, { id: 20, title: 'new' }));
      expect(lines(screen)).toEqual(all);
      await screen.act(() => w.controller.expireAll(w.getTodo));
      expect(w.server.log).toEqual(['PUT /todos/2', 'GET /todos/20']);
      expect(lines(screen)).toEqual(all);
    },

  '[O13] a row created under a temporary parent stays when the server assigns the key of the parent':
    async (driver) => {
      const w = world({ size: 1 });
      const { controller, server } = w;
      const screen = await shown(driver, w, { view: 'list', params: {} });
      const expected = { getOptimisticResponse: (_: unknown, body: object) => body };
      const addUser = new Endpoint(
        (body: Partial<User>) =>
          server.ask('POST /users', () => {
            const user = { name: '', ...body, id: 3 };
            server.users.set(3, user);
            return user;
          }),
        { name: 'addUser', schema: User, sideEffect: true, ...expected },
      );
      const create = w.create.extend(expected);
      server.hold();
      let made: Promise<unknown> = Promise.resolve();
      await screen.act(() => {
        void controller.fetch(addUser, { name: 'eve' });
        const author = controller.get(new All(User))?.at(-1);
        made = controller.fetch(create, { title: 't2', userId: author?.id, author } as object);
      });
      expect(lines(screen)).toEqual(['t1 by ada', 't2 by eve']);
      expect(server.log).toEqual(['POST /users']);
      await screen.act(() => server.releaseOne());
      expect(lines(screen)).toEqual(['t1 by ada', 't2 by eve']);
      await screen.act(() => server.release());
      await made;
      expect(lines(screen)).toEqual(['t1 by ada', 't2 by eve']);
      expect(server.rows.at(-1)).toMatchObject({ userId: 3, author: { id: 3, name: 'eve' } });
    },

  '[H9] a fine-grained row keeps its element when the server assigns or changes the key': async (
    driver,
  ) => {
    const w = world({ size: 1 });
    const { controller, server } = w;
    const screen = await shown(driver, w, { view: 'fineList', params: {} });
    const create = w.create.extend({ getOptimisticResponse: (_: unknown, body: object) => body });
    server.hold();
    let made: Promise<unknown> = Promise.resolve();
    await screen.act(() => {
      made = controller.fetch(create, { title: 't2' });
    });
    expect(lines(screen)).toEqual(['t1 by ada', 't2 by nobody']);
    const row = screen.root.querySelectorAll('li')[1];
    await screen.act(() => server.release());
    await made;
    expect(lines(screen)).toEqual(['t1 by ada', 't2 by ada']);
    expect(screen.root.querySelectorAll('li')[1]).toBe(row);
    await screen.act(() => controller.fetch(renameOf(w), { id: 2 }, { id: 20, title: 'new' }));
    expect(lines(screen)).toEqual(['t1 by ada', 'new by ada']);
    expect(screen.root.querySelectorAll('li')[1]).toBe(row);
  },
};
