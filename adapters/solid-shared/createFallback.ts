/** The parts of error boundaries and async boundaries that both versions of Solid share. */
import type { Controller } from '../../src/Controller.ts';
import { systemClock } from '../../src/clock.ts';
import type { UnknownError } from '../../src/errors.ts';
import { keysChanged, renderFallback } from '../createBoundary.ts';
import type { AnyBoundaryProps, AsyncProps, RenderComponent } from '../createBoundary.ts';
import type { SolidRuntime } from './SolidRuntime.ts';
import { onCleanup } from 'solid-js';

/** The error that a boundary of Solid has caught. */
interface Caught {
  readonly error: UnknownError;
  readonly controller: Controller | undefined;
  /** Renders the children again. */
  readonly retry: () => void;
}

/** The content of a boundary of Solid instead of the failed children; created once per error. */
export function createFallback(
  solid: SolidRuntime,
  props: AnyBoundaryProps,
  { error, controller, retry }: Caught,
  renderComponent: RenderComponent,
): unknown {
  const reset = (): void => {
    controller?.expireErrors();
    retry();
  };
  let before: { readonly keys: readonly unknown[] | undefined } | undefined;
  solid.createEffect(
    () => ({ keys: props.resetKeys }),
    (now) => {
      if (before !== undefined && keysChanged(before.keys, now.keys)) reset();
      before = now;
    },
  );
  let timer: unknown;
  // the event may be a navigation: the router removes or replaces the children first
  const onEvent = (): void => {
    controller?.expireErrors();
    systemClock.clear(timer);
    timer = systemClock.after(0, retry);
  };
  solid.createEffect(
    () => props.listen,
    (listen) => listen?.(onEvent),
  );
  onCleanup(() => systemClock.clear(timer));
  return renderFallback(props, error, reset, renderComponent);
}

type Component<P> = (props: P) => unknown;

/** The components of Solid: props are getters. */
interface SolidComponents {
  readonly createComponent: <P>(component: Component<P>, props: P) => unknown;
  readonly ErrorBoundary: Component<AnyBoundaryProps>;
  /** Renders a fallback while the children are suspended. */
  readonly Suspense: Component<{ readonly fallback: unknown; readonly children: unknown }>;
}

/** `<AsyncBoundary>` of Solid: a suspense boundary inside of an error boundary. */
export function createAsyncBoundary({
  createComponent,
  ErrorBoundary,
  Suspense,
}: SolidComponents): Component<AsyncProps<unknown, unknown>> {
  return (props) =>
    createComponent(ErrorBoundary, {
      get listen() {
        return props.listen;
      },
      get resetKeys() {
        return props.resetKeys;
      },
      get fallbackComponent() {
        return props.errorComponent;
      },
      get className() {
        return props.errorClassName;
      },
      get children() {
        return createComponent(Suspense, {
          get fallback() {
            return props.fallback;
          },
          get children() {
            return props.children;
          },
        });
      },
    });
}
