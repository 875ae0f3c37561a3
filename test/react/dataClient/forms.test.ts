// Forms of Data Client's pages that need no component: what the controller, entities and requests do with them.
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import {
  All,
  Collection,
  Controller,
  Endpoint,
  Entity,
  EntityMixin,
  DefaultConnectionListener,
  GQLEndpoint,
  GQLNetworkError,
  Invalidate,
  NetworkError,
  Query,
  Resource,
  resource,
  RestEndpoint,
  schema,
  Union,
  unshift,
  Values,
} from 'signalbox/data-client';
import type { RestGenerics } from 'signalbox/data-client';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

const requests: string[] = [];
const network = setupServer(
  http.all('http://api.test/*', async ({ request }) => {
    const body = await request.text();
    const { pathname, search } = new URL(request.url);
    requests.push(`${request.method} ${pathname}${search}${body && ` ${body}`}`);
    return HttpResponse.json(body === '' ? [] : JSON.parse(body));
  }),
);
beforeAll(() => network.listen({ onUnhandledRequest: 'error' }));
afterAll(() => network.close());
afterEach(() => {
  requests.length = 0;
});

class Todo extends Entity {
  id = '';
  userId = '';
  title = '';
  static override key = 'Todo';
}
class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}
const search: { tags?: string[]; userId?: string } = {};
const TodoResource = resource({
  urlPrefix: 'http://api.test',
  path: '/groups/:userId/todos/:id',
  searchParams: search,
  schema: Todo,
});
const titleOf = (controller: Controller, id: string) => controller.get(Todo, { id })?.title;

test('[T5] set takes lists, maps and collections of rows', async () => {
  const controller = new Controller();
  await controller.set(
    [Todo],
    [
      { id: '1', title: 'one' },
      { id: '2', title: 'two' },
    ],
  );
  expect([titleOf(controller, '1'), titleOf(controller, '2')]).toEqual(['one', 'two']);
  await controller.set(new schema.Array(Todo), [{ id: '1', title: 'array' }]);
  expect(titleOf(controller, '1')).toBe('array');
  await controller.set(new Values(Todo), { 2: { id: '2', title: 'values' } });
  expect(titleOf(controller, '2')).toBe('values');
  await controller.set(new All(Todo), [{ id: '3', title: 'all' }]);
  expect(titleOf(controller, '3')).toBe('all');
  await controller.set(
    [new Union({ todo: Todo, note: Note }, 'type')],
    [
      { id: '4', type: 'todo', title: 'union' },
      { id: '4', type: 'note', text: 'union' },
    ],
  );
  expect(titleOf(controller, '4')).toBe('union');
  expect(controller.get(Note, { id: '4' })?.text).toBe('union');
  const todos = new Collection([Todo]);
  await controller.set(todos, [{ id: '5', title: 'no arguments' }]);
  expect(controller.get(todos, undefined)?.map(({ title }) => title)).toEqual(['no arguments']);
  await controller.set(todos, { userId: '9' }, [{ id: '6', title: 'arguments' }]);
  expect(controller.get(todos, { userId: '9' })?.map(({ id }) => id)).toEqual(['6']);
});

test.each([
  ['an entity', Todo, { id: '1', title: 'first' }],
  ['a list', new Collection([Todo]), [{ id: '1', title: 'first' }]],
  ['a query', new schema.Query(Todo, (todo) => todo), { id: '1', title: 'first' }],
  // any: schemas of several types
])(
  '[T5] set by a function changes nothing while %s is not stored',
  async (_, target: any, first) => {
    const controller = new Controller();
    const change = vi.fn((present: unknown) => present);
    await controller.set(target, { id: '1' }, change);
    expect(change).not.toHaveBeenCalled();
    expect(controller.get(target, { id: '1' })).toBeUndefined();
    await controller.set(target, { id: '1' }, first);
    await controller.set(target, { id: '1' }, change);
    expect(change).toHaveBeenCalledOnce();
    const fail = () => {
      throw new Error('a mistake');
    };
    await expect(controller.set(target, { id: '1' }, fail)).rejects.toThrow('a mistake');
  },
);

test('[T5] set deletes one entity, or several', async () => {
  const controller = new Controller();
  await controller.set([Todo], [{ id: '1' }, { id: '2' }, { id: '3' }]);
  await controller.set(new Invalidate(Todo), { id: '1' });
  await controller.set([new Invalidate(Todo)], [{ id: '2' }]);
  expect(controller.get(new All(Todo))?.map(({ id }) => id)).toEqual(['3']);
});

