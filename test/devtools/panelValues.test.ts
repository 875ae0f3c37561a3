// @vitest-environment happy-dom
/** The panel shows every kind of value as text, and runs none of the text. */
import { Entity } from 'signalbox';
import { expect, test } from 'vitest';
import { world } from '../setup/world.ts';
import { OpenedPanel } from './openedPanel.ts';

class Odd {
  get bad(): string {
    throw new Error('never read');
  }
}

class Thing extends Entity {
  id = 0;
  value: unknown = undefined;
}

const cyclic: { self?: object } = {};
cyclic.self = cyclic;
const own = Object.defineProperty({ a: 1 }, 'b', {
  enumerable: true,
  get: () => {
    throw new Error('never read');
  },
});
const closed = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error('never listed');
    },
  },
);

test.each([
  ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['no date', new Date(Number.NaN), 'Invalid Date'],
  ['a map', new Map([['a', [1]]]), 'Map(1) {"a": [1]}'],
  ['a set', new Set([1, 2]), 'Set(2) [1, 2]'],
  ['a cycle', cyclic, '{self: {self: {self: {…}}}}'],
  ['a class', new Odd(), 'Odd {}'],
  ['a getter', own, '{a: 1, b: (…)}'],
  ['a proxy', closed, '(cannot be read)'],
  ['an error', new TypeError('no'), 'TypeError: no'],
  ['bytes', new Uint8Array(3), 'Uint8Array (3 bytes)'],
  ['a big number', 10n, '10n'],
  ['text that looks like HTML', '<img src=x onerror=alert(1)>', '"<img src=x onerror=alert(1)>"'],
])('[T2] %s is shown as text, and no code in the value is run', async (_, value, text) => {
  const w = world();
  const { controller } = w;
  const get = w.read('get', undefined);
  void controller.fetch(get);
  await w.call().answer({ value });
  const panel = new OpenedPanel(controller);
  panel.open('Requests');
  panel.choose('');
  const bare = (words: string) => words.replaceAll(/\s/g, '');
  expect(bare(panel.one('pre').textContent)).toContain(bare(text));
  expect(panel.all('img')).toEqual([]);
});

test('[T2] a string of 1 MB is truncated, and is found by its beginning', async () => {
  const w = world();
  await w.controller.set(Thing, { id: 1 }, { value: 'x'.repeat(1_000_000) });
  const panel = new OpenedPanel(w.controller);
  panel.filter('value: xxx');
  panel.choose('Thing 1');
  expect(panel.text.length).toBeLessThan(2_000);
  expect(panel.line('value')?.[1]).toMatch(/^"x{398}…$/);
});
