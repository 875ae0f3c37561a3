// Lists and maps nested in an entity, read field by field.
import { Collection, Delete, Entity, live as liveOf, Values } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo, watch, world } from '../setup/world.ts';

const nestKey = ({ id }: { id: number }) => ({ userId: id });
const todos = new Collection([Todo], { nestKey });
const byName = new Collection(new Values(Todo), { nestKey });

class Owner extends Entity {
  id = 0;
  name = '';
  todos: Todo[] = [];
  pinned: { readonly rows: Todo[] } = { rows: [] };
  static override schema = { todos, pinned: { rows: new Collection([Todo]) } };
}

class Register extends Entity {
  id = 0;
  byName: Record<string, Todo> = {};
  static override schema = { byName };
}

async function filled() {
  const { controller } = world();
  const owner = { id: 1, name: 'Ada', todos: [], pinned: { rows: [{ id: 7 }] } };
  await controller.set(Owner, owner);
  return { controller, live: liveOf(controller, Owner, 1) };
}

test('[V5] a live reader of a nested list runs only when a row is added, moved or removed', async () => {
  const { controller, live } = await filled();
  const ids = watch(() => live.todos.map(({ id }) => id));
  const name = watch(() => live.name);
  await controller.set(todos.push, { userId: 1 }, { id: 5, userId: 1 });
  expect(ids.last).toEqual([5]);
  await controller.set(Owner, { id: 1 }, { todos: [{ id: 6 }, { id: 5 }] });
  expect(ids.last).toEqual([6, 5]);
  await controller.set(new Delete(Todo), { id: 6 }, {});
  expect(ids.last).toEqual([5]);
  await controller.set(Todo, { id: 5 }, { title: 'b' });
  expect([ids.runs, name.runs]).toEqual([4, 1]);
});

test('[V5] a live reader of a list in a nested object runs when a row is removed', async () => {
  const { controller, live } = await filled();
  const ids = watch(() => live.pinned.rows.map(({ id }) => id));
  await controller.set(new Delete(Todo), { id: 7 }, {});
  expect(ids.seen).toEqual([[7], []]);
});

test('[V5] a live reader of a nested map runs when a row is added or removed', async () => {
  const { controller } = world();
  await controller.set(Register, { id: 1, byName: {} });
  const live = liveOf(controller, Register, 1);
  const keys = watch(() => Object.keys(live.byName));
  await controller.set(byName.assign, { userId: 1 }, { a: { id: 5, userId: 1 } });
  await controller.set(new Delete(Todo), { id: 5 }, {});
  expect(keys.seen).toEqual([[], ['a'], []]);
});
