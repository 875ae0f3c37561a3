/** Lends a controller to the components below it. */
import { createElement } from 'react';
import type { Context, FunctionComponent, ReactNode } from 'react';
import { systemClock } from '../../src/clock.ts';
import { Controller } from '../../src/Controller.ts';
import { SignalboxError } from '../../src/diagnostics.ts';
import { isServer } from '../../src/surroundings.ts';
import {
  createContext,
  useContext,
  useEffect,
  useInsertionEffect,
  useReducer,
  useState,
  useSyncExternalStore,
} from './react.ts';
import { useLayout } from './Source.ts';
import { NONE, timelineOf } from './Timeline.ts';
import type { Timeline } from './Timeline.ts';

/** Props of `<Provider>`. */
export interface ProviderProps {
  /** Default: one that lives as long as this provider. On a server give one per request. */
  readonly controller?: Controller | undefined;
  readonly children?: ReactNode;
}

export const ControllerContext: Context<Controller | undefined> = createContext<
  Controller | undefined
>(undefined);

/** Stands outside of every Suspense boundary: what suspends above a boundary loses its state, also this one's. */
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
// how long the error stands, ms: React begins several times what threw
const STANDS = 1_000;
// controllers that providers have made since one of them was mounted, and when that was said first
let unmounted = 0;
let failedAt: number | undefined;

/**
 * Without a Suspense boundary below, React begins the provider anew after each answer, with a new controller that asks
 * again. Throws A3 when this goes on. On a server nothing is ever mounted.
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

/** The controller of the provider above. Throws A1 where there is none. */
export function useController(): Controller {
  return useLent('useController');
}

/** As useController, for the hook that a message is to name. */
export function useLent(hook: string): Controller {
  const controller = useContext(ControllerContext);
  if (controller === undefined) throw new SignalboxError('A1', { hook });
  return controller;
}
