/** The functions of React and Preact for the shared bodies of their hooks. */
import { SignalboxError } from '../src/errors.ts';
import { Signal } from '../src/signals.ts';

export type Effect = () => void | (() => void);

/** The functions of a framework. */
export interface FrameworkHooks {
  useState<T>(initial: () => T): readonly [T, (next: (before: T) => T) => void];
  useMemo<T>(make: () => T, deps: readonly unknown[]): T;
  useEffect(effect: Effect, deps?: readonly unknown[]): void;
  /** Effects of a commit that run before the user can interact with the page. */
  useInsertionEffect(effect: Effect, deps?: readonly unknown[]): void;
  /**
   * Effects that run when the component becomes visible or `deps` change, and again when the component replaces a
   * fallback.
   */
  useLayoutEffect(effect: Effect, deps: readonly unknown[]): void;
  startTransition(change: () => void): void;
}

/**
 * Throws A4, in production too, if the runtime that renders and tracks signals (`library`) uses another copy of the
 * signals engine: components would never re-render.
 */
export function checkSignalsCopy(library: string): void {
  // a runtime that renders signals adds a `type` to the prototype of its own copy
  if (!('type' in Signal.prototype)) throw new SignalboxError('A4', { by: library });
}
