/** Unions of records: distinguished by the required members, or reported as plain data. */
import { Controller } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { documentAt, load, run } from './command.ts';
import { complaints } from './compiled.ts';
import type * as matches from './generated/matches.ts';

async function api(body: unknown) {
  const server = await serve({ body });
  return (await load('matches.yaml', server.address)) as typeof matches;
}

test('[T3] records that each require more than the others are distinguished', async () => {
  const { PeopleResource, Root, Admin, User } = await api([
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bea', level: 3 },
    { id: 3, name: 'Cy', level: 9, secret: 'x' },
  ]);
  const controller = new Controller();
  const people = await controller.fetch(PeopleResource.getList);
  expect(people.map((each) => each.constructor)).toEqual([User, Admin, Root]);
  expect(controller.get(Admin, { id: 2 })?.level).toBe(3);
  expectTypeOf(people).toEqualTypeOf<(matches.User | matches.Admin | matches.Root)[]>();
});

test('[T3] a literal distinguishes the records of a union, also if null is allowed', async () => {
  const pinned = await api({ id: 1, pin: { id: 2, kind: 'clip', url: '/c' } });
  const controller = new Controller();
  const note = await controller.fetch(pinned.NoteResource.get, { id: 1 });
  expect(note.pin).toBe(controller.get(pinned.Clip, { id: 2 }));
  const { NoteResource } = await api({ id: 1, pin: null });
  expect((await new Controller().fetch(NoteResource.get, { id: 1 })).pin).toBeNull();
});

test('[T3] records that no member distinguishes are reported, at the place of the response', async () => {
  const { code, said } = await run(['openapi', documentAt('matches.yaml'), '--explain']);
  const schema = '#/paths/~1matches/get/responses/200/content/application~1json/schema';
  const reason = 'no member distinguishes these records: each is plain data';
  expect(code).toBe(0);
  expect(said.filter((line) => line.startsWith('dropped: '))).toEqual([
    `dropped: ${schema}/properties/rows/items/oneOf: ${reason}`,
    `dropped: ${schema}/properties/best/oneOf: a record nested in a union is plain data`,
    `dropped: #/components/schemas/Author/oneOf: ${reason}`,
  ]);
});

test('[T3] a summary of a record in a union has the literal of its kind, so that TypeScript narrows', async () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const answer = (schema: object) => ({
    get: { responses: { 200: { content: { 'application/json': { schema } } } } },
  });
  const record = (...more: string[]) => ({
    required: ['id', 'type', ...more],
    properties: Object.fromEntries(
      ['id', 'type', ...more].map((name) => [name, { type: 'string' }]),
    ),
  });
  const mapping = { user: ref('User').$ref, todo: ref('Todo').$ref };
  const found = {
    oneOf: [ref('User'), ref('Todo')],
    discriminator: { propertyName: 'type', mapping },
  };
  const document = {
    openapi: '3.1.0',
    info: {},
    paths: {
      '/users': answer({ type: 'array', items: ref('User') }),
      '/users/{id}': answer(ref('UserDetail')),
      '/todos/{id}': answer(ref('Todo')),
      '/search': answer({ type: 'array', items: found }),
    },
    components: {
      schemas: {
        User: record('name'),
        UserDetail: { allOf: [ref('User'), { properties: { email: { type: 'string' } } }] },
        Todo: record('title'),
      },
    },
  };
  const { out } = await run(['openapi', '-'], JSON.stringify(document));
  expect(out).toContain("new Union({ user: User, todo: Todo }, 'type')");
  const narrows = `import type { Search } from './api.ts';
export const titleOf = (row: Search) => (row.type === 'todo' ? row.title : row.name);
`;
  expect(await complaints({ 'api.ts': out, 'narrows.ts': narrows })).toBe('');
});

test('[T3] a union that allows null narrows by the values of its mapping, in a list and in a field', async () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const answer = (schema: object) => ({
    get: { responses: { 200: { content: { 'application/json': { schema } } } } },
  });
  const record = (extra: string) => ({
    required: ['id', 'kind', extra],
    properties: {
      id: { type: 'integer' },
      kind: { type: 'string' },
      [extra]: { type: 'string' },
    },
  });
  const mapping = { opened: ref('Opening').$ref, closed: 'Closing' };
  const event = {
    anyOf: [ref('Opening'), ref('Closing'), { type: 'null' }],
    discriminator: { propertyName: 'kind', mapping },
  };
  const day = {
    required: ['id'],
    properties: { id: { type: 'integer' }, last: ref('Happening') },
  };
  const document = {
    openapi: '3.1.0',
    info: {},
    paths: {
      '/events': answer({ type: 'array', items: ref('Happening') }),
      '/days/{id}': answer(ref('Day')),
    },
    components: {
      schemas: {
        Happening: event,
        Opening: record('title'),
        Closing: record('reason'),
        Day: day,
      },
    },
  };
  const { out } = await run(['openapi', '-'], JSON.stringify(document));
  const narrows = `import type { Day, Happening } from './api.ts';
export const textOf = (row: Happening) => (row?.kind === 'opened' ? row.title : row?.reason);
export const lastOf = ({ last }: Day) => (last?.kind === 'closed' ? last.reason : last?.title);
`;
  expect(await complaints({ 'api.ts': out, 'narrows.ts': narrows })).toBe('');
});
