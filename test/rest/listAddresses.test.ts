/** A list is identified by the address from which the list is read: two addresses never show each other's rows. */
import {
  Collection,
  Controller,
  createResource,
  Endpoint,
  Entity,
  GQLEndpoint,
  Query,
  RestEndpoint,
} from 'signalbox';
import { expect, test, vi } from 'vitest';
import { User } from '../setup/samples.ts';
import { serve } from '../setup/server.ts';

class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
}

/** Serves rows by address; counts the requests. */
async function setUp(rows: Readonly<Record<string, unknown>>) {
  const server = await serve(({ method, url, text }) => ({
    body: method === 'GET' ? rows[url] : { ...(JSON.parse(text) as object), id: 9 },
  }));
  const controller = new Controller();
  const requests = () => server.asked.map(({ method, url }) => `${method} ${url}`);
  return { controller, requests, urlPrefix: server.address };
}

const ids = (rows: readonly { id: number }[] | undefined) => rows?.map(({ id }) => id);

test('[N14] endpoints at two paths with the same arguments have two lists', async () => {
  const rows = { '/users/1/followers': [{ id: 2 }], '/users/1/following': [{ id: 3 }] };
  const { controller, requests, urlPrefix } = await setUp(rows);
  const make = (path: '/users/:id/followers' | '/users/:id/following') =>
    new RestEndpoint({ urlPrefix, path, schema: new Collection([User]) });
  const followers = make('/users/:id/followers');
  const following = make('/users/:id/following');
  expect(ids(await controller.fetchIfStale(followers, { id: 1 }))).toEqual([2]);
  expect(ids(await controller.fetchIfStale(following, { id: 1 }))).toEqual([3]);
  expect(ids(controller.getResponse(followers, { id: 1 }).data)).toEqual([2]);
  expect(ids(controller.get(followers.schema, { id: 1 }))).toEqual([2]);
  expect(requests()).toEqual(['GET /users/1/followers', 'GET /users/1/following']);
});

test('[N14] getList extended with another path has a separate list', async () => {
  const { controller, urlPrefix } = await setUp({
    '/todos': [{ id: 1 }],
    '/todos/newest': [{ id: 2 }],
  });
  const todos = createResource({ urlPrefix, path: '/todos/:id', schema: Todo });
  const newest = todos.extend('getList', { path: '/todos/newest' });
  expect(ids(await controller.fetchIfStale(todos.getList))).toEqual([1]);
  expect(ids(await controller.fetchIfStale(newest.getList))).toEqual([2]);
  expect(ids(controller.get(newest.getList.schema, {}))).toEqual([2]);
  expect(ids(controller.get(todos.getList.schema, {}))).toEqual([1]);
});

test('[N14] lists in envelopes at two paths have separate rows, also with equal arguments', async () => {
  const { controller, urlPrefix } = await setUp({
    '/articles?limit=10&offset=0': { articles: [{ id: 1 }], articlesCount: 1 },
    '/articles/feed?limit=10&offset=0': { articles: [], articlesCount: 0 },
  });
  const schema = { articles: new Collection([Todo]), articlesCount: 0 };
  const all = new RestEndpoint({
    urlPrefix,
    path: '/articles',
    schema,
    searchParams: {} as { limit: number; offset: number },
  });
  const feed = all.extend({ path: '/articles/feed' });
  const page = { limit: 10, offset: 0 };
  await controller.fetch(all, page);
  expect((await controller.fetchIfStale(feed, page)).articles).toEqual([]);
  expect(ids(controller.getResponse(all, page).data?.articles)).toEqual([1]);
});

test('[N14] endpoints with different prefixes, url functions or GraphQL operations have separate lists', async () => {
  const { controller, urlPrefix } = await setUp({
    '/a/todos': [{ id: 1 }],
    '/b/todos': [{ id: 2 }],
    '/c': [{ id: 3 }],
  });
  const a = new RestEndpoint({
    urlPrefix: `${urlPrefix}/a`,
    path: '/todos',
    schema: new Collection([Todo]),
  });
  const b = a.extend({ urlPrefix: `${urlPrefix}/b` });
  const c = a.extend({ url: () => `${urlPrefix}/c` });
  for (const list of [a, b, c]) await controller.fetchIfStale(list);
  expect([a, b, c].map((list) => ids(controller.getResponse(list).data))).toEqual([[1], [2], [3]]);

  const server = new GQLEndpoint('http://graph.test');
  const open = server.query('query Open { todos }', { todos: new Collection([Todo]) });
  const done = server.query('query Done { todos }', { todos: new Collection([Todo]) });
  await controller.setResponse(open, {}, { todos: [{ id: 4 }] });
  expect(controller.getResponse(done, {}).data).toBeUndefined();
});

