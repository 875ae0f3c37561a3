// The controller's signals in components that @preact/signals-react tracks.
import { useSignals } from '@preact/signals-react/runtime';
import { computed } from '@preact/signals-react';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { world } from '../contract/world.ts';
import { page } from './page.ts';

test('[V1] a component that reads the signal of an entity re-renders only when that entity changes', async () => {
  const w = world();
  await w.controller.set(
    [w.Todo],
    [
      { id: 1, title: 'a' },
      { id: 2, title: 'b' },
    ],
  );
  const Title = (): ReactElement => {
    // the compiler takes a signal for an object that did not change
    'use no memo';
    useSignals();
    w.count('title');
    return <li>{w.controller.entity(w.Todo, 1).value?.title}</li>;
  };
  const { act, lines } = await page(w, <Title />);
  w.ran();
  await act(() => w.controller.set(w.Todo, { id: 2 }, { title: 'other' }));
  expect(w.ran()).toEqual({});
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
  expect(lines()).toEqual(['new']);
  expect(w.ran()).toEqual({ title: 1 });
});

test('[V1] a computed signal of an entity changes the text without a render', async () => {
  const w = world();
  await w.controller.set(w.Todo, { id: 1 }, { title: 'a' });
  const title = computed(() => w.controller.entity(w.Todo, 1).value?.title);
  const Title = (): ReactElement => {
    w.count('title');
    return <li>{title}</li>;
  };
  const { act, lines } = await page(w, <Title />);
  w.ran();
  await act(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
  expect(lines()).toEqual(['new']);
  expect(w.ran()).toEqual({});
});