test('[T5] set pushes, removes and moves rows of stored lists', async () => {
  const controller = new Controller();
  const getTodos = new RestEndpoint({
    path: 'http\\://api.test/todos',
    searchParams: search,
    schema: new Collection([Todo]),
  });
  const idsOf = (userId: string) =>
    controller.getResponse(getTodos, { userId }).data?.map(({ id }) => id);
  await controller.setResponse(getTodos, { userId: '1' }, [{ id: '10', userId: '1' }]);
  await controller.setResponse(getTodos, { userId: '2' }, []);
  await controller.set(getTodos.schema.push, { userId: '1' }, { id: '11', userId: '1' });
  await controller.set(getTodos.schema.unshift, { userId: '1' }, { id: '9', userId: '1' });
  expect(idsOf('1')).toEqual(['9', '10', '11']);
  await controller.set(getTodos.schema.remove, { userId: '1' }, { id: '9' });
  expect(idsOf('1')).toEqual(['10', '11']);
  await controller.set(getTodos.schema.move, { id: '10' }, { id: '10', userId: '2' });
  expect([idsOf('1'), idsOf('2')]).toEqual([['11'], ['10']]);
});

test.each([
  ['a class', new schema.Array(Todo)],
  ['a union', new schema.Array(new Union({ todo: Todo, note: Note }, 'type'))],
  ['several classes', new schema.Array({ todo: Todo, note: Note }, 'type')],
  // any: schemas of several types
])('[T5] rows enter and leave a collection of an array of %s', async (_, rows: any) => {
  const getTodos = new RestEndpoint({
    urlPrefix: 'http://api.test',
    path: '/todos',
    schema: new Collection(rows),
  }) as any; // any: as above
  const row = (id: string) => ({ id, type: 'todo', title: id });
  const controller = new Controller();
  await controller.setResponse(getTodos, [row('2')]);
  const ids = () => controller.getResponse(getTodos).data.map(({ id }: Todo) => id) as string[];
  await controller.fetch(getTodos.push, row('3'));
  await controller.fetch(getTodos.unshift, row('1'));
  await controller.set(getTodos.schema.push, row('4'));
  expect(ids()).toEqual(['1', '2', '3', '4']);
  expect(controller.getResponse(getTodos).data[0]).toBeInstanceOf(Todo);
  await controller.set(getTodos.schema.remove, row('3'));
  await controller.set(new Invalidate(Todo), { id: '2' }, { id: '2' });
  expect(ids()).toEqual(['1', '4']);
});

test('[T5] get and getResponse take the state as their last argument', async () => {
  const controller = new Controller();
  await controller.set(Todo, { id: '1' }, { id: '1', title: 'one' });
  const state = controller.getState();
  expect(controller.get(Todo, { id: '1' }, state)?.title).toBe('one');
  expect(controller.get(new All(Todo), state)?.length).toBe(1);
  expect(controller.snapshot(state).get(Todo, { id: '1' })?.title).toBe('one');
});

test('[T5] getResponse has the expiryStatus of Data Client, and the last entity or list after an invalidation', async () => {
  const controller = new Controller();
  const { get, getList } = TodoResource;
  const plain = new RestEndpoint({ path: '/plain', schema: { todo: Todo, next: '' } });
  const strict = get.extend({ invalidIfStale: true });
  const [list, one] = [{ userId: 'u' }, { userId: 'u', id: '1' }];
  const freshness = () => [
    controller.getResponse(get, one).expiryStatus,
    controller.getResponse(strict, one).expiryStatus,
    controller.getResponse(getList, list).expiryStatus,
    controller.getResponse(plain).expiryStatus,
  ];
  expect(freshness()).toEqual([2, 2, 2, 2]);
  expect(controller.getResponse(plain).data).toEqual({ todo: undefined, next: '' });
  await controller.setResponse(getList, list, [{ id: '1', userId: 'u', title: 'one' }]);
  await controller.setResponse(plain, { todo: { id: '1' }, next: 'b' });
  expect(freshness()).toEqual([3, 2, 3, 3]);
  await controller.invalidateAll({ testKey: () => true });
  expect(freshness()).toEqual([1, 1, 1, 1]);
  expect(controller.getResponse(get, one).data?.title).toBe('one');
  expect(
    controller
      .snapshot()
      .getResponse(getList, list)
      .data?.map(({ id }) => id),
  ).toEqual(['1']);
  expect(controller.getResponse(plain).data).toEqual({ todo: undefined, next: '' });
});

