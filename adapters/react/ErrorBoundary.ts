/** Renders a fallback instead of failed children, and retries on reset. */
import { createElement } from 'react';
import type { ComponentClass, ComponentType, ReactNode } from 'react';
import { boundaryOf } from '../boundaryOf.ts';
import type { BoundaryProps, Caught } from '../boundaryOf.ts';
import { ControllerContext } from './Provider.ts';
import { Component } from './react.ts';

/** Props of `<ErrorBoundary>`: the content instead of failed children, and the conditions of a reset. */
export type ErrorBoundaryProps = BoundaryProps<ReactNode, ComponentType<Caught>>;

/**
 * `<ErrorBoundary fallbackComponent={({ error, resetErrorBoundary }) => …}>` inside of the provider: the reset renders
 * the children again, and refetches all failed requests below it at once.
 */
export const ErrorBoundary: ComponentClass<ErrorBoundaryProps> = /* @__PURE__ */ boundaryOf({
  Component,
  createElement: createElement as never,
  context: ControllerContext,
}) as ComponentClass<ErrorBoundaryProps>;
