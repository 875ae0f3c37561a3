// Collections: lists inside of entities, removals, moves, and filters of the user's own.
import { Collection, Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo, watch, world } from '../setup/world.ts';

const todos = new Collection([Todo]);

class Owner extends Entity {
  id = 0;
  name = '';
  todos: Todo[] = [];
  static override schema = {
    todos: new Collection([Todo], { nestKey: (owner: { id: number }) => ({ userId: owner.id }) }),
  };
}

const ids = (rows: readonly { id: number }[] | undefined) => rows?.map(({ id }) => id);

/** Two lists of todos by user, and a list of all. */
async function lists() {
  const w = world();
  const list = w.read('list', todos, {
    reply: ({ userId }) => [1, 2, 3].map((n) => ({ id: (userId ?? 0) * 10 + n, userId })),
  });
  for (const params of [{ userId: 1 }, { userId: 2 }, {}]) await w.controller.fetch(list, params);
  const of = (params: object) => w.controller.signal(list, params);
  const show = () => [of({ userId: 1 }), of({ userId: 2 }), of({})].map(({ value }) => ids(value));
  return { w, list, of, show };
}

test('[N14] a list nested in an entity equals the list of the arguments from nestKey', async () => {
  const w = world();
  const list = w.read('list', todos);
  await w.controller.set(Owner, {}, { id: 5, todos: [{ id: 1 }, { id: 2 }] });
  const owner = watch(w.controller.entity(Owner, 5));
  expect(ids(owner.last?.todos)).toEqual([1, 2]);
  expect(w.controller.signal(list, { userId: 5 }).value).toBe(owner.last?.todos);
});

test('[N14] a Collection with argsKey and nestKey uses nestKey inside an entity, else argsKey', async () => {
  const both = new Collection([Todo], {
    argsKey: ({ userId }: { userId: number }) => ({ userId }),
    nestKey: (owner: { id: number }) => ({ userId: owner.id }),
  });
  class Holder extends Entity {
    id = 0;
    todos: Todo[] = [];
    static override schema = { todos: both };
  }
  const w = world();
  const reply = () => ({ results: [{ id: 1 }], total: 1 });
  await w.controller.fetch(w.read('list', { results: both, total: 0 }, { reply }), { userId: 5 });
  expect(ids(w.controller.get(both, { userId: 5 }))).toEqual([1]);
  await w.controller.set(Holder, { userId: 0 }, { id: 6, todos: [{ id: 2 }] });
  expect(ids(w.controller.get(both, { userId: 6 }))).toEqual([2]);
});

test('[N15] a creation is added to a list nested in an entity', async () => {
  const w = world();
  await w.controller.set(Owner, {}, { id: 5, todos: [{ id: 1 }] });
  const owner = watch(w.controller.entity(Owner, 5));
  await w.controller.set(todos.push, { userId: 5 }, { id: 9, userId: 5 });
  expect(owner.seen.map((value) => ids(value?.todos))).toEqual([[1], [1, 9]]);
});

class Member extends Entity {
  id = 0;
  team: Team | null = null;
  static override schema: Record<string, unknown> = {};
}

class Team extends Entity {
  id = 0;
  members: Member[] = [];
  static override schema = {
    members: new Collection([Member], { nestKey: (team: { id: number }) => ({ team: team.id }) }),
  };
}
Member.schema = { team: Team };

test('[N11] rows that refer to the parent of their list are read as one cycle from each entry point', async () => {
  const w = world();
  await w.controller.set(
    Team,
    {},
    {
      id: 1,
      members: [
        { id: 1, team: 1 },
        { id: 2, team: 1 },
      ],
    },
  );
  const list = w.controller.get(new Collection([Member]), { team: 1 });
  expect(list?.[0]?.team?.members).toBe(list);
  const team = w.controller.get(Team, { id: 1 });
  expect(team?.members[1]?.team).toBe(team);
  await w.controller.set(Member, { id: 2 }, { extra: 1 });
  const later = w.controller.get(Team, { id: 1 });
  expect(later).not.toBe(team);
  expect(later?.members[0]?.team).toBe(later);
});