test('[T5] the tables of the state have primary keys, indexes and times as numbers', async () => {
  class Author extends Entity {
    id = '';
    name = '';
    static override key = 'Author';
    static override indexes = ['name'] as const;
  }
  class Book extends Entity {
    id = '';
    author = Author.fromJS();
    static override key = 'Book';
    static override schema = { author: Author };
  }
  const Books = resource({ path: '/books/:id', schema: Book });
  const controller = new Controller();
  await controller.setResponse(Books.getList, [{ id: 'b', author: { id: 'a', name: 'ada' } }]);
  await controller.setError(
    Books.get,
    { id: 'c' },
    Object.assign(new Error('no'), { status: 404 }),
  );
  const state = controller.getState();
  const list = Object.keys(state.entities).find((table) => table.startsWith('Collection'));
  expect(state.entities).toMatchObject({
    Book: { b: { id: 'b', author: 'a' } },
    Author: { a: { name: 'ada' } },
    [list ?? '']: { '{}': ['b'] },
  });
  expect(state.indexes).toEqual({ Author: { name: { ada: 'a' } } });
  expect(state.results).toMatchObject({ [Books.getList.key()]: '{}' });
  const { date, expiresAt } = state.meta[Books.getList.key()];
  expect(expiresAt - date).toBe(60_000);
  expect(state.meta[Books.get.key({ id: 'c' })]).toMatchObject({
    error: { status: 404 },
    errorPolicy: 'hard',
  });
  expect(state.entitiesMeta['Book']['b']).toEqual({ date, fetchedAt: date, expiresAt });
});

test('[T5] the tables of the state leave out absent fields, and keep numbers and big integers', async () => {
  class Author extends Entity {
    id = '';
  }
  class Book extends Entity {
    id = '';
    title: string | undefined = undefined;
    author: Author | null = null;
    price = 0;
    copies = 0n;
    static override key = 'PricedBook';
    static override schema = { author: Author };
  }
  const controller = new Controller();
  await controller.set(Book, { id: 'b' }, { id: 'b', price: Infinity, copies: 5n });
  expect(controller.getState().entities['PricedBook']?.['b']).toStrictEqual({
    id: 'b',
    price: Infinity,
    copies: 5n,
  });
});

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
  static override indexes = ['name'] as const;
}

const lookUpByName = {
  'older versions': class extends User {
    static override queryKey(args: any, queryKey: any, getEntity: any, getIndex: any): any {
      if (args[0].nick === undefined) return super.queryKey(args, queryKey, getEntity, getIndex);
      const { nick } = args[0];
      return getIndex(this.key, 'name', nick)[nick];
    }
  },
  'a delegate': class extends User {
    static override queryKey(args: any, unvisit: any, delegate: any): any {
      if (args[0].nick === undefined) return super.queryKey(args, unvisit, delegate);
      const pk = delegate.getIndex(this.key, 'name', args[0].nick);
      return delegate.getEntity(this.key, pk) ? pk : delegate.INVALID;
    }
  },
};

test.each(Object.entries(lookUpByName))(
  '[T5] queryKey finds entities with the lookups of %s',
  async (_name, Person) => {
    const controller = new Controller();
    const nameOf = (args: object) => (controller.get(Person, args) as User)?.name;
    expect(nameOf({ nick: 'ada' })).toBeUndefined();
    await controller.set(
      [Person],
      [
        { id: '1', name: 'ada' },
        { id: '2', name: 'bob' },
      ],
    );
    expect(nameOf({ nick: 'bob' })).toBe('bob');
    expect(nameOf({ id: '1' })).toBe('ada');
    expect(nameOf({ name: 'ada' })).toBe('ada');
    await controller.set(Person, { id: '1' }, { id: '1', name: 'eve' });
    expect(nameOf({ nick: 'ada' })).toBeUndefined();
    expect(nameOf({ nick: 'eve' })).toBe('eve');
  },
);

test('[T5] infer finds entities with the tables of older versions, and useIncoming decides as shouldUpdate', async () => {
  const warn = vi.spyOn(console, 'warn');
  class Person extends User {
    version = 0;
    static override key = 'Person';
    static override useIncoming(_em: any, _im: any, existing: any, incoming: any) {
      return incoming.version >= existing.version;
    }
    static override infer(args: any, indexes: any, recurse: any, entities: any): any {
      const [{ nick, first }] = args;
      if (nick !== undefined) return indexes[this.key]?.['name']?.[nick];
      if (first !== undefined) return entities[this.key]?.[first] ? first : undefined;
      return super.infer(args, indexes, recurse, entities);
    }
  }
  const controller = new Controller();
  const nameOf = (args: object) => (controller.get(Person, args) as User)?.name;
  expect([nameOf({ nick: 'bob' }), nameOf({ first: '2' })]).toEqual([undefined, undefined]);
  const rows = [
    { id: '1', name: 'ada', version: 2 },
    { id: '2', name: 'bob', version: 2 },
  ];
  await controller.set([Person], rows);
  expect([
    nameOf({ nick: 'bob' }),
    nameOf({ first: '2' }),
    nameOf({ id: '1' }),
    nameOf({ name: 'ada' }),
  ]).toEqual(['bob', 'bob', 'ada', 'ada']);
  await controller.set(Person, { id: '2' }, { id: '2', name: 'old', version: 1 });
  expect(nameOf({ nick: 'bob' })).toBe('bob');
  expect(Person.infer([{ id: '5' }], {}, () => undefined, {})).toBe('5');
  expect(warn).not.toHaveBeenCalled();
});

