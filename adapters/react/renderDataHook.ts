/** Runs a hook in its own component, under a controller with responses from fixtures. */
import * as React from 'react';
import type { ComponentType, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { cleanUpAfterEach, createRenderDataHook } from '../../src/testing/createRenderDataHook.ts';
import type { RenderDataHook, MountedRoot } from '../../src/testing/createRenderDataHook.ts';
import { createElementRenderer } from '../../src/testing/createElementRenderer.ts';
import type { FrameworkBindings } from '../../src/testing/createElementRenderer.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';
import { Provider } from './Provider.ts';
import type { ProviderProps } from './Provider.ts';

/** Wraps the component that a test renders. */
export type Wrapper = ComponentType<{ readonly children: ReactNode }>;

const { createElement, Fragment, Suspense, useLayoutEffect } = React;
const parts = { createElement, Fragment, Suspense, ErrorBoundary, useLayoutEffect };
const lent: FrameworkBindings = { ...parts, open, leaveAct };

/** `renderDataHook` with a custom provider, which must provide the `controller` prop. */
export function makeRenderDataHook(
  provider: ComponentType<ProviderProps>,
): RenderDataHook<Wrapper> {
  return createRenderDataHook(createElementRenderer(lent, provider));
}

/**
 * `renderDataHook(() => useSuspense(TodoResource.get, {id: 5}), {resolverFixtures})`: runs the hook inside of a
 * provider and a Suspense boundary, with its own store. Its last value or error is in `result`.
 */
export const renderDataHook: RenderDataHook<Wrapper> = makeRenderDataHook(Provider);
cleanUpAfterEach();

// absent in builds for production and in 18.2
const { act } = React as { act?: (job: () => void) => void };
// React 18 flushes only updates made inside of flushSync; 19 everything except transitions
const flushesAll = 'use' in React;

function open(): MountedRoot<unknown> {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  let last: ReactNode;
  let ended = false;
  const atOnce = (job: () => void) => inEnvironment(false, () => flushSync(job));
  const again = () => root.render(last);
  return {
    draw(element) {
      last = element as ReactNode;
      if (!ended) atOnce(again);
    },
    flush() {
      if (ended) return;
      if (flushesAll || act === undefined) atOnce(again);
      else inEnvironment(true, () => act(again));
    },
    end() {
      ended = true;
      atOnce(() => root.unmount());
      container.remove();
    },
  };
}

interface Realm {
  IS_REACT_ACT_ENVIRONMENT?: boolean | undefined;
}
const realm = globalThis as Realm;

function inEnvironment(isAct: boolean, job: () => void): void {
  const before = realm.IS_REACT_ACT_ENVIRONMENT;
  realm.IS_REACT_ACT_ENVIRONMENT = isAct;
  try {
    job();
  } finally {
    realm.IS_REACT_ACT_ENVIRONMENT = before;
  }
}

// how many callers have disabled it, and its value before the first
let left = 0;
let before: boolean | undefined;

function leaveAct(): () => void {
  if (left++ === 0) before = realm.IS_REACT_ACT_ENVIRONMENT;
  realm.IS_REACT_ACT_ENVIRONMENT = false;
  return () => {
    if (--left === 0) realm.IS_REACT_ACT_ENVIRONMENT = before;
  };
}
