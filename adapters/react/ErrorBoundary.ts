/** Renders a fallback instead of failed children, and retries on reset. */
import { createElement } from 'react';
import type { ComponentClass, ComponentType, ReactNode } from 'react';
import { createBoundary } from '../createBoundary.ts';
import type { BoundaryProps, FallbackProps } from '../createBoundary.ts';
import { ControllerContext } from './Provider.ts';
import { Component, startTransition } from './react.ts';

/** Props of `<ErrorBoundary>`: the content instead of failed children, and the conditions of a reset. */
export type ErrorBoundaryProps = BoundaryProps<ReactNode, ComponentType<FallbackProps>>;

/**
 * `<ErrorBoundary fallbackComponent={({ error, resetErrorBoundary }) => …}>` inside of the provider: the reset renders
 * the children again, and refetches all failed requests below it at once.
 */
export const ErrorBoundary: ComponentClass<ErrorBoundaryProps> = /* @__PURE__ */ createBoundary({
  Component,
  createElement: createElement as never,
  context: ControllerContext,
  // rendered together with the transition of a router
  defer: startTransition,
}) as ComponentClass<ErrorBoundaryProps>;
