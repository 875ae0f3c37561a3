/** The endpoint that a list of maps has for new entries. */
import { Collection, Controller, createResource, Entity, RestEndpoint, Values } from 'signalbox';
import { expect, test } from 'vitest';
import { serve } from '../setup/server.ts';

class Stats extends Entity {
  product = '';
  volume = 0;
  override pk() {
    return this.product;
  }
}

test('[M2] getList.assign posts entries by key, and they enter the map when they are answered', async () => {
  const server = await serve(({ method, text }) => ({
    body: method === 'GET' ? { btc: { product: 'btc', volume: 1 } } : (JSON.parse(text) as object),
  }));
  const resource = createResource({
    urlPrefix: server.address,
    path: '/stats/:product',
    schema: Stats,
  }).extend({ getList: { schema: new Collection(new Values(Stats)) } });
  const controller = new Controller();
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

test('[M2] a map in an envelope, by pages and with filters, has assign too', async () => {
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
  const controller = new Controller();
  for (const market of ['a', 'b']) await controller.fetch(getList, { market });
  await controller.fetch(getList.getPage, { market: 'a', page: 2 });
  await controller.fetch(getList.assign, { market: 'b' }, { ada: { product: 'ada' } });
  const show = ['a', 'b'].map((market) => controller.getResponse(getList, { market }).data?.rows);
  expect(show.map((rows) => Object.keys(rows ?? {}))).toEqual([
    ['btc', 'eth'],
    ['btc', 'ada'],
  ]);
});
