/** Short forms of a record are the same entity, incomplete until the record is read alone. */
import { Controller } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { documentAt, load, run } from './command.ts';
import type * as short from './generated/short.ts';

const full = { code: 't', name: 'Task', notes: 'Long', assignee: { code: 'u', name: 'Ada' } };

/** The module, and a server with a task, a user and an issue. */
async function api() {
  const server = await serve(({ url, method }) => {
    if (url === '/tasks') return { body: { data: [{ code: 't', name: 'Task' }] } };
    if (url.startsWith('/tasks/')) return { body: { data: full } };
    if (url.startsWith('/teams/')) return { body: { data: [{ code: 'u', name: 'Ada' }] } };
    if (url.startsWith('/users/'))
      return { body: { data: { code: 'u', name: 'Ada', email: 'a@b' } } };
    const issue = { id: 70, number: 7, title: method === 'PATCH' ? 'edited' : 'seventh' };
    return { body: url.endsWith('/issues') ? [issue] : issue };
  });
  const module = (await load('short.yaml', server.address)) as typeof short;
  return { ...module, server, controller: new Controller() };
}

test('[T3] list rows without required members are the entity of the detail path', async () => {
  const { TaskResource, controller, server } = await api();
  const { data } = await controller.fetch(TaskResource.getList);
  const { data: task } = await controller.fetch(TaskResource.get, { task_code: 't' });
  expect(data[0]?.constructor).toBe(task.constructor);
  expect(controller.getResponse(TaskResource.getList).data?.data[0]).toBe(task);
  expect(task.notes).toBe('Long');
  expect(server.asked).toHaveLength(2);
});

test('[T3] a summary of a record nested in another record is the entity of the full record', async () => {
  const { TaskResource, UserResource, getTeamMembers, controller } = await api();
  const { data: task } = await controller.fetch(TaskResource.get, { task_code: 't' });
  const { data: members } = await controller.fetch(getTeamMembers, { team_code: 'x' });
  expect(members[0]).toBe(task.assignee);
  await controller.fetch(UserResource.get, { user_code: 'u' });
  const again = controller.getResponse(TaskResource.get, { task_code: 't' }).data?.data;
  expect(again?.assignee?.email).toBe('a@b');
  expectTypeOf(task.followers).toEqualTypeOf<short.User[]>();
  expectTypeOf<NonNullable<typeof task.custom>>().toEqualTypeOf<short.CustomCompact>();
});

test('[T3] --explain lists each summary form of an entity with the reason', async () => {
  const { said } = await run(['openapi', documentAt('short.yaml'), '--explain']);
  expect(said.join('\n')).toContain('User is UserResponse: its key is code (/users/{user_code})');
  expect(said.join('\n')).toContain('  and UserCompact: the names and members match UserResponse');
});

test('[T3] {index} in a path is the member `number` of the record', async () => {
  const { IssueResource, controller, server } = await api();
  const place = { owner: 'o', repo: 'r' };
  await controller.fetch(IssueResource.getList, place);
  const before = server.asked.length;
  await controller.fetch(IssueResource.partialUpdate, { ...place, index: 7 }, { title: 'edited' });
  const { data } = controller.getResponse(IssueResource.getList, place);
  expect(data?.[0]).toMatchObject({ id: 70, number: 7, title: 'edited' });
  await controller.fetchIfStale(IssueResource.get, { ...place, index: 7 });
  expect(server.asked).toHaveLength(before + 1);
});

test.each([
  ['{userId}', ['gid', 'name'], 'gid'],
  ['{user.id}', ['name', 'guid'], 'guid'],
  ['{user}', ['sid', 'name'], 'sid'],
  ['{user_id}', ['name', 'login'], 'login'],
  ['{user_id}', ['name'], 'name'],
  ['{user}', ['name', 'email'], 'name'],
  ['{userId}', ['name', 'email'], 'none'],
])('[T3] a record at /users/%s with the members %j has the key %s', async (param, names, key) => {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/User' } } };
  const parameters = [
    { name: param.slice(1, -1), in: 'path', required: true, schema: { type: 'string' } },
  ];
  const paths = { [`/users/${param}`]: { get: { parameters, responses: { 200: { content } } } } };
  const { said } = await run(
    ['openapi', '-', '--explain'],
    JSON.stringify({
      openapi: '3.1.0',
      info: {},
      paths,
      components: { schemas: { User: { properties } } },
    }),
  );
  const found = said.flatMap((line) => /its key is (\S+)/.exec(line)?.[1] ?? []);
  expect(found).toEqual(key === 'none' ? [] : [key]);
});

test('[T3] the report of a summary form names the complete form', async () => {
  const at = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const one = (name: string) => ({
    get: { responses: { 200: { content: { 'application/json': { schema: at(name) } } } } },
  });
  const schemaOf = (...names: string[]) => ({
    type: 'object',
    required: ['id'],
    properties: Object.fromEntries(['id', ...names].map((name) => [name, { type: 'string' }])),
  });
  const schemas = { PublicUser: schemaOf('name'), PrivateUser: schemaOf('name', 'email', 'town') };
  const paths = { '/users/{id}': one('PublicUser'), '/me': one('PrivateUser') };
  const document = { openapi: '3.1.0', info: {}, paths, components: { schemas } };
  expect((await run(['openapi', '-'], JSON.stringify(document))).said).toEqual([
    'guessed: #/components/schemas/PublicUser: a form of User: the names and members match PrivateUser',
  ]);
});

/** The classes of records that `/orders` and `/orders/{orderId}` respond with, by these schemas. */
async function classesOf(row: string, record: string): Promise<string[]> {
  const at = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const respond = (schema: object) => ({
    get: { responses: { 200: { content: { 'application/json': { schema } } } } },
  });
  const schemaOf = (...names: string[]) => ({
    type: 'object',
    required: ['id'],
    properties: Object.fromEntries(
      ['id', 'title', ...names].map((name) => [name, { type: 'string' }]),
    ),
  });
  const rows = { properties: { items: { type: 'array', items: at(row) } } };
  const paths = { '/orders': respond(rows), '/orders/{orderId}': respond(at(record)) };
  const schemas = { [row]: schemaOf('count'), [record]: schemaOf('lines', 'note') };
  const document = { openapi: '3.1.0', info: {}, paths, components: { schemas } };
  const { out } = await run(['openapi', '-'], JSON.stringify(document));
  return [...out.matchAll(/^export class (\w+)/gm)].map(([, name]) => name as string);
}

test('[T3] schemas of a list query and a detail query with the same record name are one class', async () => {
  expect(await classesOf('SearchOrders_Order', 'GetOrder_Order')).toHaveLength(1);
  expect(await classesOf('V1QueriesSearch_Order', 'V1QueriesGet_Order')).toHaveLength(1);
  expect(await classesOf('V1QueriesSearch_Invoice', 'V1QueriesGet_Order')).toHaveLength(2);
});
