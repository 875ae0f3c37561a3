/** The framework-independent parts of error boundaries and async boundaries. */
import type { Controller } from '../src/Controller.ts';
import type { UnknownError } from '../src/errors.ts';
import { toError } from './toError.ts';

/** Props of the fallback of a boundary. */
export interface FallbackProps {
  readonly error: UnknownError;
  /** Renders the children again; failed requests are refetched at once. */
  readonly resetErrorBoundary: () => void;
  readonly className?: string | undefined;
}

/** `Content` and `Fallback`: the framework's types of rendered content and of components. */
export interface BoundaryProps<Content, Fallback> {
  readonly children?: Content | undefined;
  /** Rendered instead of the children. Without this and `fallback` the error's message is rendered. */
  readonly fallbackComponent?: Fallback | undefined;
  /** The same as content, or as a function. */
  readonly fallback?: Content | ((error: UnknownError, reset: () => void) => Content) | undefined;
  /** Passed to the fallback component. */
  readonly className?: string | undefined;
  /** Resets the boundary when a member changes: the page, the id. */
  readonly resetKeys?: readonly unknown[] | undefined;
  /** Passes the boundary's reset to a source of retries (`history.listen`), which returns an unsubscribe function. */
  readonly listen?: ((reset: () => void) => () => void) | undefined;
}

/** An error boundary with a suspense boundary inside. */
export interface AsyncProps<Content, Fallback> extends Pick<
  BoundaryProps<Content, Fallback>,
  'children' | 'listen' | 'resetKeys'
> {
  /** Rendered while the children are suspended. Default: nothing. */
  readonly fallback?: Content | undefined;
  /** Rendered instead of failed children. Default: the message. */
  readonly errorComponent?: Fallback | undefined;
  readonly errorClassName?: string | undefined;
}

export type AnyBoundaryProps = BoundaryProps<unknown, unknown>;
type RenderFallback = (error: UnknownError, reset: () => void) => unknown;
export type RenderComponent = (component: unknown, props: FallbackProps) => unknown;

/** The content instead of the children: as in the props, or as `renderComponent` renders their component. */
export function renderFallback(
  { className, fallback, fallbackComponent }: AnyBoundaryProps,
  error: UnknownError,
  reset: () => void,
  renderComponent: RenderComponent,
): unknown {
  if (typeof fallback === 'function') return (fallback as RenderFallback)(error, reset);
  if (fallback !== undefined) return fallback;
  return renderComponent(fallbackComponent, { error, resetErrorBoundary: reset, className });
}

interface BoundaryState {
  readonly caught?: { readonly error: UnknownError } | undefined;
}

/** The parts of React or Preact. */
interface ClassFramework {
  readonly Component: new (props: AnyBoundaryProps) => {
    readonly props: AnyBoundaryProps;
    readonly context: unknown;
    setState(update: BoundaryState | ((state: BoundaryState) => BoundaryState | null)): void;
  };
  readonly createElement: (component: never, props: object | null, ...children: never[]) => unknown;
  readonly context: unknown;
  /** Runs a change after the updates that other listeners of the same event make. */
  readonly defer: (change: () => void) => void;
}

/** Renders the component of a fallback, else the message of the error. */
function componentRenderer(createElement: ClassFramework['createElement']): RenderComponent {
  return (component, props) => {
    if (component !== undefined) return createElement(component as never, props);
    const { className, error } = props;
    return createElement('pre' as never, { role: 'alert', className }, error.message as never);
  };
}

/** The error boundary of a framework with class components. */
export function createBoundary({
  Component,
  createElement,
  context,
  defer,
}: ClassFramework): unknown {
  const renderComponent = componentRenderer(createElement);
  return class ErrorBoundary extends Component {
    static readonly contextType = context;
    state: BoundaryState = {};
    #stop: (() => void) | undefined;

    static getDerivedStateFromError(thrown: unknown): BoundaryState {
      return { caught: { error: toError(thrown) } };
    }

    readonly reset = (): void => {
      if (this.state.caught === undefined) return;
      (this.context as Controller | undefined)?.expireErrors();
      this.setState({ caught: undefined });
    };

    /**
     * The event may be a navigation: the router removes or replaces the children first. Children that stay are rendered
     * again, and only these refetch.
     */
    readonly #onEvent = (): void => {
      const { caught } = this.state;
      if (caught === undefined) return;
      (this.context as Controller | undefined)?.expireErrors();
      // a new error of the children that the router has rendered meanwhile stays
      const clear = (state: BoundaryState) =>
        state.caught === caught ? { caught: undefined } : null;
      defer(() => this.setState(clear));
    };

    componentDidMount(): void {
      this.#stop = this.props.listen?.(this.#onEvent);
    }

    componentDidUpdate(before: AnyBoundaryProps, { caught }: BoundaryState): void {
      if (before.listen !== this.props.listen) {
        this.componentWillUnmount();
        this.componentDidMount();
      }
      // an error of the same update that changed the keys is new, and must not be reset
      if (caught !== undefined && keysChanged(before.resetKeys, this.props.resetKeys)) this.reset();
    }

    componentWillUnmount(): void {
      this.#stop?.();
    }

    render(): unknown {
      if (this.state.caught === undefined) return this.props.children;
      return renderFallback(this.props, this.state.caught.error, this.reset, renderComponent);
    }
  };
}

export function keysChanged(
  before: readonly unknown[] = [],
  keys: readonly unknown[] = [],
): boolean {
  return before.length !== keys.length || before.some((key, at) => !Object.is(key, keys[at]));
}
