/** A boundary that waits, in one for errors, of a framework whose props are getters. */
import type { AsyncBoundaryProps, BoundaryProps } from './boundaryOf.ts';

type Component<P> = (props: P) => unknown;

/** What Solid lends. */
interface Components {
  readonly createComponent: <P>(component: Component<P>, props: P) => unknown;
  readonly ErrorBoundary: Component<BoundaryProps<unknown, unknown>>;
  readonly Waiting: Component<{ readonly fallback: unknown; readonly children: unknown }>;
}

export function asyncBoundaryOf({
  createComponent,
  ErrorBoundary,
  Waiting,
}: Components): Component<AsyncBoundaryProps<unknown, unknown>> {
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
        return createComponent(Waiting, {
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