test('[N14] two Collections in one response are two lists', async () => {
  const { controller, urlPrefix } = await setUp({
    '/due': { week: [{ id: 1 }], month: [{ id: 1 }, { id: 2 }] },
  });
  const due = new RestEndpoint({
    urlPrefix,
    path: '/due',
    schema: { week: new Collection([Todo]), month: new Collection([Todo]) },
  });
  const { week, month } = await controller.fetch(due);
  expect([ids(week), ids(month)]).toEqual([[1], [1, 2]]);
});

test('[N14] endpoints created for each call read one list, and add created rows to it', async () => {
  const { controller, requests, urlPrefix } = await setUp({ '/todos': [{ id: 1 }] });
  const make = () =>
    new RestEndpoint({ urlPrefix, path: '/todos', schema: new Collection([Todo]) });
  await controller.fetch(make());
  await controller.fetch(make().push, { title: 'new' });
  expect(ids(await controller.fetchIfStale(make()))).toEqual([1, 9]);
  expect(requests()).toEqual(['GET /todos', 'POST /todos']);
});

test('[N14] a nested list with a nestKey is the list of the resource with the same arguments', async () => {
  const rows = { '/users/1': { id: 1, name: 'Ann', todos: [{ id: 5, userId: 1, title: 'x' }] } };
  const { controller, requests, urlPrefix } = await setUp(rows);
  class Owner extends User {
    todos: Todo[] = [];
    static override schema = {
      todos: new Collection([Todo], { nestKey: (owner: Owner) => ({ userId: owner.id }) }),
    };
  }
  const todos = createResource({
    urlPrefix,
    path: '/todos/:id',
    schema: Todo,
  });
  todos.extend('getList', { path: '/todos/newest' });
  const owner = new RestEndpoint({ urlPrefix, path: '/users/:id', schema: Owner });
  await controller.fetch(owner, { id: 1 });
  expect(ids(await controller.fetchIfStale(todos.getList, { userId: 1 }))).toEqual([5]);
  await controller.fetch(todos.create, { userId: 1, title: 'y' });
  expect(ids(controller.get(Owner, { id: 1 })?.todos)).toEqual([5, 9]);
  expect(requests()).toEqual(['GET /users/1', 'POST /todos']);
});

test('[N14] a Collection shared by an endpoint and an entity is one list, not the list of another path', async () => {
  class Person extends Entity {
    id = 0;
    followers: Person[] = [];
    static override schema: Record<string, unknown> = {};
  }
  const list = new Collection([Person], { nestKey: (person: Person) => ({ id: person.id }) });
  Person.schema = { followers: list };
  const { controller, urlPrefix } = await setUp({ '/people/1': { id: 1, followers: [{ id: 2 }] } });
  const followers = new RestEndpoint({ urlPrefix, path: '/people/:id/followers', schema: list });
  const following = followers.extend({ path: '/people/:id/following' });
  await controller.fetch(new RestEndpoint({ urlPrefix, path: '/people/:id', schema: Person }), {
    id: 1,
  });
  expect(ids(await controller.fetchIfStale(followers, { id: 1 }))).toEqual([2]);
  expect(controller.getResponse(following, { id: 1 }).data).toBeUndefined();
});

test('[N14] a Collection shared by a response with two lists and two entity classes is one list', () => {
  const byUser = ({ userId }: { userId: number }) => ({ userId });
  const week = new Collection([Todo], { argsKey: byUser, nestKey: byUser });
  class Person extends Entity {
    id = 0;
    userId = 0;
    todos: Todo[] = [];
    static override schema = { todos: week };
  }
  class Robot extends Person {
    static override schema = { todos: week };
  }
  const controller = new Controller();
  const schema = { week, month: new Collection([Todo]) };
  const get = new RestEndpoint({ path: '/todos', searchParams: {} as { userId: number }, schema });
  void controller.setResponse(get, { userId: 1 }, { week: [{ id: 1 }], month: [{ id: 2 }] });
  void controller.set(Person, { id: 1 }, { userId: 1, todos: [{ id: 1 }] });
  void controller.set(Robot, { id: 2 }, { userId: 1, todos: [{ id: 3 }] });
  expect(ids(controller.get(Person, { id: 1 })?.todos)).toEqual([3]);
  expect(ids(controller.getResponse(get, { userId: 1 }).data?.week)).toEqual([3]);
});

test('[N14] two nested lists of one entity with equal keys have separate rows', async () => {
  class Person extends Entity {
    id = 0;
    followers: User[] = [];
    following: User[] = [];
    static override schema = {
      followers: new Collection([User], { nestKey: (person: Person) => ({ userId: person.id }) }),
      following: new Collection([User], { nestKey: (person: Person) => ({ userId: person.id }) }),
    };
  }
  const controller = new Controller();
  await controller.set(Person, { id: 1 }, {
    id: 1,
    followers: [{ id: 2 }],
    following: [{ id: 3 }],
  } as never);
  const person = controller.get(Person, { id: 1 });
  expect([ids(person?.followers), ids(person?.following)]).toEqual([[2], [3]]);
});

