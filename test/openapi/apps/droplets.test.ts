/** Droplets on the module that is written from a description in several files. */
import { expect, test } from 'vitest';
import { world } from '../world.ts';
import type { World } from '../world.ts';
import type * as droplets from '../generated/droplets.ts';

test('[T3] Droplets: deleting a droplet removes its row from the list and keeps the others', async () => {
  const { api, controller, mock }: World<typeof droplets> = await world('droplets');
  const { getList, delete: remove } = api.DropletResource;
  await controller.fetch(getList);
  const ids = () => controller.getResponse(getList).data?.droplets.map(({ id }) => id) ?? [];
  const [first, ...others] = ids();
  await controller.fetch(remove, { droplet_id: first ?? 0 });
  expect(others).toHaveLength(3);
  expect(ids()).toEqual(others);
  expect(mock.faults).toEqual([]);
});
