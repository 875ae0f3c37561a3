/** Lists of an entity: the identity of a Collection in an entity. */
import {
  Collection,
  Controller,
  createResource,
  Endpoint,
  Entity,
  optimistic,
  Values,
} from 'signalbox';
import { expect, test, vi } from 'vitest';

class Tag extends Entity {
  id = '';
}

const tags = (...ids: string[]): Tag[] => ids.map((id) => Tag.fromJS({ id }));
const idsOf = (list: readonly Tag[] | undefined): string | undefined =>
  list?.map(({ id }) => id).join();

test('[N14] lists in entities whose primary key comes from their parent are separate lists', async () => {
  class Row extends Entity {
    n = 0;
    tags: Tag[] = [];
    static override schema = { tags: new Collection([Tag]) };
    static override pk({ n }: Row, parent: { id: string } | undefined): string {
      return `${parent?.id}-${n}`;
    }
  }
  class Table extends Entity {
    id = '';
    rows: Row[] = [];
    static override schema = { rows: [Row] };
  }
  const { getList } = createResource({ path: '/tables/:id', schema: Table });
  const controller = new Controller();
  const rowsOf = (id: string) => [1, 2].map((n) => ({ n, tags: tags(`${id}${n}`) }));
  await controller.setResponse(getList, [
    { id: 'a', rows: rowsOf('a') },
    { id: 'b', rows: rowsOf('b') },
  ]);
  const { data } = controller.getResponse(getList);
  const shown = data?.map(({ rows }) => rows.map((row) => idsOf(row.tags)));
  expect(shown).toEqual([
    ['a1', 'a2'],
    ['b1', 'b2'],
  ]);
});

class Post extends Entity {
  id = '';
  meta: { tags: Tag[] } = { tags: [] };
  byTopic: Record<string, Tag[]> = {};
  static override schema = {
    meta: { tags: new Collection([Tag]) },
    byTopic: new Values(new Collection([Tag])),
  };
}

test('[N14] a list in a plain object of an entity belongs to the entity, not to the resource', async () => {
  const Posts = createResource({ path: '/posts/:id', schema: Post });
  const Tags = createResource({ path: '/tags/:id', schema: Tag });
  const controller = new Controller();
  await controller.setResponse(Tags.getList, tags('a', 'b', 'c'));
  await controller.setResponse(Posts.getList, [
    { id: '1', meta: { tags: tags('a') } },
    { id: '2', meta: { tags: tags('b', 'c') } },
  ]);
  const { data } = controller.getResponse(Posts.getList);
  expect(data?.map(({ meta }) => idsOf(meta.tags))).toEqual(['a', 'b,c']);
  expect(idsOf(controller.getResponse(Tags.getList).data)).toBe('a,b,c');
});

test('[N14] lists in a map of an entity are separate for each key and entity', async () => {
  const controller = new Controller();
  await controller.set(Post, { id: '1' }, { byTopic: { x: tags('a'), y: tags('b') } });
  await controller.set(Post, { id: '2' }, { byTopic: { x: tags('c') } });
  const [one, two] = ['1', '2'].map((id) => controller.get(Post, { id })?.byTopic);
  expect([one?.['x'], one?.['y'], two?.['x']].map(idsOf)).toEqual(['a', 'b', 'c']);
});

class Task extends Entity {
  id = 0;
  owner = 0;
}
const nestKey = (owner: { id: number }) => ({ owner: owner.id });
const taskIds = (list: readonly Task[] | undefined) => list?.map(({ id }) => id);

test.each(['without', 'with'])(
  '[N15] creations are added to a list and a map of one entity with the same identity, %s a resource',
  async (resource) => {
    class Owner extends Entity {
      id = 0;
      tasks: Task[] = [];
      byName: Record<string, Task> = {};
      static override schema = {
        tasks: new Collection([Task], { nestKey }),
        byName: new Collection(new Values(Task), { nestKey }),
      };
    }
    const { tasks, byName } = Owner.schema;
    if (resource === 'with') createResource({ path: '/tasks/:id', schema: Task });
    const controller = new Controller();
    for (const id of [1, 2])
      await controller.set(Owner, { id }, { tasks: [{ id }], byName: { a: { id: id + 2 } } });
    await controller.set(tasks.push, { owner: 1 }, { id: 5, owner: 1 });
    await controller.set(byName.assign, { owner: 1 }, { b: { id: 6, owner: 1 } });
    const [one, two] = [1, 2].map((id) => controller.get(Owner, { id }));
    expect([one, two].map((owner) => taskIds(owner?.tasks))).toEqual([[1, 5], [2]]);
    expect([one, two].map((owner) => Object.keys(owner?.byName ?? {}))).toEqual([
      ['a', 'b'],
      ['a'],
    ]);
  },
);

