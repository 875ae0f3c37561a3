/** GraphQL operations as endpoints. */
import { expect, test, vi } from 'vitest';
import { Controller, Entity, GQLEndpoint, NetworkError } from 'signalbox';
import { serve } from '../setup/server.ts';

class User extends Entity {
  id = '';
  name = '';
}

const DETAIL = 'query UserDetail($name: String!) { user(name: $name) { id name } }';
const RENAME = 'mutation Rename($id: ID!, $name: String!) { rename(id: $id) { id name } }';

test('[E1] a GraphQL query posts its text and variables as JSON, and resolves with `data`', async () => {
  const { address, asked } = await serve({ body: { data: { user: { id: '1', name: 'a' } } } });
  const detail = new GQLEndpoint(`${address}/graphql`).query(DETAIL, { user: User });
  expect(await detail({ name: 'a' })).toEqual({ user: { id: '1', name: 'a' } });
  expect(asked).toHaveLength(1);
  const [{ method, url, headers, text }] = asked as [(typeof asked)[number]];
  expect([method, url, headers['content-type']]).toEqual(['POST', '/graphql', 'application/json']);
  expect(JSON.parse(text)).toEqual({ query: DETAIL, variables: { name: 'a' } });
});

test('[E1] a GraphQL query is a read: concurrent fetches share one request, and the stored entities are fresh', async () => {
  const { address, asked } = await serve({ body: { data: { user: { id: '1', name: 'a' } } } });
  const detail = new GQLEndpoint(address).query(DETAIL, { user: User });
  const controller = new Controller();
  expect(detail.sideEffect).toBeUndefined();
  const both = await Promise.all([
    controller.fetch(detail, { name: 'a' }),
    controller.fetch(detail, { name: 'a' }),
  ]);
  await controller.fetchIfStale(detail, { name: 'a' });
  expect(asked).toHaveLength(1);
  expect(both[0].user).toBeInstanceOf(User);
  expect(both[0].user).toBe(controller.get(User, '1'));
});

test('[E1] a GraphQL mutation is sent on each call, and its response is stored in the entities', async () => {
  const { address, asked } = await serve(({ text }) => ({
    body: {
      data: text.includes('Rename') ? { rename: { id: '1', name: 'b' } } : { user: { id: '1' } },
    },
  }));
  const gql = new GQLEndpoint(address);
  const rename = gql.mutation(RENAME, { rename: User });
  const controller = new Controller();
  await controller.fetch(gql.query(DETAIL, { user: User }), { name: 'a' });
  expect(rename.sideEffect).toBe(true);
  await controller.fetch(rename, { id: '1', name: 'b' });
  await controller.fetch(rename, { id: '1', name: 'b' });
  expect(asked).toHaveLength(3);
  expect(controller.get(User, '1')).toMatchObject({ name: 'b' });
});

test('[E1] the key of a GraphQL operation contains the address, name, text and variables', () => {
  const gql = new GQLEndpoint('http://x/graphql');
  const detail = gql.query(DETAIL);
  expect(detail.name).toBe('UserDetail');
  expect(detail.key({ a: 1, b: 2 })).toBe(detail.key({ b: 2, a: 1 }));
  const others = [
    detail.key({ a: 2 }),
    detail.key(),
    gql.query('{ users { id } }').key({ a: 1 }),
    gql.query('{ posts { id } }').key({ a: 1 }),
    gql.query(DETAIL.replace('id name', 'id')).key({ a: 1 }),
    new GQLEndpoint('http://y/graphql').query(DETAIL).key({ a: 1 }),
    detail.key({ a: 1 }),
  ];
  expect(new Set(others).size).toBe(others.length);
  expect(others.map((key) => detail.testKey(key))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    true,
  ]);
});

