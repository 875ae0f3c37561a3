// The arguments of lists: some identify a list, some filter the rows.
import { expect, test } from 'vitest';
import {
  Collection,
  Controller,
  createResource,
  Endpoint as PlainEndpoint,
  Entity,
  RestEndpoint,
  optimistic,
} from 'signalbox';
import type { RestGenerics } from 'signalbox';

class Article extends Entity {
  id = 0;
  title = '';
  favorited = false;
  rank = 0;
}

/** Two favourites of ada, whatever else is asked for. */
function world() {
  const asked: string[] = [];
  class Endpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    override fetchResponse(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
      asked.push(`${init.method} ${String(input)}`);
      const article = { id: 3, title: 'c', favorited: init.method === 'POST', rank: 1 };
      const rows = [
        { id: 1, favorited: false },
        { id: 2, favorited: true },
      ];
      return Promise.resolve(Response.json(init.method === 'GET' ? rows : article));
    }
  }
  const list = new Collection([Article]);
  const getList = new Endpoint({
    path: '/articles',
    searchParams: undefined as { favorited?: string | boolean; rank?: string } | undefined,
    schema: list,
  });
  const favorite = new Endpoint({
    path: '/articles/:id/favorite',
    method: 'POST',
    body: undefined,
    schema: list.move,
  });
  const create = createResource({ path: '/articles/:id', schema: Article, Endpoint }).create.extend(
    { schema: list.push },
  );
  return { asked, controller: new Controller({ optimistic }), getList, favorite, create };
}

test.each([{ favorited: 'ada' }, { rank: 'top' }])(
  '[N18] an argument with a value that the field cannot have moves no row, and mutations expire the list: %j',
  async (params) => {
    const { asked, controller, getList, favorite, create } = world();
    const isFresh = () => controller.getResponse(getList, params).expiresAt > Date.now();
    const idsNow = () => controller.getResponse(getList, params).data?.map(({ id }) => id);
    await controller.fetch(getList, params);
    expect(isFresh()).toBe(true);
    // the response does not say whether ada has the row as a favourite
    await controller.fetch(favorite, { id: 3 });
    expect([idsNow(), isFresh()]).toEqual([[1, 2], false]);
    await controller.fetchIfStale(getList, params);
    expect(asked).toHaveLength(3);
    await controller.fetch(create, { title: 'c' });
    expect([idsNow(), isFresh()]).toEqual([[1, 2], false]);
  },
);

test('[N15] an argument with a value that the field can have is a filter, as text or as a boolean', async () => {
  const { controller, getList, favorite } = world();
  const idsOf = (favorited: boolean | string) =>
    controller.getResponse(getList, { favorited }).data?.map(({ id }) => id);
  await controller.fetch(getList, { favorited: 'true' });
  await controller.fetch(getList, { favorited: false });
  await controller.fetch(favorite, { id: 3 });
  expect([idsOf(true), idsOf('false')]).toEqual([
    [1, 2, 3],
    [1, 2],
  ]);
});

/** Lists of an endpoint with positional arguments: a project, a status, and maybe a page. */
function positional(options: { argsKey?: (project: number, status: string) => object } = {}) {
  const controller = new Controller({ optimistic });
  const articles = new Collection(
    [Article],
    options as { argsKey?: () => Record<string, unknown> },
  );
  const stored: Record<string, number[]> = { '1open': [1], '1done': [2], '2open': [3] };
  const rows = async (project: number, status: string) =>
    (stored[project + status] ?? []).map((id) => ({ id }));
  const getList = new PlainEndpoint(rows, { name: 'articles', schema: articles });
  const idsOf = (project: number, status: string) =>
    controller.getResponse(getList, project, status).data?.map(({ id }) => id);
  return { controller, articles, stored, getList, idsOf };
}

const calls: readonly (readonly [project: number, status: string])[] = [
  [1, 'open'],
  [1, 'done'],
  [2, 'open'],
];

test('[N14] lists with several positional arguments are distinguished by each argument', async () => {
  const { controller, getList, idsOf } = positional();
  for (const args of calls) await controller.fetch(getList, ...args);
  expect(calls.map((args) => idsOf(...args))).toEqual([[1], [2], [3]]);
});

test('[N14] argsKey chooses the positional arguments that distinguish lists', async () => {
  const { controller, getList, idsOf } = positional({ argsKey: (project) => ({ project }) });
  for (const args of calls) await controller.fetch(getList, ...args);
  expect(calls.map((args) => idsOf(...args))).toEqual([[2], [2], [3]]);
});

test('[N14] arguments after a first object distinguish lists, and undefined equals an omitted argument', async () => {
  const controller = new Controller({ optimistic });
  const answer = async (params: { id: number }, status?: string, page?: number) => [
    { id: params.id * 10 + (status?.length ?? 0) + (page ?? 0) },
  ];
  const getList = new PlainEndpoint(answer, { schema: new Collection([Article]) });
  const several: readonly (readonly [{ id: number }, (string | undefined)?, number?])[] = [
    [{ id: 1 }],
    [{ id: 1 }, 'open'],
    [{ id: 1 }, 'open', 2],
    [{ id: 1 }, undefined, 3],
  ];
  for (const args of several) await controller.fetch(getList, ...args);
  const shown = several.map((args) => controller.getResponse(getList, ...args).data?.[0]?.id);
  expect(shown).toEqual([10, 14, 16, 13]);
  expect(controller.get(getList.schema, { id: 1 }, undefined)?.[0]?.id).toBe(10);
});

test('[N18] a creation expires lists with positional arguments, since these have no names', async () => {
  const { controller, articles, stored, getList, idsOf } = positional();
  for (const args of calls) await controller.fetch(getList, ...args);
  stored['1open'] = [1, 4];
  const create = new PlainEndpoint(
    async (_project: number, _status: string, body: object) => ({ id: 4, ...body }),
    { schema: articles.push, sideEffect: true },
  );
  await controller.fetch(create, 1, 'open', { title: 'd' });
  for (const args of calls) await controller.fetchIfStale(getList, ...args);
  expect(calls.map((args) => idsOf(...args))).toEqual([[1, 4], [2], [3]]);
});

test('[N14] a mutation with a list schema replaces the list of the arguments before the body', async () => {
  const { controller, articles, getList, idsOf } = positional();
  for (const args of calls) await controller.fetch(getList, ...args);
  const replace = new PlainEndpoint(
    async (_project: number, _status: string, ids: readonly number[]) => ids.map((id) => ({ id })),
    { schema: articles, sideEffect: true },
  );
  await controller.fetch(replace, 1, 'open', [7, 8]);
  expect(calls.map((args) => idsOf(...args))).toEqual([[7, 8], [2], [3]]);
});

test('[N14] `update` changes the list of a key with all positional arguments', async () => {
  const { controller, getList, idsOf } = positional();
  for (const args of calls) await controller.fetch(getList, ...args);
  const create = new PlainEndpoint(async (_body: object) => ({ id: 9 }), {
    schema: Article,
    sideEffect: true,
    update: (id: string) => ({ [getList.key(1, 'done')]: (ids: string[]) => [...ids, id] }),
  });
  await controller.fetch(create, {});
  expect(calls.map((args) => idsOf(...args))).toEqual([[1], [2, 9], [3]]);
});
