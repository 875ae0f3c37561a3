/** Where frameworks that have elements and layout effects run a hook of a test: React and Preact. */
import type { Scene, Stage, Theatre } from './renderingWith.ts';

/** What a framework lends. */
export interface Lent {
  // any begin: components and elements are of types of the framework's own
  readonly createElement: (of: any, props: any, ...children: any[]) => any;
  readonly Fragment: any;
  readonly Suspense: any;
  readonly ErrorBoundary: any;
  // any end
  readonly useLayoutEffect: (effect: () => void) => void;
  /** A place on the page, in which an element is drawn at once. */
  readonly open: () => Stage<unknown>;
  readonly during: Theatre<unknown>['during'];
}

/** One drawing of the hook. */
interface Take {
  readonly props: unknown;
  readonly version: number;
}

/** `provider` lends the `controller` that it is given. */
export function theatreOf<Wrapper>(lent: Lent, provider: unknown): Theatre<Wrapper> {
  const { createElement, Fragment, Suspense, ErrorBoundary } = lent;
  const Hook = hookOf(lent);
  const elementOf = (scene: Scene<Wrapper>, { props, version }: Take): unknown => {
    const { controller, callback, wrapper = Fragment, tell } = scene;
    const fallback = (error: Error) => {
      tell({ error });
      return null;
    };
    const hook = createElement(Hook, { callback, props, tell });
    const inside = createElement(Suspense, { fallback: null }, hook);
    const caught = createElement(ErrorBoundary, { fallback, resetKeys: [version] }, inside);
    return createElement(provider, { controller }, createElement(wrapper, null, caught));
  };
  return {
    during: lent.during,
    mount(scene, initialProps) {
      const { draw, end } = lent.open();
      let version = 0;
      const redraw = (props: unknown) => draw(elementOf(scene, { props, version: version++ }));
      redraw(initialProps);
      return { draw: redraw, end };
    },
  };
}

type HookProps = Pick<Scene<unknown>, 'callback' | 'tell'> & Pick<Take, 'props'>;

function hookOf({ useLayoutEffect }: Lent): (props: HookProps) => null {
  return function Hook({ callback, props, tell }) {
    const current = callback(props as never);
    useLayoutEffect(() => tell({ current }));
    return null;
  };
}
