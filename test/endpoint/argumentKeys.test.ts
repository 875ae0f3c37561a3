/** Arguments that identify a read, and arguments that cannot. */
import {
  All,
  Collection,
  Controller,
  Endpoint,
  Entity,
  GQLEndpoint,
  Query,
  RestEndpoint,
} from 'signalbox';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

class Row extends Entity {
  id = 0;
  name = '';
}

// any: arguments of all kinds are tried
const read = (options = {}) =>
  new Endpoint(async (...args: any[]) => args.length, { name: 'getRows', ...options });

const form = (...entries: [string, string | Blob][]): FormData => {
  const made = new FormData();
  for (const [name, value] of entries) made.append(name, value);
  return made;
};

class Secret {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  read(): string {
    return this.#text;
  }
}

const unreadable: [name: string, create: (text: string) => unknown][] = [
  ['Blob', (text) => new Blob([text])],
  ['File', (text) => new File([text], 'a.txt')],
  ['ArrayBuffer', (text) => new TextEncoder().encode(text).buffer],
  ['DataView', (text) => new DataView(new TextEncoder().encode(text).buffer)],
  ['Headers', (text) => new Headers({ text })],
  ['WeakMap', (text) => new WeakMap([[{}, text]])],
  ['WeakSet', () => new WeakSet()],
  ['ReadableStream', (text) => new Blob([text]).stream()],
  ['Response', (text) => new Response(text)],
  ['Promise', (text) => Promise.resolve(text)],
  ['Secret', (text) => new Secret(text)],
  ['function', (text) => () => text],
  ['symbol', (text) => Symbol(text)],
];

// react-dropzone adds the field `path` to each File
const platform = unreadable.filter(([name]) => !['Secret', 'function', 'symbol'].includes(name));

