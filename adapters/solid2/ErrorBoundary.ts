/** Renders a fallback instead of failed children, and retries on reset. */
import { useContext } from 'solid-js';
import { createFallback } from '../solid-shared/createFallback.ts';
import type { BoundaryProps, FallbackProps } from '../createBoundary.ts';
import { toError } from '../toError.ts';
import { SolidControllerContext } from '../solid-shared/SolidRuntime.ts';
import { createComponent, Errored } from './solid.ts';
import type { SolidElement } from './solid.ts';
import { solid2Runtime } from './solid2Runtime.ts';

/** Props of `<ErrorBoundary>`: the content instead of failed children. */
export type ErrorBoundaryProps = BoundaryProps<
  SolidElement,
  (caught: FallbackProps) => SolidElement
>;

/**
 * `<ErrorBoundary fallbackComponent={…}>` inside of the provider: like Solid's `<Errored>`, but its reset also
 * refetches all failed requests below it at once.
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
