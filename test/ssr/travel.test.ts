import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  Query,
  Union,
  Values,
  All,
  Lazy,
} from 'signalbox';
import {
  createServerDataCode,
  dehydrate,
  hydrateController,
  serverDataScript,
} from 'signalbox/ssr';
import { expect, test, vi } from 'vitest';
import { Article, Knot, StoppedClock, Todo, User } from '../setup/world.ts';
import { arrive, programsIn, toldBy } from './page.ts';

class Cat extends Entity {
  id = 0;
  type = 'cat';
  born: Date | null = null;
  lives = 9n;
  static override schema = { born: Date, lives: BigInt };
}
class Dog extends Entity {
  id = 0;
  type = 'dog';
  friend: Cat | null = null;
  static override schema = { friend: Cat };
}

const clock = new StoppedClock();
const make = () => new Controller({ clock });

/** The value that a page shows for an endpoint after a server sent this response. */
async function travelled(value: unknown, schema?: unknown, args: readonly unknown[] = [{}]) {
  const endpoint = new Endpoint(async (_params?: object) => value, {
    schema,
    name: 'asked',
  }) as Endpoint;
  const server = make();
  const there = await server.fetch(endpoint, ...(args as [object]));
  const client = arrive(serverDataScript(server), make());
  const here = client.view(endpoint, ...(args as [object]));
  return { there, here: here.result.peek().data, client, server, endpoint, view: here };
}

test.each<[string, unknown]>([
  ['a script that ends', '</script><script>alert(1)</script>'],
  ['a comment', '<!--<script>'],
  ['separators of lines', '\u2028 \u2029'],
  ['quotes and slashes', '"\\\'`${1}'],
  ['lone surrogates', '\ud800'],
  ['undefined', { a: undefined, b: [undefined] }],
  ['NaN, infinity and minus zero', [NaN, Infinity, -Infinity, -0]],
  ['a BigInt', { a: 12345678901234567890n }],
  ['dates', [new Date(5), new Date(NaN)]],
  ['maps and sets', { m: new Map<unknown, unknown>([[{ a: 1 }, new Set([1, new Date(3)])]]) }],
  ['its own tag', { $: 5, other: { $: ['u'] } }],
  ['names of Object.prototype', JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2}')],
  ['null', { a: null }],
])('[H5] %s is hydrated unchanged', async (_, value) => {
  const { here, there } = await travelled({ value });
  expect(here).toEqual(there);
  expect(({} as { polluted?: number }).polluted).toBe(undefined);
});

test('[H5] no text in the data ends the script or begins another one', async () => {
  const nasty = `</ScRiPt><!--\u2028<script>&]]>`;
  const { server } = await travelled({ [nasty]: nasty });
  const script = serverDataScript(server, { nonce: '"><script>' });
  expect(programsIn(script)).toHaveLength(1);
  expect(programsIn(script)[0]).not.toMatch(/[<>&\u2028]/);
  expect(script).toMatch(/^<script nonce="&#34;&#62;&#60;script&#62;">/);
});

test('[H5] a value that cannot be serialized is hydrated as undefined, and H1 is warned about', async () => {
  const said = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const { here } = await travelled({ cycle, run: () => 1 });
  expect(here).toEqual({ cycle: { self: undefined }, run: undefined });
  expect(said.mock.calls.map(([line]) => String(line).slice(0, 14))).toContain('[signalbox H1]');
});

const kept: [string, object][] = [
  ['ArrayBuffer', new ArrayBuffer(3)],
  ['Uint8Array', new Uint8Array([1, 2])],
  ['Blob', new Blob(['abc'])],
  ['RegExp', /x/],
];
test.each(kept)(
  '[H5] a %s is not serialized: a member is undefined, and a whole response is fetched by the page',
  async (name, value) => {
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { here } = await travelled({ value, id: 1 });
    expect(here).toEqual({ value: undefined, id: 1 });
    expect(said.mock.calls.join()).toMatch(`[signalbox H1] a "${name}" cannot be serialized`);
    const { view } = await travelled(value);
    expect(view.ensure(true)).toBeInstanceOf(Promise);
  },
);

test('[H5] decoders run in the page: dates and BigInts are restored', async () => {
  const cat = { id: 1, type: 'cat', born: '2020-01-01T00:00:00.000Z', lives: '7' };
  const { here, client } = await travelled([cat], [Cat]);
  const [shown] = here as Cat[];
  expect(shown).toBeInstanceOf(Cat);
  expect(shown).toMatchObject({ born: new Date(cat.born), lives: 7n });
  expect(client.get(Cat, { id: 1 })).toBe(shown);
});