describe('arguments without text', () => {
  test.each(unreadable)(
    '[E6] a read with a %s in its arguments throws E16, at any depth, and is not sent',
    async (name, create) => {
      const controller = new Controller();
      const fetch = vi.fn<(value: unknown) => Promise<unknown>>(async () => 1);
      const get = new Endpoint(fetch, { name: 'getRows' });
      const problem = expect.objectContaining({ code: 'E16', status: 400, endpoint: 'getRows' });
      for (const value of [create('a'), { filter: create('a') }, [[create('a')]]]) {
        expect(() => get.key(value)).toThrow(problem);
        expect(() => get.key(value)).toThrow(`getRows: an argument contains a "${name}"`);
        expect(() => controller.view(get, value)).toThrow(problem);
        await expect(controller.fetch(get, value)).rejects.toThrow(problem);
      }
      expect(fetch).not.toHaveBeenCalled();
    },
  );

  test.each(platform)('[E6] a read with a %s that has an own field throws E16', (name, create) => {
    for (const value of [create('a'), create('b')]) {
      const given = Object.assign(value as object, { path: './a.txt' });
      expect(() => read().key({ in: [given] })).toThrow(`an argument contains a "${name}"`);
    }
  });

  test('[E6] production throws the same E16 as development, which names the endpoint and the option `key`', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    vi.resetModules();
    onTestFinished(() => {
      vi.unstubAllEnvs();
      vi.resetModules();
    });
    const built = await import('signalbox');
    const get = new built.Endpoint(async (blob: Blob) => blob.size, { name: 'getRows' });
    expect(() => get.key(new Blob(['a']))).toThrow(
      '[signalbox E16] getRows: {"argument":"Blob","option":"key"}',
    );
  });

  test.each(unreadable)(
    '[E6] an endpoint with its own key() can be read with a %s',
    async (_, create) => {
      const controller = new Controller();
      const ids = new Map<unknown, string>();
      const get = new Endpoint(async (value: unknown) => ids.get(value), {
        key: (value) => `rows ${ids.get(value)}`,
        testKey: (key) => key.startsWith('rows '),
      });
      for (const id of ['a', 'b']) {
        const value = create(id);
        ids.set(value, id);
        expect(await controller.fetch(get, value)).toBe(id);
      }
    },
  );

  test.each(unreadable)(
    '[E6] a mutation can be sent with a %s as an argument',
    async (_, create) => {
      const controller = new Controller();
      const value = create('a');
      const send = new Endpoint(async (given: unknown) => given === value, {
        name: 'send',
        sideEffect: true,
        schema: undefined,
      });
      expect(await controller.fetch(send, value)).toBe(true);
      expect(send.key(value)).toBeTypeOf('string');
    },
  );

  test('[E6] a Collection of an endpoint with its own key() needs argsKey for arguments without text', async () => {
    const controller = new Controller();
    const files = ['a', 'b'].map((name, id) => ({ name, id, file: new File([name], name) }));
    const load = async (file: File) => files.filter((one) => one.file === file);
    const key = (file: File) => `rows of ${file.name}`;
    const get = new Endpoint(load, { name: 'load', key, schema: new Collection([Row]) });
    const [one, other] = files.map(({ file }) => file) as [File, File];
    await expect(controller.fetch(get, one)).rejects.toThrow(
      /E16\] load: .*"File".* without a "argsKey"/,
    );
    const argsKey = (file: File) => ({ file: file.name });
    const apart = get.extend({ schema: new Collection([Row], { argsKey }) });
    await controller.fetch(apart, one);
    await controller.fetch(apart, other);
    expect(controller.getResponse(apart, one).data).toMatchObject([{ name: 'a' }]);
    expect(controller.getResponse(apart, other).data).toMatchObject([{ name: 'b' }]);
  });

  test('[E6] a query over the store with a function as an argument throws E16', () => {
    const query = new Query(new All(Row), (rows, { keep }: { keep: (row: Row) => boolean }) =>
      rows.filter(keep),
    );
    const controller = new Controller();
    expect(() => controller.query(query, { keep: () => true })).toThrow(/E16/);
  });

  test('[E6] GraphQL variables and the body of a read are part of the key, and throw E16 if they have no text', () => {
    const upload = new GQLEndpoint('http://host/').query('query Like($file: Upload!) { like }');
    expect(() => upload.key({ file: new Blob(['a']) })).toThrow(/E16\] query Like: .*"Blob"/);
    const search = new RestEndpoint({ path: '/search', method: 'QUERY', body: {} });
    expect(() => search.key(new Blob(['a']))).toThrow(/E16\] QUERY \/search: .*"Blob"/);
    expect(search.key(form(['q', 'a']))).not.toBe(search.key(form(['q', 'b'])));
  });

  test.each([
    ['FormData', () => form(['q', 'a'])],
    ['URLSearchParams', () => new URLSearchParams({ q: 'a' })],
    ['Map', () => new Map([['q', 'a']])],
    ['Headers', () => new Headers({ q: 'a' })],
    ['Function', () => () => 'a'],
  ])(
    '[E6] a %s as params of a rest read throws, unless the endpoint has its own url()',
    (name, create) => {
      // any: types refuse these arguments
      const list = new RestEndpoint<any>({ path: '/list/:lang?' });
      expect(() => list.key(create())).toThrow(
        `GET /list/:lang?: an argument contains a "${name}"`,
      );
      const own = list.extend({ url: () => '/list' } as never) as typeof list;
      expect(own.key(create())).toBe('GET /list');
    },
  );

  test('[E6] the members of a File fill the path of a rest read, and absent members of a class instance are not sent', () => {
    const file = new RestEndpoint<any>({ path: '/files/:name' }); // any: as above
    expect(file.url(new File([], 'a.txt'))).toBe('/files/a.txt');
    class Params {
      declare readonly q?: string;
    }
    expect(new RestEndpoint<any>({ path: '/list' }).url(new Params())).toBe('/list'); // any: as above
  });
});

const withCode = (value: object, code = 1): object => Object.assign(value, { code });

class Money {
  readonly currency = 'EUR';
  readonly #amount: number;
  constructor(amount: number) {
    this.#amount = amount;
  }
  toString(): string {
    return `${this.#amount} ${this.currency}`;
  }
}