test('[N14] nested lists without a nestKey are separate for each parent', async () => {
  class Person extends Entity {
    id = 0;
    todos: Todo[] = [];
    static override schema = { todos: new Collection([Todo]) };
  }
  const { controller, urlPrefix } = await setUp({
    '/people': [
      { id: 1, todos: [{ id: 1 }] },
      { id: 2, todos: [{ id: 2 }] },
    ],
  });
  const people = createResource({ urlPrefix, path: '/people/:id', schema: Person });
  const rows = await controller.fetch(people.getList);
  expect(rows.map(({ todos }) => ids(todos))).toEqual([[1], [2]]);
});

test('[N14] endpoints without a path share the lists of a shared Collection, and only these', async () => {
  const controller = new Controller();
  const schema = new Collection([Todo]);
  const one = new Endpoint(async () => [], { name: 'one', schema });
  const two = new Endpoint(async () => [], { name: 'two', schema });
  const other = new Endpoint(async () => [], { name: 'other', schema: new Collection([Todo]) });
  await controller.setResponse(one, [{ id: 1 }]);
  expect(ids(controller.getResponse(two).data)).toEqual([1]);
  expect(controller.getResponse(other).data).toBeUndefined();
});

test('[N14] a Query over the Collection of an endpoint reads the list of that endpoint', async () => {
  const { controller, urlPrefix } = await setUp({
    '/todos': [{ id: 1 }],
    '/todos/newest': [{ id: 2 }, { id: 3 }],
  });
  const todos = createResource({ urlPrefix, path: '/todos/:id', schema: Todo });
  const newest = todos.extend('getList', { path: '/todos/newest' });
  await controller.fetch(todos.getList);
  await controller.fetch(newest.getList);
  const count = (schema: typeof todos.getList.schema) => new Query(schema, (rows) => rows.length);
  expect(controller.get(count(todos.getList.schema), {})).toBe(1);
  expect(controller.get(count(newest.getList.schema), {})).toBe(2);
});

test('[N14] a nested list that matches the lists of two resources is a separate list, and logs one S20 warning', async () => {
  class Task extends Entity {
    id = 0;
    ownerId = 0;
  }
  class Owner extends Entity {
    id = 0;
    tasks: Task[] = [];
    static override schema = {
      tasks: new Collection([Task], { nestKey: (owner: Owner) => ({ ownerId: owner.id }) }),
    };
  }
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { controller, urlPrefix } = await setUp({
    '/tasks?ownerId=1': [{ id: 2 }],
    '/admin/tasks?ownerId=1': [{ id: 3 }],
  });
  const tasks = createResource({
    urlPrefix,
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { ownerId: number },
  });
  const admin = createResource({
    urlPrefix,
    path: '/admin/tasks/:id',
    schema: Task,
    searchParams: {} as { ownerId: number },
  });
  await controller.set(Owner, { id: 1 }, { id: 1, tasks: [{ id: 1 }] } as never);
  for (const list of [tasks.getList, admin.getList])
    await controller.fetchIfStale(list, { ownerId: 1 });
  expect(ids(controller.get(Owner, { id: 1 })?.tasks)).toEqual([1]);
  expect(ids(controller.getResponse(tasks.getList, { ownerId: 1 }).data)).toEqual([2]);
  expect(ids(controller.getResponse(admin.getList, { ownerId: 1 }).data)).toEqual([3]);
  expect(warned.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^\[signalbox S20\] the nested list "Owner\.tasks" matches several lists/,
      ),
    ],
  ]);
});

test('[N14] search params in the path are arguments: a created row joins the list of `_expand`, and not of `kind`', async () => {
  const { controller, urlPrefix } = await setUp({
    '/todos': [{ id: 1 }],
    '/todos?_expand=user': [{ id: 1 }],
    '/todos?kind=feed': [{ id: 2 }],
  });
  const todos = createResource({ urlPrefix, path: '/todos/:id', schema: Todo });
  const expanded = todos.extend('getList', { path: '/todos?_expand=user' });
  const feed = todos.extend('getList', { path: '/todos?kind=feed' });
  const lists = [todos.getList, expanded.getList, feed.getList];
  for (const list of lists) await controller.fetchIfStale(list);
  const shown = () => lists.map((list) => ids(controller.getResponse(list).data));
  expect(shown()).toEqual([[1], [1], [2]]);
  await controller.fetch(todos.create, { title: 'new' });
  expect(shown()).toEqual([[1, 9], [1, 9], [2]]);
});
