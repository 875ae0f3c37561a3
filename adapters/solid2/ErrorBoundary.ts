/** Renders a fallback instead of failed children, and retries on reset. */
import { differ, fallbackOf } from '../boundaryOf.ts';
import type { BoundaryProps, Caught } from '../boundaryOf.ts';
import { errorOf } from '../errorOf.ts';
import { LentContext } from './Provider.ts';
import { createComponent, createEffect, Errored, onCleanup, useContext } from './solid.ts';
import type { Drawn } from './solid.ts';

/** Props of `<ErrorBoundary>`: the content instead of failed children. */
export type ErrorBoundaryProps = BoundaryProps<Drawn, (caught: Caught) => Drawn>;

/**
 * `<ErrorBoundary fallbackComponent={…}>` inside of the provider: like Solid's `<Errored>`, but its reset also
 * refetches all failed requests below it at once.
 */
export function ErrorBoundary(props: ErrorBoundaryProps): Drawn {
  const lent = useContext(LentContext);
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
          if (before !== undefined && differ(before, keys)) reset();
          before = keys;
        },
      );
      const stop = props.listen?.(reset);
      if (stop !== undefined) onCleanup(stop);
      return fallbackOf(props, errorOf(error()), reset, draw);
    },
    get children() {
      return props.children;
    },
  });
}

function draw(component: unknown, caught: Caught): Drawn {
  if (component === undefined) return caught.error.message;
  return createComponent(component as (caught: Caught) => Drawn, caught);
}
