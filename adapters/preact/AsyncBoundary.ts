/** Suspense and an error boundary in one. */
import { h } from 'preact';
import type { ComponentChildren, ComponentType, VNode } from 'preact';
import { Suspense } from 'preact/compat';
import type { AsyncProps, FallbackProps } from '../createBoundary.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';

/** Props of `<AsyncBoundary>`: the content instead of its children while they are suspended, or after an error. */
export type AsyncBoundaryProps = AsyncProps<ComponentChildren, ComponentType<FallbackProps>>;

/** `<AsyncBoundary fallback="…" errorComponent={Failed}>`: placed inside of the provider, around a page or a panel. */
// any: the props of a vnode are invariant
export function AsyncBoundary(props: AsyncBoundaryProps): VNode<any> {
  const { children, fallback = null, errorComponent, errorClassName, ...rest } = props;
  return h(
    ErrorBoundary,
    { ...rest, fallbackComponent: errorComponent, className: errorClassName },
    h(Suspense, { fallback }, children),
  );
}
