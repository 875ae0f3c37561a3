/** Path templates: accepted syntax, and values that cannot leave their segment. */
import * as fc from 'fast-check';
import { RestEndpoint } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { matchesPath, fillPath, path, shortenPath } from '../../src/rest/path.ts';
import { seed } from '../setup/seed.ts';

const fill = (template: string, params: object = {}) =>
  fillPath(template, params, { title: 'GET x' });

describe('filling', () => {
  test.each([
    ['/users/:id', { id: 5 }, '/users/5'],
    ['/users/:id', { id: 0 }, '/users/0'],
    ['/users/:id', { id: false }, '/users/false'],
    ['/users/:id', { id: '../admin' }, '/users/..%2Fadmin'],
    ['/users/:id', { id: 'a/b?x=1' }, '/users/a%2Fb%3Fx%3D1'],
    ['/users/:id', { id: 'a b#c%\\' }, '/users/a%20b%23c%25%5C'],
    ['/users/:id', { id: '\u{1F600}' }, '/users/%F0%9F%98%80'],
    ['/items/:"with-dash"', { 'with-dash': 'a/b' }, '/items/a%2Fb'],
    ['/items/*"the rest"', { 'the rest': ['a b', 'c'] }, '/items/a%20b/c'],
    ['/files/*rest', { rest: 'a b/c?/d' }, '/files/a%20b/c%3F/d'],
    ['/files/*rest', { rest: ['a/b', 'c'] }, '/files/a%2Fb/c'],
    ['/x/:name.json', { name: '..' }, '/x/...json'],
  ])('[R1] a path value is encoded as one segment: %s %j', (template, params, expected) => {
    expect(fill(template, params)).toBe(expected);
  });

  const strange: [string, unknown][] = [
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['a lone surrogate', 'a\uD800b'],
    ['half a pair', '\uDC00'],
  ];
  const refused: [string, unknown][] = [
    ['undefined', undefined],
    ['null', null],
    ['nothing', ''],
    ['an object', {}],
    ['an array', ['a']],
    ...strange,
  ];

  test.each(refused)(
    '[R1] %s as a path value throws R1, which names the endpoint and the param',
    (_, id) => {
      expect(() => fill('/users/:id', { id })).toThrow(
        expect.objectContaining({
          code: 'R1',
          status: 400,
          message: expect.stringMatching(/GET x: the path parameter "id" is /),
        }),
      );
    },
  );

  test('[R1] the error of a missing path value names the param and quotes the params', () => {
    expect(() => fill('/users/:id', { userId: 5 })).toThrow(
      'the path parameter "id" is undefined; the params are {"userId":5}; pass an object with this member',
    );
  });

  test.each(strange)(
    '[R1] %s as a value of an optional param, a group or a wildcard throws R1',
    (_, id) => {
      expect(() => fill('/users/:id?', { id })).toThrow(expect.objectContaining({ code: 'R1' }));
      expect(() => fill('/users{/:id}', { id })).toThrow(expect.objectContaining({ code: 'R1' }));
      expect(() => fill('/users/*id', { id: ['a', id] })).toThrow(
        expect.objectContaining({ code: 'R1' }),
      );
    },
  );

  test('[R1] a path param named like an inherited member throws R1', () => {
    expect(() => fill('/users/:constructor')).toThrow(/R1.*GET x.*"constructor"/);
  });

  test.each([
    ['/users/:id', { id: '.' }],
    ['/users/:id', { id: '..' }],
    ['/users/:id/x', { id: '..' }],
    ['/a/.:b', { b: '.' }],
    ['/a/%2e:b', { b: '.' }],
    ['/a/:b:c', { b: '.', c: '.' }],
    ['/a/*rest', { rest: 'x/../y' }],
  ])('[R1] a value that makes a dot segment throws R10: %s %j', (template, params) => {
    expect(() => fill(template, params)).toThrow(
      expect.objectContaining({ code: 'R10', status: 400 }),
    );
  });

  test.each([
    ['/users/:id(\\d+)/x', { id: 1 }, '/users/1/x'],
    ['/users/:id((?:a|b)\\))/x', { id: 1 }, '/users/1/x'],
    ['/users/:id?', {}, '/users'],
    ['/users/:id?', { id: 1 }, '/users/1'],
    ['/:id?', { id: 1 }, '/1'],
    ['/file.:ext?', {}, '/file'],
    ['/users{/:id}?', {}, '/users'],
    ['/users{/:id}?', { id: 1 }, '/users/1'],
    ['/users{/:id}', {}, '/users'],
    ['/users{/:id/:tab}/end', { id: 1 }, '/users/end'],
    ['/users{/:id/:tab}/end', { id: 1, tab: 2 }, '/users/1/2/end'],
    ['/users{/:id?}/end', {}, '/users/end'],
    ['http://host:8080/users/:id', { id: 1 }, 'http://host:8080/users/1'],
    ['http\\://host\\:8080/users/:id', { id: 1 }, 'http://host:8080/users/1'],
    ['/post?page=:page', { page: 2 }, '/post?page=2'],
    ['/post\\?page=:page', { page: 2 }, '/post?page=2'],
    ['/post/:id?page=:page', { id: 1, page: 2 }, '/post/1?page=2'],
    ['/post/:id\\?page=:page', { id: 1, page: 2 }, '/post/1?page=2'],
    ['/a//b/', {}, '/a//b/'],
    ['/items/:"a\\"b"(\\d+)?', { 'a"b': 1 }, '/items/1'],
    ['/items/:"a:b"', { 'a:b': 1 }, '/items/1'],
    ['/items/:"a:b"?', {}, '/items'],
    ['/Products(:id)/Parts', { id: 1 }, '/Products(1)/Parts'],
    ['/a\\(b', {}, '/a(b'],
    ['http://[::1]:8080/:id', { id: 1 }, 'http://[::1]:8080/1'],
  ])('[R3] the path %s with %j is %s', (template, params, expected) => {
    expect(fill(template, params)).toBe(expected);
  });

  test.each([
    ['/a{/:b', 2],
    ['/a/:b}', 5],
    ['/a/:b(\\d', 5],
    ['/a/*', 3],
    ['/a\\', 2],
    ['/{a{b}}', 3],
    ['/:', 1],
    [':', 0],
    ['/a/:/b', 3],
    ['/a:', 2],
    ['/:1', 1],
    ['/:-x', 1],
    ['/:\u00e9', 1],
    ['/:"', 1],
    ['/:""', 1],
    ['/a/*"b', 3],
    ['/a(b', 2],
    ['/a(:b', 2],
    ['/a)b', 2],
    ['/a/:b)', 5],
    ['/a)(', 2],
    ['/a/:b(c))', 8],
  ])('[R3] the path %s throws R3, which names the position', (template, position) => {
    expect(() => path(template)).toThrow(
      expect.objectContaining({
        code: 'R3',
        status: 400,
        message: expect.stringContaining(`at position ${position}: `),
      }),
    );
    expect(() => new RestEndpoint({ path: template })).toThrow(
      expect.objectContaining({ code: 'R3' }),
    );
  });

  test('[R3] a path template is parsed once', () => {
    expect(path('/once/:id')).toBe(path('/once/:id'));
  });

  test.each([
    ['names', ':a'.repeat(20_000)],
    ['optional names', ':a?'.repeat(20_000)],
    ['parentheses', `/:a${'('.repeat(50_000)}${')'.repeat(50_000)}`],
    ['groups', '{/:a}?'.repeat(20_000)],
    ['escapes', '\\:'.repeat(50_000)],
    ['names in quotes', ':"a-b"'.repeat(20_000)],
    ['open quotes', ':"'.repeat(20_000)],
    ['one open quote', `:"${'\\a'.repeat(20_000)}`],
    ['open parentheses', '('.repeat(20_000)],
    ['pairs of parentheses', '()'.repeat(20_000)],
    ['slashes', '/'.repeat(20_000)],
    ['escaped slashes', '\\/'.repeat(20_000)],
  ])('[R3] a path of %s is parsed in linear time', (_, template) => {
    // CPU time: other processes do not count
    const started = process.cpuUsage();
    try {
      path(template);
    } catch {
      // an error is fine, too
    }
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(500);
  });
});

