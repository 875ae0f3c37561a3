/** Rows that are two objects deep: `_embedded.users`, `data.items`, `result.records`, and rows around records. */
import { Controller } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import type { Asked } from '../../setup/server.ts';
import { documentAt, load, run } from './command.ts';
import type * as embedded from './generated/embedded.ts';

/** The module, for a server that reads from `get`, and answers changes with the body. */
async function api(get: (asked: Asked) => unknown) {
  const server = await serve((asked) => {
    const { method, url, text } = asked;
    const id = method === 'POST' ? 9 : (url.split('/').at(-1) as string);
    if (method !== 'GET') return { body: { id, ...(JSON.parse(text) as object) } };
    const body = get(asked);
    return body === undefined ? { status: 204 } : { body };
  });
  const module = (await load('embedded.yaml', server.address)) as typeof embedded;
  return { ...module, controller: new Controller() };
}

test('[T3] rows in `_embedded` are a list: a creation enters, a page is added, an edit shows', async () => {
  const { UserResource, User, controller } = await api(({ url }) => {
    const number = Number(new URL(url, 'http://localhost').searchParams.get('page') ?? 0);
    const users = [{ id: number + 1, name: `User ${number}` }];
    return { _embedded: { users }, page: { number, totalPages: 2 } };
  });
  const first = await controller.fetch(UserResource.getList);
  expect(first._embedded.users[0]).toBeInstanceOf(User);
  expectTypeOf(first.page?.number).toEqualTypeOf<number | undefined>();
  await controller.fetch(UserResource.getList.getPage, { page: 1 });
  await controller.fetch(UserResource.create, { name: 'New' });
  await controller.fetch(UserResource.update, { id: 2 }, { id: 2, name: 'Edited' });
  const { data } = controller.getResponse(UserResource.getList);
  expect(data?._embedded.users.map(({ name }) => name)).toEqual(['User 0', 'Edited', 'New']);
});

test('[T3] rows around records grow by pages and show edits', async () => {
  const { OrderResource, controller } = await api(({ url }) => {
    const after = new URL(url, 'http://localhost').searchParams.get('after') ?? '0';
    const pageInfo = { endCursor: `${after}1`, hasNextPage: true };
    return { edges: [{ cursor: after, node: { id: after, total: 1 } }], pageInfo };
  });
  const { pageInfo } = await controller.fetch(OrderResource.getList);
  await controller.fetch(OrderResource.getList.getPage, { after: pageInfo?.endCursor ?? '' });
  await controller.fetch(OrderResource.partialUpdate, { id: '01' }, { id: '01', total: 7 });
  const { data } = controller.getResponse(OrderResource.getList);
  expect(data?.edges.map(({ node }) => node?.total)).toEqual([1, 7]);
});

test('[T3] rows and records behind `data` and `result` are found, without a body, too', async () => {
  const known = await api(({ url }) =>
    url === '/items'
      ? { data: { items: [{ id: 1, name: 'One' }], total: 1 } }
      : { result: { record: { id: 'a', total: 2 } } },
  );
  const { data } = await known.controller.fetch(known.ItemResource.getList);
  expect(data.items[0]).toBeInstanceOf(known.Item);
  expect(data.total).toBe(1);
  await known.controller.fetch(known.RecResource.get, { id: 'a' });
  expect(known.controller.get(known.Rec, { id: 'a' })?.total).toBe(2);

  const empty = await api(() => undefined);
  const { result } = await empty.controller.fetch(empty.RecResource.getList);
  expect(result.records).toEqual([]);
});

test('[T3] a list among other data, and rows that no creation enters, are reported', async () => {
  const { said } = await run(['openapi', documentAt('embedded.yaml')]);
  expect(said).toEqual([
    'dropped: #/paths/~1orders/get: created records do not join rows that contain the record',
    'dropped: #/paths/~1reports/get: a list nested in other data is not a getList and has no pages',
  ]);
});
