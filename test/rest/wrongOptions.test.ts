/** Options and members that do not exist log a warning at once. */
import {
  All,
  Collection,
  Controller,
  createResource,
  Endpoint,
  Entity,
  EntityMixin,
  GQLEndpoint,
  hasMany,
  hookifyResource,
  httpCache,
  innerJoin,
  live,
  liveResult,
  optimistic,
  Query,
  replay,
  RestEndpoint,
  Scalar,
  schema,
  transaction,
  Union,
  unsubscribe,
  Values,
  withRelated,
  withStatus,
} from 'signalbox';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Todo } from '../setup/samples.ts';

describe('an option that does not exist', () => {
  const warned = vi.fn<(text: string) => void>();
  beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(warned));
  afterEach(() => void warned.mockClear());

  test.each([
    ['paginationFeld', 'paginationField'],
    ['dataExpiryLenght', 'dataExpiryLength'],
    ['methd', 'method'],
    ['shema', 'schema'],
    ['urlPrefixx', 'urlPrefix'],
    ['optimistik', 'optimistic'],
  ])('[H10] the unknown option %s logs an E11 warning that names %s', (option, known) => {
    const options = { path: '/todos/:id', schema: Todo, [option]: 'x' };
    createResource(options);
    expect(warned).toHaveBeenCalledTimes(1);
    expect(warned.mock.lastCall?.[0]).toMatch(
      `E11] "${option}" is not an option, but "${known}" is`,
    );
  });

  test.each([
    ['argKey', 'argsKey', (options: object) => new Collection([Todo], options)],
    ['nestKeys', 'nestKey', (options: object) => new Collection([Todo], options)],
    ['errorExpiryLenght', 'errorExpiryLength', (options: object) => new Controller(options)],
    ['refetchOnFokus', 'refetchOnFocus', (options: object) => new Controller(options)],
    ['filtr', 'filter', (options: object) => new Query(new All(Todo), options)],
    ['grupBy', 'groupBy', (options: object) => new Query(new All(Todo), options)],
  ])(
    '[H10] the unknown option %s logs an E11 warning that names %s, without an endpoint',
    (option, known, make) => {
      make({ [option]: () => ({}) });
      expect(warned.mock.calls.map(([text]) => text)).toEqual([
        expect.stringContaining(`E11] "${option}" is not an option, but "${known}" is`),
      ]);
    },
  );

  test('[H10] known options of a controller, a Collection and a Query log no warning', () => {
    void new Controller({ dataExpiryLength: 5, maxEntities: 9, refetchOnFocus: false });
    void new Collection([Todo], { argsKey: () => ({}), nonFilterArgumentKeys: ['page'] });
    void new Query(new All(Todo), { filter: () => true, sort: 'title', limit: 5, offset: 1 });
    expect(warned).not.toHaveBeenCalled();
  });

  test.each([
    ['requestInit', 'getRequestInit'],
    ['fetchInit', 'getRequestInit'],
    ['getFetchInit', 'getRequestInit'],
    ['getFetchKey', 'key'],
  ])(
    '[H10] the option %s of older libraries logs an E11 warning that names %s',
    (option, known) => {
      const options = { path: '/todos/:id', schema: Todo, [option]: () => ({}) };
      createResource(options);
      expect(warned.mock.calls.map(([text]) => text)).toEqual([
        expect.stringContaining(`E11] "${option}" is not an option, but "${known}" is`),
      ]);
    },
  );

  test('[H10] a static of older libraries without effect logs an E11 warning that names the current static', async () => {
    class Old extends Entity {
      id = 0;
      static useIncoming(): boolean {
        return false;
      }
    }
    await new Controller().set(Old, { id: 1 }, { id: 1 });
    expect(warned.mock.calls.map(([text]) => text)).toEqual([
      expect.stringContaining('E11] "useIncoming" is not an option, but "shouldUpdate" is'),
    ]);
  });

  test('[H10] a misspelt static of an entity, or member of its schema, logs a warning that names the right one', async () => {
    class Author extends Entity {
      id = 0;
    }
    class Post extends Entity {
      id = 0;
      author: Author | null = null;
      comment: Author | null = null;
      static schmea = { author: Author };
      static override schema = { comment: Author, autor: Author, comments: [Author] };
      static proces(input: unknown): unknown {
        return input;
      }
    }
    await new Controller().set(Post, { id: 1 }, { id: 1 });
    expect(
      warned.mock.calls.map(([text]) =>
        /"(\w+)" is not an option, but "(\w+)"/.exec(text)?.slice(1),
      ),
    ).toEqual([
      ['proces', 'process'],
      ['schmea', 'schema'],
      ['autor', 'author'],
    ]);
    warned.mockClear();
    class Summary extends Post {
      static count = 0;
      static override schema = { ...Post.schema, editor: Author };
    }
    class Mixed extends EntityMixin(class Base {}, { ['schemma' as 'schema']: {}, pk: 'slug' }) {}
    await new Controller().set(Summary, { id: 1 }, { id: 1 });
    await new Controller().set(Mixed, { slug: 'a' }, { slug: 'a' });
    expect(warned.mock.calls.map(([text]) => text)).toEqual([
      expect.stringContaining('"schemma" is not an option, but "schema" is'),
    ]);
  });

  test('[H10] a misspelt endpoint of a resource logs a warning that names the right one, another name does not', () => {
    const Todos = createResource({ path: '/todos/:id', schema: Todo });
    const { get, getList } = Todos;
    Todos.extend({ getLsit: { dataExpiryLength: 5 } });
    Todos.extend('parcialUpdate', { path: '/todos/:id/part' });
    Todos.extend(() => ({ updat: get }));
    expect(
      warned.mock.calls.map(([text]) =>
        /"(\w+)" is not an option, but "(\w+)"/.exec(text)?.slice(1),
      ),
    ).toEqual([
      ['getLsit', 'getList'],
      ['parcialUpdate', 'partialUpdate'],
      ['updat', 'update'],
    ]);
    warned.mockClear();
    Todos.extend({ getAll: { path: '/all' }, deleted: { path: '/deleted' }, getLast: {} });
    Todos.extend('getOne', {}).extend('getOnes', {});
    Todos.extend((base) => ({ ...base, lists: getList, updated: getList, upvote: base.update }));
    expect(warned).not.toHaveBeenCalled();
  });

  test('[H10] an unnamed endpoint logs an E15 warning when its key is computed, once', () => {
    const [first, second] = [1, 2].map(
      (value) =>
        new Endpoint(
          (
            () => async () =>
              value
          )(),
        ),
    );
    expect(warned).not.toHaveBeenCalled();
    expect(first?.key()).toBe(second?.key());
    expect(warned).toHaveBeenCalledTimes(1);
    expect(warned.mock.lastCall?.[0]).toMatch(/E15\] an endpoint .*async \(\) => value.* no name/);
    void new Endpoint(async () => 1, { key: () => 'mine' }).key();
    void new Endpoint(async () => 1).extend({ name: 'named' }).key();
    expect(warned).toHaveBeenCalledTimes(1);
  });

  test('[H10] unknown options of an Endpoint and of extend log a warning', () => {
    void new Endpoint(async () => 1, { ['timeuot' as 'timeout']: 5 });
    new RestEndpoint({ path: '/x' }).extend({ ['sideEfect' as 'sideEffect']: true });
    expect(warned.mock.calls.map(([text]) => /"(\w+)" is not an option/.exec(text)?.[1])).toEqual([
      'timeuot',
      'sideEfect',
    ]);
  });

  test('[H10] options that are members of the class, or not similar to a known option, log no warning', () => {
    class Mine extends RestEndpoint {
      contents(): string {
        return '';
      }
    }
    const near = { keys: 1, urls: 2 };
    const mine = { contents: () => 'x', token: 'y', mine: true };
    void new Mine({ path: '/x', ...mine });
    void new Endpoint(async () => 1, {
      name: 'y',
      key: () => 'z',
      extra: 5,
      ...near,
    });
    expect(warned).not.toHaveBeenCalled();
  });
});

