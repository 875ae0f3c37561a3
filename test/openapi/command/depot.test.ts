/** Lists and records beside calls whose responses say little: orders of lists, deletions, actions without a response. */
import { Controller } from 'signalbox';
import { expect, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import type { Asked, Answer } from '../../setup/server.ts';
import { load } from './command.ts';
import type * as depot from './generated/depot.ts';

async function api(reply: (asked: Asked) => Answer) {
  const server = await serve(reply);
  return { ...((await load('depot.yaml', server.address)) as typeof depot), server };
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
