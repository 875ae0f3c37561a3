/** Runs a hook in a component of its own, under a controller that answers from fixtures. */
import { createComponent, createSignal, ErrorBoundary, mergeProps, Suspense } from 'solid-js';
import type { Component, JSX, ParentProps } from 'solid-js';
import { render } from 'solid-js/web';
import { cleanUpAfterEach, renderingWith } from '../../src/testing/renderingWith.ts';
import type { RenderDataHook, Scene, Stage } from '../../src/testing/renderingWith.ts';
import { noop } from '../../src/fetch/promiseTry.ts';
import { Provider } from './Provider.ts';
import type { ProviderProps } from './Provider.ts';

/** Stands around what a test renders. */
export type Wrapper = Component<ParentProps>;

/** `renderDataHook` with a provider of your own, which lends the `controller` that it is given. */
export function makeRenderDataHook(provider: Component<ProviderProps>): RenderDataHook<Wrapper> {
  return renderingWith({ mount: (scene, props) => mounted(provider, scene, props as object) });
}

/**
 * `renderDataHook((props) => useSuspense(getTodo, () => ({ id: props.id })), {initialProps: { id: 5 }})`: runs the hook
 * once, inside of a provider and a Suspense boundary, with a store of its own. `rerender` changes the props it was given.
 * What it gave (of most hooks an accessor) or threw is in `result`.
 */
export const renderDataHook: RenderDataHook<Wrapper> = /* @__PURE__ */ makeRenderDataHook(Provider);
cleanUpAfterEach();

function mounted(
  provider: Component<ProviderProps>,
  scene: Scene<Wrapper>,
  initialProps: object = {},
): Stage<unknown> {
  const container = document.body.appendChild(document.createElement('div'));
  const [props, setProps] = createSignal(initialProps);
  const dispose = render(() => stage(provider, scene, mergeProps(props)), container);
  return {
    draw: (next) => void setProps(() => next ?? {}),
    // Solid draws at once
    flush: noop,
    end() {
      dispose();
      container.remove();
    },
  };
}

function stage(
  provider: Component<ProviderProps>,
  { controller, callback, wrapper = Bare, tell }: Scene<Wrapper>,
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
      around(() => createComponent(hook, {})),
    );
  const caught = () => createComponent(ErrorBoundary, mergeProps({ fallback }, around(inside)));
  const wrapped = () => createComponent(wrapper, around(caught));
  return createComponent(provider, mergeProps({ controller }, around(wrapped)));
}

/** Props whose children are made when they are asked for. */
function around(children: () => JSX.Element): { readonly children: JSX.Element } {
  return {
    get children() {
      return children();
    },
  };
}

const Bare: Wrapper = (props) => props.children;
