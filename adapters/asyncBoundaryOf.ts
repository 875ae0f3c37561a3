/** A suspense boundary inside of an error boundary, for frameworks with getters as props. */
import type { AsyncBoundaryProps, BoundaryProps } from './createBoundary.ts';

type Component<P> = (props: P) => unknown;

/** The components that Solid provides. */
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
