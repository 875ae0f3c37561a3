/** Runs a hook in its own component, under a controller with responses from fixtures. */
import * as React from 'react';
import type { ComponentType, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import {
  cleanUpAfterEach,
  createRenderDataHook,
  createElementRenderer,
} from '../../src/testing/createRenderDataHook.ts';
import type {
  RenderDataHook,
  MountedRoot,
  FrameworkBindings,
} from '../../src/testing/createRenderDataHook.ts';
import type { mockController } from '../../src/testing/mockController.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';
import { Provider } from './Provider.ts';
import type { ProviderProps } from './Provider.ts';

/** Wraps the component that a test renders. */
export type Wrapper = ComponentType<{ readonly children: ReactNode }>;

const { createElement, Fragment, Suspense, useLayoutEffect } = React;
const functions = { createElement, Fragment, Suspense, ErrorBoundary, useLayoutEffect };
const bindings: FrameworkBindings = { ...functions, open: mountRoot, leaveAct };

/** `renderDataHook` with a custom provider, which must provide the `controller` prop. */
export function makeRenderDataHook(
  provider: ComponentType<ProviderProps>,
): RenderDataHook<Wrapper> {
  return renderDataHookWith(provider);
}

/** As `makeRenderDataHook`; `mock` creates the controllers. */
export function renderDataHookWith(
  provider: unknown,
  mock?: typeof mockController,
): RenderDataHook<Wrapper> {
  return createRenderDataHook(createElementRenderer(bindings, provider), mock);
}

/**
 * `renderDataHook(() => useSuspense(TodoResource.get, {id: 5}), {resolverFixtures})`: runs the hook inside of a
 * provider and a Suspense boundary, with a new store. The hook's last value or error is in `result`.
 */
export const renderDataHook: RenderDataHook<Wrapper> = makeRenderDataHook(Provider);
cleanUpAfterEach();

// absent in builds for production and in 18.2
const { act } = React as { act?: (job: () => void) => void };
// React 18 flushes only updates made inside of flushSync; 19 everything except transitions
const flushesAll = 'use' in React;

function mountRoot(): MountedRoot<unknown> {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  let content: ReactNode;
  let isUnmounted = false;
  const runSync = (job: () => void) => inActEnvironment(false, () => flushSync(job));
  const render = () => root.render(content);
  return {
    draw(element) {
      content = element as ReactNode;
      if (!isUnmounted) runSync(render);
    },
    flush() {
      if (isUnmounted) return;
      if (flushesAll || act === undefined) runSync(render);
      else inActEnvironment(true, () => act(render));
    },
    end() {
      isUnmounted = true;
      runSync(() => root.unmount());
      container.remove();
    },
  };
}

interface ActGlobal {
  IS_REACT_ACT_ENVIRONMENT?: boolean | undefined;
}
const global = globalThis as ActGlobal;

function inActEnvironment(isAct: boolean, job: () => void): void {
  const before = global.IS_REACT_ACT_ENVIRONMENT;
  global.IS_REACT_ACT_ENVIRONMENT = isAct;
  try {
    job();
  } finally {
    global.IS_REACT_ACT_ENVIRONMENT = before;
  }
}

// the number of callers that have disabled the act environment, and the value before the first
let disabledBy = 0;
let valueBefore: boolean | undefined;

function leaveAct(): () => void {
  if (disabledBy++ === 0) valueBefore = global.IS_REACT_ACT_ENVIRONMENT;
  global.IS_REACT_ACT_ENVIRONMENT = false;
  return () => {
    if (--disabledBy === 0) global.IS_REACT_ACT_ENVIRONMENT = valueBefore;
  };
}
