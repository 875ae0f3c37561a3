/** Runs a hook in a component of its own, under a controller that answers from fixtures. */
import * as React from 'react';
import type { ComponentType, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { cleanUpAfterEach, renderingWith } from '../../src/testing/renderingWith.ts';
import type { RenderDataHook, Stage } from '../../src/testing/renderingWith.ts';
import { theatreOf } from '../../src/testing/theatreOf.ts';
import type { Lent } from '../../src/testing/theatreOf.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';
import { Provider } from './Provider.ts';
import type { ProviderProps } from './Provider.ts';

/** Stands around the component that a test renders. */
export type Wrapper = ComponentType<{ readonly children: ReactNode }>;

const { createElement, Fragment, Suspense, useLayoutEffect } = React;
const parts = { createElement, Fragment, Suspense, ErrorBoundary, useLayoutEffect };
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
  const root = createRoot(container);
  // not inside of act: it wants to be awaited where something suspends
  const atOnce = (job: () => void) => inEnvironment(false, () => flushSync(job));
  return {
    draw: (element) => atOnce(() => root.render(element as ReactNode)),
    end() {
      atOnce(() => root.unmount());
      container.remove();
    },
  };
}

/** Builds for production, and 18.2, have no act: React draws in its own time, and holds fallbacks for 300 ms. */
async function during(job: () => Promise<void>): Promise<void> {
  const { act } = React as { act?: (job: () => Promise<void>) => Promise<void> };
  await inEnvironment(act !== undefined, async () => act?.(job) ?? job());
}

/** Until `job` is done, says whether React is to hold what is drawn for `act`. */
function inEnvironment<T>(isAct: boolean, job: () => T): T {
  const realm = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean | undefined };
  const before = realm.IS_REACT_ACT_ENVIRONMENT;
  const restore = () => void (realm.IS_REACT_ACT_ENVIRONMENT = before);
  realm.IS_REACT_ACT_ENVIRONMENT = isAct;
  const done = job();
  if (done instanceof Promise) return done.finally(restore) as T;
  restore();
  return done;
}
