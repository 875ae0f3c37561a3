/** Suspense and an error boundary in one. */
import { createComponent, Suspense } from 'solid-js';
import type { Component, JSX } from 'solid-js';
import { createAsyncBoundary } from '../solid-shared/createFallback.ts';
import type { AsyncProps, FallbackProps } from '../createBoundary.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';

/** Props of `<AsyncBoundary>`: the content instead of its children while they are suspended, or after an error. */
export type AsyncBoundaryProps = AsyncProps<JSX.Element, Component<FallbackProps>>;

/** `<AsyncBoundary fallback="…" errorComponent={Failed}>`: placed inside of the provider, around a page or a panel. */
export const AsyncBoundary: Component<AsyncBoundaryProps> = /* @__PURE__ */ createAsyncBoundary({
  createComponent: createComponent as never,
  ErrorBoundary: ErrorBoundary as never,
  Suspense: Suspense as never,
}) as never;