type TaskList = Collection<[typeof Task]>;
const taskList = (options: object): TaskList =>
  new Collection<[typeof Task]>([Task], { nestKey, ...options });

/** Owners with two lists of tasks under the same identity, and the shown rows. */
async function twoLists(open: TaskList, done: TaskList) {
  class Owner extends Entity {
    id = 0;
    open: Task[] = [];
    done: Task[] = [];
    static override schema = { open, done };
  }
  class Team extends Owner {}
  const Tasks = createResource({ path: '/tasks/:id', schema: Task });
  const Owners = createResource({ path: '/owners/:id', schema: Owner });
  const controller = new Controller();
  await controller.setResponse(Owners.getList, [
    { id: 1, open: [{ id: 1 }], done: [{ id: 2 }] },
    { id: 2, open: [{ id: 3 }], done: [{ id: 4 }] },
  ]);
  await controller.set(Team, { id: 3 }, { open: [{ id: 5 }], done: [{ id: 6 }] });
  const shown = () =>
    [...(controller.getResponse(Owners.getList).data ?? []), controller.get(Team, { id: 3 })].map(
      (owner) => [taskIds(owner?.open), taskIds(owner?.done)],
    );
  const isFresh = () => controller.getResponse(Owners.getList).expiresAt > Date.now();
  return { controller, Tasks, shown, isFresh };
}

test.each([{}, { nonFilterArgumentKeys: ['sort'] }])(
  '[N15] of two members with one identity, a creation joins the list of the member with the used Collection: %j',
  async (options) => {
    const [open, done] = [taskList(options), taskList(options)];
    const { controller, shown, isFresh } = await twoLists(open, done);
    const { push, unshift, remove } = done;
    await controller.set(push, { owner: 1 }, { id: 7, owner: 1 });
    await controller.set(unshift, { owner: 3 }, { id: 8, owner: 3 });
    await controller.set(open.push, { owner: 2 }, { id: 4, owner: 2 });
    await controller.set(remove, { owner: 2 }, { id: 4, owner: 2 });
    expect(shown()).toEqual([
      [[1], [2, 7]],
      [[3, 4], []],
      [[5], [8, 6]],
    ]);
    expect(isFresh()).toBe(true);
  },
);

test.each([{}, { nonFilterArgumentKeys: ['sort'] }])(
  '[N18] a creation that names no member expires the lists of two members with one identity: %j',
  async (options) => {
    const [open, done] = [taskList(options), taskList(options)];
    const { controller, Tasks, shown, isFresh } = await twoLists(open, done);
    const create = Tasks.create.extend({ fetch: async () => ({ id: 7, owner: 1 }) });
    await controller.fetch(create, {});
    expect(shown()[0]).toEqual([[1], [2]]);
    expect(isFresh()).toBe(false);
  },
);

test('[N18] a creation by a Collection that is the schema of two members expires both lists', async () => {
  const both = taskList({});
  const { controller, shown, isFresh } = await twoLists(both, both);
  const create = new Endpoint(async () => ({ id: 7, owner: 1 }), {
    schema: both.push,
    sideEffect: true,
  });
  await controller.fetch(create);
  expect(shown()[0]).toEqual([[1], [2]]);
  expect(isFresh()).toBe(false);
});

/** Orders with lines, as a list and by name; responses to creations have neither. */
function orders() {
  class Line extends Entity {
    id = 0;
    owner = 0;
  }
  class Order extends Entity {
    id = 0;
    name = '';
    lines: Line[] = [];
    byName: Record<string, Line> = {};
    static override schema = {
      lines: new Collection([Line], { nestKey }),
      byName: new Collection(new Values(Line), { nestKey }),
    };
  }
  const controller = new Controller();
  const { lines, byName } = Order.schema;
  const list = new Collection([Order]);
  const read = new Endpoint(async () => [{ id: 1, lines: [{ id: 1 }], byName: {} }], {
    schema: list,
  });
  const show = (id: number) => {
    const order = controller.get(Order, { id });
    return [order?.lines.map((line) => line.id), Object.keys(order?.byName ?? {})];
  };
  return { controller, list, read, lines, byName, show };
}

test('[N15] created rows are added to a list and a map that the response of the new entity left out', async () => {
  const { controller, list, read, lines, byName, show } = orders();
  await controller.fetch(read);
  await controller.set(list.push, {}, { id: 2, name: 'new' });
  expect(show(2)).toEqual([[], []]);
  await controller.set(lines.push, { owner: 2 }, { id: 5, owner: 2 });
  await controller.set(lines.unshift, { owner: 2 }, { id: 6, owner: 2 });
  await controller.set(byName.assign, { owner: 2 }, { b: { id: 6, owner: 2 } });
  expect([show(1), show(2)]).toEqual([
    [[1], []],
    [[6, 5], ['b']],
  ]);
});

