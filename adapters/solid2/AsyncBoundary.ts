/** Loading and an error boundary in one. */
import { createAsyncBoundary } from '../solid-shared/createFallback.ts';
import type { AsyncProps, FallbackProps } from '../createBoundary.ts';
import { ErrorBoundary } from './ErrorBoundary.ts';
import { createComponent, Loading } from './solid.ts';
import type { SolidElement } from './solid.ts';

/** Props of `<AsyncBoundary>`: the content instead of its children while they are pending, or after an error. */
export type AsyncBoundaryProps = AsyncProps<SolidElement, (caught: FallbackProps) => SolidElement>;

/** `<AsyncBoundary fallback="…" errorComponent={Failed}>`: placed inside of the provider, around a page or a panel. */
export const AsyncBoundary: (props: AsyncBoundaryProps) => SolidElement =
  /* @__PURE__ */ createAsyncBoundary({
    createComponent,
    ErrorBoundary: ErrorBoundary as never,
    Suspense: Loading,
  }) as never;
