/** The laws find faults in a library that breaks the rules. */
import { Controller } from 'signalbox';
import { expect, test, vi } from 'vitest';
import { play } from './program.ts';
import type { Step } from './program.ts';
import { MountedViews } from './mountedViews.ts';

const shown: readonly Step[] = [
  ['readRow', 1, false],
  ['answer', 0],
];
const kinds = (faults: readonly string[]) => [
  ...new Set(faults.map((fault) => fault.split(':')[0])),
];

test('[CODE] the laws detect a lost invalidation', async () => {
  vi.spyOn(Controller.prototype, 'invalidate').mockImplementation(() => {});
  expect(kinds(await play([...shown, ['invalidate', 1]]))).toEqual(['invalidation lost']);
});

test('[CODE] the laws detect a reset that keeps data or notifies no reader', async () => {
  vi.spyOn(Controller.prototype, 'reset').mockImplementation(() => {});
  expect(kinds(await play([...shown, ['reset']]))).toEqual(['reset leaks']);
  const waiting = await play([['readRow', 1, false], ['reset']]);
  expect(waiting).toEqual(['reset not told: get']);
});

test('[CODE] the laws detect data that are never stored', async () => {
  vi.spyOn(Controller.prototype, 'set').mockResolvedValue();
  expect(kinds(await play([['set', 1, 'a']]))).toEqual(['data lost']);
  expect(kinds(await play([...shown, ['set', 1, 'a']]))).toEqual(['newer value lost']);
});

test('[CODE] the laws detect a step of two commits, and a reader that sees the state between them', async () => {
  const set = Reflect.get(Controller.prototype, 'set');
  vi.spyOn(Controller.prototype, 'set').mockImplementation(function (this: Controller, ...args) {
    void Reflect.apply(set, this, [args[0], args[1], { a: 'in between' }]);
    return Reflect.apply(set, this, args);
  });
  expect(kinds(await play([...shown, ['set', 1, 'a']]))).toEqual([
    'woken more than once',
    'mix of two commits',
    'several commits for one step',
  ]);
});

test('[CODE] the laws detect a caller whose result differs from the data of readers', async () => {
  const fetch = Reflect.get(Controller.prototype, 'fetch');
  vi.spyOn(Controller.prototype, 'fetch').mockImplementation(function (this: Controller, ...args) {
    return Reflect.apply(fetch, this, args).then((value) => ({ ...(value as object) }) as never);
  });
  expect(kinds(await play(shown))).toEqual(['caller gets another value']);
});

test('[CODE] the laws detect a mounted reader that sends no request, or loses a deleted entity', async () => {
  const result = { peek: () => ({ status: 'success' }) };
  const deaf = { result, retain: () => () => {}, revalidate: () => {} };
  const mount = Reflect.get(MountedViews.prototype, 'mount');
  vi.spyOn(MountedViews.prototype, 'mount').mockImplementation(function (this: MountedViews, name) {
    Reflect.apply(mount, this, [name, deaf]);
  });
  const created: readonly Step[] = [
    ['mount', 'page'],
    ['readList', 'page'],
    ['answer', 0],
    ['create', 'x'],
    ['answer', 0],
  ];
  expect(kinds(await play(created))).toEqual(['doubtful list not asked for']);
  const removed: readonly Step[] = [['mount', 1], ...shown, ['remove', 1], ['answer', 0]];
  expect(kinds(await play(removed))).toEqual(['deleted row left its reader']);
});
