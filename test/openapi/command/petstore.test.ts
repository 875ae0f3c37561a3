/** The output for a shop with pets, against a server. */
import { Controller } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import type { Answer, Asked, Server } from '../../setup/server.ts';
import { load } from './command.ts';
import type * as petstore from './generated/petstore.ts';

type Shop = typeof petstore;

const ada = { id: 'a', name: 'Ada' };
const born = '2020-01-02T03:04:05.000Z';
const rex = { id: 1, name: 'Rex', status: 'available', born, owner: ada };
const tom = { id: 2, name: 'Tom', status: 'sold', born, owner: ada };

const answers: Record<string, (asked: Asked) => Answer> = {
  'GET /pets': () => ({ body: [rex, tom] }),
  'GET /pets?status=available': () => ({ body: [rex] }),
  'GET /pets/search?q=o': () => ({ body: [tom] }),
  'POST /pets': ({ text }) => ({ status: 201, body: { ...tom, id: 3, ...JSON.parse(text) } }),
  'GET /pets/1': () => ({ body: rex }),
  'PATCH /pets/1': ({ text }) => ({ body: { ...rex, ...JSON.parse(text) } }),
  'DELETE /pets/1': () => ({ status: 204 }),
  'POST /pets/1/adopt': () => ({ body: { ...rex, adopted: born } }),
  'GET /pets/1/photo': () => ({ headers: { 'content-type': 'image/png' }, body: 'bytes' }),
  'POST /pets/1/photo': () => ({ body: { url: '/1.png' } }),
  'GET /owners/a': () => ({ body: { ...ada, name: 'Ada Lovelace' } }),
  'GET /store/inventory': () => ({ body: { sold: 1 } }),
  'GET /settings': () => ({ body: { currency: 'EUR' } }),
  'PUT /settings': ({ text }) => ({ body: JSON.parse(text) as object }),
};

async function shop(): Promise<{ api: Shop; controller: Controller; server: Server }> {
  const server = await serve((asked) => answers[`${asked.method} ${asked.url}`]?.(asked));
  const api = (await load('petstore.yaml', server.address)) as Shop;
  return { api, controller: new Controller(), server };
}

test('[T3] a row of a list and its detail are one entity, date-times are Dates, and absent fields have defaults', async () => {
  const { api, controller } = await shop();
  const { PetResource, Pet } = api;
  const [first] = await controller.fetch(PetResource.getList);
  const one = await controller.fetch(PetResource.get, { petId: 1 });
  expect(one).toBe(controller.getResponse(PetResource.getList).data?.[0]);
  expect(one).toBeInstanceOf(Pet);
  expect(first?.born).toEqual(new Date(born));
  expect({ ...one }).toMatchObject({ tags: [], vaccinated: false, adopted: null });
  expectTypeOf<(typeof one)['status']>().toEqualTypeOf<'available' | 'pending' | 'sold'>();
  expectTypeOf(one.adopted).toEqualTypeOf<Date | null>();
  expectTypeOf(one.weight).toEqualTypeOf<number | undefined>();
});

test('[T3] a nested entity is shared by all parents, and a read of its own path updates each parent', async () => {
  const { api, controller } = await shop();
  const [first, second] = await controller.fetch(api.PetResource.getList);
  expect(first?.owner).toBe(second?.owner);
  await controller.fetch(api.OwnerResource.get, { id: 'a' });
  const names = controller.getResponse(api.PetResource.getList).data?.map((pet) => pet.owner?.name);
  expect(names).toEqual(['Ada Lovelace', 'Ada Lovelace']);
});

test('[T3] a created row joins only lists whose filters it matches, and an update and a deletion reach each list', async () => {
  const { api, controller, server } = await shop();
  const { PetResource } = api;
  const available = { status: 'available' } as const;
  const ids = () =>
    [{}, available].map((search) =>
      controller.getResponse(PetResource.getList, search).data?.map(({ id }) => id),
    );
  await controller.fetch(PetResource.getList);
  await controller.fetch(PetResource.getList, available);
  await controller.fetch(PetResource.create, { name: 'Kit', born: new Date(born) });
  expect(JSON.parse(server.last.text)).toEqual({ name: 'Kit', born });
  expect(ids()).toEqual([[1, 2, 3], [1]]);
  await controller.fetch(PetResource.partialUpdate, { petId: 1 }, { name: 'Max' });
  expect(controller.getResponse(PetResource.getList, available).data?.[0]?.name).toBe('Max');
  await controller.fetch(PetResource.delete, { petId: 1 });
  expect(ids()).toEqual([[2, 3], []]);
});

test('[T3] other operations are members named by operationId, with their own responses and bodies', async () => {
  const { api, controller, server } = await shop();
  const { PetResource } = api;
  await controller.fetch(PetResource.get, { petId: 1 });
  await controller.fetch(PetResource.adoptPet, { petId: 1 });
  expect(server.last).toMatchObject({ method: 'POST', url: '/pets/1/adopt', text: '' });
  expect(controller.get(api.Pet, { id: 1 })?.adopted).toEqual(new Date(born));
  const found = await controller.fetch(PetResource.searchPets, { q: 'o' });
  expect(found.map(({ name }) => name)).toEqual(['Tom']);
  const photo = await controller.fetch(PetResource.getPhoto, { petId: 1 });
  expect(await photo.text()).toBe('bytes');
  const form = new FormData();
  form.set('file', new Blob(['bytes']));
  const { url } = await controller.fetch(PetResource.uploadPhoto, { petId: 1 }, form);
  expect(url).toBe('/1.png');
  expect(server.last.headers['content-type']).toMatch(/^multipart\/form-data/);
});

test('[T3] an operation without a record is an endpoint, and PUT of a single record updates its readers', async () => {
  const { api, controller } = await shop();
  const stock = await controller.fetch(api.getInventory);
  expectTypeOf(stock).toEqualTypeOf<{ [key: string]: number }>();
  expect(stock).toEqual({ sold: 1 });
  await controller.fetch(api.getSettings);
  await controller.fetch(api.updateSettings, { currency: 'CHF' });
  expect(controller.getResponse(api.getSettings).data?.currency).toBe('CHF');
});

test('[T3] unknown values of search params, missing path params, incomplete bodies and missing methods do not compile', async () => {
  const { api } = await shop();
  const { PetResource, OwnerResource } = api;
  // @ts-expect-error no status of this name
  expect(PetResource.getList.url({ status: 'lost' })).toMatch(/lost/);
  // @ts-expect-error the path needs one
  expect(() => PetResource.get.url({})).toThrow('R1');
  // @ts-expect-error a name is due
  expect(() => PetResource.create.url({ status: 'sold' })).not.toThrow();
  expect(Object.keys(OwnerResource)).toEqual(['get', 'extend']);
  // @ts-expect-error the server has none
  expect(OwnerResource.delete).toBeUndefined();
});