const different: [name: string, one: unknown, other: unknown][] = [
  ['FormData of texts', form(['a', '1'], ['a', '2']), form(['a', '1'], ['a', '3'])],
  ['FormData and its entries', form(['a', '1']), [['a', '1']]],
  ['bytes', new Uint8Array([1, 2]), new Uint8Array([1, 3])],
  ['bytes of two widths', new Uint8Array([1]), new Uint16Array([1])],
  ['bytes and an object', new Uint8Array([7]), { 0: 7 }],
  ['no bytes and no members', new Uint8Array(), {}],
  ['maps', new Map([['a', 1]]), new Map([['a', 2]])],
  ['sets', new Set(['a']), new Set(['b'])],
  ['regular expressions', /a/, /a/i],
  ['a regular expression and its text', /a/, '/a/'],
  ['dates', new Date(0), new Date(1)],
  ['an invalid date and null', new Date(Number.NaN), null],
  ['addresses', new URL('http://a/'), new URL('http://b/')],
  ['search params', new URLSearchParams('a=1'), new URLSearchParams('a=2')],
  ['registered symbols', Symbol.for('a'), Symbol.for('b')],
  ['errors', new Error('a'), new Error('b')],
  ['errors with one code', withCode(new Error('a')), withCode(new Error('b'))],
  ['errors with two codes', withCode(new Error('a')), withCode(new Error('a'), 2)],
  ['expressions with a field', withCode(/a/), withCode(/b/)],
  [
    'search params with a field',
    withCode(new URLSearchParams('a=1')),
    withCode(new URLSearchParams('a=2')),
  ],
  ['an expression with and without a field', withCode(/a/), /a/],
  ['sets with two fields', withCode(new Set(['a'])), withCode(new Set(['a']), 2)],
  ['amounts of a currency', new Money(1), new Money(2)],
  ['a hole and nothing', Object.assign([], { length: 1 }), []],
];

describe('arguments with text', () => {
  test.each(different)('[E6] %s with different contents have two keys', (_, one, other) => {
    for (const wrap of [(value: unknown) => value, (value: unknown) => ({ in: [value] })]) {
      expect(read().key(wrap(one))).not.toBe(read().key(wrap(other)));
    }
  });

  test('[E6] forms, bytes, search params, maps, errors and class instances with equal contents have one key', () => {
    const key = (value: unknown): string => read().key(value);
    expect(key(form(['a', '1']))).toBe(key(form(['a', '1'])));
    expect(key(new Uint8Array([1, 2]))).toBe(key(new Uint8Array([1, 2])));
    expect(key(new URLSearchParams('a=1'))).toBe(key(new URLSearchParams('a=1')));
    expect(key(new Map([['a', [/x/]]]))).toBe(key(new Map([['a', [/x/]]])));
    expect(key(withCode(new Error('a')))).toBe(key(withCode(new Error('a'))));
    expect(key(new Money(1))).toBe(key(new Money(1)));
  });

  test('[E6] an object is identified by its fields if toJSON returns the object itself', () => {
    class Range {
      readonly from: number;
      constructor(from: number) {
        this.from = from;
      }
      toJSON(): this {
        return this;
      }
    }
    expect(read().key(new Range(1))).toBe(read().key({ from: 1 }));
    expect(read().key(new Range(2))).not.toBe(read().key(new Range(1)));
  });

  test('[E6] an instance of a class with a custom Symbol.toStringTag is identified by its fields', () => {
    class Tagged {
      readonly [Symbol.toStringTag] = 'Tagged';
      readonly id: number;
      constructor(id: number) {
        this.id = id;
      }
    }
    expect(read().key(new Tagged(1))).not.toBe(read().key(new Tagged(2)));
  });

  test('[E6] a read with a form that contains a file throws E16, which names the file', () => {
    expect(() => read().key(form(['a', '1'], ['b', new Blob(['x'])]))).toThrow(
      /E16\] getRows: .*"File"/,
    );
  });

  test('[E6] plain objects of another realm have the same key, and its buffers and weak maps throw, as in this realm', async () => {
    const { runInNewContext } = await import('node:vm');
    const other = (code: string): unknown => runInNewContext(code);
    expect(read().key(other('({})'))).toBe(read().key({}));
    expect(read().key(other('({ a: 1 })'))).toBe(read().key({ a: 1 }));
    expect(() => read().key(other('new ArrayBuffer(1)'))).toThrow(/"ArrayBuffer"/);
    expect(() => read().key(other('new WeakMap()'))).toThrow(/"WeakMap"/);
  });
});
