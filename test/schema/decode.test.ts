/** Members that are decoded when written. */
import { Collection, Entity, live } from 'signalbox';
import type { StandardSchemaV1 } from 'signalbox';
import { beforeEach, expect, test } from 'vitest';
import { User, watch, world } from '../setup/world.ts';

const counts = { decoded: 0 };
beforeEach(() => void (counts.decoded = 0));

class Money {
  readonly text: string;
  constructor(text: string) {
    counts.decoded++;
    this.text = text;
  }
  get cents() {
    return Math.round(Number(this.text) * 100);
  }
}

const positive: StandardSchemaV1<number, { value: number }> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) =>
      typeof value === 'number' && value > 0
        ? { value: { value } }
        : { issues: [{ message: 'is not positive', path: ['amount', { key: 0 }] }] },
  },
};

const shout = (text: string) => `${text}!`;

class Event extends Entity {
  id = 0;
  at = new Date(0);
  seats = 0n;
  price = new Money('0');
  name = '';
  amount = { value: 0 };
  days: Date[] = [];
  span: { from: Date; to?: Date } | null = null;
  static override schema = {
    at: Date,
    seats: BigInt,
    price: Money,
    name: shout,
    amount: positive,
    days: [Date],
    span: { from: Date },
  };
}

const answer = {
  id: 1,
  at: '2026-01-02T03:04:05.000Z',
  seats: '12345678901234567890',
  price: '1.25',
  name: 'fair',
  amount: 3,
  days: ['2026-01-01', '2026-01-02'],
  span: { from: '2026-01-01' },
};

test('[N5] members are decoded by classes, functions and Standard Schemas', async () => {
  const w = world();
  const event = await w.controller.fetch(w.read('get', Event, { reply: () => answer }), {});
  expect(event.at).toEqual(new Date(answer.at));
  expect(event.seats).toBe(12345678901234567890n);
  expect(event.price).toBeInstanceOf(Money);
  expect(event.price.cents).toBe(125);
  expect(event.name).toBe('fair!');
  expect(event.amount).toEqual({ value: 3 });
  expect(event.days[1]).toEqual(new Date('2026-01-02'));
  expect(event.span?.from).toEqual(new Date('2026-01-01'));
});

test('[N5] a value is decoded once per write, not per read', async () => {
  const w = world();
  const get = w.read('get', Event, { reply: () => answer });
  const born = counts.decoded;
  await w.controller.fetch(get, {});
  // once for the default of the new instance, once for the value
  const written = counts.decoded - born;
  expect(written).toBeLessThanOrEqual(2);
  const signal = w.controller.signal(get, {});
  const price = signal.value?.price;
  for (let i = 0; i < 10; i++) expect(signal.value?.price).toBe(price);
  expect(counts.decoded - born).toBe(written);
});

test('[N5] an identical response keeps the decoded entity and notifies no reader', async () => {
  const w = world();
  const get = w.read('get', Event, { reply: () => structuredClone(answer) });
  const first = await w.controller.fetch(get, {});
  const watcher = watch(w.controller.signal(get, {}));
  expect(await w.controller.fetch(get, {})).toBe(first);
  expect(watcher.runs).toBe(1);
});

test('[N5] a changed value is decoded again, and the other decoded values keep their references', async () => {
  const w = world();
  const get = w.read('get', Event, { reply: (price: string) => ({ ...answer, price }) });
  const first = await w.controller.fetch(get, '1');
  const second = await w.controller.fetch(get, '2');
  await w.controller.fetch(get, '1');
  expect(second.price.text).toBe('2');
  expect(second.at).toBe(first.at);
  expect(second.days).toBe(first.days);
  expect(second.span).toBe(first.span);
});

test('[N5] an absent decoded member has its default, and null stays null', async () => {
  const w = world();
  const get = w.read('get', Event, { reply: () => ({ id: 1, seats: null }) });
  const event = await w.controller.fetch(get, {});
  expect(event.at).toEqual(new Date(0));
  expect(event.seats).toBeNull();
});

test.each([
  ['seats', { seats: 'x' }],
  ['at', { at: '' }],
  ['at', { at: 'soon' }],
  ['at', { at: new Date(Number.NaN) }],
  ['days', { days: ['2026-01-01', ''] }],
  ['from', { span: { from: '2026-13-45' } }],
  ['amount', { amount: -1 }],
])(
  '[N5] a value that the decoder of `%s` cannot decode rejects the response with S7, naming the member',
  async (member, wrong) => {
    const w = world();
    await w.controller.set(Event, { id: 1 }, answer);
    const before = w.controller.entity(Event, 1).value;
    const watcher = watch(w.controller.entity(Event, 1));
    const get = w.read('getEvent', Event, { reply: () => ({ id: 1, name: 'new', ...wrong }) });
    await expect(w.controller.fetch(get, {})).rejects.toMatchObject({
      code: 'S7',
      status: 400,
      message: expect.stringMatching(`getEvent: .*"${member}"`) as string,
    });
    expect(watcher.runs).toBe(1);
    expect(w.controller.entity(Event, 1).value).toBe(before);
  },
);

test('[N5] decoders are applied as members of an object, in an array, and as the whole schema', async () => {
  const w = world();
  const dates = w.read(
    'dates',
    { from: Date, all: [Date] },
    {
      reply: () => ({ from: '2026-01-01', all: ['2026-01-02'] }),
    },
  );
  expect(await w.controller.fetch(dates, {})).toEqual({
    from: new Date('2026-01-01'),
    all: [new Date('2026-01-02')],
  });
  const alone = w.read('now', Date, { reply: () => '2026-01-01' });
  expect(await w.controller.fetch(alone, {})).toEqual(new Date('2026-01-01'));
});

test('[N5] a Collection as a member of an object is read beside the other members', async () => {
  const w = world();
  const list = w.read(
    'list',
    { results: new Collection([User]), next: '' },
    {
      reply: () => ({ results: [{ id: 1, name: 'Ada' }], next: 'b' }),
    },
  );
  const page = await w.controller.fetch(list, { q: 'a' });
  expect(page.next).toBe('b');
  expect(page.results[0]).toBe(w.controller.entity(User, 1).value);
});

test('[N5] decoded values that are written back as read are kept', async () => {
  const w = world();
  await w.controller.set(Event, { id: 1 }, answer);
  const { at, price } = w.controller.get(Event, { id: 1 }) as Event;
  await w.controller.set(Event, { id: 1 }, { at, price });
  const after = w.controller.get(Event, { id: 1 }) as Event;
  expect(after.at).toEqual(at);
  expect(after.price).toBe(price);
});

test('[N2] a field has the default if its decoder returns undefined', async () => {
  class Ticket extends Entity {
    id = 0;
    seat = 'any';
    static override schema = { seat: (raw: string) => (raw === '?' ? undefined : raw) };
  }
  const w = world();
  await w.controller.set(Ticket, { id: 1 }, { seat: '?' });
  expect(w.controller.get(Ticket, 1)?.seat).toBe('any');
  expect(live(w.controller, Ticket, 1).seat).toBe('any');
});