test('[H10] createResource without a schema throws S4, and without a path throws R3', () => {
  const make = (options: object) => () =>
    createResource(options as { path: '/:id'; schema: unknown });
  expect(make({ path: '/todos/:id', schema: undefined })).toThrow(
    'S4] the schema of "createResource" is undefined at "schema"; this is usually a circular import',
  );
  expect(make({ schema: Todo })).toThrow(
    'R3] the path undefined is invalid at position 0: it must be',
  );
  expect(() => new RestEndpoint({} as { path: '/' })).toThrow('R3] the path undefined');
});

describe('a wrong argument', () => {
  const resource = createResource({ path: '/todos/:id', schema: Todo });
  const controller = new Controller();
  // as plain JavaScript calls these
  const call = (target: unknown, ...args: unknown[]): unknown =>
    (target as (...args: unknown[]) => unknown)(...args);
  const make = (Class: unknown, ...args: unknown[]): unknown =>
    Reflect.construct(Class as never, args);
  const on = (...args: unknown[]) => controller.on(...(args as ['reset', () => void]));
  const calls: Record<string, (value: unknown) => unknown> = {
    createResource: (value) => call(createResource, value),
    'resource.extend': (value) => call(resource.extend.bind(resource), value),
    'new RestEndpoint': (value) => make(RestEndpoint, value),
    'endpoint.extend': (value) => resource.get.extend(value as object),
    paginated: (value) => call(resource.getList.paginated.bind(resource.getList), value),
    'new GQLEndpoint': (value) => make(GQLEndpoint, value),
    'a GQLEndpoint': () => call(new GQLEndpoint('/graphql').query.bind(new GQLEndpoint('/'))),
    'new Controller': () => make(Controller, null),
    'new Collection': () => make(Collection, [Todo], null),
    'new Endpoint': () => make(Endpoint, async () => 1, 7),
    'new Scalar': (value) => make(Scalar, value),
    'new schema.Object': (value) => make(schema.Object, value),
    'new Query': (value) => make(Query, new All(Todo), value),
    'the filter of a query': () => make(Query, new All(Todo), { filter: { done: true } }),
    EntityMixin: (value) => call(EntityMixin, value),
    'a relation': (value) => call(hasMany, Todo, value),
    'a join': (value) => call(innerJoin, value),
    hookifyResource: (value) => call(hookifyResource, value),
    withRelated: (value) => call(withRelated, resource.get, value),
    liveResult: (value) => call(liveResult, value),
    optimistic: (value) => call(optimistic, value),
    httpCache: (value) => call(httpCache, value),
    replay: (value) => call(replay, controller, value),
    'a read of the store': () => controller.query(null as never),
    'controller.on': () => on('comit', () => {}),
  };

  test.each(Object.keys(calls))(
    '[H10] %s with a wrong argument throws E18, which names the function and the expected value',
    (caller) => {
      expect(() => calls[caller]?.(undefined)).toThrow(
        expect.objectContaining({
          code: 'E18',
          status: 400,
          message: expect.stringMatching(`"${caller}" got .*: it takes `) as unknown,
        }),
      );
    },
  );

  test('[H10] transaction and withStatus with a wrong argument reject with E18', async () => {
    const wrong = expect.objectContaining({ code: 'E18' }) as Error;
    await expect(async () => call(transaction, controller)).rejects.toThrow(wrong);
    await expect(call(withStatus)).rejects.toThrow(wrong);
  });

  test('[H10] controller.on with an unknown event, or without a listener, throws an error with the valid values', () => {
    expect(() => on('comit', () => {})).toThrow(
      '"controller.on" got "comit": it takes one of request retry commit error abort reset',
    );
    expect(() => on('commit')).toThrow('it takes a function for the event');
  });

  test('[H10] a wrong endpoint throws E14, and a wrong entity class throws S9', () => {
    expect(() => call(unsubscribe, controller)).toThrow('E14');
    expect(() => call(withRelated, resource, {})).toThrow(
      'E14] an endpoint is expected, got an object',
    );
    expect(() => call(live, controller, null, 1)).toThrow('S9');
    expect(() => controller.entity(null as never, 1)).toThrow('S9');
  });

  test.each<[string, (endpoint: never) => unknown]>([
    ['a member', (endpoint) => ({ data: endpoint })],
    ['a list', (endpoint) => [endpoint]],
    ['Collection', (endpoint) => new Collection([endpoint])],
    ['Values', (endpoint) => new Values(endpoint)],
    ['Union', (endpoint) => new Union({ a: endpoint }, 'type')],
    ['a resource', () => resource],
  ])(
    '[H10] an endpoint as the schema of %s rejects with an error that names the endpoint',
    async (kind, schemaOf) => {
      const response = kind === 'Values' ? { a: {} } : [];
      const read = new RestEndpoint({ path: '/data', schema: schemaOf(resource.get as never) });
      await expect(controller.setResponse(read, response)).rejects.toThrow(
        'E10] "GET /todos/:id" is an endpoint, but a schema is expected',
      );
    },
  );

  test.each([
    ['a class', Todo],
    ['a list', [Todo]],
    ['null', null],
    ['a function', () => ({})],
  ])(
    '[H10] %s as the static schema of an entity rejects with E18, which names the entity',
    async (_, value) => {
      class Wrong extends Entity {
        id = 0;
        static override schema = value as never;
      }
      await expect(controller.set(Wrong, { id: 1 }, { id: 1 })).rejects.toThrow(
        'E18] "static schema of Wrong" got',
      );
    },
  );

  test('[H10] the name of a field as static pk rejects with an error that names the option of EntityMixin', async () => {
    class Slugged extends Entity {
      slug = '';
    }
    Object.assign(Slugged, { pk: 'slug' });
    await expect(controller.set(Slugged, { slug: 'a' }, { slug: 'a' })).rejects.toThrow(
      '"static pk of Slugged" got "slug": it takes a function; the name of a field is the option pk of EntityMixin',
    );
  });
});

