/** Suspense and an error boundary in one. */
import { createComponent, Suspense } from 'solid-js';
import type { Component, JSX } from 'solid-js';
import type { Caught } from '../hooks.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';
import type { ErrorBoundaryProps } from './ErrorBoundary.ts';

/** Props of `<AsyncBoundary>`: what stands in the place of its children while they wait, or when they failed. */
export interface AsyncBoundaryProps extends Pick<ErrorBoundaryProps, 'listen' | 'resetKeys'> {
  readonly children?: JSX.Element;
  /** Shown while something below waits. Default: nothing. */
  readonly fallback?: JSX.Element;
  /** Shown in the place of what failed. Default: the message. */
  readonly errorComponent?: Component<Caught> | undefined;
  readonly errorClassName?: string | undefined;
}

/** `<AsyncBoundary fallback="…" errorComponent={Failed}>`: stands inside of the provider, around a page or a panel. */
export function AsyncBoundary(props: AsyncBoundaryProps): JSX.Element {
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
