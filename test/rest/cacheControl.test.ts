/** Cache-Control, well-formed and malformed. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cacheControl } from '../../src/rest/fetchConditional.ts';

const MOST = 2 ** 31;

test.each<[string, Record<string, number>]>([
  ['', {}],
  ['max-age=60', { 'max-age': 60 }],
  ['Max-Age=60', { 'max-age': 60 }],
  [' max-age = 60 ,no-cache ', { 'max-age': 60, 'no-cache': 0 }],
  ['max-age="60"', { 'max-age': 60 }],
  ['max-age="60', { 'max-age': 60 }],
  ['max-age=60, max-age=5', { 'max-age': 5 }],
  ['max-age=60, max-age', { 'max-age': 0 }],
  ['max-age=-1', { 'max-age': 0 }],
  ['max-age=1.5', { 'max-age': 0 }],
  ['max-age=1e9', { 'max-age': 0 }],
  ['max-age=0x10', { 'max-age': 0 }],
  ['max-age=60; no-store', { 'max-age': 0 }],
  ['max-age=٦', { 'max-age': 0 }],
  [`max-age=${'9'.repeat(400)}`, { 'max-age': MOST }],
  ['private="set-cookie, max-age=1", max-age=60', { private: 0, 'max-age': 60 }],
  ['no-cache="a, no-store"', { 'no-cache': 0 }],
  ['__proto__=5, constructor', { ['__proto__']: 5, constructor: 0 }],
  [',,=,"",= ="', {}],
])('[F6] parses the Cache-Control directives of: %s', (text, expected) => {
  expect([...cacheControl(text)]).toEqual(Object.entries(expected));
});

const space = fc.constantFrom('', ' ', '\t ', '  ');
const directive = fc.record({
  name: fc.constantFrom('max-age', 'stale-while-revalidate', 'no-cache', 'No-Store', 'x-own'),
  seconds: fc.option(fc.nat(10_000)),
  quoted: fc.boolean(),
  around: fc.tuple(space, space, space),
});

test('[F6] Cache-Control parsing uses the smallest value of repeated directives, in any spelling', () => {
  fc.assert(
    fc.property(fc.array(directive, { maxLength: 8 }), (directives) => {
      const expected: Record<string, number> = {};
      const texts = directives.map(({ name, seconds, quoted, around: [a, b, c] }) => {
        const key = name.toLowerCase();
        expected[key] = Math.min(expected[key] ?? Infinity, seconds ?? 0);
        const value = quoted ? `"${seconds}"` : `${seconds}`;
        return seconds === null ? `${a}${name}${b}` : `${a}${name}${b}=${c}${value}${a}`;
      });
      expect(Object.fromEntries(cacheControl(texts.join(',')))).toEqual(expected);
    }),
  );
});

const noise = fc.string({
  unit: fc.constantFrom('a', '-', '9', '=', '"', ',', ';', '\\', ' ', '\t', '\0', 'é', '\u{1f600}'),
  maxLength: 200,
});

test('[F6] Cache-Control parsing of any text never throws, and returns names with whole seconds', () => {
  fc.assert(
    fc.property(fc.oneof(noise, fc.string()), (text) => {
      for (const [name, seconds] of cacheControl(text)) {
        expect(name).toMatch(/^[^\s,="]+$/);
        expect(Number.isInteger(seconds) && seconds >= 0 && seconds <= MOST).toBe(true);
      }
    }),
  );
});

test.each(['"', '="', '=" ', '\\"', ' ', 'a ', 'a=', 'a ="', ',', 'a=" ,', '= ='])(
  '[F6] Cache-Control parsing finds max-age before a million characters of %j',
  (part) => {
    const text = `max-age=1,${part.repeat(1_000_000 / part.length)}`;
    expect(cacheControl(text).get('max-age')).toBe(1);
  },
);