test('[T5] a class that overrides shouldUpdate alone gets no warning of useIncoming', async () => {
  const warn = vi.spyOn(console, 'warn');
  class Draft extends Entity {
    id = '';
    version = 0;
    static override shouldUpdate(_em: any, _im: any, existing: any, incoming: any) {
      return incoming.version >= existing.version;
    }
  }
  const controller = new Controller();
  await controller.set(Draft, { id: '1' }, { id: '1', version: 2 });
  await controller.set(Draft, { id: '1' }, { id: '1', version: 1 });
  expect(controller.get(Draft, { id: '1' })?.version).toBe(2);
  expect(warn).not.toHaveBeenCalled();
});

test('[T5] queryKey reads other schemas, and a subclass calls the override of its class', async () => {
  const controller = new Controller();
  class Favorite extends User {
    static override queryKey(args: any, unvisit: any, delegate: any): any {
      return unvisit(User, [{ name: args[0].favorite }]) ?? super.queryKey(args, unvisit, delegate);
    }
  }
  class Best extends Favorite {
    static override queryKey(args: any, unvisit: any, delegate: any): any {
      return super.queryKey([{ favorite: args[0].best, id: args[0].id }], unvisit, delegate);
    }
  }
  await controller.set(User, { id: '1' }, { id: '1', name: 'ada' });
  expect((controller.get(Best, { id: '1' }) as User)?.name).toBe('ada');
});

test('[T5] EntityMixin takes the lifecycle as options', async () => {
  class Data {
    id = '';
    count = 0;
  }
  class Counter extends EntityMixin(Data, {
    key: 'Counter',
    process: (input) => ({ ...input, count: input.count + 1 }),
    merge: (a, b) => ({ ...a, ...b, count: a.count + b.count }),
    validate: (value) => (value.count > 100 ? 'too many' : undefined),
  }) {}
  const controller = new Controller();
  await controller.set(Counter, { id: '1' }, { id: '1', count: 1 });
  await controller.set(Counter, { id: '1' }, { id: '1', count: 1 });
  expect(controller.get(Counter, { id: '1' })?.count).toBe(4);
  await expect(controller.set(Counter, { id: '1' }, { id: '1', count: 200 })).rejects.toThrow(
    'too many',
  );
});

test.each(['Entity', 'Resource'])(
  '[T5] a member with a default instance may be absent or not stored, and must not be deleted (%s)',
  async (base) => {
    class User extends Entity {
      id = '';
      name = 'nobody';
    }
    class EntityTask extends Entity {
      id = '';
      owner = User.fromJS();
      static override schema = { owner: User };
    }
    class ResourceTask extends Resource {
      id = '';
      owner = User.fromJS();
      static override schema = { owner: User };
    }
    const Task = base === 'Entity' ? EntityTask : ResourceTask;
    const getTasks = new Endpoint(async (rows: object[]) => rows, { schema: [Task] });
    const rows = [
      { id: '1' },
      { id: '2', owner: '8' },
      { id: '3', owner: { id: '9', name: 'ada' } },
    ];
    const controller = new Controller();
    await controller.fetch(getTasks, rows);
    const owners = () =>
      controller.getResponse(getTasks, rows).data?.map(({ id, owner }) => `${id} ${owner.name}`);
    expect(owners()).toEqual(['1 nobody', '2 nobody', '3 ada']);
    await controller.set(User, { id: '8' }, { id: '8', name: 'bob' });
    expect(owners()).toEqual(['1 nobody', '2 bob', '3 ada']);
    await controller.set(new Invalidate(User), { id: '9' }, { id: '9' });
    expect(owners()).toEqual(['1 nobody', '2 bob']);
  },
);

test('[T5] fromJS may be overridden', () => {
  class City extends Entity {
    id = '';
    name = '';
    static override fromJS(props: Partial<City> = {}) {
      return super.fromJS({ ...props, name: props.name ?? 'unknown' } as never) as City;
    }
  }
  expect(City.fromJS({ id: '5' }).name).toBe('unknown');
});