test('[N14] `remove` takes a row out of all lists, and keeps the entity', async () => {
  const { w, show } = await lists();
  await w.controller.set(todos.push, { userId: 1 }, { id: 9, userId: 1 });
  expect(show()).toEqual([
    [11, 12, 13, 9],
    [21, 22, 23],
    [1, 2, 3, 9],
  ]);
  await w.controller.set(todos.remove, { id: 9 });
  expect(show()).toEqual([
    [11, 12, 13],
    [21, 22, 23],
    [1, 2, 3],
  ]);
  expect(w.controller.get(Todo, { id: 9 })).toBeDefined();
});

test('[N14] `remove` with filter arguments keeps the row in lists with other arguments', async () => {
  const { w, show } = await lists();
  await w.controller.set(todos.push, { userId: 1 }, { id: 9, userId: 1 });
  await w.controller.set(todos.remove, { userId: 2 }, { id: 9 });
  expect(show()).toEqual([
    [11, 12, 13, 9],
    [21, 22, 23],
    [1, 2, 3],
  ]);
});

test('[N15] a moved row leaves lists that exclude the new values, and joins lists that match', async () => {
  const { w, show, of } = await lists();
  const others = watch(of({}));
  await w.controller.set(todos.move, { id: 11 }, { id: 11, userId: 2 });
  expect(show()).toEqual([
    [12, 13],
    [21, 22, 23, 11],
    [1, 2, 3, 11],
  ]);
  await w.controller.set(todos.move, { id: 11 }, { id: 11, title: 'x' });
  expect(show()).toEqual([
    [12, 13],
    [21, 22, 23, 11],
    [1, 2, 3, 11],
  ]);
  expect(others.runs).toBe(3);
});

test('[N15] createCollectionFilter decides the lists to which a created row is added', async () => {
  const w = world();
  const loud = new Collection([Todo], {
    createCollectionFilter:
      ({ userId }: { userId: number }) =>
      (key) =>
        Number(key['userId']) >= userId,
  });
  const list = w.read('list', loud, { reply: () => [] });
  for (const userId of [1, 2, 3]) await w.controller.fetch(list, { userId });
  await w.controller.set(loud.push, { userId: 2 }, { id: 9 });
  const show = [1, 2, 3].map((userId) => ids(w.controller.signal(list, { userId }).value));
  expect(show).toEqual([[], [9], [9]]);
});

test('[N15] each created row is added by its own values, also behind a row that `process` omits', async () => {
  class Task extends Entity {
    id = 0;
    static override process(input: { id?: number }): unknown {
      return input.id === undefined ? undefined : { id: input.id };
    }
  }
  const w = world();
  const { controller } = w;
  const tasks = new Collection([Task]);
  const list = w.read('list', tasks);
  for (const team of ['red', 'blue']) {
    void controller.fetch(list, { team });
    await w.call().answer([]);
  }
  void controller.fetch(w.mutation('create', tasks.push), {});
  await w.call().answer([{ team: 'red' }, { id: 1, team: 'blue' }]);
  const ids = (team: string) => controller.get(tasks, { team })?.map(({ id }) => id);
  expect([ids('red'), ids('blue')]).toEqual([[], [1]]);
});

test('[N15] several rows created by unshift keep their order at the front', async () => {
  const { w, show } = await lists();
  await w.controller.set(todos.unshift, { userId: 2 }, [
    { id: 7, userId: 2 },
    { id: 8, userId: 2 },
  ]);
  expect(show()[1]).toEqual([7, 8, 21, 22, 23]);
});

test('[N14] `remove` of a Collection with a custom filter takes the row out of the list', async () => {
  const w = world();
  const all = new Collection([Todo], { createCollectionFilter: () => () => true });
  const list = w.read('list', all, { reply: () => [{ id: 1 }, { id: 2 }] });
  await w.controller.fetch(list, {});
  await w.controller.set(all.remove, { id: 1 }, { id: 1 });
  expect(ids(w.controller.signal(list, {}).value)).toEqual([2]);
});
