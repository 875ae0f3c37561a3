/** Loading and an error boundary in one. */
import { asyncBoundaryOf } from '../asyncBoundaryOf.ts';
import type { AsyncBoundaryProps as AsyncProps, Caught } from '../boundaryOf.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';
import { createComponent, Loading } from './solid.ts';
import type { Drawn } from './solid.ts';

/** Props of `<AsyncBoundary>`: what stands in the place of its children while they wait, or when they failed. */
export type AsyncBoundaryProps = AsyncProps<Drawn, (caught: Caught) => Drawn>;

/** `<AsyncBoundary fallback="…" errorComponent={Failed}>`: stands inside of the provider, around a page or a panel. */
export const AsyncBoundary: (props: AsyncBoundaryProps) => Drawn = /* @__PURE__ */ asyncBoundaryOf({
  createComponent,
  ErrorBoundary: ErrorBoundary as never,
  Waiting: Loading,
}) as never;
