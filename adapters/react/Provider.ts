/** Provides a controller to the components below. */
import { createElement } from 'react';
import type { Context, FunctionComponent, ReactNode } from 'react';
import { systemClock } from '../../src/clock.ts';
import { Controller } from '../../src/Controller.ts';
import { SignalboxError } from '../../src/errors.ts';
import { isServer } from '../../src/page.ts';
import {
  createContext,
  useContext,
  useEffect,
  useInsertionEffect,
  useReducer,
  useState,
  useSyncExternalStore,
} from './react.ts';
import { useLayout } from './concurrent/Source.ts';
import { NONE, timelineOf } from './concurrent/Timeline.ts';
import type { Timeline } from './concurrent/Timeline.ts';

/** Props of `<Provider>`. */
export interface ProviderProps {
  /** Default: a new controller with the lifetime of this provider. On a server create one per request. */
  readonly controller?: Controller | undefined;
  readonly children?: ReactNode;
}

export const ControllerContext: Context<Controller | undefined> = createContext<
  Controller | undefined
>(undefined);

/**
 * Must be placed outside of every Suspense boundary: a component that suspends without a boundary loses its state, and
 * this state as well.
 */
export const Provider: FunctionComponent<ProviderProps> = ({ controller, children }) => {
  const [own] = useState<{ controller?: Controller }>({});
  useEffect(() => {
    unmounted = 0;
  }, []);
  const value = controller ?? (own.controller ??= ownController());
  useTimeline(timelineOf(value));
  return createElement(ControllerContext.Provider, { value }, children);
};

function useTimeline(timeline: Timeline): void {
  const [included, include] = useReducer(timeline.include, NONE);
  useSyncExternalStore(timeline.onRestart, timeline.restarts, timeline.restarts);
  timeline.begin(included);
  // before the layout effects of readers
  useInsertionEffect(() => timeline.commit(included), [timeline, included]);
  useLayout(() => timeline.join(include), [timeline]);
  useLayout(() => timeline.landed(), [timeline, included]);
}

// more than a page renders at once
const MANY = 20;
// how long the error is thrown, ms: React retries a failed render several times
const STANDS = 1_000;
// controllers that providers created since one of them was mounted, and the time of the first error
let unmounted = 0;
let failedAt: number | undefined;

/**
 * Without a Suspense boundary below, React starts the provider again after each response, with a new controller that
 * fetches again. Throws A3 if this repeats. On a server nothing is ever mounted.
 */
function ownController(): Controller {
  if (!isServer() && ++unmounted > MANY) {
    const now = systemClock.now();
    failedAt ??= now;
    if (now - failedAt <= STANDS) throw new SignalboxError('A3', { times: MANY });
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
