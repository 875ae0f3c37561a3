// A sweep by hand frees the data of an unmounted component.
import type { ReactElement } from 'react';
import { useSuspense } from 'signalbox/react';
import { expect, test } from 'vitest';
import { world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';
import { collected } from '../setup/garbage.ts';
import { page } from './page.ts';

function List({ w }: { w: World }): ReactElement {
  return <p>{useSuspense(w.getList, {}).length}</p>;
}

test('[I3] sweep() frees the data of a component after the unmount and a garbage collection', async () => {
  const w = world();
  const { lines, unmount } = await page(w, <List w={w} />);
  expect(lines()).toEqual(['5']);
  const shown = w.controller.sweep();
  await unmount();
  await collected();
  await collected();
  expect(shown).toBeGreaterThan(5);
  expect(w.controller.sweep()).toBe(0);
  expect(w.controller.get(w.Todo, { id: 1 })).toBe(undefined);
});
