// Hooks outside of a provider of Solid 2.0.
import { createRoot } from 'solid-js';
import { useCancelling, useController } from 'signalbox/solid';
import { expect, test } from 'vitest';
import { world } from '../contract/world.ts';

test('[H1] a hook outside of a provider throws an error that names the fix', () => {
  const { getTodo } = world();
  const inRoot = (hook: () => unknown) => () => createRoot(() => void hook());
  expect(inRoot(() => useController())).toThrow(/A1.*useController.*outside a Provider/);
  for (const args of [{ id: 1 }, null])
    expect(inRoot(() => useCancelling(getTodo, () => args))).toThrow(/A1.*useCancelling.*outside/);
});