test('[T5] arrays in search params are joined, also below a custom searchToString', async () => {
  await TodoResource.getList({ userId: '5', tags: ['a', 'b'] });
  class Sorted<O extends RestGenerics = any> extends RestEndpoint<O> {
    override searchToString(params: object): string {
      return `sorted&${super.searchToString(params)}`;
    }
  }
  const sorted = new Sorted({ path: 'http\\://api.test/x' }) as (
    params: object,
  ) => Promise<unknown>;
  await sorted({ ids: [1, 2] });
  expect(requests).toEqual(['GET /groups/5/todos?tags=a%2Cb', 'GET /x?sorted&ids=1%2C2']);
});

test('[T5] remove of the list of a resource is sent to the list, move to the item', async () => {
  const { remove, move } = TodoResource.getList;
  await remove({ userId: '5' }, { id: '2', userId: '6' });
  await move({ userId: '5', id: '2' }, { id: '2', userId: '6' });
  const { remove: removeLater } = TodoResource.getList.extend({ dataExpiryLength: 5 });
  await removeLater({ userId: '5', tags: ['a', 'b'] }, { id: '2' });
  expect(requests).toEqual([
    'PATCH /groups/5/todos {"id":"2","userId":"6"}',
    'PATCH /groups/5/todos/2 {"id":"2","userId":"6"}',
    'PATCH /groups/5/todos?tags=a%2Cb {"id":"2"}',
  ]);
  expect(TodoResource.getList.remove).toBe(remove);
});

test.each(['array', 'map'])(
  '[T5] remove of the list of an optimistic resource is shown before the response, and undone by a failure (%s)',
  async (form) => {
    const waiting: ((response: Response | Promise<Response>) => void)[] = [];
    class Held<O extends RestGenerics = any> extends RestEndpoint<O> {
      override fetchResponse(): Promise<Response> {
        return new Promise((resolve) => waiting.push(resolve));
      }
    }
    const HeldTodo = resource({
      path: '/todos/:id',
      searchParams: search,
      schema: Todo,
      optimistic: true,
      Endpoint: Held,
    });
    const getList =
      form === 'array'
        ? HeldTodo.getList
        : HeldTodo.getList.extend({ schema: new Collection(new Values(Todo)) });
    const controller = new Controller();
    const rows = [
      { id: '1', userId: '5' },
      { id: '2', userId: '5' },
    ];
    await controller.setResponse(
      getList,
      { userId: '5' },
      form === 'array' ? rows : Object.fromEntries(rows.map((row) => [row.id, row])),
    );
    const ids = () =>
      Object.values(controller.getResponse(getList, { userId: '5' }).data ?? {}).map(
        ({ id }: Todo) => id,
      );
    const first = controller.fetch(getList.remove, { userId: '5' }, { id: '2', userId: '6' });
    expect(ids()).toEqual(['1']);
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    waiting[0]?.(Promise.reject(new NetworkError(new Response('{}', { status: 409 }))));
    await expect(first).rejects.toMatchObject({ status: 409 });
    expect(ids()).toEqual(['1', '2']);
    const second = controller.fetch(getList.remove, { userId: '5' }, { id: '2', userId: '6' });
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    waiting[1]?.(Response.json({ id: '2', userId: '6' }));
    await second;
    expect(ids()).toEqual(['1']);
    expect(controller.get(Todo, { id: '2' })?.userId).toBe('6');
  },
);

test('[T5] requestInit is sent, as an option and as a member of a class', async () => {
  const inits: (RequestInit | undefined)[] = [];
  class Recorded<O extends RestGenerics = any> extends RestEndpoint<O> {
    readonly requestInit: RequestInit = { credentials: 'include', headers: { a: 'class' } };
    override getHeaders(headers: HeadersInit): HeadersInit {
      return { ...headers, b: 'own' };
    }
    override async fetchResponse(_input: RequestInfo, init: RequestInit) {
      inits.push(init);
      return HttpResponse.json({});
    }
  }
  const create = new Recorded({ path: '/x', method: 'POST' });
  await create({ c: 1 });
  await create.extend({ requestInit: { mode: 'cors' } } as never)({});
  expect(inits[0]).toMatchObject({
    credentials: 'include',
    method: 'POST',
    headers: { a: 'class', b: 'own', 'Content-Type': 'application/json' },
  });
  expect(inits[1]).toMatchObject({ mode: 'cors', headers: { b: 'own' } });
  expect(inits[1]).not.toHaveProperty('credentials');
});