describe('a list method of an endpoint without a Collection', () => {
  const resource = createResource({ path: '/todos/:id', schema: Todo });
  const lists = {
    plain: new RestEndpoint({ path: '/todos', schema: [Todo] }),
    envelope: resource.getList.extend({ schema: { results: [Todo], total: 0 } }),
    detail: resource.get,
  };

  test.each(['plain', 'envelope', 'detail'] as const)(
    '[H10] a list method of a %s endpoint without a Collection throws R15, which names the method and the fix',
    (name) => {
      const list = lists[name] as RestEndpoint;
      for (const member of ['push', 'unshift', 'assign', 'remove', 'move'] as const) {
        expect(() => list[member] as unknown).toThrow(
          `[signalbox R15] ${list.title}: the endpoint has no "${member}": its schema has no Collection; ` +
            'declare the list as new Collection([Entity])',
        );
      }
      expect(() => list.getPage as unknown).toThrow('no "getPage": it has no paginationField');
    },
  );

  test('[H10] a map has no push, a list no assign', () => {
    const map = new RestEndpoint({ path: '/map', schema: new Collection(new Values(Todo)) });
    expect(() => map.push as unknown).toThrow('"push": Collection(Values(Todo)) has none');
    expect(() => resource.getList.assign as unknown).toThrow('Collection([Todo]) has none');
    expect(map.assign.method).toBe('POST');
  });

  test('[H10] an endpoint without a Collection can be spread, extended, and tested by `in`', () => {
    const { plain } = lists;
    expect('push' in plain).toBe(true);
    expect({ ...plain }).not.toHaveProperty('push');
    const extended = plain.extend({ schema: new Collection([Todo]) });
    expect(extended.push.method).toBe('POST');
    expect(plain.extend({ dataExpiryLength: 5 }).path).toBe('/todos');
  });

  test('[M6] an endpoint with an array of entities in an envelope is read', async () => {
    const controller = new Controller({ send: async () => ({ results: [{ id: 1 }], total: 1 }) });
    const { results, total } = await controller.fetch(lists.envelope);
    expect([results[0]?.id, total]).toEqual([1, 1]);
    expect(results[0]).toBeInstanceOf(Todo);
  });
});

