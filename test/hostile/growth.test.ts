/** Twice the input takes about twice the work: measured in the same run, or by counting. */
import { Endpoint, Entity, RestEndpoint, shortenPath } from 'signalbox';
import { expect, test } from 'vitest';
import { world } from '../setup/world.ts';

const rest = (path: string, options: object = {}): any =>
  new RestEndpoint<any>({ path, ...options });

/** The CPU time of this process so far, ms: other processes do not count. */
function worked(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The shortest of several runs, ms. A short function runs often enough for the engine to compile the function. */
function least(work: () => unknown): number {
  let best = Infinity;
  const began = worked();
  for (let run = 0; run < 5 || (run < 50 && worked() - began < 10); run++) {
    const from = worked();
    try {
      work();
    } catch {
      // an invalid template throws in linear time as well
    }
    best = Math.min(best, worked() - from);
  }
  return best;
}

const MOST = 24;

/** How much more work eight times the input is: linear about 8, quadratic 64. Noise gets eight chances. */
function growth(work: (n: number) => () => unknown, n = 10_000): number {
  let best = Infinity;
  for (let chance = 0; chance < 8 && best > MOST; chance++) {
    const once = least(work(n));
    best = Math.min(best, least(work(8 * n)) / Math.max(once, 0.05));
  }
  return best;
}

let fresh = 0;
/** A path is parsed once, so each run has another path. */
const unread = (text: string): string => `/${fresh++}${text}`;

test.each<[string, (n: number) => string]>([
  ['[R3] slashes', (n) => '/'.repeat(n)],
  ['[R3] parameters', (n) => '/:a'.repeat(n)],
  ['[R3] optional parameters', (n) => '/:a?'.repeat(n)],
  ['[R3] question marks', (n) => `/:a${'?'.repeat(n)}`],
  ['[R3] possible queries', (n) => `/:a?${'x'.repeat(n)}`.repeat(2)],
  ['[R3] queries', (n) => '/:a?b=:c'.repeat(n)],
  ['[R3] constraints', (n) => `/:a${'('.repeat(n)}${')'.repeat(n)}`],
  ['[R3] constraints that are never closed', (n) => '/:a(('.repeat(n)],
  ['[R3] groups', (n) => '{/:a}?'.repeat(n)],
  ['[R3] escapes', (n) => '\\:'.repeat(n)],
  ['[R3] colons', (n) => ':'.repeat(n)],
  ['[R3] wildcards', (n) => '/*a'.repeat(n)],
  ['[R3] a long name', (n) => `/:${'a'.repeat(n)}`],
])('%s in a path are parsed in linear time', (_, text) => {
  expect(growth((n) => () => rest(unread(text(n))), 2_000)).toBeLessThan(MOST);
});

test.each<[string, (n: number) => string, length?: number]>([
  ['[M3] parameters', (n) => '/:a'.repeat(n)],
  // V8 stores longer arrays apart, which takes ten times as long: both lengths of the comparison are above
  ['[M3] backslashes', (n) => '\\'.repeat(n), 80_000],
  ['[M3] colons', (n) => `${':'.repeat(n)}a`],
  ['[M3] braces', (n) => `/:a${'{'.repeat(n)}`],
])('%s: shortenPath takes linear time', (_, text, length) => {
  expect(
    growth((n) => {
      const path = text(n);
      return () => shortenPath(path);
    }, length),
  ).toBeLessThan(MOST);
});

test.each<[string, string, (n: number) => string]>([
  ['[R3] one parameter', '/:a', (n) => `/${'x'.repeat(n)}/`],
  ['[R3] wildcards', '/*a/x/*b/y/*c/z', (n) => '/x'.repeat(n)],
  ['[R3] wildcards side by side', '/*a*b*c', (n) => `/${'x'.repeat(n)}?`],
  ['[R3] parameters side by side', '/:a:b:c:d:e', (n) => `/${'x'.repeat(n)}/`],
  ['[R3] optional parts', '{/:a}{/:b}{/:c}{/:d}/end', (n) => '/x'.repeat(n)],
  ['[R3] text that repeats the path', '/a:b', (n) => '/aa'.repeat(n)],
])('%s: testKey takes linear time', (_, path, text) => {
  const endpoint = rest(path);
  expect(
    growth((n) => {
      const key = `GET ${text(n)}`;
      return () => endpoint.testKey(key);
    }),
  ).toBeLessThan(MOST);
});

// V8 keeps large objects apart from small ones, where each costs more: both sizes must be large
const LARGE = 100_000;

test.each<[string, (n: number) => [object, object], number?]>([
  ['[R1] a long value', (n) => [{ id: '/'.repeat(n) }, {}], LARGE],
  ['[R1] surrogates', (n) => [{ id: '\uD800'.repeat(n) }, {}]],
  [
    '[R2] many members',
    (n) => [
      { id: 1, ...Object.fromEntries(Array.from({ length: n / 10 }, (_, at) => [`k${at}`, at])) },
      {},
    ],
  ],
  ['[R2] a long list', (n) => [{ id: 1, q: Array.from({ length: n }, () => 'x') }, {}]],
])('%s: the URL is built in linear time', (_, make, smaller) => {
  const get = rest('/users/:id');
  expect(
    growth((n) => {
      const [params] = make(n);
      return () => get.url(params);
    }, smaller),
  ).toBeLessThan(MOST);
});

test.each<[string, (n: number) => unknown, number?]>([
  ['[E1] wide', (n) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`k${at}`, at]))],
  ['[E1] long', (n) => Array.from({ length: n }, (_, at) => at), LARGE],
  [
    '[E1] deep',
    (n) => {
      let value: unknown = 1;
      for (let i = 0; i < n / 40; i++) value = { a: value };
      return value;
    },
  ],
])('%s arguments make a key in linear time', (_, make, smaller) => {
  const get = new Endpoint(async (_args: unknown) => 1, { name: 'get' });
  expect(
    growth((n) => {
      const args = make(n);
      return () => get.key(args);
    }, smaller),
  ).toBeLessThan(MOST);
});

test.each<[string, string]>([
  ['[R6] spaces', 'application/json'.padEnd(16_000, ' ')],
  ['[R6] words that resemble JSON', '/json '.repeat(2_600)],
  ['[R6] slashes', '/'.repeat(16_000)],
])('%s in a content type are parsed in linear time', async (_, type) => {
  const time = async (length: number) => {
    const headers = { 'content-type': `${type.slice(0, length)}x` };
    const get = rest('/a', { fetchResponse: async () => new Response('{}', { headers }) });
    const from = worked();
    for (let run = 0; run < 50; run++) await get();
    return worked() - from;
  };
  await time(4_000);
  let best = Infinity;
  // four times the input: linear about 4, quadratic 16
  for (let chance = 0; chance < 8 && best > 10; chance++) {
    const [once, four] = [await time(4_000), await time(16_000)];
    best = Math.min(best, four / Math.max(once, 1));
  }
  expect(best).toBeLessThan(10);
});

test('[N11] a chain of twice the length calls process twice as often', async () => {
  const counts = [];
  for (const length of [1_000, 2_000]) {
    let asked = 0;
    class Link extends Entity {
      id = 0;
      next: Link | null = null;
      static override schema = { next: Link };
      static override process(input: unknown): unknown {
        asked++;
        return input;
      }
    }
    let chain: object | null = null;
    for (let id = length; id > 0; id--) chain = { id, next: chain };
    const w = world();
    await w.controller.set(Link, { id: 1 }, chain);
    counts.push(asked);
  }
  expect(counts).toEqual([1_000, 2_000]);
});
