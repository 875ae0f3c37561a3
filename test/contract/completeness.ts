// Behaviours of a detail whose entity a list contained without all fields.
import { All, Endpoint } from 'signalbox';
import { expect } from 'vitest';
import { lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { Todo, world } from './world.ts';
import type { World, WorldOptions } from './world.ts';

const detail = { view: 'detail', params: { id: 1 } } as const;
const dle = { view: 'dle', params: { id: 1 } } as const;
const list = { view: 'list', params: {} } as const;

/** The list is stored, with rows without titles; no request for a detail was sent. */
async function listed(options?: WorldOptions) {
  const w = world(options);
  w.server.brief = true;
  await w.controller.fetch(w.getList, {});
  w.server.log.length = 0;
  w.server.hold();
  return w;
}

/** The optimistic creation of a todo, answered with the key alone. */
function creationOf({ getList, server }: World) {
  return new Endpoint(
    ({ id = 7, title = '' }: Partial<Todo>) =>
      server.ask('POST /todos', () => {
        server.rows.push({ id, userId: 1, title });
        return { id };
      }),
    {
      name: 'createTodo',
      sideEffect: true,
      schema: getList.schema?.push,
      getOptimisticResponse: (_: unknown, body: Partial<Todo>) => body,
    },
  );
}

export const completeness: Behaviours = {
  '[C6] a detail of an incomplete row suspends, sends one request, and shows the response': async (
    driver,
  ) => {
    const w = await listed();
    const screen = await driver.mount(w, [detail, detail]);
    expect(lines(screen)).toEqual(['loading']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada', 't1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[C6] a detail after an incomplete row in a mounted list shows no default values': async (
    driver,
  ) => {
    const w = world({ size: 1 });
    w.server.brief = true;
    const screen = await shown(driver, w, list);
    expect(lines(screen)).toEqual([' by nobody']);
    w.server.hold();
    await screen.show([detail]);
    expect(lines(screen)).not.toContain(' by nobody');
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada']);
    await screen.show([list]);
    expect(lines(screen)).toEqual(['t1 by ada']);
    await screen.show([detail]);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[C6] useDLE is loading until the missing fields of a row have arrived': async (driver) => {
    const w = await listed();
    const screen = await driver.mount(w, [dle]);
    expect(lines(screen)).toEqual(['wait']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos/1']);
  },

  '[C6] useCache has no data of an incomplete row, and sends no request': async (driver) => {
    const w = await listed();
    const screen = await driver.mount(w, [{ view: 'cache', params: { id: 1 } }]);
    expect(lines(screen)).toEqual(['nothing']);
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'set', done: false }));
    expect(lines(screen)).toEqual(['set by nobody']);
    expect(w.server.log).toEqual([]);
  },

  '[C6] with returnPartialData the known fields are shown while the others are fetched': async (
    driver,
  ) => {
    const w = await listed({ returnPartialData: true });
    const screen = await driver.mount(w, [detail, dle]);
    expect(lines(screen)).toEqual([' by nobody', ' by nobody']);
    expect(w.server.log).toEqual(['GET /todos/1']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada', 't1 by ada']);
    expect(w.server.log).toHaveLength(1);
  },

  '[C6] a later list with fewer fields removes no field from a mounted detail': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, detail);
    w.server.brief = true;
    await screen.act(() => w.controller.fetch(w.getList, {}));
    expect(lines(screen)).toEqual(['t1 by ada']);
    expect(w.server.log).toEqual(['GET /todos']);
  },

  '[C6] a detail of an optimistically created row stays while the fields that the response lacks are fetched':
    async (driver) => {
      for (const body of [{ id: 7, title: 't7' }, { title: 't7' }]) {
        const w = world();
        w.server.hold();
        const made = w.controller.fetch(creationOf(w), body);
        const id = w.controller.get(new All(Todo))?.at(-1)?.id;
        const screen = await driver.mount(w, [
          { view: 'detail', params: { id: id as number } },
          { view: 'dle', params: { id: id as number } },
        ]);
        const known = ['t7 by nobody', 't7 by nobody'];
        expect(lines(screen)).toEqual(known);
        await screen.act(async () => {
          w.server.releaseOne();
          await made;
        });
        expect(lines(screen)).toEqual(known);
        expect(w.server.log).toEqual(['POST /todos', 'GET /todos/7']);
        await screen.act(() => w.server.release());
        expect(lines(screen)).toEqual(['t7 by ada', 't7 by ada']);
        expect(w.server.log).toHaveLength(2);
      }
    },
};