describe('random path values', () => {
  const run = { seed, numRuns: 1000 };

  test(`[R1] no generated path value leaves its segment, seed ${run.seed}`, () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.webUrl(),
      fc.constantFrom('..', '.', '%2e', '\\', '\t'),
    );
    const property = fc.property(text, text, (a, b) => {
      fc.pre(![a, b].some((one) => one === '.' || one === '..'));
      const url = new URL(fill('/users/:a/posts/:b', { a, b }), 'http://host');
      expect(url.host + url.search + url.hash).toBe('host');
      const [, users, , posts, last, ...more] = url.pathname.split('/');
      expect([users, posts, more]).toEqual(['users', 'posts', []]);
      expect(decodeURIComponent(last as string)).toBe(b);
    });
    fc.assert(property, run);
  });

  test(`[R3] a filled path parses to its params, seed ${run.seed}`, () => {
    const templates = ['/users/:a', '/:a-:b/x', '/x{/:a}?/:b', '/f/*a', '/p?q=:a', '/:a?/:b?'];
    const text = fc
      .string({ minLength: 1 })
      .filter((one) => !/^\/|^\.{1,2}$|\/\.{0,2}(\/|$)|^\.{1,2}\//.test(one));
    const property = fc.property(fc.constantFrom(...templates), text, text, (template, a, b) => {
      const { parts } = path(template);
      expect(matchesPath(parts, fill(template, { a, b }))).toBe(true);
      expect(matchesPath(parts, `${fill(template, { a, b })}/other/thing`)).toBe(
        template.endsWith('*a'),
      );
    });
    fc.assert(property, run);
  });
});

describe('shortenPath', () => {
  test.each([
    ['/users/:id', '/users'],
    ['/a/:x/:y', '/a/:x'],
    ['/:id', '/'],
    ['/users/:id/details', '/users'],
    ['http://host:80/users/:id', 'http://host:80/users'],
    ['/users{/:id}?', '/users'],
    ['/a{/:x/:y}?', '/a{/:x}'],
    ['/a\\:b/:id', '/a\\:b'],
    ['/repos/:owner/*path', '/repos/:owner'],
    ['/repos/:owner{/*path}', '/repos/:owner'],
    ['/files/*path/:id', '/files/*path'],
    ['/a/:x(\\d*:y)/:z', '/a/:x(\\d*:y)'],
    ['/i/:"a/b"/:"c-d"', '/i/:"a/b"'],
  ])('[M3] shortenPath shortens %s to %s', (template, expected) => {
    expect(shortenPath(template)).toBe(expected);
  });

  test('[M3] shortenPath of a path without an argument throws R4', () => {
    expect(() => shortenPath('/users')).toThrow(expect.objectContaining({ code: 'R4' }));
  });
});
