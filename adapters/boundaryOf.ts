/** Boundaries for errors: what adapters share of them. */
import type { Controller } from '../src/Controller.ts';
import { errorOf } from './errorOf.ts';

/** What the fallback of a boundary gets. */
export interface Caught {
  readonly error: Error;
  /** Draws the children anew; what failed is asked again at once. */
  readonly resetErrorBoundary: () => void;
  readonly className?: string | undefined;
}

/** `Node` is what the framework draws, `Fallback` a component of it. */
export interface BoundaryProps<Node, Fallback> {
  readonly children?: Node | undefined;
  /** Drawn in the place of the children. Without this and `fallback` it is the error's message. */
  readonly fallbackComponent?: Fallback | undefined;
  /** The same as something to draw, or as a function. */
  readonly fallback?: Node | ((error: Error, reset: () => void) => Node) | undefined;
  /** Handed to the fallback component. */
  readonly className?: string | undefined;
  /** Resets when one of them is another: the page, the id. */
  readonly resetKeys?: readonly unknown[] | undefined;
  /** Lends its reset to what knows when to try again (`history.listen`), which gives back how to stop. */
  readonly listen?: ((reset: () => void) => () => void) | undefined;
}

/** The same with a boundary inside of it that shows something while it waits. */
export interface AsyncBoundaryProps<Node, Fallback> extends Pick<
  BoundaryProps<Node, Fallback>,
  'children' | 'listen' | 'resetKeys'
> {
  /** Shown while something below waits. Default: nothing. */
  readonly fallback?: Node | undefined;
  /** Shown in the place of what failed. Default: the message. */
  readonly errorComponent?: Fallback | undefined;
  readonly errorClassName?: string | undefined;
}

type Drawn = BoundaryProps<unknown, unknown>;
type Draw = (error: Error, reset: () => void) => unknown;

/** What is drawn in the place of the children: what the props say, or what `draw` makes of their component. */
export function fallbackOf(
  { className, fallback, fallbackComponent }: Drawn,
  error: Error,
  reset: () => void,
  draw: (component: unknown, caught: Caught) => unknown,
): unknown {
  if (typeof fallback === 'function') return (fallback as Draw)(error, reset);
  if (fallback !== undefined) return fallback;
  return draw(fallbackComponent, { error, resetErrorBoundary: reset, className });
}

interface Outcome {
  readonly caught?: { readonly error: Error } | undefined;
}

interface Classes {
  readonly Component: new (props: Drawn) => {
    readonly props: Drawn;
    readonly context: unknown;
    setState(outcome: Outcome): void;
  };
  readonly createElement: (of: never, props: object | null, ...children: never[]) => unknown;
  readonly context: unknown;
}

/** The error boundary of a framework that has components as classes. */
export function boundaryOf({ Component, createElement, context }: Classes): unknown {
  const draw = (component: unknown, caught: Caught): unknown => {
    if (component !== undefined) return createElement(component as never, caught);
    const { className, error } = caught;
    return createElement('pre' as never, { role: 'alert', className }, error.message as never);
  };
  return class ErrorBoundary extends Component {
    static readonly contextType = context;
    state: Outcome = {};
    #stop: (() => void) | undefined;

    static getDerivedStateFromError(thrown: unknown): Outcome {
      return { caught: { error: errorOf(thrown) } };
    }

    readonly reset = (): void => {
      if (this.state.caught === undefined) return;
      (this.context as Controller | undefined)?.expireErrors();
      this.setState({ caught: undefined });
    };

    componentDidMount(): void {
      this.#stop = this.props.listen?.(this.reset);
    }

    componentDidUpdate(before: Drawn, { caught }: Outcome): void {
      // an error of the very update that brought other keys is news
      if (caught !== undefined && differ(before.resetKeys, this.props.resetKeys)) this.reset();
    }

    componentWillUnmount(): void {
      this.#stop?.();
    }

    render(): unknown {
      if (this.state.caught === undefined) return this.props.children;
      return fallbackOf(this.props, this.state.caught.error, this.reset, draw);
    }
  };
}

export function differ(one: readonly unknown[] = [], other: readonly unknown[] = []): boolean {
  return one.length !== other.length || one.some((key, at) => !Object.is(key, other[at]));
}
