// Behaviours of related rows: members of a class that follow foreign keys.
import { withRelated } from 'signalbox';
import { expect } from 'vitest';
import { lines, rowsRan, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';
import type { World, WorldOptions } from './world.ts';

const detail = { view: 'detail', params: { id: 1 } } as const;
const notes = { view: 'notes', params: { id: 1 } } as const;
const withNotes = { view: 'withNotes', params: { id: 1 } } as const;
const joined = { view: 'joined', params: null } as const;
const noteRows = { view: 'noteRows', params: { id: 1 } } as const;

/** A world where responses of the list and of a todo contain the notes. */
function worldWithNotes(options?: WorldOptions): World {
  const w = world(options);
  return { ...w, getTodo: w.todoWithNotes, getList: withRelated(w.getList, { notes: true }) };
}

const list = { view: 'list', params: {} } as const;
const dle = { view: 'dle', params: { id: 1 } } as const;
const status = { view: 'status', params: { id: 1 } } as const;

export const related: Behaviours = {
  '[N24] a component shows related rows, and follows added, changed and moved rows': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, notes);
    expect(lines(screen)).toEqual(['t1: ']);
    await screen.act(() => w.controller.set(w.Note, { id: 1 }, { id: 1, todoId: 1, text: 'n1' }));
    expect(lines(screen)).toEqual(['t1: n1']);
    await screen.act(() => w.controller.set(w.Note, { id: 1 }, { text: 'new' }));
    expect(lines(screen)).toEqual(['t1: new']);
    expect(w.ran()).toEqual({ notes: 2 });
    await screen.act(() => w.controller.set(w.Note, { id: 1 }, { todoId: 2 }));
    expect(lines(screen)).toEqual(['t1: ']);
    expect(w.server.log).toEqual([]);
  },

  '[N24] a component that reads no related rows does not re-render for related rows': async (
    driver,
  ) => {
    const w = world();
    const screen = await shown(driver, w, detail, { ...notes, params: { id: 2 } });
    await screen.act(() => w.controller.set(w.Note, { id: 1 }, { id: 1, todoId: 1, text: 'n1' }));
    expect(w.ran()).toEqual({});
    await screen.act(() => w.controller.set(w.Note, { id: 1 }, { todoId: 2 }));
    expect(lines(screen)).toEqual(['t1 by ada', 't2: n1']);
    expect(w.ran()).toEqual({ notes: 1 });
  },

  '[N24] a component with related rows fetches the rows and suspends once': async (driver) => {
    const w = world();
    w.server.hold();
    const second = { ...withNotes, params: { id: 2 } } as const;
    const screen = await driver.mount(w, [withNotes, second]);
    expect(lines(screen)).toEqual(['loading']);
    expect([...w.server.log].sort()).toEqual(['GET /todos/1', 'GET /todos/2']);
    // the other todo is still on the way
    await screen.act(() => w.server.releaseOne());
    expect(w.server.log[2]).toMatch(/^GET .notes.todoId=[12]$/);
    expect(lines(screen)).toEqual(['loading']);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1: n1', 't2: n2']);
    expect(w.server.log).toHaveLength(4);
    w.ran();
    await screen.act(() => w.controller.set(w.Note, { id: 1 }, { text: 'new' }));
    expect(lines(screen)).toEqual(['new', 'n2'].map((text, at) => `t${at + 1}: ${text}`));
    expect(w.ran()).toEqual({ notes: 1 });
    await screen.show([{ ...withNotes, params: { id: 3 } }, second]);
    expect(lines(screen)).toEqual(['t3: n3', 't2: n2']);
    expect(w.server.log.slice(4)).toEqual(['GET /todos/3', 'GET /notes?todoId=3']);
  },

  '[N24] stale related rows are refetched with their parent': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, withNotes);
    w.clock.advance(60_001);
    await screen.act(() => w.comeBack('focus'));
    expect([...w.server.log].sort()).toEqual(['GET /notes?todoId=1', 'GET /todos/1']);
    expect(lines(screen)).toEqual(['t1: n1']);
    await screen.unmount();
    w.server.log.length = 0;
    await screen.act(() => w.comeBack('focus'));
    expect(w.server.log).toEqual([]);
  },

  '[N24] stale related rows are refetched when a further component mounts': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, withNotes);
    await screen.show([withNotes, withNotes]);
    expect(w.server.log).toEqual([]);
    w.clock.advance(60_001);
    await screen.show([withNotes, withNotes, withNotes]);
    expect([...w.server.log].sort()).toEqual(['GET /notes?todoId=1', 'GET /todos/1']);
    expect(lines(screen)).toEqual(['t1: n1', 't1: n1', 't1: n1']);
  },

  '[N24] invalidated related rows stay shown until the refetch': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, withNotes);
    w.server.hold();
    await screen.act(() => w.controller.invalidate(w.getNotes, { todoId: 1 }));
    expect([w.server.log, lines(screen)]).toEqual([['GET /notes?todoId=1'], ['t1: n1']]);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1: n1']);
    w.server.log.length = 0;
    await screen.act(() => w.controller.invalidateAll(w.getNotes));
    expect(w.server.log).toEqual(['GET /notes?todoId=1']);
    w.server.log.length = 0;
    await screen.act(() => w.controller.invalidateAll({ testKey: () => true }));
    expect([...w.server.log].sort()).toEqual(['GET /notes?todoId=1', 'GET /todos/1']);
    expect(lines(screen)).toEqual(['t1: n1']);
  },

  '[N24] status 500 for the related rows of a later row keeps the list, and status 404 reaches the boundary':
    async (driver) => {
      const w = worldWithNotes({ size: 1 });
      const screen = await shown(driver, w, list);
      const push = (id: number) =>
        w.controller.setResponse(w.create, { title: '' }, { id, userId: 1, title: `t${id}` });
      w.server.fail(500);
      await screen.act(() => push(2));
      expect(w.server.log).toEqual(['GET /notes?todoId=2']);
      expect(lines(screen)).toEqual(['t1 by ada', 't2 by nobody']);
      w.server.fail(404);
      await screen.act(() => push(3));
      expect(lines(screen)).toEqual(['status 404']);
    },

  '[N24] a component that mounts beside an optimistic row shows the row, and fetches related rows later':
    async (driver) => {
      const w = worldWithNotes({ size: 1 });
      await w.controller.fetch(w.getList, {});
      await w.controller.fetch(w.getNotes, { todoId: 1 });
      w.server.hold();
      const create = w.create.extend({ getOptimisticResponse: (_: unknown, body: object) => body });
      const sent = w.controller.fetch(create, { title: 'new', userId: 1 });
      w.server.log.length = 0;
      const screen = await driver.mount(w, [list]);
      expect(lines(screen)).toEqual(['t1 by ada', 'new by nobody']);
      await screen.act(async () => {
        w.server.release();
        await sent;
      });
      expect(lines(screen)).toEqual(['t1 by ada', 'new by ada']);
      expect(w.server.log).toEqual(['GET /notes?todoId=2']);
    },

  '[H9] useStatus follows the request of a component and the requests for its related rows': async (
    driver,
  ) => {
    const w = worldWithNotes({ dataExpiryLength: 3_000 });
    w.server.hold();
    const screen = await driver.mount(w, [dle, status]);
    expect(lines(screen)).toEqual(['wait', 'fetching, stale, never, fine']);
    await screen.act(() => w.server.releaseOne());
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /notes?todoId=1']);
    expect(lines(screen)[1]).toBe('fetching, stale, at 0, fine');
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada', 'idle, fresh, at 0, fine']);
    w.server.hold();
    await screen.act(() => w.controller.invalidate(w.getNotes, { todoId: 1 }));
    expect(lines(screen)).toEqual(['t1 by ada', 'fetching, stale, at 0, fine']);
    w.server.fail(500);
    await screen.act(() => w.server.release());
    expect(lines(screen)).toEqual(['t1 by ada', 'idle, stale, at 0, status 500']);
  },

  '[N24] in a fine-grained related list only changed rows re-render': async (driver) => {
    const w = world();
    const note = (id: number, fields: object) => w.controller.set(w.Note, { id }, fields);
    await note(1, { id: 1, todoId: 1, text: 'n1' });
    await note(2, { id: 2, todoId: 1, text: 'n2' });
    const screen = await shown(driver, w, noteRows);
    expect(lines(screen)).toEqual(['n1 of t1', 'n2 of t1']);
    await screen.act(() => note(2, { text: 'new' }));
    expect(lines(screen)).toEqual(['n1 of t1', 'new of t1']);
    expect(w.ran()).toEqual({ 'row 2': 1 });
    await screen.act(() => note(3, { id: 3, todoId: 1, text: 'n3' }));
    expect(lines(screen)).toEqual(['n1 of t1', 'new of t1', 'n3 of t1']);
    expect(rowsRan(w)).toEqual({ 'row 3': 1 });
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'named' }));
    expect(lines(screen)).toEqual(['n1 of named', 'new of named', 'n3 of named']);
    expect(rowsRan(w)).toEqual({ 'row 1': 1, 'row 2': 1, 'row 3': 1 });
  },

  '[N24] a related list has rows of a subclass, also with the primary key of another row': async (
    driver,
  ) => {
    const w = world();
    class Memo extends w.Note {
      static override key = 'Memo';
    }
    const set = (Class: typeof w.Note, fields: object) =>
      w.controller.set(Class, { id: 1 }, { id: 1, ...fields });
    await set(w.Note, { todoId: 1, text: 'n1' });
    const screen = await shown(driver, w, noteRows);
    expect(lines(screen)).toEqual(['n1 of t1']);
    await screen.act(() => set(Memo, { todoId: 1, text: 'm1' }));
    expect(lines(screen)).toEqual(['n1 of t1', 'm1 of t1']);
    expect(rowsRan(w)).toEqual({ 'row 1': 1 });
    await screen.act(() => set(Memo, { text: 'new' }));
    expect(lines(screen)).toEqual(['n1 of t1', 'new of t1']);
    expect(w.ran()).toEqual({ 'row 1': 1 });
    await screen.act(() => set(w.Note, { todoId: 2 }));
    expect(lines(screen)).toEqual(['new of t1']);
    expect(rowsRan(w)).toEqual({});
    await screen.act(() => set(Memo, { todoId: 2 }));
    expect(lines(screen)).toEqual([]);
  },

  '[N24] a component shows joined rows, and re-renders only for changes of these rows': async (
    driver,
  ) => {
    const w = world();
    const { controller, Note, Todo } = w;
    const note = (id: number, fields: object) => controller.set(Note, { id }, fields);
    await controller.set(Todo, { id: 1 }, { id: 1, title: 't1' });
    const screen = await shown(driver, w, joined);
    expect(lines(screen)).toEqual(['t1 with nothing']);
    await screen.act(() => note(1, { id: 1, todoId: 1, text: 'n1' }));
    await screen.act(() => note(2, { id: 2, todoId: 1, text: 'n2' }));
    expect(lines(screen)).toEqual(['t1 with n1; t1 with n2']);
    w.ran();
    await screen.act(() => note(2, { text: 'new' }));
    expect(lines(screen)).toEqual(['t1 with n1; t1 with new']);
    expect(w.ran()).toEqual({ joined: 1 });
    await screen.act(() => controller.set(w.User, { id: 9 }, { id: 9, name: 'x' }));
    await screen.act(() => note(3, { id: 3, todoId: 7, text: 'of another' }));
    expect(w.ran()).toEqual({});
    await screen.act(() => controller.set(Todo, { id: 2 }, { id: 2, title: 't2' }));
    await screen.act(() => note(1, { todoId: 2 }));
    expect(lines(screen)).toEqual(['t1 with new; t2 with n1']);
    expect(w.server.log).toEqual([]);
  },
};