test.each(['dataExpiryLength', 'errorExpiryLength', 'pollFrequency', 'timeout', 'sweepAfter'])(
  '[H10] text instead of the number %s throws an error that names the option',
  (option) => {
    const error = `E18] "${option}" got "60": it takes a number`;
    const options: object = { [option]: '60' };
    expect(() => createResource({ path: '/todos/:id', schema: Todo, ...options })).toThrow(error);
    expect(() => new Endpoint(async () => 1, options)).toThrow(error);
    expect(() => new RestEndpoint({ path: '/x' }).extend(options)).toThrow(error);
    expect(() => new Controller(options)).toThrow(error);
  },
);

test('[H10] a Union without the attribute throws E18, which names the second argument', () => {
  const make = (choice?: unknown) => () => new Union({ todo: Todo }, choice as string);
  const error = 'it takes the attribute that selects the schema as its second argument';
  expect(make()).toThrow(`E18] "new Union" got undefined: ${error}`);
  expect(make({ type: 'kind' })).toThrow(error);
  expect(make('type')).not.toThrow();
  expect(make(() => 'todo')).not.toThrow();
});

test('[H10] the name of a class instead of the class in a schema rejects with E18, which names the member', async () => {
  class Named extends Entity {
    id = 0;
    todo = undefined;
    static override schema = { todo: 'Todo' as unknown as typeof Todo };
  }
  class Optional extends Entity {
    id = 0;
    static override schema = { note: '' };
  }
  const write = (Class: typeof Named | typeof Optional) =>
    new Controller().set(Class as typeof Named, { id: 1 }, { id: 1 });
  await expect((async () => write(Named))()).rejects.toThrow(
    'E18] "static schema.todo of Named" got "Todo": it takes a class, not its name',
  );
  await write(Optional);
});
