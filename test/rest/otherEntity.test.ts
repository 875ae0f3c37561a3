/** A development warning: the response of a GET is another entity than the path names. */
import { Collection, Entity, RestEndpoint } from 'signalbox';
import { beforeEach, expect, test, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import { Todo } from '../setup/samples.ts';

class Article extends Entity {
  slug = '';
  title = '';
  override pk() {
    return this.slug;
  }
}
class Parted extends Entity {
  a = '';
  b = '';
  override pk() {
    return `${this.a},${this.b}`;
  }
}

let warned: MockInstance;
beforeEach(() => {
  warned = vi.spyOn(console, 'warn').mockReturnValue();
});

let number = 0;
/** Each endpoint has a separate path, since a path is warned about once. */
function answering(path: string, schema: unknown, body: unknown, options: object = {}) {
  return new RestEndpoint<any>({
    path: `/${number++}${path}`,
    schema,
    fetchResponse: async () => Response.json(body),
    ...options,
  });
}

test('[R6] a response with another primary key than the path logs R13, once per endpoint', async () => {
  const get = answering('/todos/:id', Todo, { id: 3 });
  await get({ id: 2 });
  await get({ id: 4 });
  expect(warned).toHaveBeenCalledTimes(1);
  const [text] = warned.mock.calls[0] as [string];
  expect(text).toContain('[signalbox R13]');
  expect(text).toMatch(/"GET .*\/todos\/:id" was called with "id" 2, .* contains "Todo" 3/);
});

test.each<[string, string, unknown, unknown, object]>([
  ['text for a number', '/todos/:id', Todo, { id: 3 }, { id: '2' }],
  ['a member of an envelope', '/todos/:id', { todo: Todo }, { todo: { id: 3 } }, { id: 2 }],
  ['a slug', '/a/:slug', Article, { slug: 'b' }, { slug: 'a' }],
  ['a name in the query of the path', '/todos?id=:id', Todo, { id: 3 }, { id: 2 }],
])(
  '[R6] a response with another primary key than the params logs a warning: %s',
  async (_, path, schema, body, params) => {
    await answering(path, schema, body)(params);
    expect(warned).toHaveBeenCalledTimes(1);
  },
);

test.each<[string, string, unknown, unknown, object | undefined]>([
  ['the entity that was asked for', '/todos/:id', Todo, { id: 3 }, { id: '3' }],
  ['a path without a primary key', '/current_user', Todo, { id: 3 }, undefined],
  ['a param of another name', '/users/:username', Todo, { id: 3 }, { username: 'ada' }],
  ['a param of another name beside', '/o/:owner/c', Todo, { id: 3 }, { owner: 2 }],
  ['a search param', '/todos', Todo, { id: 3 }, { id: 2 }],
  ['an alias of a number', '/users/:id', Todo, { id: 3 }, { id: 'me' }],
  ['a list', '/todos/:id/children', new Collection([Todo]), [{ id: 3 }], { id: 2 }],
  ['an array', '/todos/:id/children', [Todo], [{ id: 3 }], { id: 2 }],
  ['two entities', '/x/:id', { a: Todo, b: Todo }, { a: { id: 3 }, b: { id: 2 } }, { id: 2 }],
  ['a primary key of several fields', '/x/:a/:b', Parted, { a: 'x', b: 'y' }, { a: 'p', b: 'y' }],
  ['no entity', '/todos/:id', undefined, { id: 3 }, { id: 2 }],
  ['nothing', '/todos/:id', Todo, null, { id: 2 }],
])(
  '[R6] a response without a mismatch logs no warning: %s',
  async (_, path, schema, body, params) => {
    await answering(path, schema, body)(...(params === undefined ? [] : [params]));
    expect(warned).not.toHaveBeenCalled();
  },
);

test('[R6] a PUT response with another primary key logs no warning', async () => {
  const update = answering('/a/:slug', Article, { slug: 'b' }, { method: 'PUT' });
  await update({ slug: 'a' }, { title: 'x' });
  expect(warned).not.toHaveBeenCalled();
});

const envelope = { results: new Collection([Todo]), total: 0 };

test.each<[string, unknown, unknown]>([
  ['another name of the list', envelope, { items: [{ id: 1 }] }],
  ['another envelope', envelope, { data: { results: [{ id: 1 }] }, total: 1 }],
  ['another name of the entity', { todo: Todo }, { task: { id: 1 } }],
])(
  '[R6] a response with %s than in the schema logs R14, once per endpoint',
  async (_, schema, body) => {
    const get = answering('/todos', schema, body);
    await get();
    await get();
    expect(warned).toHaveBeenCalledTimes(1);
    const [text] = warned.mock.calls[0] as [string];
    const [expected] = Object.keys(schema as object);
    const found = Object.keys(body as object)[0];
    expect(text).toMatch(new RegExp(`R14\\] .*/todos" .*has no "?\\[?"${expected}".*"${found}"`));
  },
);

test.each<[string, unknown, unknown, object]>([
  ['a list that is there', envelope, { results: [], more: true }, {}],
  ['an envelope without a list, and without another member', envelope, { total: 0 }, {}],
  ['one of two lists', { a: [Todo], b: [Todo] }, { a: [], c: [] }, {}],
  ['an envelope of plain values', { total: 0 }, { count: 1 }, {}],
  ['a mutation', envelope, { ok: true }, { method: 'POST' }],
  ['a list without an envelope', new Collection([Todo]), [{ id: 1 }], {}],
])('[R6] an envelope without a mismatch logs no warning: %s', async (_, schema, body, options) => {
  await answering('/todos', schema, body, options)({});
  expect(warned).not.toHaveBeenCalled();
});
