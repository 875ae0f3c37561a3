/** A desk for customers on the module that is written from the description of Stripe, which sends forms. */
import { expect, expectTypeOf, test } from 'vitest';
import { world } from '../world.ts';
import type { World } from '../world.ts';
import type * as stripe from '../generated/stripe.ts';

/** Fetches the customers and reads them like a component. */
async function desk() {
  const here: World<typeof stripe> = await world('stripe');
  const { CustomerResource } = here.api;
  await here.controller.fetch(CustomerResource.getList);
  const read = () => here.controller.getResponse(CustomerResource.getList).data?.data ?? [];
  return { ...here, read, CustomerResource, customer: read()[0]?.id ?? '' };
}

test('[T3] Stripe: the detail of a customer in the list has the id and the date of creation of the row', async () => {
  const { api, controller, read, customer, CustomerResource, mock } = await desk();
  expect(read()).toHaveLength(4);
  expect(read()[0]).toBeInstanceOf(api.Customer);
  expectTypeOf(read()[0]?.id).toEqualTypeOf<string | undefined>();
  const one = await controller.fetch(CustomerResource.get, { customer });
  expect(one).toMatchObject({ id: customer, created: read()[0]?.created });
  expect(mock.faults).toEqual([]);
});

test('[T3] Stripe: an edit by POST changes the customer in the list, and nothing is refetched', async () => {
  const { controller, read, customer, server, CustomerResource, mock } = await desk();
  const { length } = server.asked;
  const form = new URLSearchParams({ description: 'Edited' });
  await controller.fetch(CustomerResource.update, { customer }, form);
  expect(read()[0]).toMatchObject({ id: customer, description: 'Edited' });
  await controller.fetchIfStale(CustomerResource.getList);
  expect(server.asked).toHaveLength(length + 1);
  expect(mock.faults).toEqual([]);
});

test('[T3] Stripe: a created customer joins the list, and a deleted customer leaves the list', async () => {
  const { controller, read, customer, CustomerResource, mock } = await desk();
  const form = new URLSearchParams({ description: 'New' });
  const made = await controller.fetch(CustomerResource.create, form);
  expect(read().map(({ id }) => id)).toContain(made.id);
  await controller.fetch(CustomerResource.delete, { customer });
  expect(read().map(({ id }) => id)).not.toContain(customer);
  expect(read()).toHaveLength(4);
  expect(mock.faults).toEqual([]);
});
