/** Renders a fallback instead of failed children, and retries on reset. */
import { keysChanged, renderFallback } from '../createBoundary.ts';
import type { BoundaryProps, FallbackProps } from '../createBoundary.ts';
import { errorOf } from '../errorOf.ts';
import { ControllerContext } from './Provider.ts';
import { createComponent, createEffect, Errored, onCleanup, useContext } from './solid.ts';
import type { Element } from './solid.ts';

/** Props of `<ErrorBoundary>`: the content instead of failed children. */
export type ErrorBoundaryProps = BoundaryProps<Element, (caught: FallbackProps) => Element>;

/**
 * `<ErrorBoundary fallbackComponent={…}>` inside of the provider: like Solid's `<Errored>`, but its reset also
 * refetches all failed requests below it at once.
 */
export function ErrorBoundary(props: ErrorBoundaryProps): Element {
  const lent = useContext(ControllerContext);
  return createComponent(Errored, {
    fallback(error, again) {
      const reset = (): void => {
        lent?.reset();
        again();
      };
      let before: readonly unknown[] | undefined;
      createEffect(
        () => props.resetKeys ?? [],
        (keys) => {
          if (before !== undefined && keysChanged(before, keys)) reset();
          before = keys;
        },
      );
      const stop = props.listen?.(reset);
      if (stop !== undefined) onCleanup(stop);
      return renderFallback(props, errorOf(error()), reset, draw);
    },
    get children() {
      return props.children;
    },
  });
}

function draw(component: unknown, caught: FallbackProps): Element {
  if (component === undefined) return caught.error.message;
  return createComponent(component as (caught: FallbackProps) => Element, caught);
}
