/** Runs the hook of a test in frameworks with elements and layout effects: React and Preact. */
import type { RenderInput, MountedRoot, TestRenderer } from './createRenderDataHook.ts';

/** The functions that a framework provides. */
export interface FrameworkBindings {
  // any begin: components and elements are of types of the framework's own
  readonly createElement: (of: any, props: any, ...children: any[]) => any;
  readonly Fragment: any;
  readonly Suspense: any;
  readonly ErrorBoundary: any;
  // any end
  readonly useLayoutEffect: (effect: () => void | (() => void), deps?: readonly unknown[]) => void;
  /** Creates a root that renders an element synchronously. */
  readonly open: () => MountedRoot<unknown>;
  readonly leaveAct?: TestRenderer<unknown>['leaveAct'];
  readonly renderAtOnce?: TestRenderer<unknown>['renderAtOnce'];
}

/** One render of the hook. */
interface Take {
  readonly props: unknown;
  readonly version: number;
  readonly seat: Seat;
}

/** Whether the fallback is rendered instead of the hook. */
interface Seat {
  waits: boolean;
}

/** `provider` is the component that provides the `controller` prop. */
export function createElementRenderer<Wrapper>(
  lent: FrameworkBindings,
  provider: unknown,
): TestRenderer<Wrapper> {
  const { createElement, Fragment, Suspense, ErrorBoundary } = lent;
  const Hook = hookOf(lent);
  const Waiting = waitingOf(lent);
  const elementOf = (scene: RenderInput<Wrapper>, { props, version, seat }: Take): unknown => {
    const { controller, callback, wrapper = Fragment, tell } = scene;
    const fallback = (error: Error) => {
      tell({ error });
      return null;
    };
    const hook = createElement(Hook, { callback, props, tell });
    const inside = createElement(Suspense, { fallback: createElement(Waiting, { seat }) }, hook);
    const caught = createElement(ErrorBoundary, { fallback, resetKeys: [version] }, inside);
    return createElement(provider, { controller }, createElement(wrapper, null, caught));
  };
  return {
    leaveAct: lent.leaveAct,
    renderAtOnce: lent.renderAtOnce,
    mount(scene, initialProps) {
      const stage = lent.open();
      const seat: Seat = { waits: false };
      let take: Take = { props: initialProps, version: 0, seat };
      const draw = () => stage.draw(elementOf(scene, take));
      draw();
      return {
        ...stage,
        draw(props) {
          take = { props, version: take.version + 1, seat };
          draw();
        },
        // the promise that a suspended hook has thrown would render it later
        flush: () => (seat.waits ? draw() : stage.flush()),
      };
    },
  };
}

function waitingOf({
  useLayoutEffect,
}: FrameworkBindings): (props: { readonly seat: Seat }) => null {
  return function Waiting({ seat }) {
    useLayoutEffect(() => {
      seat.waits = true;
      return () => {
        seat.waits = false;
      };
    }, [seat]);
    return null;
  };
}

type HookProps = Pick<RenderInput<unknown>, 'callback' | 'tell'> & Pick<Take, 'props'>;

function hookOf({ useLayoutEffect }: FrameworkBindings): (props: HookProps) => null {
  return function Hook({ callback, props, tell }) {
    const current = callback(props as never);
    useLayoutEffect(() => tell({ current }));
    return null;
  };
}
