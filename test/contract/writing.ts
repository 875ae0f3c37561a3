// Behaviours of writing: exactly the components that show a change run.
import { expect } from 'vitest';
import { lines, rowsRan, shown } from './page.ts';
import type { Behaviours } from './page.ts';
import { world } from './world.ts';

const list = { view: 'list', params: {} } as const;
const fineList = { view: 'fineList', params: {} } as const;

export const writing: Behaviours = {
  '[H3] a mutation re-renders one row of 1,000': async (driver) => {
    const w = world({ size: 1_000 });
    const screen = await shown(driver, w, list);
    await screen.act(() => w.controller.fetch(w.update, { id: 500 }, { title: 'new' }));
    expect(rowsRan(w)).toEqual({ 'row 500': 1 });
    expect(lines(screen)[499]).toBe('new by bob');
    expect(w.server.log).toEqual(['PATCH /todos/500']);
  },

  '[H3] in a fine-grained list of 10,000 rows a change re-renders one row and no list': async (
    driver,
  ) => {
    const w = world({ size: 10_000 });
    const screen = await shown(driver, w, fineList);
    await screen.act(() => w.controller.set(w.Todo, { id: 5_000 }, { title: 'new' }));
    expect(w.ran()).toEqual({ 'row 5000': 1 });
    expect(screen.root.querySelectorAll('li')[4_999]?.textContent).toBe('new by bob');
  },

  '[H3] a changed author re-renders exactly the rows that show the author': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, list);
    await screen.act(() => w.controller.set(w.User, { id: 1 }, { name: 'eve' }));
    expect(rowsRan(w)).toEqual({ 'row 1': 1, 'row 3': 1, 'row 5': 1 });
    expect(lines(screen)).toEqual([
      't1 by eve',
      't2 by bob',
      't3 by eve',
      't4 by bob',
      't5 by eve',
    ]);
  },

  '[H3] in a fine-grained list a changed author re-renders the rows of the author and no list':
    async (driver) => {
      const w = world();
      const screen = await shown(driver, w, fineList);
      await screen.act(() => w.controller.set(w.User, { id: 2 }, { name: 'eve' }));
      expect(w.ran()).toEqual({ 'row 2': 1, 'row 4': 1 });
      expect(lines(screen)[1]).toBe('t2 by eve');
    },

  '[H3] two changes of one commit re-render a row once': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, list);
    const change = { title: 'new', author: { id: 1, name: 'eve' } };
    await screen.act(() => w.controller.set(w.Todo, { id: 1 }, change));
    expect(rowsRan(w)).toEqual({ 'row 1': 1, 'row 3': 1, 'row 5': 1 });
    expect(lines(screen)[0]).toBe('new by eve');
  },

  '[H3] a change of data that no component shows re-renders nothing': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, list, { view: 'detail', params: { id: 1 } });
    await screen.act(() => w.controller.set(w.Todo, { id: 99 }, { title: 'elsewhere' }));
    await screen.act(() => w.controller.set(w.User, { id: 9 }, { name: 'nobody' }));
    expect(w.ran()).toEqual({});
  },

  '[H3] an identical response re-renders nothing': async (driver) => {
    const w = world();
    const screen = await shown(driver, w, list, fineList, { view: 'detail', params: { id: 1 } });
    await screen.act(() => w.controller.fetch(w.getList, {}));
    await screen.act(() => w.controller.fetch(w.getTodo, { id: 1 }));
    expect(w.server.log).toEqual(['GET /todos', 'GET /todos/1']);
    expect(w.ran()).toEqual({});
  },

  '[H3] each view of an entity shows a change in the same turn': async (driver) => {
    const w = world({ size: 1 });
    const detail = { view: 'detail', params: { id: 1 } } as const;
    const dle = { view: 'dle', params: { id: 1 } } as const;
    const screen = await shown(driver, w, list, fineList, detail, dle);
    await screen.act(() => w.controller.fetch(w.update, { id: 1 }, { title: 'new' }));
    expect(lines(screen)).toEqual(Array.from({ length: 4 }, () => 'new by ada'));
    expect(w.ran()).toMatchObject({ 'row 1': 2, detail: 1, dle: 1 });
  },

  '[H3] a created row joins the list, and no other row re-renders': async (driver) => {
    const w = world({ size: 2 });
    const screen = await shown(driver, w, list);
    await screen.act(() => w.controller.fetch(w.create, { title: 'born', userId: 1 }));
    expect(lines(screen)).toEqual(['t1 by ada', 't2 by bob', 'born by ada']);
    expect(rowsRan(w)).toEqual({ 'row 3': 1 });
    expect(w.server.log).toEqual(['POST /todos']);
  },

  '[H3] in a fine-grained list a created row is added, and no other row re-renders': async (
    driver,
  ) => {
    const w = world({ size: 2 });
    const screen = await shown(driver, w, fineList);
    await screen.act(() => w.controller.fetch(w.create, { title: 'born', userId: 1 }));
    expect(lines(screen)).toEqual(['t1 by ada', 't2 by bob', 'born by ada']);
    expect(rowsRan(w)).toEqual({ 'row 3': 1 });
  },

  '[H3] a created row joins only the lists with matching arguments': async (driver) => {
    const w = world({ size: 2 });
    const of = (userId: number) => ({ view: 'list', params: { userId } }) as const;
    const screen = await shown(driver, w, of(1), of(2));
    await screen.act(() => w.controller.fetch(w.create, { title: 'born', userId: 2 }));
    expect(lines(screen)).toEqual(['t1 by ada', 't2 by bob', 'born by bob']);
  },

  '[H3] a deleted row leaves the list, and no other row re-renders': async (driver) => {
    const w = world({ size: 3 });
    const screen = await shown(driver, w, list);
    await screen.act(() => w.controller.fetch(w.remove, { id: 2 }));
    expect(lines(screen)).toEqual(['t1 by ada', 't3 by ada']);
    expect(rowsRan(w)).toEqual({});
    expect(w.server.log).toEqual(['DELETE /todos/2']);
  },

  '[H3] in a fine-grained list a deleted row re-renders at most the row with a new index': async (
    driver,
  ) => {
    const w = world({ size: 3 });
    const screen = await shown(driver, w, fineList);
    await screen.act(() => w.controller.fetch(w.remove, { id: 2 }));
    expect(lines(screen)).toEqual(['t1 by ada', 't3 by ada']);
    const { 'row 1': first, 'row 3': third } = w.ran();
    // the third row has another index: a form that passes the index may run the row once
    expect(first).toBeUndefined();
    expect(third ?? 0).toBeLessThanOrEqual(1);
  },
};