test('[H5] process and pk run only once, on the server', async () => {
  class Priced extends Entity {
    cents = 0;
    static override pk(value: { slug?: string } | undefined): string {
      return value?.slug ?? '';
    }
    static override process(value: { cents: number; slug: string }) {
      return { slug: value.slug, cents: value.cents * 100 };
    }
  }
  const { here } = await travelled({ slug: 'a', cents: 2 }, Priced);
  expect(here).toMatchObject({ slug: 'a', cents: 200 });
});

test('[H5] entities that contain each other are hydrated as a cycle', async () => {
  const { here } = await travelled(
    { id: 1, label: 'a', next: { id: 2, label: 'b', next: { id: 1, label: 'a', next: 2 } } },
    Knot,
  );
  const knot = here as Knot;
  expect(knot.next?.next).toBe(knot);
  expect(knot.next?.label).toBe('b');
});

test('[H5] a chain of 10,000 entities and a list of 10,000 rows are hydrated', async () => {
  let chain: object = { id: 10_000, label: 'last' };
  for (let id = 9_999; id > 0; id--) chain = { id, label: `${id}`, next: chain };
  let knot: Knot | null = (await travelled(chain, Knot)).here as Knot;
  let length = 0;
  for (; knot !== null; knot = knot.next) length++;
  expect(length).toBe(10_000);
  const rows = Array.from({ length: 10_000 }, (_, id) => ({
    id,
    title: `t${id}`,
    author: { id: id % 9 },
  }));
  const { here, there } = await travelled(rows, new Collection([Todo]));
  expect(here).toEqual(there);
  expect((here as Todo[])[9]?.author).toBe((here as Todo[])[0]?.author);
});

test.each<[string, unknown, unknown]>([
  [
    'an object around a list',
    { rows: [{ id: 1, title: 'a' }], total: 5, next: 'x' },
    { rows: [Todo], next: '' },
  ],
  ['a collection', [{ id: 1, title: 'a', author: { id: 3 } }], new Collection([Todo])],
  ['a map', { x: { id: 1, title: 'a' } }, new Values(Todo)],
  ['a collection of maps', { x: { id: 1, title: 'a' } }, new Collection(new Values(Todo))],
  [
    'a union',
    [
      { id: 1, type: 'cat' },
      { id: 2, type: 'dog', friend: { id: 1 } },
    ],
    [new Union({ cat: Cat, dog: Dog }, 'type')],
  ],
  ['a whole table', [{ id: 1, title: 'a' }], new All(Todo)],
  [
    'a query',
    [
      { id: 1, title: 'a' },
      { id: 2, title: 'b' },
    ],
    new Query(new Collection([Todo]), { sort: 'title', limit: 1 }),
  ],
  [
    'a derived value',
    [{ id: 1, title: 'a' }],
    new Query([Todo], (rows: Todo[]) => rows.map((row) => row.title)),
  ],
  ['a required member', { id: 1, title: 'a', author: { id: 2, name: 'n' } }, Article],
])('[H5] %s is hydrated under its schema', async (_, value, schema) => {
  const { here, there } = await travelled(value, schema);
  expect(here).toEqual(there);
});

test('[H5] a Lazy member is hydrated with its entities', async () => {
  class Street extends Entity {
    id = 0;
    houses: string[] = [];
    static override schema = { houses: new Lazy([User]) };
  }
  const { here, client } = await travelled({ id: 1, houses: [{ id: 5, name: 'five' }] }, Street);
  expect(here).toMatchObject({ houses: ['5'] });
  expect(client.get(User, { id: 5 })).toMatchObject({ name: 'five' });
});

test('[H5] an entity shown by several requests is serialized once', async () => {
  const server = make();
  const list = new Endpoint(async (_params: object) => [{ id: 1, title: 'only once' }], {
    schema: [Todo],
    name: 'list',
  });
  const one = list.extend({
    name: 'one',
    fetch: async () => ({ id: 1, title: 'only once' }),
    schema: Todo,
  });
  await server.fetch(list, {});
  await server.fetch(one);
  expect(serverDataScript(server).match(/only once/g)).toHaveLength(1);
});

