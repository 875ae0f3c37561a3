/** Parameters that try to leave their segment of the URL, and arguments that have no key. */
import { Collection, RestEndpoint } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo } from '../setup/world.ts';
import { BORN, accepts, oops, owning, refuses, thorny, throwing } from './arena.ts';
import type { Act, Refusal } from './arena.ts';

/** Fetches by REST without a network; resolves with the URL of the request. */
function ask(path: string, options: object = {}): (params?: any) => Act {
  return (params) => (a) => {
    const asked: string[] = [];
    const get = new RestEndpoint<any>({
      path,
      urlPrefix: 'http://x.test',
      ...options,
      async fetchResponse(url: string) {
        asked.push(url);
        return new Response('null', { headers: { 'content-type': 'application/json' } });
      },
    });
    return a.w.controller.fetch(get, params).then(() => asked.join());
  };
}
const one = ask('/users/:id');
const list = ask('/users');
const wild = ask('/files/*rest');

test.each<[string, unknown, string]>([
  ['[R1] a way up with a name', '../admin', '..%2Fadmin'],
  ['[R1] an encoded slash', '..%2f', '..%252f'],
  ['[R1] encoded dots', '%2e%2e', '%252e%252e'],
  ['[R1] another host', '//evil', '%2F%2Fevil'],
  ['[R1] a scheme', 'javascript:alert(1)', 'javascript%3Aalert(1)'],
  ['[R1] a backslash', '\\..\\x', '%5C..%5Cx'],
  ['[R1] CR and LF', 'a\r\nHost: evil', 'a%0D%0AHost%3A%20evil'],
  ['[R1] NUL', 'a\0b', 'a%00b'],
  ['[R1] a tab, which URLs drop', '.\t.', '.%09.'],
  ['[R1] a query', 'a?x=1', 'a%3Fx%3D1'],
  ['[R1] a fragment', 'a#b', 'a%23b'],
  ['[R1] a template', ':id{/:x}?*', '%3Aid%7B%2F%3Ax%7D%3F*'],
  ['[R1] a huge number', 1e21, '1e%2B21'],
  ['[R1] minus zero', -0, '0'],
  ['[R1] a bigint', 10n, '10'],
  ['[R1] false', false, 'false'],
  ['[R1] a replacement pattern', '$&$1', '%24%26%241'],
])('%s as a path value is one segment of the URL', async (_, id, segment) => {
  await expect(accepts(one({ id }), `http://x.test/users/${segment}`)).resolves.toBe(undefined);
  expect(new URL(`http://x.test/users/${segment}`).pathname.split('/')).toHaveLength(3);
});

test.each(BORN)('[R1] the path value %s is one segment of the URL', (name) =>
  expect(accepts(one({ id: name }), `http://x.test/users/${name}`)).resolves.toBe(undefined),
);
test.each(BORN)('[R1] a missing param called %s rejects with R1', (name) =>
  expect(refuses(ask(`/users/:${name}`)({}), 'R1')).resolves.toBe(undefined),
);
test.each(BORN)('[R1] a param called %s is used if given', (name) =>
  expect(accepts(ask(`/users/:${name}`)(owning(name, 5)), 'http://x.test/users/5')).resolves.toBe(
    undefined,
  ),
);
test.each(BORN)('[R2] a search param called %s is sent', (name) =>
  expect(accepts(list(owning(name, 'x')), `http://x.test/users?${name}=x`)).resolves.toBe(
    undefined,
  ),
);
test.each(BORN)('[N14] an argument called %s identifies a separate list', (name) =>
  expect(
    accepts(
      async (a) => {
        const rows = new Collection([Todo]);
        const read = a.w.read('rows', rows, { reply: (args) => [{ id: 950, ...args }] });
        await a.w.controller.fetch(read, owning(name, 'x'));
        return [owning(name, 'x'), owning(name, 'y'), { other: 1 }].map(
          (args) => a.w.controller.get(rows, args)?.length,
        );
      },
      [1, undefined, undefined],
    ),
  ).resolves.toBe(undefined),
);

const own = { is: oops };
const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;
const hostile = { toString: throwing };

