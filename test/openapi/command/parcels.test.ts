/** Lists and records beside calls whose responses say little: orders of lists, deletions, actions without a response. */
import { Controller } from 'signalbox';
import { expect, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import type { Asked, Answer } from '../../setup/server.ts';
import { documentAt, load, run } from './command.ts';
import type * as parcels from './generated/parcels.ts';

async function api(reply: (asked: Asked) => Answer) {
  const server = await serve(reply);
  return { ...((await load('parcels.yaml', server.address)) as typeof parcels), server };
}

test.each([
  { _limit: 5 },
  { _sort: 'label' },
  { direction: 'asc' },
  { $orderby: 'label' },
  { select: 'label' },
  { 'fields[parcels]': 'label' },
])(
  '[T3] a created row enters a list that %j orders, pages or narrows to some fields',
  async (search) => {
    const { ParcelResource } = await api(({ method }) =>
      method === 'POST'
        ? { status: 201, body: { id: 2, label: 'New' } }
        : { body: { items: [{ id: 1, label: 'Old' }] } },
    );
    const controller = new Controller();
    await controller.fetch(ParcelResource.getList, search);
    await controller.fetch(ParcelResource.create, { label: 'New' });
    const { data } = controller.getResponse(ParcelResource.getList, search);
    expect(data?.items.map(({ label }) => label)).toEqual(['Old', 'New']);
  },
);

test('[T3] a created row does not enter a list of another order: the param order_id filters', async () => {
  const { ParcelResource } = await api(({ method }) =>
    method === 'POST'
      ? { status: 201, body: { id: 2, label: 'New' } }
      : { body: { items: [{ id: 1, label: 'Old' }] } },
  );
  const controller = new Controller();
  await controller.fetch(ParcelResource.getList, { order_id: 7 });
  await controller.fetch(ParcelResource.create, { order_id: 8 }, { label: 'New' });
  const { data } = controller.getResponse(ParcelResource.getList, { order_id: 7 });
  expect(data?.items.map(({ label }) => label)).toEqual(['Old']);
});

/** Two trucks; every call but a read is answered by `change`. */
async function trucks(change: (asked: Asked, rows: Map<string, object>) => Answer) {
  const rows = new Map<string, object>([
    ['a', { id: 'a', name: 'A' }],
    ['b', { id: 'b', name: 'B' }],
  ]);
  const here = await api((asked) => {
    if (asked.method !== 'GET') return change(asked, rows);
    const row = rows.get(asked.url.split('/').at(-1) as string);
    return { body: row ?? { trucks: [...rows.values()] } };
  });
  const controller = new Controller();
  const { getList } = here.TruckResource;
  await controller.fetch(getList);
  const names = async () => {
    await controller.fetchIfStale(getList);
    const shown = controller.getResponse(getList).data?.trucks;
    return shown?.map(({ name, clean }) => (clean === true ? `${name}, clean` : name));
  };
  return { ...here, controller, names };
}

test('[T3] a deletion that is answered by another record, with a key of its own, removes the row of the path', async () => {
  const { TruckResource, controller, names } = await trucks((_, rows) => {
    rows.delete('a');
    return { status: 202, body: { id: 'job-7', state: 'queued' } };
  });
  await controller.fetch(TruckResource.delete, { truckId: 'a' });
  const { data } = controller.getResponse(TruckResource.getList);
  expect(data?.trucks.map(({ id }) => id)).toEqual(['b']);
  expect(await names()).toEqual(['B']);
});

test('[T3] a record that answers the change of another one is identified by its own path', async () => {
  const { said } = await run(['openapi', documentAt('parcels.yaml'), '--explain']);
  expect(said).toContain('Job is Job: its key is id (/jobs/{id})');
});

test('[T3] a deletion that is answered by an id of the request removes the row of the path', async () => {
  const { CrateResource } = await api(({ method }) => ({
    body: method === 'GET' ? [{ id: 1, name: 'A' }] : { id: 'request-9' },
  }));
  const controller = new Controller();
  await controller.fetch(CrateResource.getList);
  await controller.fetch(CrateResource.delete, { id: 1 });
  expect(controller.getResponse(CrateResource.getList).data).toEqual([]);
});

test('[T3] a deletion without a response, whose path does not say the key, refetches the lists', async () => {
  let rows = [1, 2].map((number) => ({ id: `slot-${number}`, number }));
  const { SlotResource } = await api(({ method, url }) => {
    if (method === 'GET') return { body: rows };
    rows = rows.filter(({ number }) => !url.endsWith(`/${number}`));
    return { status: 204 };
  });
  const controller = new Controller();
  const { getList } = SlotResource;
  await controller.fetch(getList, { bay: 'a' });
  await controller.fetch(SlotResource.delete, { bay: 'a', number: 1 });
  await controller.fetchIfStale(getList, { bay: 'a' });
  const { data } = controller.getResponse(getList, { bay: 'a' });
  expect(data?.map(({ id }) => id)).toEqual(['slot-2']);
});

test('[T3] an action below a record that has no response refetches the record', async () => {
  const { TruckResource, controller, names } = await trucks((_, rows) => {
    rows.set('a', { id: 'a', name: 'A', clean: true });
    return { status: 204 };
  });
  expect(await controller.fetch(TruckResource.wash, { truckId: 'a' })).toBeNull();
  expect(await names()).toEqual(['A, clean', 'B']);
});

test('[T3] an action with a body of its own does not write the body into the record', async () => {
  const { TruckResource, controller, names } = await trucks(() => ({ status: 204 }));
  await controller.fetch(TruckResource.note, { truckId: 'a' }, { name: 'Name of a note' });
  expect(await names()).toEqual(['A', 'B']);
});

test('[T3] a change or a deletion of several rows that has no response refetches the lists', async () => {
  const { TruckResource, controller, names } = await trucks(({ method }, rows) => {
    if (method === 'DELETE') rows.delete('a');
    else rows.set('b', { id: 'b', name: 'B', clean: true });
    return { status: 204 };
  });
  await controller.fetch(TruckResource.washAll, { clean: true });
  expect(await names()).toEqual(['A', 'B, clean']);
  await controller.fetch(TruckResource.scrap, { ids: 'a' });
  expect(await names()).toEqual(['B, clean']);
});

test('[T3] a deletion that is answered by the rests of several rows removes these rows', async () => {
  const rows = [1, 2, 3].map((id) => ({ id, name: `Crate ${id}` }));
  const { CrateResource } = await api(({ method }) => ({
    body: method === 'GET' ? rows : [1, 3].map((id) => ({ id, deleted: true })),
  }));
  const controller = new Controller();
  await controller.fetch(CrateResource.getList);
  await controller.fetch(CrateResource.empty, [1, 3]);
  expect(controller.getResponse(CrateResource.getList).data?.map(({ id }) => id)).toEqual([2]);
});

test('[T3] a single record that a PUT changes without a response shows the change', async () => {
  const { hours, setHours } = await api(({ method }) =>
    method === 'PUT' ? { status: 204 } : { body: { open: '8:00' } },
  );
  const controller = new Controller();
  await controller.fetch(hours);
  await controller.fetch(setHours, { open: '9:00' });
  expect(controller.getResponse(hours).data?.open).toBe('9:00');
});

test('[T3] records that leave out an optional part of their key have the part of the path', async () => {
  const { SignResource } = await api(({ url }) => ({ body: { slug: 'exit', text: url } }));
  const controller = new Controller();
  const read = (lang: string) => controller.fetch(SignResource.get, { lang, slug: 'exit' });
  const signs = [await read('en'), await read('de')];
  expect(signs.map(({ text }) => text)).toEqual(['/signs/en/exit', '/signs/de/exit']);
  const { data } = controller.getResponse(SignResource.get, { lang: 'en', slug: 'exit' });
  expect(data?.text).toBe('/signs/en/exit');
});

test('[T3] responses to changes without the record are reported', async () => {
  const { said } = await run(['openapi', documentAt('parcels.yaml')]);
  expect(said.filter((line) => line.startsWith('dropped: '))).toEqual([
    'dropped: #/paths/~1crates~1{id}/delete/responses/200: the response to a deletion is typed as the deleted record',
    'dropped: #/paths/~1trucks/post/responses/200: the response lacks the record: stored lists and records are unchanged',
    'dropped: #/paths/~1trucks~1{truckId}/delete/responses/202: the response to a deletion is typed as the deleted record',
  ]);
});
