/** OData: a key in parentheses behind the list is a param of the path, as one behind a slash is. */
import { Controller } from 'signalbox';
import { expect, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { documentAt, load, run } from './command.ts';
import type * as odata from './generated/odata.ts';

const user = (UserID: number) => ({ UserID, Name: `User ${UserID}` });

async function api() {
  const server = await serve(({ method, url, text }) => {
    if (url.startsWith('/Orders')) return { body: { OrderID: 'a 1', Total: 5, User: user(2) } };
    if (method === 'DELETE') return { status: 204 };
    if (method === 'POST') return { status: 201, body: { UserID: 3, ...JSON.parse(text) } };
    if (method === 'PATCH') return { body: { UserID: 1, ...JSON.parse(text) } };
    if (url === '/Users(1)') return { body: user(1) };
    const skip = new URL(url, 'http://localhost').searchParams.has('$skip');
    return { body: { '@odata.count': 3, value: skip ? [user(9)] : [user(1), user(2)] } };
  });
  return { ...((await load('odata.yaml', server.address)) as typeof odata), server };
}

test('[T3] a key in parentheses identifies a record: an edit, a creation and a deletion show in the list', async () => {
  const { UserResource, server } = await api();
  const controller = new Controller();
  const names = () =>
    controller.getResponse(UserResource.getList).data?.value.map(({ Name }) => Name);
  await controller.fetch(UserResource.getList);
  await controller.fetch(UserResource.partialUpdate, { UserID: 1 }, { Name: 'Edited' });
  await controller.fetch(UserResource.create, { Name: 'New' });
  expect(names()).toEqual(['Edited', 'User 2', 'New']);
  await controller.fetch(UserResource.delete, { UserID: 2 });
  expect(names()).toEqual(['Edited', 'New']);
  expect(server.last).toMatchObject({ method: 'DELETE', url: '/Users(2)' });
  await controller.fetch(UserResource.getList.getPage, { $skip: 2 });
  expect(names()).toContain('User 9');
});

test('[T3] a text as the key in parentheses stays in quotes', async () => {
  const { OrderResource, User, server } = await api();
  const controller = new Controller();
  const order = await controller.fetch(OrderResource.get, { OrderID: 'a 1' });
  expect(server.last.url).toBe("/Orders('a%201')");
  expect(order.User).toBe(controller.get(User, { UserID: 2 }));
  expect(OrderResource.getList.url({ UserID: 2 })).toMatch(/\/Users\(2\)\/Orders$/);
});

test('[T3] the path is named as the description writes the key', async () => {
  const { out, said } = await run(['openapi', documentAt('odata.yaml'), '--explain']);
  expect(said).toContain('User is NS.User: its key is UserID (/Users({UserID}))');
  // search params that do not filter have lines of their own if there are many
  expect(out.split('\n').filter((line) => line.length > 100)).toEqual([]);
});
