/** Runs a hook in its own component, under a controller with responses from fixtures. */
import { noop } from '../../src/request/promiseTry.ts';
import { cleanUpAfterEach, createRenderDataHook } from '../../src/testing/createRenderDataHook.ts';
import type {
  MountedRoot,
  RenderDataHook,
  RenderInput,
} from '../../src/testing/createRenderDataHook.ts';
import { Provider } from './Provider.ts';
import type { ProviderProps } from './Provider.ts';
import { ErrorBoundary, Suspense, createComponent, createSignal, mergeProps } from 'solid-js';
import type { Component, JSX, ParentProps } from 'solid-js';
import { render } from 'solid-js/web';

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
 * once, inside of a provider and a Suspense boundary, with its own store. `rerender` changes the hook's props. The
 * hook's value (for most hooks an accessor) or error is in `result`.
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
