/** @jsxImportSource preact */
// A page of Preact's, for the tests of this folder.
import { render } from 'preact';
import type { ComponentChildren } from 'preact';
import { Suspense } from 'preact/compat';
import { act } from 'preact/test-utils';
import { onTestFinished } from 'vitest';
import { Provider } from 'signalbox/preact';
import type { World } from '../contract/world.ts';

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Runs `job`, then waits until everything is quiet. */
export async function during(job?: () => unknown): Promise<void> {
  await act(async () => {
    await job?.();
    await quiet();
  });
  // suspended content mounts outside of the first act
  await act(quiet);
}

/** Mounts children inside of a provider and a boundary until the test ends. */
export async function mount(world: World, children: ComponentChildren): Promise<HTMLElement> {
  const root = document.body.appendChild(document.createElement('main'));
  onTestFinished(() => {
    render(null, root);
    root.remove();
  });
  await during(() =>
    render(
      <Provider controller={world.controller}>
        <Suspense fallback={<i>loading</i>}>{children}</Suspense>
      </Provider>,
      root,
    ),
  );
  return root;
}
