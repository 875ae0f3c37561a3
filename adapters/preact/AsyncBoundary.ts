/** Suspense and an error boundary in one. */
import { h } from 'preact';
import type { ComponentChildren, ComponentType, VNode } from 'preact';
import { Suspense } from 'preact/compat';
import type { Caught } from '../hooks.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';
import type { ErrorBoundaryProps } from './ErrorBoundary.ts';

/** Props of `<AsyncBoundary>`: what stands in the place of its children while they wait, or when they failed. */
export interface AsyncBoundaryProps extends Pick<ErrorBoundaryProps, 'listen' | 'resetKeys'> {
  readonly children?: ComponentChildren;
  /** Shown while something below waits. Default: nothing. */
  readonly fallback?: ComponentChildren;
  /** Shown in the place of what failed. Default: the message. */
  readonly errorComponent?: ComponentType<Caught> | undefined;
  readonly errorClassName?: string | undefined;
}

/** `<AsyncBoundary fallback="…" errorComponent={Failed}>`: stands inside of the provider, around a page or a panel. */
// any: the props of a vnode are invariant
export function AsyncBoundary(props: AsyncBoundaryProps): VNode<any> {
  const { children, fallback = null, errorComponent, errorClassName, ...rest } = props;
  return h(
    ErrorBoundary,
    { ...rest, fallbackComponent: errorComponent, className: errorClassName },
    h(Suspense, { fallback }, children),
  );
}
