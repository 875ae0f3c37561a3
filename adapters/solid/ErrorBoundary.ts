/** Boundaries: a fallback instead of failed children, with a retry, or of suspended children. */
import { createComponent, ErrorBoundary as Boundary, Suspense, useContext } from 'solid-js';
import type { Component, JSX } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import type { UnknownError } from '../../src/errors.ts';
import type { AsyncProps, BoundaryProps, FallbackProps } from '../createBoundary.ts';
import { SolidControllerContext } from '../solid-shared/SolidRuntime.ts';
import { createAsyncBoundary, createFallback } from '../solid-shared/createFallback.ts';
import { solidRuntime } from './solidRuntime.ts';

/** Props of `<ErrorBoundary>`: the content instead of failed children, and the conditions of a reset. */
export type ErrorBoundaryProps = BoundaryProps<JSX.Element, Component<FallbackProps>>;

/**
 * `<ErrorBoundary fallbackComponent={…}>` inside of the provider: like Solid's own, but its reset also refetches all
 * failed requests below at once.
 */
export function ErrorBoundary(props: ErrorBoundaryProps): JSX.Element {
  const context = useContext(SolidControllerContext);
  return createComponent(Boundary, {
    fallback(error: UnknownError, retry: () => void) {
      const caught = { error, controller: context?.controller, retry };
      return createFallback(solidRuntime, props, caught, renderComponent) as JSX.Element;
    },
    get children() {
      return props.children;
    },
  });
}

function renderComponent(component: unknown, props: FallbackProps): JSX.Element {
  if (component !== undefined) return createComponent(component as Component<FallbackProps>, props);
  const { className, error } = props;
  const pre = { component: 'pre', role: 'alert', class: className, children: error.message };
  return createComponent(Dynamic, pre as never);
}

/** Props of `<AsyncBoundary>`: the content instead of the children while suspended, or after an error. */
export type AsyncBoundaryProps = AsyncProps<JSX.Element, Component<FallbackProps>>;

/** `<AsyncBoundary fallback="…" errorComponent={Failed}>`: placed inside of the provider, around a page or a panel. */
export const AsyncBoundary: Component<AsyncBoundaryProps> = /* @__PURE__ */ createAsyncBoundary({
  createComponent: createComponent as never,
  ErrorBoundary: ErrorBoundary as never,
  Suspense: Suspense as never,
}) as never;