test('[H5] an error is hydrated with name, message, status and expiry, and with no other field', async () => {
  class Refused extends Error {
    override name = 'Refused';
    status = 403;
    secret = 'token';
  }
  const endpoint = new Endpoint(
    async (_params: object): Promise<string> => {
      throw new Refused('not yours');
    },
    { name: 'no', errorExpiryLength: 500 },
  );
  const server = make();
  await server.fetch(endpoint, {}).catch(() => {});
  const script = serverDataScript(server);
  expect(script).not.toMatch(/token|travel\.test/);
  const client = arrive(script, make());
  const { error } = client.view(endpoint, {}).result.peek();
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'Refused', message: 'not yours', status: 403 });
  expect(client.view(endpoint, {}).ensure(true)).toBe(undefined);
  clock.advance(501);
  expect(client.view(endpoint, {}).ensure(true)).toBeInstanceOf(Promise);
});

test('[H5] dehydrate of some views contains only the data of these views', async () => {
  const server = make();
  const get = new Endpoint(async ({ id }: { id: number }) => ({ id, title: `t${id}` }), {
    schema: Todo,
    name: 'get',
  });
  await Promise.all([server.fetch(get, { id: 1 }), server.fetch(get, { id: 2 })]);
  const slice = dehydrate(server, [server.view(get, { id: 2 })]);
  expect(JSON.stringify(slice)).toContain('t2');
  expect(JSON.stringify(slice)).not.toContain('t1');
  const client = make();
  hydrateController(client, JSON.parse(JSON.stringify(slice)));
  expect(client.view(get, { id: 2 }).result.peek().data).toMatchObject({ title: 't2' });
});

test('[H5] scripts of two controllers on a page are distinguished by name', async () => {
  const { server } = await travelled({ a: 1 });
  const script = serverDataScript(server, { name: 'second "</script>' });
  expect(toldBy(script, 'second "</script>')).toHaveLength(1);
  expect(toldBy(script)).toHaveLength(0);
});

test('[H5] createServerDataCode returns only new data without `</script>`, and an empty string if there are none', async () => {
  const server = make();
  const nextCode = createServerDataCode(server, { name: 'other' });
  const get = new Endpoint(async ({ id }: { id: number }) => ({ id, title: `</script> ${id}` }), {
    schema: Todo,
    name: 'get',
  });
  const codes = [nextCode()];
  for (const id of [1, 2]) {
    await server.fetch(get, { id });
    codes.push(nextCode(), nextCode());
  }
  expect(codes.map((code) => code === '')).toEqual([true, false, true, false, true]);
  const html = codes.map((code) => `<script>${code}</script>`).join('');
  const keys = toldBy(html, 'other').map(({ results }) => results.map(([key]) => key));
  expect(keys).toEqual([[get.key({ id: 1 })], [get.key({ id: 2 })]]);
});

test('[H5] a script names the fields of consecutive rows once, and a list of new rows is a range', async () => {
  const rows = Array.from({ length: 100 }, (_, at) => ({ id: at + 1, title: `row ${at + 1}` }));
  const { here, there, server } = await travelled(rows, [Todo]);
  expect(here).toEqual(there);
  const [program = ''] = programsIn(serverDataScript(server));
  expect(program.split('"title"')).toHaveLength(2);
  expect(program).toContain('{"$":["r",1,100]}');
  expect(program.length).toBeLessThan(JSON.stringify(rows).length);
});

test('[H5] rows with different fields, and rows whose primary key is no field, are hydrated by one script', async () => {
  class Keyed extends Entity {
    title = '';
    static override key = 'Keyed';
    override pk(_parent?: object, key?: string): string {
      return `key of ${key ?? this.title}`;
    }
  }
  const rows = [{ title: 'a' }, { title: 'b' }, { title: 'c', note: 'more' }, { title: 'd' }];
  const { here, there } = await travelled(rows, [Keyed]);
  expect(there).toHaveLength(4);
  expect(here).toEqual(there);
});

test.each<[string, unknown]>([
  ['not a list', 5],
  ['without names', [[1, null, 0, [1]]]],
  ['with a row that is not a list', [[1, ['id'], 0, null]]],
  ['with a number that is not a number', [['1', ['id'], 0, [1]]]],
])('[H5] a payload with blocks of entities that are %s is ignored', (_, blocks) => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const getWord = new Endpoint(async () => 'word', { name: 'getWord' });
  const { version } = dehydrate(make());
  const results = [[getWord.key(), { data: 'sent', fetchedAt: 0, expiresAt: null }]];
  const wordAfter = (payload: object) => {
    const page = make();
    hydrateController(page, payload as never);
    return page.getResponse(getWord).data;
  };
  expect(wordAfter({ version, blocks: [], results })).toBe('sent');
  expect(wordAfter({ version, blocks, results })).toBe(undefined);
});