test('[E1] a GraphQL operation can be a function of its variables, and its text is part of the key', async () => {
  const { address, asked } = await serve({ body: { data: { user: null } } });
  const detail = new GQLEndpoint(address).query(
    ({ fields }: { fields: string[] }) => `query One { user { ${fields.join(' ')} } }`,
  );
  await detail({ fields: ['id', 'name'] });
  expect(JSON.parse(asked[0]?.text ?? '')).toMatchObject({
    query: 'query One { user { id name } }',
  });
  expect(detail.key({ fields: ['id'] })).not.toBe(detail.key({ fields: ['name'] }));
  expect(detail.testKey(detail.key({ fields: ['id'] }))).toBe(true);
});

test('[R6] `errors` in a GraphQL response reject with a NetworkError R11 of status 400, which has the body', async () => {
  const errors = [{ message: 'no such user', path: ['user'] }, { message: 'and more' }];
  const { address } = await serve({ body: { data: { user: null }, errors } });
  const detail = new GQLEndpoint(address).query(DETAIL, { user: User });
  const controller = new Controller();
  const error: unknown = await controller.fetch(detail, { name: 'x' }).catch((reason) => reason);
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({
    code: 'R11',
    status: 400,
    endpoint: 'query UserDetail',
    body: { errors, data: { user: null } },
  });
  expect((error as Error).message).toContain('no such user; and more');
  expect((error as NetworkError).response?.status).toBe(200);
  expect(controller.getError(detail, { name: 'x' })).toBe(error);
});

const malformed: [errors: unknown, reason: string][] = [
  ['boo', 'boo'],
  [['boo', { message: 'and more' }], 'boo; and more'],
  [{ message: 'boo' }, 'boo'],
  [{ code: 5 }, '{"code":5}'],
  [[null], 'null'],
  [[{ title: 'boo' }], '{"title":"boo"}'],
  [[{ message: '' }], ''],
];

test.each(malformed)(
  '[R6] a GraphQL response with the errors %j rejects with R11, and is not sent again',
  async (errors, reason) => {
    const body = { data: { user: null }, errors };
    const { address, asked } = await serve({ body });
    const failed = new Controller().fetch(new GQLEndpoint(address).query(DETAIL));
    await expect(failed).rejects.toMatchObject({ code: 'R11', status: 400, body });
    await expect(failed).rejects.toThrow(`contains errors: ${reason};`);
    expect(asked).toHaveLength(1);
  },
);

test.each([[[]], [null], [''], [false]])(
  '[R6] a GraphQL response with the errors %j resolves with `data`',
  async (errors) => {
    const { address } = await serve({ body: { data: { user: null }, errors } });
    expect(await new GQLEndpoint(address).query(DETAIL)()).toEqual({ user: null });
  },
);

test.each([
  ['R11', 400, 'boo', 'boo'],
  ['R11', 400, { message: 'boo' }, 'boo'],
  ['R7', 400, [null], '400 "null"'],
  ['R7', 401, 'boo', '401 "boo"'],
  ['R7', 422, [{ title: 'boo' }], '422 .*boo'],
])(
  '[R6] a GraphQL error has the reason in its message, %s: status %i with the errors %j',
  async (code, status, errors, text) => {
    const answer = Response.json({ errors }, { status });
    vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(answer);
    const failed = new GQLEndpoint('http://host/').query(DETAIL)();
    await expect(failed).rejects.toMatchObject({ code, status, body: { errors } });
    await expect(failed).rejects.toThrow(new RegExp(text));
    vi.restoreAllMocks();
  },
);

test('[R6] a GraphQL response with status 422 rejects with R7 of that status', async () => {
  const answer = { status: 422, body: { errors: [{ message: 'syntax' }] } };
  const type = { 'content-type': 'application/graphql-response+json' };
  const { address } = await serve({ ...answer, headers: type });
  const failed = new GQLEndpoint(address).query(DETAIL)();
  await expect(failed).rejects.toMatchObject({ code: 'R7', status: 422, body: answer.body });
});