test.each<[string, Act, Refusal]>([
  ['[R1] a dot', one({ id: '.' }), 'R10'],
  ['[R1] two dots', one({ id: '..' }), 'R10'],
  ['[R1] two dots of two values', ask('/users/:a:b')({ a: '.', b: '.' }), 'R10'],
  ['[R1] a dot beside a dot of the path', ask('/users/.:a')({ a: '.' }), 'R10'],
  ['[R1] dots among the segments of a wildcard', wild({ rest: 'a/../../x' }), 'R10'],
  ['[R1] dots in an array of segments', wild({ rest: ['a', '..'] }), 'R10'],
  ['[R1] undefined', one({ id: undefined }), 'R1'],
  ['[R1] null', one({ id: null }), 'R1'],
  ['[R1] an empty text', one({ id: '' }), 'R1'],
  ['[R1] NaN', one({ id: Number.NaN }), 'R1'],
  ['[R1] Infinity', one({ id: Number.POSITIVE_INFINITY }), 'R1'],
  ['[R1] a lone surrogate', one({ id: '\uDC00' }), 'R1'],
  ['[R2] NaN as a search param', list({ q: Number.NaN }), 'R2'],
  ['[R2] Infinity in a search param', list({ q: [1, Number.NEGATIVE_INFINITY] }), 'R2'],
  ['[R1] an object', one({ id: {} }), 'R1'],
  ['[R1] an array', one({ id: [1] }), 'R1'],
  ['[R1] a date', one({ id: new Date(0) }), 'R1'],
  ['[R1] a function', one({ id: () => 5 }), 'R1'],
  ['[R1] a symbol', one({ id: Symbol('id') }), 'R1'],
  ['[R1] an empty wildcard', wild({ rest: '' }), 'R1'],
  ['[R1] an empty array as a wildcard', wild({ rest: [] }), 'R1'],
  ['[R1] a wildcard with a hole', wild({ rest: ['a', undefined] }), 'R1'],
  ['[R1] a wildcard of objects', wild({ rest: [{}] }), 'R1'],
  ['[R1] parameters that are text', one('5'), 'R1'],
  [
    '[R1] a value whose getter throws',
    one(Object.defineProperty({}, 'id', { get: throwing })),
    own,
  ],
  ['[R1] parameters that throw', one(thorny()), own],
  ['[R2] an object', list({ q: { a: 1 } }), 'R2'],
  ['[R2] an object without a prototype', list({ q: Object.create(null) }), 'R2'],
  ['[R2] arrays in each other', list({ q: [[1]] }), 'R2'],
  ['[R2] a cycle', list({ q: cyclic }), 'R2'],
  ['[R2] a function', list({ q: throwing }), 'R2'],
  ['[R2] a symbol', list({ q: Symbol('q') }), 'R2'],
  ['[R2] an invalid date', list({ q: new Date(Number.NaN) }), 'R2'],
  ['[R2] an array with an object', list({ q: [1, {}] }), 'R2'],
  ['[R2] a toString that throws', list({ q: hostile }), own],
  ['[R2] a searchToString that throws', ask('/users', { searchToString: throwing })({ q: 1 }), own],
  ['[E1] cyclic arguments', (a) => a.answer(Todo, { id: 1 }, cyclic), TypeError],
  ['[E1] a toJSON that throws', (a) => a.answer(Todo, { id: 1 }, { toJSON: throwing }), own],
  ['[E1] arguments that throw', (a) => a.answer(Todo, { id: 1 }, thorny()), own],
  [
    '[N14] an argsKey that throws',
    (a) => a.answer(new Collection([Todo], { argsKey: throwing }), []),
    own,
  ],
])('%s: an error, no request is sent, and nothing is stored', (_, act, refusal) =>
  expect(refuses(act, refusal)).resolves.toBe(undefined),
);

