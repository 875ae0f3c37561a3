/** `assign`, the endpoint of a map that adds entries. */
import {
  Collection,
  Controller,
  createResource,
  Delete,
  Entity,
  RestEndpoint,
  Values,
  optimistic,
} from 'signalbox';
import { expect, test } from 'vitest';
import { serve } from '../setup/server.ts';

class Stats extends Entity {
  product = '';
  volume = 0;
  override pk() {
    return this.product;
  }
}

test('[M2] getList.assign posts entries by key, and the response adds the entries to the map', async () => {
  const server = await serve(({ method, text }) => ({
    body: method === 'GET' ? { btc: { product: 'btc', volume: 1 } } : (JSON.parse(text) as object),
  }));
  const resource = createResource({
    urlPrefix: server.address,
    path: '/stats/:product',
    schema: Stats,
  }).extend({ getList: { schema: new Collection(new Values(Stats)) } });
  const controller = new Controller({ optimistic });
  const first = await controller.fetch(resource.getList);
  expect(Object.keys(first)).toEqual(['btc']);
  const { assign } = resource.getList;
  const given = { btc: { product: 'btc', volume: 9 }, eth: { product: 'eth', volume: 2 } };
  const answer = await controller.fetch(assign, given);
  expect(answer['eth']).toBe(controller.get(Stats, { product: 'eth' }));
  expect(server.last).toMatchObject({ method: 'POST', url: '/stats', text: JSON.stringify(given) });
  const { data } = controller.getResponse(resource.getList);
  expect(data).toEqual({ btc: { product: 'btc', volume: 9 }, eth: { product: 'eth', volume: 2 } });
  expect(data?.['eth']).toBe(answer['eth']);
  expect(() => resource.getList.push as unknown).toThrow('R15');
});

test('[M2] `assign` and `getPage` of a map in an envelope add entries to the map of their params', async () => {
  const server = await serve(({ method, url, text }) => {
    if (method === 'POST') return { body: JSON.parse(text) as object };
    const product = url.includes('page') ? 'eth' : 'btc';
    return { body: { rows: { [product]: { product } }, total: 5 } };
  });
  const getList = new RestEndpoint({
    urlPrefix: server.address,
    path: '/:market/stats',
    schema: { rows: new Collection(new Values(Stats)), total: 0 },
    paginationField: 'page',
  });
  const controller = new Controller({ optimistic });
  for (const market of ['a', 'b']) await controller.fetch(getList, { market });
  await controller.fetch(getList.getPage, { market: 'a', page: 2 });
  await controller.fetch(getList.assign, { market: 'b' }, { ada: { product: 'ada' } });
  const show = ['a', 'b'].map((market) => controller.getResponse(getList, { market }).data?.rows);
  expect(show.map((rows) => Object.keys(rows ?? {}))).toEqual([
    ['btc', 'eth'],
    ['btc', 'ada'],
  ]);
});

/** A server with a map; assignments wait until the test answers. */
async function serveHeld(map: object) {
  const held: ((status?: number) => void)[] = [];
  const server = await serve(({ method, text }, response) => {
    if (method === 'GET') return { body: map };
    held.push((status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(text);
    });
    return undefined;
  });
  const { getList } = createResource({
    urlPrefix: server.address,
    path: '/stats/:product',
    schema: Stats,
  }).extend({ getList: { schema: new Collection(new Values(Stats)) } });
  const assign = getList.assign.extend({
    getOptimisticResponse: (_snapshot: unknown, body: object) => body,
  });
  const controller = new Controller({ optimistic });
  await controller.fetch(getList);
  const shown = () => {
    const { data } = controller.getResponse(getList);
    return Object.entries(data ?? {}).map(([key, { product, volume }]) => [key, product, volume]);
  };
  return { held, getList, assign, controller, shown };
}

test('[O5] an optimistic assign shows its entries above reads, and its failure removes only these entries', async () => {
  const { held, getList, assign, controller, shown } = await serveHeld({
    btc: { product: 'btc', volume: 1 },
    ada: { product: 'ada', volume: 1 },
  });
  const before = controller.getResponse(getList).data;
  const first = controller.fetch(assign, { eth: { product: 'eth', volume: 2 } });
  first.catch(() => {});
  const second = controller.fetch(assign, { top: { product: 'eth', volume: 3 } });
  second.catch(() => {});
  const both = [
    ['btc', 'btc', 1],
    ['ada', 'ada', 1],
    ['eth', 'eth', 3],
    ['top', 'eth', 3],
  ];
  expect(shown()).toEqual(both);
  // a read issued since does not hide the pending assignments
  await controller.fetch(getList);
  expect(shown()).toEqual(both);
  await expect.poll(() => held.length).toBe(2);
  held[1]?.(400);
  await expect(second).rejects.toMatchObject({ status: 400 });
  expect(shown()).toEqual([...both.slice(0, 2), ['eth', 'eth', 2]]);
  held[0]?.(500);
  await expect(first).rejects.toMatchObject({ status: 500 });
  expect(controller.getResponse(getList).data).toEqual(before);
});

test('[O12] of two optimistic assigns of one key, answered in reverse order, the entry of the later one is shown', async () => {
  const { held, assign, controller, shown } = await serveHeld({ k: { product: 'zero' } });
  const one = controller.fetch(assign, { k: { product: 'one' } });
  const two = controller.fetch(assign, { k: { product: 'two' } });
  const later = [['k', 'two', 0]];
  expect(shown()).toEqual(later);
  await expect.poll(() => held.length).toBe(2);
  held[1]?.();
  await two;
  expect(shown()).toEqual(later);
  held[0]?.();
  await one;
  expect(shown()).toEqual(later);
});

test('[O5] a deletion during an optimistic assign stays when the assign fails', async () => {
  const { held, assign, controller, shown } = await serveHeld({ k: { product: 'one' } });
  const two = controller.fetch(assign, { l: { product: 'two' } });
  two.catch(() => {});
  await controller.set(new Delete(Stats), { product: 'one' }, {});
  expect(shown()).toEqual([['l', 'two', 0]]);
  await expect.poll(() => held.length).toBe(1);
  held[0]?.(500);
  await expect(two).rejects.toMatchObject({ status: 500 });
  expect(shown()).toEqual([]);
});