test('[C6] the list of a new entity is requested on the first read, and the response replaces the list', async () => {
  const { controller, list, read, lines, show } = orders();
  await controller.fetch(read);
  await controller.set(list.push, {}, { id: 2, name: 'new' });
  await controller.set(lines.push, { owner: 2 }, { id: 5, owner: 2 });
  let asked = 0;
  const answer = async ({ owner }: { owner: number }) => (asked++, [{ id: 7, owner }]);
  const readLines = new Endpoint(answer, { schema: lines });
  await controller.fetchIfStale(readLines, { owner: 2 });
  expect([asked, show(2)]).toEqual([1, [[7], []]]);
});

test('[N9] a push of an entity without its list keeps the list', async () => {
  const { controller, list, read, show } = orders();
  await controller.fetch(read);
  await controller.set(list.push, {}, { id: 1, name: 'known' });
  expect(show(1)).toEqual([[1], []]);
});

class Chore extends Entity {
  id = 0;
  ownerId = 0;
  title = '';
  owner: Owner | null = null;
  static override get schema() {
    return { owner: Owner };
  }
}
class Owner extends Entity {
  id = 0;
  name = '';
  tasks: Chore[] = [];
  static override schema = {
    tasks: new Collection([Chore], { nestKey: ({ id }: { id: number }) => ({ ownerId: id }) }),
  };
}

test('[N9] a copy of an entity whose list was never received keeps the list when the copy is written', async () => {
  const { getList, partialUpdate } = createResource({ path: '/chores/:id', schema: Chore });
  const controller = new Controller({ optimistic });
  const row = { id: 1, ownerId: 7, title: 'a', owner: { id: 7, name: 'Ada' } };
  await controller.setResponse(getList, { ownerId: 7 }, [row]);
  const shown = () => controller.getResponse(getList, { ownerId: 7 }).data?.map(({ id }) => id);
  // the response of the list has no `tasks` of the owner, so the copies have the default of the class
  await controller.set(Chore, { id: 1 }, (chore) => ({ ...chore, title: 'b' }));
  expect(shown()).toEqual([1]);
  await controller.set(Owner, { id: 7 }, { ...controller.get(Owner, { id: 7 }), name: 'Bob' });
  expect(shown()).toEqual([1]);
  const edit = partialUpdate.extend({
    fetch: async () => null,
    getOptimisticResponse: ({ get }, params, body) => ({ ...get(Chore, params), ...body }),
  });
  const sent = controller.fetch(edit, { id: 1 }, { title: 'c' });
  expect([shown(), controller.get(Chore, { id: 1 })?.title]).toEqual([[1], 'c']);
  await sent;
  expect(shown()).toEqual([1]);
  await controller.set(Owner, { id: 7 }, { name: 'Bob', tasks: [] });
  expect(shown()).toEqual([]);
});

type TagList = Collection<[typeof Tag]>;
const tagList = (options: object): TagList => new Collection<[typeof Tag]>([Tag], options);

test.each([
  ['an array of plain objects', (list: TagList): unknown => [{ name: '', tags: list }]],
  ['a map', (list: TagList) => new Values(list)],
  ['an entity', sectionsWith],
])(
  '[N14] lists without an identity in %s warn with S21, and nestKey distinguishes the lists',
  async (how, schemaOf) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const rows = { x: { name: 'x', tags: tags('a') }, y: { name: 'y', tags: tags('b') } };
    const response =
      how === 'a map'
        ? { x: tags('a'), y: tags('b') }
        : how === 'an entity'
          ? { id: '1', sections: Object.values(rows) }
          : Object.values(rows);
    const controller = new Controller();
    const read = new Endpoint(async () => response, {
      name: how,
      schema: schemaOf(tagList({})),
    });
    await controller.fetch(read);
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^\[signalbox S21\] the response of/)],
    ]);
    warn.mockClear();
    const nested = tagList({
      nestKey: ({ name }: { name?: string }, key: string) => ({ name: name ?? key }),
    });
    const data = await controller.fetch(read.extend({ name: 'apart', schema: schemaOf(nested) }));
    expect(JSON.stringify(data)).toBe(JSON.stringify(response));
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  },
);

/** An entity with a list in each plain section. */
function sectionsWith(list: TagList) {
  return class Page extends Entity {
    id = '';
    sections: { name: string; tags: Tag[] }[] = [];
    static override schema = { sections: [{ name: '', tags: list }] };
  };
}

test('[N14] an entity that occurs twice in a response with different lists is not warned about', async () => {
  const warn = vi.spyOn(console, 'warn');
  const controller = new Controller();
  const twice = ['a', 'b'].map((id) => ({ id: '1', meta: { tags: tags(id) } }));
  await controller.set([Post], twice);
  expect(warn).not.toHaveBeenCalled();
});
