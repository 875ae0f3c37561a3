/** Renders a fallback instead of failed children, and retries on reset. */
import { systemClock } from '../../src/clock.ts';
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
      const render = (): void => {
        lent?.reset();
        again();
      };
      const reset = (): void => {
        lent?.controller.expireErrors();
        render();
      };
      let before: readonly unknown[] | undefined;
      createEffect(
        () => props.resetKeys ?? [],
        (keys) => {
          if (before !== undefined && keysChanged(before, keys)) reset();
          before = keys;
        },
      );
      let timer: unknown;
      // the event may be a navigation: the router removes or replaces the children first
      const onEvent = (): void => {
        lent?.controller.expireErrors();
        systemClock.clear(timer);
        timer = systemClock.after(0, render);
      };
      createEffect(
        () => props.listen,
        (listen) => listen?.(onEvent),
      );
      onCleanup(() => systemClock.clear(timer));
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
