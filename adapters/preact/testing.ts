/** signalbox/testing/preact: hooks and components of Preact under fixtures. */
import { Fragment, h, options, render } from 'preact';
import type { ComponentChildren, ComponentType, VNode } from 'preact';
import { Suspense } from 'preact/compat';
import { useLayoutEffect, useState } from 'preact/hooks';
import { act } from 'preact/test-utils';
import {
  cleanUpAfterEach,
  createElementRenderer,
  createRenderDataHook,
} from '../../src/testing/createRenderDataHook.ts';
import type {
  FrameworkBindings,
  MountedRoot,
  RenderDataHook,
} from '../../src/testing/createRenderDataHook.ts';
import { initialFixturesOf, mockController } from '../../src/testing/mockController.ts';
import type { Fixture, MockOptions } from '../../src/testing/mockController.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';
import { Provider } from './Provider.ts';
import type { ProviderProps } from './Provider.ts';

export type {
  RenderDataHook,
  RenderDataHookResult,
  RenderHookOptions,
  WaitOptions,
} from '../../src/testing/createRenderDataHook.ts';

/** Wraps the component that a test renders. */
export type Wrapper = ComponentType<{ readonly children: ComponentChildren }>;

const functions = { createElement: h, Fragment, Suspense, ErrorBoundary, useLayoutEffect };
const bindings: FrameworkBindings = {
  ...functions,
  open: mountRoot,
  renderAtOnce: renderSynchronously,
};

/** `renderDataHook` with a custom provider, which must provide the `controller` prop. */
export function makeRenderDataHook(
  provider: ComponentType<ProviderProps>,
): RenderDataHook<Wrapper> {
  return createRenderDataHook(createElementRenderer(bindings, provider));
}

/**
 * `renderDataHook(() => useSuspense(TodoResource.get, {id: 5}), {resolverFixtures})`: runs the hook inside of a
 * provider and a Suspense boundary, with a new store. The hook's last value or error is in `result`.
 */
export const renderDataHook: RenderDataHook<Wrapper> = makeRenderDataHook(Provider);
cleanUpAfterEach();

function mountRoot(): MountedRoot<unknown> {
  const container = document.body.appendChild(document.createElement('div'));
  let isUnmounted = false;
  const draw = (element: unknown) => {
    if (!isUnmounted) void act(() => render(element as ComponentChildren, container));
  };
  return {
    draw,
    flush: () => void act(() => {}),
    end() {
      draw(null);
      isUnmounted = true;
      container.remove();
    },
  };
}

// the number of callers that want synchronous renders, and Preact's setting before the first
let requestedBy = 0;
let optionBefore: typeof options.debounceRendering;

function renderSynchronously(): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- restored later
  if (requestedBy++ === 0) optionBefore = options.debounceRendering;
  options.debounceRendering = (job) => job();
  return () => {
    if (--requestedBy > 0) return;
    if (optionBefore === undefined) delete options.debounceRendering;
    else options.debounceRendering = optionBefore;
  };
}

/** Props of `<MockProvider>`. */
export interface MockProviderProps {
  /** Fixtures with `args` are stored before the first render. All fixtures respond to requests. */
  readonly fixtures: readonly Fixture[];
  readonly children?: ComponentChildren;
}

/**
 * `<MockProvider fixtures={[…]}>`: nothing suspends, nothing reaches the network; a request without a fixture fails
 * with T1.
 */
// any: the props of a vnode are invariant
export function MockProvider({ fixtures, children }: MockProviderProps): VNode<any> {
  const [controller] = useState(() =>
    mockController({ fixtures, initialFixtures: initialFixturesOf(fixtures) }),
  );
  return h(Provider, { controller }, children);
}

/** Props of `<MockResolver>`: the options of `mockController`. */
// any: the data of interceptors may be of every type
export interface MockResolverProps<T = any> extends MockOptions<T> {
  readonly children?: ComponentChildren;
}

/**
 * `<MockResolver fixtures={[…]} getInitialInterceptorData={() => ({ count: 0 })}>`: a provider with a new store, for
 * tests and stories. Props are read at mount. A request without a matching fixture goes to the network, with a warning
 * (T1) unless `silenceMissing` is given.
 */
// any: the props of a vnode are invariant
export function MockResolver<T>(props: MockResolverProps<T>): VNode<any> {
  const { children, silenceMissing = false, ...options } = props;
  const [controller] = useState(() => mockController({ ...options, silenceMissing }));
  return h(Provider, { controller }, children);
}
