/** signalbox/testing/solid: hooks and components of Solid under fixtures. */
import {
  createComponent,
  createSignal,
  ErrorBoundary,
  mergeProps,
  splitProps,
  Suspense,
  untrack,
} from 'solid-js';
import type { Component, JSX, ParentProps } from 'solid-js';
import { render } from 'solid-js/web';
import { noop } from '../../src/request/promiseTry.ts';
import { cleanUpAfterEach, createRenderDataHook } from '../../src/testing/createRenderDataHook.ts';
import type {
  MountedRoot,
  RenderDataHook,
  RenderInput,
} from '../../src/testing/createRenderDataHook.ts';
import { initialFixturesOf, mockController } from '../../src/testing/mockController.ts';
import type { Fixture, MockOptions } from '../../src/testing/mockController.ts';
import { Provider } from './Provider.ts';
import type { ProviderProps } from './Provider.ts';

export type {
  RenderDataHook,
  RenderDataHookResult,
  RenderHookOptions,
  WaitOptions,
} from '../../src/testing/createRenderDataHook.ts';

/** Wraps the component that a test renders. */
export type Wrapper = Component<ParentProps>;

/** `renderDataHook` with a custom provider, which must provide the `controller` prop. */
export function makeRenderDataHook(provider: Component<ProviderProps>): RenderDataHook<Wrapper> {
  return createRenderDataHook({
    mount: (input, props) => mountRoot(provider, input, props as object),
  });
}

/**
 * `renderDataHook((props) => useSuspense(getTodo, () => ({ id: props.id })), {initialProps: { id: 5 }})`: runs the hook
 * once, inside of a provider and a Suspense boundary, with a new store. `rerender` changes the hook's props. The hook's
 * value (for most hooks an accessor) or error is in `result`.
 */
export const renderDataHook: RenderDataHook<Wrapper> = /* @__PURE__ */ makeRenderDataHook(Provider);
cleanUpAfterEach();

function mountRoot(
  provider: Component<ProviderProps>,
  input: RenderInput<Wrapper>,
  initialProps: object = {},
): MountedRoot<unknown> {
  const container = document.body.appendChild(document.createElement('div'));
  const [props, setProps] = createSignal(initialProps);
  const dispose = render(() => renderHook(provider, input, mergeProps(props)), container);
  return {
    draw: (next) => void setProps(() => next ?? {}),
    // Solid renders synchronously
    flush: noop,
    end() {
      dispose();
      container.remove();
    },
  };
}

function renderHook(
  provider: Component<ProviderProps>,
  { controller, callback, wrapper = Unwrapped, tell }: RenderInput<Wrapper>,
  props: object,
): JSX.Element {
  const hook = () => {
    tell({ current: callback(props as never) });
    return null;
  };
  const fallback = (error: Error) => {
    tell({ error });
    return null;
  };
  const inside = () =>
    createComponent(
      Suspense,
      withChildren(() => createComponent(hook, {})),
    );
  const caught = () =>
    createComponent(ErrorBoundary, mergeProps({ fallback }, withChildren(inside)));
  const wrapped = () => createComponent(wrapper, withChildren(caught));
  return createComponent(provider, mergeProps({ controller }, withChildren(wrapped)));
}

/** Props with lazily created children. */
function withChildren(children: () => JSX.Element): { readonly children: JSX.Element } {
  return {
    get children() {
      return children();
    },
  };
}

const Unwrapped: Wrapper = (props) => props.children;

/** Props of `<MockProvider>`. */
export interface MockProviderProps {
  /** Fixtures with `args` are stored before the first render. All fixtures respond to requests. */
  readonly fixtures: readonly Fixture[];
  readonly children?: JSX.Element;
}

/**
 * `<MockProvider fixtures={[…]}>`: nothing suspends, nothing reaches the network; a request without a fixture fails
 * with T1.
 */
export function MockProvider(props: MockProviderProps): JSX.Element {
  const fixtures = untrack(() => props.fixtures);
  const controller = mockController({ fixtures, initialFixtures: initialFixturesOf(fixtures) });
  return createComponent(Provider, {
    controller,
    get children() {
      return props.children;
    },
  });
}

/** Props of `<MockResolver>`: the options of `mockController`. */
// any: the data of interceptors may be of every type
export interface MockResolverProps<T = any> extends MockOptions<T> {
  readonly children?: JSX.Element;
}

/**
 * `<MockResolver fixtures={[…]} getInitialInterceptorData={() => ({ count: 0 })}>`: a provider with a new store, for
 * tests and stories. Props are read at mount. A request without a matching fixture goes to the network, with a warning
 * (T1) unless `silenceMissing` is given.
 */
export function MockResolver<T>(props: MockResolverProps<T>): JSX.Element {
  const [content, options] = splitProps(props, ['children']);
  const controller = untrack(() => mockController({ silenceMissing: false, ...options }));
  return createComponent(Provider, mergeProps({ controller }, content));
}
