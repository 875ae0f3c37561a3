// Handlers of a resource: addresses, refusals, and errors about missing options.
import { createResource, Entity, Resource, RestEndpoint } from 'signalbox';
import { createHandlers } from 'signalbox/testing/msw';
import { HttpResponse } from 'msw';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { mock } from '../servers/mocked.ts';

class User extends Entity {
  id = 0;
  name = '';
  manager = false;
}

const urlPrefix = 'http://api.test';
const users = createResource({ urlPrefix, path: '/users/:id', schema: User });
const rows = [
  { id: 1, name: 'Ada', manager: false },
  { id: 2, name: 'Bob', manager: false },
];

afterEach(() => vi.unstubAllGlobals());

describe('addresses', () => {
  test.each([
    ['a host and a folder', 'http://api.test/v1', '/users/:id'],
    ['a host that is written with its port and in capitals', 'HTTP://API.test:80', '/users/:id'],
    ['an address in the path itself', '', 'http://api.test:8080/users/:id'],
    ['text that addresses encode', 'http://api.test', '/größe/:id'],
    ['slashes at the end', 'http://api.test', '/users/:id/'],
    ['optional parts', 'http://api.test', '/users{/:id}'],
    ['constraints and escapes', 'http://api.test', String.raw`/v1\:a/:id(\d+)`],
    ['a query in the path', 'http://api.test', '/users?id=:id'],
  ])('[T1] createHandlers responds at %s', async (_, prefix, path) => {
    const get = new RestEndpoint({ urlPrefix: prefix, path: path as '/:id', schema: User });
    const { controller } = mock(createHandlers({ get }, rows));
    expect(await controller.fetch(get, { id: 2 })).toMatchObject({ name: 'Bob' });
  });

  test('[T1] createHandlers responds to a relative path only on the origin of the page, and on any origin without a page', async () => {
    const here = createResource({ urlPrefix: '/api', path: '/users/:id', schema: User });
    vi.stubGlobal('location', { origin: 'http://page.test', href: 'http://page.test/' });
    const { controller } = mock(createHandlers(here, rows));
    const of = (origin: string) => ({
      fetchResponse(this: RestEndpoint, input: RequestInfo | URL, init?: RequestInit) {
        return RestEndpoint.prototype.fetchResponse.call(this, origin + String(input), init);
      },
    });
    const get = here.get.extend(of('http://page.test'));
    expect(await controller.fetch(get, { id: 1 })).toMatchObject({ name: 'Ada' });
    vi.spyOn(console, 'error').mockReturnValue();
    const elsewhere = here.get.extend({ ...of('http://else.test'), dataExpiryLength: 0 });
    await expect(controller.fetch(elsewhere, { id: 1 })).rejects.toMatchObject({ code: 'R8' });
    vi.unstubAllGlobals();
    expect(await controller.fetch(elsewhere, { id: 2 })).toMatchObject({ name: 'Bob' });
  });

  test('[T1] createHandlers uses the current value of a urlPrefix getter', async () => {
    let host = 'http://one.test';
    class Moving extends RestEndpoint {
      override get urlPrefix() {
        return host;
      }
    }
    const moving = createResource({ path: '/users/:id', schema: User, Endpoint: Moving });
    const { controller } = mock(createHandlers(moving, rows));
    host = 'http://two.test';
    expect(await controller.fetch(moving.get, { id: 1 })).toMatchObject({ name: 'Ada' });
  });

  test('[T1] createHandlers decodes path values, and prefers the more specific of two paths', async () => {
    const more = users.extend({
      byName: { path: '/users/named/:name' },
      search: { path: '/users/search', schema: [User] },
    });
    const odd = { id: 3, name: 'a/b ?ä', manager: true };
    const { controller } = mock(createHandlers(more, [...rows, odd]));
    expect(await controller.fetch(more.byName, { name: odd.name })).toMatchObject({ id: 3 });
    expect(await controller.fetch(more.search, { manager: true } as never)).toHaveLength(1);
    expect(await controller.fetch(more.get, { id: 1 })).toMatchObject({ name: 'Ada' });
  });
});

