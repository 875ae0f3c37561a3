// Behaviours where responses, pushes and own writes cross.
import { Endpoint } from 'signalbox';
import type { Collection } from 'signalbox';
import { expect } from 'vitest';
import { lines, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';
import type { Row, Todo, World } from './world.ts';

const list = { view: 'list', params: {} } as const;
const detail = { view: 'detail', params: { id: 1 } } as const;

/** An optimistic edit with the response of `answer`; the server runs `act`. */
function editing(
  w: World,
  act: (body: Partial<Row>) => void,
  answer: (body: Partial<Row>) => object,
) {
  return new Endpoint(
    ({ id }: { id: number }, body: Partial<Row>) =>
      w.server.ask(`PATCH /todos/${id}`, () => {
        act(body);
        return { id, ...answer(body) };
      }),
    {
      name: 'editing',
      schema: w.Todo,
      sideEffect: true,
      getOptimisticResponse: (_: unknown, { id }: { id: number }, body: Partial<Row>) => ({
        id,
        ...body,
      }),
    },
  );
}

const pushOf = ({ getList }: World) => (getList.schema as Collection<[typeof Todo]>).push;

/** An optimistic creation of the row 9. */
function creating(w: World, options: object = {}) {
  return new Endpoint(
    (body: { title: string; userId: number }) =>
      w.server.ask('POST /todos', () => {
        const row = { id: 9, ...body };
        if (w.server.row(9) === undefined) w.server.rows.push(row);
        return w.server.show(row);
      }),
    {
      name: 'creating',
      schema: pushOf(w),
      sideEffect: true,
      getOptimisticResponse: (_: unknown, body: object) => body,
      ...options,
    },
  );
}

const titles = (screen: Parameters<typeof lines>[0]) =>
  lines(screen).map((text) => text.split(' ')[0]);

export const ordering: Behaviours = {
  '[N23] a component shows the sent value while a response without the value is completed by a refetch':
    async (driver) => {
      const w = world();
      const screen = await shown(driver, w, list, detail);
      const edit = editing(
        w,
        (body) => Object.assign(w.server.row(1) as Row, body),
        () => ({}),
      );
      w.server.hold();
      await screen.act(() => void w.controller.fetch(edit, { id: 1 }, { title: 'new' }));
      await screen.act(() => w.server.releaseOne());
      expect([lines(screen)[0], lines(screen).at(-1)]).toEqual(['new by ada', 'new by ada']);
      expect(new Set(w.server.log)).toEqual(
        new Set(['GET /todos', 'GET /todos/1', 'PATCH /todos/1']),
      );
      await screen.act(() => w.server.release());
      expect([lines(screen)[0], lines(screen).at(-1)]).toEqual(['new by ada', 'new by ada']);
    },

  '[O15] after a push during an edit a component shows the edit, and then the refetched value':
    async (driver) => {
      const w = world();
      const screen = await shown(driver, w, list);
      const edit = editing(
        w,
        () => Object.assign(w.server.row(1) as Row, { title: 'theirs' }),
        (body) => body,
      );
      w.server.hold();
      await screen.act(() => void w.controller.fetch(edit, { id: 1 }, { title: 'mine' }));
      await screen.act(() => void w.controller.set(w.Todo, { id: 1 }, { title: 'theirs' }));
      expect(titles(screen)[0]).toBe('mine');
      await screen.act(() => w.server.releaseOne());
      expect(titles(screen)[0]).toBe('mine');
      await screen.act(() => w.server.release());
      expect(titles(screen)[0]).toBe('theirs');
      expect(w.server.log).toEqual(['PATCH /todos/1', 'GET /todos']);
    },

  '[O16] a component shows a created row once when its push arrives before the response': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, list);
    const before = titles(screen);
    w.server.hold();
    await screen.act(() => void w.controller.fetch(creating(w), { title: 'made', userId: 1 }));
    expect(titles(screen)).toEqual([...before, 'made']);
    const echo = w.server.show({ id: 9, title: 'made', userId: 1 });
    await screen.act(() => void w.controller.set(pushOf(w), echo));
    expect(titles(screen)).toEqual([...before, 'made']);
    await screen.act(() => w.server.release());
    expect(titles(screen)).toEqual([...before, 'made']);
  },

  '[O11] a component shows a created row once if the list has the row before the response with `update`':
    async (driver) => {
      const w = world();
      const screen = await shown(driver, w, list);
      const before = titles(screen);
      const create = creating(w, {
        schema: w.Todo,
        getOptimisticResponse: undefined,
        update: (made: string) => ({ [w.getList.key({})]: (pks: string[]) => [...pks, made] }),
      });
      w.server.hold();
      await screen.act(() => void w.controller.fetch(create, { title: 'made', userId: 1 }));
      w.server.rows.push({ id: 9, title: 'made', userId: 1 });
      await screen.act(
        () =>
          void w.controller.setResponse(
            w.getList,
            {},
            w.server.rows.map((row) => w.server.show(row)),
          ),
      );
      await screen.act(() => w.server.releaseOne());
      expect(titles(screen)).toEqual([...before, 'made']);
      await screen.act(() => w.server.release());
      expect(titles(screen)).toEqual([...before, 'made']);
    },

  '[O8] a 401 that resets the store ends in an error, without a loop of requests': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, list, detail);
    const stop = w.controller.on('error', ({ error }) => {
      if (error.status === 401) w.controller.reset();
    });
    w.server.fail(401);
    await screen.act(() => w.controller.fetch(w.getList, {}).catch(() => {}));
    await screen.act();
    expect(lines(screen)).toContain('status 401');
    expect(w.server.log.filter((text) => text === 'GET /todos').length).toBeLessThanOrEqual(2);
    expect(w.server.log.filter((text) => text === 'GET /todos/1').length).toBeLessThanOrEqual(2);
    stop();
  },
};
