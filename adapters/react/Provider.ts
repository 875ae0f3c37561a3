/** Provides a controller to the components below. */
import { createElement } from 'react';
import type { Context, FunctionComponent, ReactNode } from 'react';
import { Controller } from '../../src/Controller.ts';
import { systemClock } from '../../src/clock.ts';
import { SignalboxError } from '../../src/errors.ts';
import { isServer } from '../../src/page.ts';
import { NO_COMMITS, commitTrackerOf } from './concurrent/CommitTracker.ts';
import type { CommitTracker } from './concurrent/CommitTracker.ts';
import {
  createContext,
  useContext,
  useEffect,
  useInsertionEffect,
  useReducer,
  useState,
} from './react.ts';
import { useIsomorphicLayoutEffect } from './reactHooks.ts';

/** Props of `<Provider>`. */
export interface ProviderProps {
  /** Default: a new controller with the lifetime of this provider. On a server create a controller per request. */
  readonly controller?: Controller | undefined;
  readonly children?: ReactNode;
}

/** The context of the controller. */
export const ControllerContext: Context<Controller | undefined> = createContext<
  Controller | undefined
>(undefined);

/**
 * Must be placed outside of every Suspense boundary: a component that suspends without a boundary loses its state, and
 * this state as well.
 */
export const Provider: FunctionComponent<ProviderProps> = ({ controller, children }) => {
  const [state] = useState<{ controller?: Controller }>({});
  useEffect(() => {
    unmounted = 0;
  }, []);
  const value = controller ?? (state.controller ??= createController());
  useCommitTracker(commitTrackerOf(value), useContext(ControllerContext) !== value);
  return createElement(ControllerContext.Provider, { value }, children);
};

/**
 * Keeps the commits that each render includes in the state of the provider. A provider below another of the same
 * controller (not `isFirst`) has nothing to keep: mounted later, the lower provider would lack commits that the other
 * has.
 */
function useCommitTracker(tracker: CommitTracker, isFirst: boolean): void {
  const [included, include] = useReducer(tracker.include, NO_COMMITS);
  if (isFirst) tracker.onRender((tracker.included = included));
  // before the layout effects of readers
  useInsertionEffect(() => {
    if (isFirst) tracker.onCommit(included);
  }, [tracker, included, isFirst]);
  useIsomorphicLayoutEffect(
    () => (isFirst ? tracker.addProvider(include) : undefined),
    [tracker, isFirst],
  );
  useIsomorphicLayoutEffect(() => {
    if (isFirst) tracker.afterCommit();
  }, [tracker, included, isFirst]);
}

// more providers than a page renders at once
const MAX_UNMOUNTED = 20;
// how long the error is thrown, ms: React retries a failed render several times
const ERROR_MS = 1_000;
// controllers that providers created since the last mount of a provider, and the time of the first error
let unmounted = 0;
let failedAt: number | undefined;

/**
 * Without a Suspense boundary below, React starts the provider again after each response, with a new controller that
 * fetches again. Throws A3 if this repeats. On a server nothing is ever mounted.
 */
function createController(): Controller {
  if (!isServer() && ++unmounted > MAX_UNMOUNTED) {
    const now = systemClock.now();
    failedAt ??= now;
    if (now - failedAt <= ERROR_MS) throw new SignalboxError('A3', { times: MAX_UNMOUNTED });
    unmounted = 1;
    failedAt = undefined;
  }
  return new Controller();
}

/** The controller of the provider above. Throws A1 without a provider. */
export function useController(): Controller {
  return useControllerFor('useController');
}

/** As useController, with the hook's name for the message. */
export function useControllerFor(hook: string): Controller {
  const controller = useContext(ControllerContext);
  if (controller === undefined) throw new SignalboxError('A1', { hook });
  return controller;
}
