/** Path templates: what they accept, and that no value leaves its place. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesPath } from '../../src/rest/parsePath.ts';
import { fillPath, path, shortenPath } from '../../src/rest/path.ts';

const fill = (template: string, params: object = {}) => fillPath(template, params, 'GET x');

describe('filling', () => {
  test.each([
    ['/users/:id', { id: 5 }, '/users/5'],
    ['/users/:id', { id: 0 }, '/users/0'],
    ['/users/:id', { id: false }, '/users/false'],
    ['/users/:id', { id: '../admin' }, '/users/..%2Fadmin'],
    ['/users/:id', { id: 'a/b?x=1' }, '/users/a%2Fb%3Fx%3D1'],
    ['/users/:id', { id: 'a b#c%\\' }, '/users/a%20b%23c%25%5C'],
    ['/users/:id', { id: '\uD800' }, '/users/%EF%BF%BD'],
    ['/files/*rest', { rest: 'a b/c?/d' }, '/files/a%20b/c%3F/d'],
    ['/files/*rest', { rest: ['a/b', 'c'] }, '/files/a%2Fb/c'],
    ['/x/:name.json', { name: '..' }, '/x/...json'],
  ])('[R1] encodes each value as one segment: %s %j', (template, params, expected) => {
    expect(fill(template, params)).toBe(expected);
  });

  test.each([[undefined], [null], [''], [Number.NaN], [{}], [['a']]])(
    '[R1] refuses %s as a path value',
    (id) => {
      expect(() => fill('/users/:id', { id })).toThrow(
        expect.objectContaining({
          code: 'R1',
          status: 400,
          message: expect.stringContaining('"id"'),
        }),
      );
    },
  );

  test('[R1] takes no value from what every object inherits', () => {
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
  ])('[R1] refuses a value that makes a dot segment: %s %j', (template, params) => {
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
  ])('[R3] reads %s with %j as %s', (template, params, expected) => {
    expect(fill(template, params)).toBe(expected);
  });

  test.each(['/a{/:b', '/a/:b}', '/a/:b(\\d', '/a/*', '/a\\', '/{a{b}}'])(
    '[R3] refuses %s and says where',
    (template) => {
      expect(() => path(template)).toThrow(expect.objectContaining({ code: 'R3', status: 400 }));
    },
  );

  test('[R3] reads a template once', () => {
    expect(path('/once/:id')).toBe(path('/once/:id'));
  });

  test.each([
    ['names', ':a'.repeat(20_000)],
    ['optional names', ':a?'.repeat(20_000)],
    ['parentheses', `/:a${'('.repeat(50_000)}${')'.repeat(50_000)}`],
    ['groups', '{/:a}?'.repeat(20_000)],
    ['escapes', '\\:'.repeat(50_000)],
  ])('[R3] reads %s in linear time', (_, template) => {
    const started = performance.now();
    path(template);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('no value leaves its place', () => {
  const { seed } = fc.readConfigureGlobal() as { seed?: number };
  const run = { seed: seed ?? Date.now() % 2 ** 31, numRuns: 1000 };

  test(`[R1] for any text, seed ${run.seed}`, () => {
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
      expect(decodeURIComponent(last as string)).toBe(b.replace(/\p{Surrogate}/gu, '\uFFFD'));
    });
    fc.assert(property, run);
  });

  test(`[R3] what was filled is found again, seed ${run.seed}`, () => {
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
  ])('[M3] makes %s into %s', (template, expected) => {
    expect(shortenPath(template)).toBe(expected);
  });

  test('[M3] refuses a path without an argument', () => {
    expect(() => shortenPath('/users')).toThrow(expect.objectContaining({ code: 'R4' }));
  });
});
