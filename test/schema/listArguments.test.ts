// Arguments of lists that have the name of a field, and mean something else.
import { expect, test } from 'vitest';
import { Collection, Controller, createResource, Entity, RestEndpoint } from 'signalbox';
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
  return { asked, controller: new Controller(), getList, favorite, create };
}

test.each([{ favorited: 'ada' }, { rank: 'top' }])(
  '[N18] an argument whose value the field of its name cannot have is no filter: %j',
  async (params) => {
    const { asked, controller, getList, favorite, create } = world();
    const isFresh = () => controller.getResponse(getList, params).expiresAt > Date.now();
    const idsNow = () => controller.getResponse(getList, params).data?.map(({ id }) => id);
    await controller.fetch(getList, params);
    expect(isFresh()).toBe(true);
    // it may have become a favourite of ada's: nobody here can tell
    await controller.fetch(favorite, { id: 3 });
    expect([idsNow(), isFresh()]).toEqual([[1, 2], false]);
    await controller.fetchIfStale(getList, params);
    expect(asked).toHaveLength(3);
    await controller.fetch(create, { title: 'c' });
    expect([idsNow(), isFresh()]).toEqual([[1, 2], false]);
  },
);

test('[N15] an argument that the field of its name can have is a filter', async () => {
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
