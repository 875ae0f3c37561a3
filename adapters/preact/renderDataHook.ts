/** Runs a hook in a component of its own, under a controller that answers from fixtures. */
import { Fragment, h, render } from 'preact';
import type { ComponentChildren, ComponentType } from 'preact';
import { Suspense } from 'preact/compat';
import { useLayoutEffect } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { cleanUpAfterEach, renderingWith } from '../../src/testing/renderingWith.ts';
import type { RenderDataHook, Stage } from '../../src/testing/renderingWith.ts';
import { theatreOf } from '../../src/testing/theatreOf.ts';
import type { Lent } from '../../src/testing/theatreOf.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';
import { Provider } from './Provider.ts';
import type { ProviderProps } from './Provider.ts';

/** Stands around the component that a test renders. */
export type Wrapper = ComponentType<{ readonly children: ComponentChildren }>;

const parts = { createElement: h, Fragment, Suspense, ErrorBoundary, useLayoutEffect };
const lent: Lent = { ...parts, open, during };

/** `renderDataHook` with a provider of your own, which lends the `controller` that it is given. */
export function makeRenderDataHook(
  provider: ComponentType<ProviderProps>,
): RenderDataHook<Wrapper> {
  return renderingWith(theatreOf(lent, provider));
}

/**
 * `renderDataHook(() => useSuspense(TodoResource.get, {id: 5}), {resolverFixtures})`: runs the hook inside of a provider
 * and a Suspense boundary, with a store of its own. What it gives or throws is in `result`.
 */
export const renderDataHook: RenderDataHook<Wrapper> = makeRenderDataHook(Provider);
cleanUpAfterEach(renderDataHook);

function open(): Stage<unknown> {
  const container = document.body.appendChild(document.createElement('div'));
  const draw = (element: unknown) =>
    void act(() => render(element as ComponentChildren, container));
  return {
    draw,
    end() {
      draw(null);
      container.remove();
    },
  };
}

async function during(job: () => Promise<void>): Promise<void> {
  await act(job);
  // what was suspended mounts outside of the first
  await act(async () => {});
}
