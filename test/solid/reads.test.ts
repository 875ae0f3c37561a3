// useSuspenseAll and useDLEAll in Solid: reads that depend on another accessor, and reads that throw.
import { createComponent, createSignal, ErrorBoundary } from 'solid-js';
import { expect, test } from 'vitest';
import { useDLEAll, useSuspense, useSuspenseAll } from 'signalbox/solid';
import { line, stateLine, world } from '../contract/world.ts';
import { element, mount, quiet, suspense } from './mount.ts';

const settled = async (): Promise<void> => {
  for (let times = 0; times < 4; times++) await quiet();
};

test('[H2] useSuspenseAll and useDLEAll wait for the accessor that their arguments read, and send no other request', async () => {
  const w = world();
  const { root } = mount(w, () => {
    const todo = useSuspense(w.getTodo, () => ({ id: 2 }));
    const all = useSuspenseAll(() => [
      [w.getTodo, { id: todo().userId + 1 }],
      [w.getList, { userId: todo().userId }],
    ]);
    const states = useDLEAll(() => [[w.getTodo, { id: todo().userId + 2 }]]);
    return suspense(() => [
      element('p', () => `${line(all()[0])} of ${all()[1].length}`),
      element('p', () => states().map(stateLine).join()),
    ]);
  });
  await expect.poll(() => root.textContent).toBe('t3 by ada of 2t4 by bob');
  await settled();
  expect([...w.server.log].sort()).toEqual([
    'GET /todos/2',
    'GET /todos/3',
    'GET /todos/4',
    'GET /todos?userId=2',
  ]);
});

test('[H7] an exception in the reads function is thrown by the accessor until the reads change', async () => {
  const w = world();
  const [broken, setBroken] = createSignal(true);
  let retry = (): void => {};
  const { root } = mount(w, () => {
    const all = useSuspenseAll(() => {
      if (broken()) throw new Error('no ids');
      return [[w.getTodo, { id: 1 }]];
    });
    return createComponent(ErrorBoundary, {
      fallback: (error: Error, reset) => {
        retry = reset;
        return element('b', error.message);
      },
      get children() {
        return suspense(() => element('p', () => all().map(line).join()));
      },
    });
  });
  await settled();
  expect(root.textContent).toBe('no ids');
  setBroken(false);
  retry();
  await expect.poll(() => root.textContent).toBe('t1 by ada');
});