test('[T5] requests without a body and with JSON have the content type of JSON, other bodies their own', async () => {
  const seen: unknown[] = [];
  const send = new RestEndpoint({
    path: '/files',
    method: 'POST',
    body: undefined,
    requestInit: { headers: { 'X-Token': 'a' } },
    getHeaders(headers: HeadersInit) {
      seen.push(headers);
      return headers;
    },
  });
  for (const body of [undefined, { a: 1 }, [1, 2], new FormData(), 'text'])
    await send.getRequestInit(body);
  const json = { 'Content-Type': 'application/json', 'X-Token': 'a' };
  expect(seen).toEqual([json, json, json, { 'X-Token': 'a' }, { 'X-Token': 'a' }]);
  const get = new RestEndpoint({ path: '/files' });
  expect(await get.getRequestInit()).toEqual({
    method: 'GET',
    headers: { 'Content-Type': 'application/json' },
  });
});

test('[T5] options of the application are members of an endpoint', async () => {
  const get = new Endpoint(
    async function (this: { base: string }, { id }: { id: string }) {
      return `${this.base}/${id}`;
    },
    { name: 'get', base: 'x', channel: 'ticker' },
  );
  expect(get.channel).toBe('ticker');
  expect(await get({ id: '5' })).toBe('x/5');
  const other = get.extend({ channel: 'trade', level: 2 });
  expect([other.channel, other.level, await other({ id: '6' })]).toEqual(['trade', 2, 'x/6']);
});

test.each([
  ['"7"', 'application/json'],
  ['7', 'application/json'],
  ['7', 'text/plain'],
])(
  '[T5] a deletion whose params name no entity deletes the entity of the response %s, %s',
  async (body, type) => {
    class Card extends Entity {
      id = 0;
      slug = '';
      static override key = 'Card';
    }
    const controller = new Controller();
    const url = { urlPrefix: 'http://api.test' };
    const Cards = resource({ ...url, path: '/cards/:slug', schema: Card });
    await controller.setResponse(Cards.getList, [
      { id: 7, slug: 'seven' },
      { id: 8, slug: 'eight' },
    ]);
    network.use(
      http.delete(
        'http://api.test/cards/:any',
        () => new HttpResponse(body, { headers: { 'content-type': type } }),
      ),
    );
    await controller.fetch(Cards.delete, { slug: 'seven' });
    expect(controller.getResponse(Cards.getList).data).toMatchObject([{ id: 8 }]);
    // params with the key decide: a text may be any message
    const ById = resource({ ...url, path: '/cards/:id', schema: Card });
    await controller.fetch(ById.delete, { id: 8 });
    expect(controller.getResponse(Cards.getList).data).toEqual([]);
  },
);

test('[T5] a deletion resolves with an instance that has the fields of the response', async () => {
  const TodoResource = resource({ path: '/todos/:id', urlPrefix: 'http://api.test', schema: Todo });
  network.use(
    http.delete('http://api.test/todos/:id', ({ params: { id } }) =>
      id === '2'
        ? new HttpResponse(null, { status: 204 })
        : HttpResponse.json({ id, title: 'gone' }),
    ),
  );
  const controller = new Controller();
  const deleted = await controller.fetch(TodoResource.delete, { id: '1' });
  expect(deleted).toBeInstanceOf(Todo);
  expect([deleted.title, deleted.userId]).toEqual(['gone', '']);
  expect(await controller.fetch(TodoResource.delete, { id: '2' })).toMatchObject({ id: '2' });
  const either = new Endpoint(async (id: string) => ({ type: 'todo', id, title: 'b' }), {
    name: 'either',
    schema: new Invalidate({ todo: Todo }, 'type'),
    sideEffect: true,
  });
  expect(await controller.fetch(either, '3')).toBeInstanceOf(Todo);
  const many = new Endpoint(async (ids: string[]) => ids, {
    name: 'many',
    schema: [new Invalidate(Todo)],
    sideEffect: true,
  });
  expect(await controller.fetch(many, ['4'])).toEqual(['4']);
});

test('[T5] a class of endpoints has an optimistic response and updates as methods', async () => {
  const getList = new RestEndpoint({ path: '/all', urlPrefix: 'http://api.test', schema: [Todo] });
  class Creation<O extends RestGenerics = any> extends RestEndpoint<O> {
    override getOptimisticResponse(_: unknown, body: object): object {
      return { id: 'new', ...body };
    }
    override update(id: string) {
      return { [getList.key()]: (ids: string[] = []) => [...ids, id] };
    }
  }
  const create = new Creation({
    path: '/todos',
    urlPrefix: 'http://api.test',
    method: 'POST',
    schema: Todo,
    body: {},
  });
  const controller = new Controller();
  await controller.fetch(getList);
  const creation = controller.fetch(create, { id: '7', title: 'made' });
  expect(controller.get(Todo, { id: '7' })?.title).toBe('made');
  await creation;
  const titles = controller.getResponse(getList).data?.map(({ title }) => title);
  expect(titles).toEqual(['made']);
});

