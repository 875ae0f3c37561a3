/** Boundaries: a fallback instead of failed children, with a retry, or of pending children. */
import { useContext } from 'solid-js';
import type { AsyncProps, BoundaryProps, FallbackProps } from '../createBoundary.ts';
import { SolidControllerContext } from '../solid-shared/SolidRuntime.ts';
import { createAsyncBoundary, createFallback } from '../solid-shared/createFallback.ts';
import { toError } from '../toError.ts';
import { createComponent, Errored, Loading } from './solid.ts';
import type { SolidElement } from './solid.ts';
import { solid2Runtime } from './solid2Runtime.ts';

/** Props of `<ErrorBoundary>`: the content instead of failed children. */
export type ErrorBoundaryProps = BoundaryProps<
  SolidElement,
  (caught: FallbackProps) => SolidElement
>;

/**
 * `<ErrorBoundary fallbackComponent={…}>` inside of the provider: like Solid's `<Errored>`, but its reset also
 * refetches all failed requests below at once.
 */
export function ErrorBoundary(props: ErrorBoundaryProps): Element {
  const context = useContext(SolidControllerContext);
  return createComponent(Errored, {
    fallback(error, renderAgain) {
      const retry = (): void => {
        context?.countReset?.();
        renderAgain();
      };
      const caught = { error: toError(error()), controller: context?.controller, retry };
      return createFallback(solid2Runtime, props, caught, renderComponent);
    },
    get children() {
      return props.children;
    },
  });
}

function renderComponent(component: unknown, props: FallbackProps): SolidElement {
  if (component === undefined) return props.error.message;
  return createComponent(component as (caught: FallbackProps) => SolidElement, props);
}

/** Props of `<AsyncBoundary>`: the content instead of the children while pending, or after an error. */
export type AsyncBoundaryProps = AsyncProps<SolidElement, (caught: FallbackProps) => SolidElement>;

/** `<AsyncBoundary fallback="…" errorComponent={Failed}>`: placed inside of the provider, around a page or a panel. */
export const AsyncBoundary: (props: AsyncBoundaryProps) => SolidElement =
  /* @__PURE__ */ createAsyncBoundary({
    createComponent,
    ErrorBoundary: ErrorBoundary as never,
    Suspense: Loading,
  }) as never;
