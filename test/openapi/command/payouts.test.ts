/** Unions of values that are no records: the discriminator narrows their types. */
import { Controller } from 'signalbox';
import type { NetworkError } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { documentAt, load, run } from './command.ts';
import type * as payouts from './generated/payouts.ts';

const row = {
  id: 1,
  method: { type: 'bank', iban: 'DE1' },
  fees: [
    { per: 'payout', cents: 5 },
    { per: 'amount', percent: 2 },
  ],
};

async function api(body: unknown, status = 200) {
  const server = await serve(({ method, text }) =>
    method === 'POST' ? { status: 201, body: { id: 2, ...JSON.parse(text) } } : { status, body },
  );
  return (await load('payouts.yaml', server.address)) as typeof payouts;
}

test('[T3] the discriminator of a union of values narrows a field of a record, and a list of values', async () => {
  const { PayoutResource } = await api([row]);
  const controller = new Controller();
  const [first] = await controller.fetch(PayoutResource.getList);
  const { method, fees } = first as payouts.Payout;
  if (method.type === 'bank') expectTypeOf(method).toEqualTypeOf<payouts.Bank>();
  else expectTypeOf(method.type).toEqualTypeOf<'card' | 'prepaid'>();
  expect(fees.map((fee) => (fee.per === 'payout' ? fee.cents : fee.percent))).toEqual([5, 2]);
});

test('[T3] a body has the literal of its kind', async () => {
  const { PayoutResource } = await api([]);
  const controller = new Controller();
  await controller.fetch(PayoutResource.getList);
  const method = { type: 'card', number: '42' } as const;
  await controller.fetch(PayoutResource.create, { method });
  // @ts-expect-error no kind of a method is cash
  const wrong: payouts.PayoutInput = { method: { type: 'cash', number: '42' } };
  expect(wrong.method.type).toBe('cash');
  const { data } = controller.getResponse(PayoutResource.getList);
  expect(data?.map((each) => each.method)).toEqual([method]);
});

test('[T3] the heirs of a base without records, and the bodies of errors, are narrowed, too', async () => {
  const { getLog } = await api([
    { step: 'Sent', by: 'Ada' },
    { step: 'Paid', cents: 5 },
  ]);
  const steps = await new Controller().fetch(getLog);
  expect(
    steps.map((each) => (each.step === 'Sent' ? each.by : each.step === 'Paid' && each.cents)),
  ).toEqual(['Ada', 5]);

  const failing = await api({ code: 'over-limit', limit: 9 }, 422);
  const error: unknown = await new Controller()
    .fetch(failing.PayoutResource.get, { id: 1 })
    .catch((reason: unknown) => reason);
  const body = (error as NetworkError).body as payouts.PayoutError['default'];
  expect(body.code === 'over-limit' && body.limit).toBe(9);
});

test('[T3] a union of values that is narrowed is neither guessed nor dropped', async () => {
  expect(await run(['openapi', documentAt('payouts.yaml'), '--strict'])).toMatchObject({
    code: 0,
    said: [],
  });
});