test.each(['application/graphql-response+json; charset=utf-8', 'application/json'])(
  '[R6] GraphQL errors with status 400 and the type %s reject with R11 and the messages of the server',
  async (type) => {
    const body = { errors: [{ message: 'Cannot query field "x"' }, { message: 'and more' }] };
    const { address } = await serve({ status: 400, headers: { 'content-type': type }, body });
    const detail = new GQLEndpoint(address).query(DETAIL, { user: User });
    const controller = new Controller();
    const error: unknown = await controller.fetch(detail, { name: 'x' }).catch((reason) => reason);
    const details = { code: 'R11', status: 400, endpoint: 'query UserDetail', method: 'POST' };
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ ...details, body, url: address });
    expect((error as Error).message).toContain('Cannot query field "x"; and more');
    expect(await (error as NetworkError).response?.json()).toEqual(body);
    expect(controller.getError(detail, { name: 'x' })).toBe(error);
  },
);

test('[R6] partial `data` of a GraphQL response with status 400 are in the body of the error', async () => {
  const body = { data: { user: null }, errors: [{ message: 'gone' }] };
  const { address } = await serve({ status: 400, body });
  const failed = new GQLEndpoint(address).query(DETAIL)();
  await expect(failed).rejects.toMatchObject({ code: 'R11', status: 400, body });
});

test.each([
  ['JSON of a gateway', 401, 'application/json', { error: 'no token' }],
  ['JSON with errors without messages', 400, 'application/json', { errors: ['a', null] }],
  ['JSON:API errors', 400, 'application/json', { errors: [{ title: 'a' }] }],
  ['no errors', 400, 'application/json', { errors: [] }],
  ['an HTML page', 502, 'text/html', '<html>'],
  ['an HTML page', 400, 'text/html', '<html>'],
])(
  '[R6] %s with status %i instead of GraphQL errors rejects with R7 of this status',
  async (_, status, type, body) => {
    const { address } = await serve({ status, headers: { 'content-type': type }, body });
    const failed = new GQLEndpoint(address).query(DETAIL)();
    await expect(failed).rejects.toMatchObject({ code: 'R7', status, body });
  },
);

test('[R6] GraphQL errors with status 401 and no status text have the message of the server as their reason', async () => {
  const answer = Response.json({ errors: [{ message: 'no token' }] }, { status: 401 });
  vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(answer);
  const failed = new GQLEndpoint('http://host/').query(DETAIL)();
  await expect(failed).rejects.toThrow(
    'R7] query UserDetail: the server responded with 401 "no token"',
  );
  vi.restoreAllMocks();
});

test.each([
  ['an HTML page', 'text/html', '<html>', 'R5'],
  ['broken JSON', 'application/json', '{"data"', 'R6'],
])('[R6] %s instead of a GraphQL response rejects', async (_, type, body, code) => {
  const { address } = await serve({ headers: { 'content-type': type }, body });
  await expect(new GQLEndpoint(address).query(DETAIL)()).rejects.toMatchObject({ code });
});

test('[E2] headers and init of a GraphQL endpoint can be overridden by a subclass and by extend', async () => {
  const { address, asked } = await serve({ body: { data: { done: true } } });
  const fetch = vi.spyOn(globalThis, 'fetch');
  class Mine extends GQLEndpoint {
    override getHeaders(headers: HeadersInit): HeadersInit {
      return { ...headers, 'Access-Token': 't' };
    }
  }
  const gql = new Mine(address, { dataExpiryLength: 5 }).extend({
    getRequestInit: async function (body) {
      const init = await Mine.prototype.getRequestInit.call(this, body);
      return { ...init, credentials: 'include' };
    },
  });
  const query = gql.query('{ done }').extend({ process: ({ done }) => ({ result: done }) });
  expect(query).toBeInstanceOf(Mine);
  expect(query.dataExpiryLength).toBe(5);
  expect(await query()).toEqual({ result: true });
  expect(asked[0]?.headers['access-token']).toBe('t');
  expect(fetch.mock.calls[0]?.[1]).toMatchObject({ credentials: 'include', method: 'POST' });
});
