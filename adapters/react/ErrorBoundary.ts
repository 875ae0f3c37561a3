/** Shows something else in the place of what failed, and tries again when it is told to. */
import { createElement } from 'react';
import type { ComponentClass, ComponentType, ReactNode } from 'react';
import { boundaryOf } from '../boundaryOf.ts';
import type { BoundaryProps, Caught } from '../boundaryOf.ts';
import { ControllerContext } from './Provider.ts';
import { Component } from './react.ts';

/** Props of `<ErrorBoundary>`: what stands in the place of its children when they failed, and what resets it. */
export type ErrorBoundaryProps = BoundaryProps<ReactNode, ComponentType<Caught>>;

/**
 * `<ErrorBoundary fallbackComponent={({ error, resetErrorBoundary }) => …}>` inside of the provider: the reset draws the
 * children anew and asks again at once what had failed below it.
 */
export const ErrorBoundary: ComponentClass<ErrorBoundaryProps> = /* @__PURE__ */ boundaryOf({
  Component,
  createElement: createElement as never,
  context: ControllerContext,
}) as ComponentClass<ErrorBoundaryProps>;
