/** Loading and an error boundary in one. */
import type { Caught } from '../hooks.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';
import type { ErrorBoundaryProps } from './ErrorBoundary.ts';
import { createComponent, Loading } from './solid.ts';
import type { Drawn } from './solid.ts';

export interface AsyncBoundaryProps extends Pick<ErrorBoundaryProps, 'listen' | 'resetKeys'> {
  readonly children?: Drawn;
  /** Shown while something below waits for its first data. Default: nothing. */
  readonly fallback?: Drawn;
  /** Shown in the place of what failed. Default: the message. */
  readonly errorComponent?: ((caught: Caught) => Drawn) | undefined;
  readonly errorClassName?: string | undefined;
}

/** `<AsyncBoundary fallback="…" errorComponent={Failed}>`: stands inside of the provider, around a page or a panel. */
export function AsyncBoundary(props: AsyncBoundaryProps): Drawn {
  return createComponent(ErrorBoundary, {
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
      return createComponent(Loading, {
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