describe('failures and delays', () => {
  test('[T1] createHandlers fails as often as `fail.times` says, and leaves the rows unchanged meanwhile', async () => {
    const handlers = createHandlers(users, rows, {
      fail: { method: 'PATCH', times: 1, status: 503 },
    });
    const { controller } = mock(handlers);
    const change = () => controller.fetch(users.partialUpdate, { id: 1 }, { name: 'Eve' });
    await expect(change()).rejects.toMatchObject({ status: 503 });
    expect(handlers.rows[0]?.name).toBe('Ada');
    await change();
    expect(handlers.rows[0]?.name).toBe('Eve');
    handlers.reset();
    expect(handlers.rows).toEqual(rows);
    await expect(change()).rejects.toMatchObject({ status: 503 });
  });

  test('[T1] createHandlers fails with the status that the function `fail` returns; status 0 is a network error', async () => {
    const handlers = createHandlers(users, rows, {
      fail: ({ member, row }) => (member === 'delete' && row?.name === 'Bob' ? 409 : undefined),
    });
    const { controller } = mock(handlers);
    await expect(controller.fetch(users.delete, { id: 2 })).rejects.toMatchObject({ status: 409 });
    await controller.fetch(users.delete, { id: 1 });
    handlers.fail = [
      { member: 'get', status: 0 },
      { member: 'getList', body: { why: 'maintenance' } },
    ];
    await expect(controller.fetch(users.get, { id: 2 })).rejects.toMatchObject({ code: 'R8' });
    const refused = controller.fetch(users.getList);
    await expect(refused).rejects.toMatchObject({ status: 500, body: { why: 'maintenance' } });
    handlers.fail = undefined;
    expect(await controller.fetch(users.get, { id: 2 })).toMatchObject({ name: 'Bob' });
  });

  test('[T1] createHandlers applies a request at once, and responds after `delay`', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let arrived!: () => void;
    const listArrived = new Promise<void>((resolve) => (arrived = resolve));
    const handlers = createHandlers(users, rows, {
      delay({ method }) {
        if (method !== 'GET') return 0;
        arrived();
        return 300;
      },
    });
    const { controller } = mock(handlers);
    const answered: string[] = [];
    const list = controller
      .fetch(users.getList)
      .then((all) => answered.push(`list of ${all.length}`));
    await listArrived;
    await controller.fetch(users.delete, { id: 1 }).then(() => answered.push('deleted'));
    await vi.advanceTimersByTimeAsync(299);
    expect(answered).toEqual(['deleted']);
    await vi.advanceTimersByTimeAsync(1);
    await list;
    expect(answered).toEqual(['deleted', 'list of 1']);
    handlers.delay = 0;
    expect(await controller.fetch(users.getList)).toHaveLength(1);
  });

  test('[T1] createHandlers exposes its rows, which a test may change or replace', async () => {
    const handlers = createHandlers(users, rows);
    const { controller } = mock(handlers);
    handlers.rows.push({ id: 9, name: 'Zoe', manager: true });
    expect(await controller.fetch(users.get, { id: 9 })).toMatchObject({ name: 'Zoe' });
    handlers.rows = [];
    expect(await controller.fetch(users.getList)).toEqual([]);
    expect(await controller.fetch(users.create, { name: 'New' })).toMatchObject({ id: 3 });
    expect(rows).toHaveLength(2);
  });
});

describe('actions', () => {
  const more = users.extend({
    makeManager: { path: '/users/:id/make_manager', method: 'POST', body: undefined },
    current: { path: '/current_user/', schema: User },
  });

  test('[T1] createHandlers calls a responder with the row of the path, and responds with 404 if there is no row', async () => {
    const handlers = createHandlers(more, rows, {
      actions: {
        makeManager: ({ row }) => Object.assign(row ?? {}, { manager: true }),
        current: async ({ rows: [first] }) => HttpResponse.json(first, { status: 203 }),
      },
    });
    const { controller } = mock(handlers);
    expect(await controller.fetch(more.makeManager, { id: 2 })).toMatchObject({ manager: true });
    expect(handlers.rows[1]?.manager).toBe(true);
    expect(await controller.fetch(more.current)).toMatchObject({ name: 'Ada' });
    await expect(controller.fetch(more.makeManager, { id: 7 })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('[T1] createHandlers lets a responder change or drop the usual response, and usual() may fail with 409', async () => {
    const { controller } = mock(
      createHandlers(users, rows, {
        actions: {
          create: ({ usual }) => ({ ...(usual() as object), name: 'renamed' }),
          delete: ({ usual }) => void usual(),
        },
      }),
    );
    expect(await controller.fetch(users.create, { name: 'x' })).toMatchObject({
      id: 3,
      name: 'renamed',
    });
    const twice = controller.fetch(users.create, { id: 3 });
    await expect(twice).rejects.toMatchObject({ status: 409 });
    expect(await controller.fetch(users.delete, { id: 3 })).toEqual({ id: 3 });
  });

  test.each([
    [
      'an action without a responder',
      () => more.current,
      {},
      'define its response in actions.current',
    ],
    [
      'a param that is no field',
      () => more.getList,
      { text: 'x' },
      'no row has a field text: define filters.text',
    ],
    ['an order', () => more.getList, { orderBy: 'x' }, 'orderBy requests an order: define sort'],
  ])(
    '[T1] createHandlers responds with 501, and warns, if an option is missing: %s',
    async (_, member, params, reason) => {
      const said = vi.spyOn(console, 'warn').mockReturnValue();
      const { controller } = mock(createHandlers(more, rows));
      const asked = controller.fetch(member() as RestEndpoint, params);
      await expect(asked).rejects.toMatchObject({
        status: 501,
        body: { message: expect.stringContaining(reason) as string },
      });
      expect(said.mock.calls.flat().join()).toContain(reason);
    },
  );

  const made = {
    'an endpoint with a custom url()': [
      () => ({ users: users.getList.extend({ url: () => '/x' }) }),
      'it overrides url()',
    ],
    'several lists in one envelope': [
      () => users.extend('getList', { schema: { young: [User], old: [User] } }),
      'define lists.young',
    ],
    'a value without endpoints of an entity': [
      () => class extends Resource {},
      'it has no endpoint of an entity',
    ],
  } as const;

  test.each(Object.entries(made))(
    '[T1] createHandlers throws an error with the reason for %s',
    (_, [make, reason]) => {
      expect(() => createHandlers(make(), rows)).toThrow(reason);
    },
  );
});
