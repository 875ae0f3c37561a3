/** The optimistic value of a form: the fields whose texts can be read as the types of the class. */
import { Controller, Entity, createResource, optimistic } from 'signalbox';
import type { StandardSchemaV1 } from 'signalbox';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

class Money {
  readonly text: string;
  constructor(text: string) {
    if (!/^\d+$/.test(text)) throw new TypeError('no money');
    this.text = text;
  }
}

const even: StandardSchemaV1<number, number> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) =>
      typeof value === 'number' && value % 2 === 0
        ? { value }
        : { issues: [{ message: 'is not even' }] },
  },
};

class Owner extends Entity {
  id = 0;
  name = '';
}

class Item extends Entity {
  id = 0;
  title = '';
  count = 0;
  done = false;
  size = 0n;
  tags: string[] = [];
  scores: number[] = [0];
  levels: number[] = [];
  flags: boolean[] = [];
  days: Date[] = [];
  at = new Date(0);
  price = new Money('1');
  pairs = 2;
  note: string | null = null;
  limit: number | null = null;
  picture: unknown = null;
  owner: Owner | null = null;
  owners: Owner[] = [];
  meta = {};
  static override schema = {
    levels: [Number],
    flags: [Boolean],
    days: [Date],
    at: Date,
    size: BigInt,
    price: Money,
    pairs: even,
    owner: Owner,
    owners: [Owner],
  };
}

const Items = createResource({ path: '/items/:id', schema: Item, optimistic: true });

type Entries = readonly (readonly [name: string, value: string | Blob])[];

function formOf(entries: Entries): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}

/** The item that is shown while a form is sent. `known`: the item before. */
async function shown(entries: Entries, known: object = {}): Promise<Item> {
  vi.spyOn(globalThis, 'fetch').mockReturnValue(new Promise<Response>(() => {}));
  onTestFinished(() => void vi.restoreAllMocks());
  const controller = new Controller({ optimistic });
  await controller.set(Item, { id: 1 }, { id: 1, title: 'old', ...known });
  // any: forms are no part of the body's type
  void controller.fetch(Items.partialUpdate, { id: 1 }, formOf(entries) as any);
  return controller.get(Item, { id: 1 }) as Item;
}

