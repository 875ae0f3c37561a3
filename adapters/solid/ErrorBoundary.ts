/** Renders a fallback instead of failed children, and retries on reset. */
import { systemClock } from '../../src/clock.ts';
import type { UnknownError } from '../../src/store/results/Result.ts';
import {
  createComponent,
  createEffect,
  ErrorBoundary as Boundary,
  onCleanup,
  untrack,
  useContext,
} from 'solid-js';
import type { Component, JSX } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { keysChanged, renderFallback } from '../createBoundary.ts';
import type { BoundaryProps, FallbackProps } from '../createBoundary.ts';
import { ControllerContext } from './Provider.ts';

type Keys = Pick<ErrorBoundaryProps, 'resetKeys'>;

/** Props of `<ErrorBoundary>`: the content instead of failed children, and the conditions of a reset. */
export type ErrorBoundaryProps = BoundaryProps<JSX.Element, Component<FallbackProps>>;

/**
 * `<ErrorBoundary fallbackComponent={…}>` inside of the provider: like Solid's own, but its reset also refetches all
 * failed requests below it at once.
 */
export function ErrorBoundary(props: ErrorBoundaryProps): JSX.Element {
  const controller = useContext(ControllerContext);
  return createComponent(Boundary, {
    fallback(error: UnknownError, again: () => void) {
      const reset = (): void => {
        controller?.expireErrors();
        again();
      };
      createEffect<Keys>((before) => {
        const { resetKeys } = props;
        if (before !== undefined && keysChanged(before.resetKeys, resetKeys)) reset();
        return { resetKeys };
      });
      let timer: unknown;
      // the event may be a navigation: the router removes or replaces the children first
      const onEvent = (): void => {
        controller?.expireErrors();
        systemClock.clear(timer);
        timer = systemClock.after(0, again);
      };
      createEffect(() => {
        const { listen } = props;
        const stop = untrack(() => listen?.(onEvent));
        if (stop !== undefined) onCleanup(stop);
      });
      onCleanup(() => systemClock.clear(timer));
      return renderFallback(props, error, reset, draw) as JSX.Element;
    },
    get children() {
      return props.children;
    },
  });
}

function draw(component: unknown, caught: FallbackProps): JSX.Element {
  if (component !== undefined)
    return createComponent(component as Component<FallbackProps>, caught);
  const { className, error } = caught;
  const pre = { component: 'pre', role: 'alert', class: className, children: error.message };
  return createComponent(Dynamic, pre as never);
}
