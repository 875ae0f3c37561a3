/** Runs a hook in a component of its own, under a controller that answers from fixtures. */
import { Fragment, h, options, render } from 'preact';
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
const lent: Lent = { ...parts, open, renderAtOnce };

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
cleanUpAfterEach();

function open(): Stage<unknown> {
  const container = document.body.appendChild(document.createElement('div'));
  let ended = false;
  const draw = (element: unknown) => {
    if (!ended) void act(() => render(element as ComponentChildren, container));
  };
  return {
    draw,
    flush: () => void act(() => {}),
    end() {
      draw(null);
      ended = true;
      container.remove();
    },
  };
}

// how many want it, and how Preact put renders off before the first
let wanted = 0;
let before: typeof options.debounceRendering;

function renderAtOnce(): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was
  if (wanted++ === 0) before = options.debounceRendering;
  options.debounceRendering = (job) => job();
  return () => {
    if (--wanted > 0) return;
    if (before === undefined) delete options.debounceRendering;
    else options.debounceRendering = before;
  };
}