describe('a form', () => {
  test.each<[Entries, Partial<Item>]>([
    [[['title', 'new']], { title: 'new' }],
    [[['title', '5']], { title: '5' }],
    [[['count', '5']], { count: 5 }],
    [[['count', '-1.5e2']], { count: -150 }],
    [[['done', 'true']], { done: true }],
    [[['done', 'on']], { done: true }],
    [[['done', 'false']], { done: false }],
    [[['size', '12345678901234567890']], { size: 12345678901234567890n }],
    [[['at', '2026-01-02T03:04:05.000Z']], { at: new Date('2026-01-02T03:04:05.000Z') }],
    [[['price', '7']], { price: new Money('7') }],
    [[['pairs', '4']], { pairs: 4 }],
  ])(
    '[M5] a form with %j shows the value as the type of its field before the response',
    async (entries, expected) => {
      expect(await shown(entries, { done: true })).toMatchObject(expected);
    },
  );

  test.each<[Entries, Partial<Item>]>([
    [[['tags', 'a']], { tags: ['a'] }],
    [
      [
        ['tags', 'a'],
        ['tags', 'b'],
      ],
      { tags: ['a', 'b'] },
    ],
    [
      [
        ['scores', '1'],
        ['scores', '2'],
      ],
      { scores: [1, 2] },
    ],
    [
      [
        ['levels', '1'],
        ['levels', '2'],
      ],
      { levels: [1, 2] },
    ],
    [
      [
        ['flags', 'false'],
        ['flags', 'true'],
      ],
      { flags: [false, true] },
    ],
    [[['days', '2026-01-02']], { days: [new Date('2026-01-02')] }],
  ])(
    '[M5] a form with %j shows all values as one array before the response',
    async (entries, expected) => {
      expect(await shown(entries)).toMatchObject(expected);
    },
  );

  test.each<[string, Entries]>([
    ['text for a number', [['count', 'many']]],
    ['an empty text for a number', [['count', ' ']]],
    ['Infinity for a number', [['count', 'Infinity']]],
    ['text for a boolean', [['done', 'maybe']]],
    ['text for a bigint', [['size', '1.5']]],
    ['an empty text for a date', [['at', '']]],
    ['text that a class rejects', [['price', 'much']]],
    ['text that a Standard Schema rejects', [['pairs', '3']]],
    [
      'two values for one text',
      [
        ['title', 'a'],
        ['title', 'b'],
      ],
    ],
    [
      'an array with one wrong member',
      [
        ['scores', '1'],
        ['scores', 'x'],
      ],
    ],
    ['a file', [['picture', new Blob(['a'])]]],
    ['a file for text', [['title', new Blob(['a'])]]],
    [
      'a file among texts',
      [
        ['tags', 'a'],
        ['tags', new Blob(['a'])],
      ],
    ],
    ['a text for an entity', [['owner', '7']]],
    ['a text for entities', [['owners', '7']]],
    ['text for an object', [['meta', '{}']]],
    ['text for a field with the default null', [['note', 'a']]],
    ['an undeclared field', [['token', 'a']]],
  ])('[M5] a form with %s shows no change before the response', async (_, entries) => {
    const known = { count: 3, done: true, size: '2', scores: [4], tags: ['z'] };
    const item = await shown([...entries, ['id', '1']], known);
    const before = new Controller({ optimistic });
    await before.set(Item, { id: 1 }, { id: 1, title: 'old', ...known });
    expect({ ...item }).toEqual({ ...before.get(Item, { id: 1 }) });
  });

  test('[M5] a form with two invalid fields shows the other fields before the response', async () => {
    const entries: Entries = [
      ['title', 'new'],
      ['count', 'x'],
      ['at', 'soon'],
      ['done', 'false'],
    ];
    expect(await shown(entries, { count: 3, done: true })).toMatchObject({
      title: 'new',
      count: 3,
      done: false,
      at: new Date(0),
    });
  });

  test('[M5] a form field with a default of unknown type is read as the type of the stored value', async () => {
    expect(await shown([['note', 'a']], { note: '' })).toMatchObject({ note: 'a' });
    const entries: Entries = [
      ['note', '5'],
      ['limit', '5'],
      ['tags', '5'],
    ];
    expect(await shown(entries, { note: 'a', limit: 3, tags: [1] })).toMatchObject({
      note: '5',
      limit: 5,
      tags: [5],
    });
  });

  test('[M5] the optimistic row of a form has the valid fields as their types, without files', () => {
    const snapshot = new Controller({ optimistic }).snapshot();
    const expect_ = Items.create.getOptimisticResponse;
    const form = formOf([
      ['title', 'a'],
      ['count', '2'],
      ['done', 'false'],
      ['tags', 'x'],
      ['picture', new Blob([])],
    ]);
    expect(expect_?.(snapshot, form)).toEqual({ title: 'a', count: 2, done: false, tags: ['x'] });
    expect(Items.getList.push.getOptimisticResponse?.(snapshot, form)).toMatchObject({ count: 2 });
  });

  test('[M5] an optimistic body with a url or a date shows these as JSON sends them, without files', () => {
    const snapshot = new Controller({ optimistic }).snapshot();
    const body = {
      title: new URL('https://a.example/'),
      picture: new File([], 'x'),
      note: new Date(0),
    };
    const shown = { title: 'https://a.example/', note: '1970-01-01T00:00:00.000Z' };
    const change = Items.update.getOptimisticResponse;
    expect(change?.(snapshot, { id: 1 }, body as never)).toEqual({ id: 1, ...shown });
    expect(Items.create.getOptimisticResponse?.(snapshot, body as never)).toEqual(shown);
    expect(Items.create.getOptimisticResponse?.(snapshot, new Uint8Array([7]) as never)).toEqual(
      {},
    );
  });

  test('[M5] a form sent to an endpoint with an envelope shows no field before the response', () => {
    const Wrapped = createResource({
      path: '/items/:id',
      schema: { data: Item },
      optimistic: true,
    });
    const snapshot = new Controller({ optimistic }).snapshot();
    const form = formOf([['title', 'a']]);
    expect(Wrapped.update.getOptimisticResponse?.(snapshot, { id: 1 }, form)).toEqual({ id: 1 });
  });
});