test('[T5] null, undefined and dates in search params are sent as their texts', async () => {
  const search = new RestEndpoint({
    path: '/search',
    urlPrefix: 'http://api.test',
    searchParams: {} as { q: string | null; page?: number | undefined; day: Date },
  });
  const day = new Date(0);
  await search({ q: null, page: undefined, day });
  const expected = new URLSearchParams({ day: String(day), page: 'undefined', q: 'null' });
  expect(requests).toEqual([`GET /search?${expected.toString()}`]);
});

test('[T5] an error is a NetworkError exactly if the server has responded', async () => {
  const get = new RestEndpoint({ path: '/down/:id', urlPrefix: 'http://api.test' });
  network.use(
    http.get('http://api.test/down/:id', ({ params: { id } }) =>
      id === '1' ? HttpResponse.error() : HttpResponse.json({}, { status: 422 }),
    ),
  );
  const [down, refused] = await Promise.all(
    ['1', '2'].map((id) => get({ id }).catch((error: unknown) => error)),
  );
  expect([down instanceof NetworkError, refused instanceof NetworkError]).toEqual([false, true]);
  expect(down).toMatchObject({ status: 500 });
  class Own extends NetworkError {}
  const own = new Own(new Response(null, { status: 404 }));
  expect([own instanceof Own, own instanceof NetworkError, refused instanceof Own]).toEqual([
    true,
    true,
    false,
  ]);
});

test.each([200, 400])(
  '[T5] the error of a GraphQL response with status %i has its errors, and their messages as message',
  async (status) => {
    const errors = [{ message: 'no such user', path: ['user'] }, { message: 'too deep' }];
    network.use(
      http.post('http://api.test/graphql', () => HttpResponse.json({ errors }, { status })),
    );
    const getUser = new GQLEndpoint('http://api.test/graphql').query('{ user { id } }');
    const message = 'no such user; too deep';
    const error: unknown = await getUser({}).catch((reason: unknown) => reason);
    expect(error instanceof GQLNetworkError && error.errors).toEqual(errors);
    expect(error).toMatchObject({ message, status: 400 });
    const own = new GQLNetworkError(errors);
    expect(own).toMatchObject({ message, status: 400, errors });
    expect(own instanceof GQLNetworkError).toBe(true);
    expect(new NetworkError(new Response(null, { status: 500 })) instanceof GQLNetworkError).toBe(
      false,
    );
  },
);

class DownResource extends Resource {
  id = '';
  override pk() {
    return this.id;
  }
  static override urlRoot = 'http://api.test/down/';
}

test.each([
  ['RestEndpoint', new RestEndpoint({ path: '/down/:id', urlPrefix: 'http://api.test' })],
  ['Resource', DownResource.detail()],
  ['GQLEndpoint', new GQLEndpoint('http://api.test/down/graphql').query('{ a }')],
  // any: endpoints of several types
])('[T5] the message of an error of %s is the text of the status', async (_, get: any) => {
  const fail = (response: () => Response) => {
    network.use(http.all('http://api.test/down/*', response));
    return get({ id: '1' }).catch((error: Error) => error);
  };
  const text = await fail(() => new HttpResponse('{}', { status: 422, statusText: 'No title' }));
  expect(text).toMatchObject({ message: 'No title', status: 422, code: 'R7' });
  const none = await fail(() => new HttpResponse('{}', { status: 422, statusText: '' }));
  expect(none.message).toMatch(/422|Unprocessable/);
  const down = await fail(() => HttpResponse.error());
  expect(down).toMatchObject({ message: 'Failed to fetch', status: 500, code: 'R8' });
  expect(new NetworkError(new Response('', { status: 404, statusText: 'Gone' })).message).toBe(
    'Gone',
  );
});

test.each([
  ['RestEndpoint', new RestEndpoint({ path: '/down/:id', urlPrefix: 'http://api.test' })],
  ['Resource', DownResource.detail()],
  ['GQLEndpoint', new GQLEndpoint('http://api.test/down/graphql').query('{ a }')],
  // any: endpoints of several types
])(
  '[T5] an error of the application in the place of fetch is the error of %s',
  async (_, get: any) => {
    class LoggedOut extends Error {}
    const loggedOut = new LoggedOut('log in again');
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(loggedOut);
    await expect(get({ id: '1' })).rejects.toBe(loggedOut);
    const controller = new Controller();
    await expect(controller.fetch(get, { id: '1' })).rejects.toBe(loggedOut);
    expect(controller.getError(get, { id: '1' })).toBe(loggedOut);
    const aborted = new DOMException('stopped', 'AbortError');
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(aborted);
    await expect(get({ id: '1' })).rejects.toBe(aborted);
  },
);