test.each<[string, Act, unknown]>([
  ['[R2] null and undefined', list({ a: null, b: undefined }), 'http://x.test/users?a='],
  [
    '[R2] minus zero and huge numbers',
    list({ a: -0, b: 1e21 }),
    'http://x.test/users?a=0&b=1e%2B21',
  ],
  ['[R2] lone surrogates', list({ q: '\uD800' }), 'http://x.test/users?q=%EF%BF%BD'],
  ['[R2] CR, LF and NUL', list({ q: '\r\n\0' }), 'http://x.test/users?q=%0D%0A%00'],
  [
    '[R2] members that break out',
    list({ 'a&b=1#': '&c=2#' }),
    'http://x.test/users?a%26b%3D1%23=%26c%3D2%23',
  ],
  ['[R2] a list with holes', list({ q: [undefined, undefined] }), 'http://x.test/users'],
  ['[R2] a date', list({ q: new Date(0) }), 'http://x.test/users?q=1970-01-01T00%3A00%3A00.000Z'],
  ['[R2] frozen params', list(Object.freeze({ q: 1 })), 'http://x.test/users?q=1'],
  [
    '[R2] params without a prototype',
    list(Object.assign(Object.create(null), { q: 1 })),
    'http://x.test/users?q=1',
  ],
  ['[R1] a megabyte', async (a) => String(await one({ id: 'x'.repeat(1e6) })(a)).length, 1e6 + 20],
])('%s: the request is sent to the encoded URL', (_, act, expected) =>
  expect(accepts(act, expected)).resolves.toBe(undefined),
);

test.each<[string, string, object]>([
  ['[R1] a wildcard of another host', '/*rest', { rest: '/evil.test/x' }],
  ['[R1] a wildcard of two slashes', '/*rest', { rest: '//evil.test/x' }],
  ['[R1] a wildcard whose first segment is empty', '/*rest', { rest: ['', 'evil.test'] }],
  ['[R1] a bare wildcard of another host', '*rest', { rest: '//evil.test/x' }],
  ['[R1] an optional segment left out', '/{:lang}?/:id', { id: 'evil.test' }],
])('%s never becomes the host of the URL', (_, path, params) => {
  const get = new RestEndpoint<any>({ path });
  const address = () => {
    try {
      return get.url(params);
    } catch (error) {
      return (error as { status?: number }).status === 400 ? '/refused' : String(error);
    }
  };
  expect(new URL(address(), 'http://home.test/').host).toBe('home.test');
});

/** Two requests that differ must not share a key: the second would read the response of the first. */
test.each<[string, unknown, unknown]>([
  ['[E1] regular expressions', { q: /a/ }, { q: /b/ }],
  ['[E1] search params', new URLSearchParams('a=1'), new URLSearchParams('a=2')],
  ['[E1] maps and their entries', new Map([['a', 1]]), new Map([['a', 2]])],
  ['[E1] a number and its text', { q: 1 }, { q: '1' }],
  ['[E1] null and an absent member', { q: null }, {}],
  ['[E1] a bigint and its text', { q: 1n }, { q: '1n' }],
  ['[E1] NaN and null', { q: Number.NaN }, { q: null }],
  ['[E1] a list and its text', { q: [1, 2] }, { q: '[1,2]' }],
  ['[E1] member names with quotes', { 'a":1,"b': 2 }, { a: 1, b: 2 }],
  ['[E1] nesting', { a: { b: 1 } }, { a: {}, b: 1 }],
])('%s have different keys', async (_, one, other) => {
  await expect(
    accepts((a) => {
      const read = a.w.read('read', undefined);
      return read.key(one) === read.key(other);
    }, false),
  ).resolves.toBe(undefined);
});

test.each<[string, unknown, unknown]>([
  ['[N14] a list and its text', { q: [1, 2] }, { q: '[1,2]' }],
  ['[N14] an object and its text', { q: { a: 1 } }, { q: '{"a":1}' }],
  ['[N14] null and its text', { q: null }, { q: 'null' }],
  ['[N14] two dates', new Date(1), new Date(2)],
  ['[N14] two search params', new URLSearchParams('a=1'), new URLSearchParams('a=2')],
])('%s are separate lists', async (_, one, other) => {
  await expect(
    accepts(async (a) => {
      const rows = new Collection([Todo]);
      const read = a.w.read('rows', rows, { reply: () => [] });
      await a.w.controller.fetch(read, one);
      return a.w.controller.get(rows, other);
    }, undefined),
  ).resolves.toBe(undefined);
});