test('[T5] the default listener receives each event once, and none after its removal', () => {
  const listener = new DefaultConnectionListener();
  const heard: string[] = [];
  const [online, offline] = [() => void heard.push('online'), () => void heard.push('offline')];
  expect(listener.isOnline()).toBe(true);
  for (let i = 0; i < 2; i++) {
    listener.addOnlineListener(online);
    listener.addOfflineListener(offline);
  }
  dispatchEvent(new Event('online'));
  dispatchEvent(new Event('offline'));
  listener.removeOnlineListener(online);
  listener.removeOfflineListener(offline);
  dispatchEvent(new Event('online'));
  dispatchEvent(new Event('offline'));
  expect(heard).toEqual(['online', 'offline']);
});

test('[T5] a row that a response lists twice is in its collection once, in a plain list twice', async () => {
  const controller = new Controller();
  const rows = [{ id: '1' }, { id: '1' }, { id: '2' }];
  const plain = new RestEndpoint({ path: '/plain', schema: [Todo] });
  await controller.setResponse(plain, rows);
  await controller.setResponse(TodoResource.getList, { userId: 'u' }, rows);
  expect(controller.getResponse(plain).data?.length).toBe(3);
  expect(controller.getResponse(TodoResource.getList, { userId: 'u' }).data?.length).toBe(2);
});

test('[T5] fetch resolves with the stored entity, and process may delete an entity', async () => {
  class Part extends Entity {
    id = '';
    sizes: number[] = [];
    static override key = 'Part';
    static override process(input: any) {
      return input.gone ? undefined : { ...input, sizes: [input.size] };
    }
    static override merge(existing: any, incoming: any) {
      return { ...existing, ...incoming, sizes: [...existing.sizes, ...incoming.sizes] };
    }
  }
  const controller = new Controller();
  let size = 0;
  const get = new Endpoint(
    async () => [
      { id: 'a', size: ++size },
      { id: 'b', gone: true },
    ],
    {
      name: 'getParts',
      schema: [Part],
    },
  );
  await controller.fetch(get);
  const parts = await controller.fetch(get);
  expect(parts.map(({ id, sizes }) => [id, sizes])).toEqual([['a', [1, 2]]]);
  await controller.set(Part, { id: 'a' }, { id: 'a', gone: true });
  expect(controller.get(Part, { id: 'a' })).toBeUndefined();
});

test('[T5] the error of a mutation rejects the call, and is not stored', async () => {
  const controller = new Controller();
  const save = new Endpoint(
    async (_body: object): Promise<object> => {
      throw Object.assign(new Error('conflict'), { status: 409 });
    },
    { name: 'save', sideEffect: true },
  );
  await expect(controller.fetch(save, {})).rejects.toThrow('conflict');
  expect(controller.getError(save, {})).toBeUndefined();
});

test('[T5] a query without a function has the value of its schema', async () => {
  const controller = new Controller();
  await controller.set(Todo, { id: '1' }, { id: '1', title: 'a' });
  expect(controller.get(new Query(new All(Todo)))).toMatchObject([{ id: '1', title: 'a' }]);
  expect(controller.get(new schema.Query(Todo), { id: '1' })).toMatchObject({ title: 'a' });
});

test('[T5] a subclass of Collection may assign the schemas of list changes', async () => {
  class FrontCollection extends Collection {
    constructor(...args: ConstructorParameters<typeof Collection>) {
      super(...args);
      this.move = this.moveWith(unshift);
    }
  }
  const Tasks = resource({
    urlPrefix: 'http://api.test',
    path: '/tasks/:id',
    schema: Todo,
    Collection: FrontCollection,
  });
  const controller = new Controller();
  const title = 'a';
  await controller.setResponse(Tasks.getList, { title }, [
    { id: '1', title },
    { id: '2', title },
  ]);
  await controller.setResponse(Tasks.getList, { title: 'b' }, [{ id: '3', title: 'b' }]);
  await controller.fetch(Tasks.getList.move, { id: '3' }, { id: '3', title });
  expect(controller.get(Tasks.getList.schema, { title })).toMatchObject([
    { id: '3' },
    { id: '1' },
    { id: '2' },
  ]);
});
