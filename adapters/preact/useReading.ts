/** What every reading hook does first and last: find the reader, ask whether to wait, keep what is shown. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ArgsOf } from '../../src/Controller.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import type { ReadonlySignal, Signal } from '../../src/reactive.ts';
import { toNewcomer } from '../../src/store/Result.ts';
import type { Result } from '../../src/store/Result.ts';
import { isServer } from '../../src/surroundings.ts';
import type { Ready } from '../../src/view/Ready.ts';
import type { Reader } from '../../src/view/Reader.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { checkCopies } from '../hooks.ts';
import { useController } from './Provider.ts';

export interface Reading {
  readonly reader: Reader;
  /** What is drawn of it: while hydrating, what the server has drawn, where the store has moved on since then. */
  readonly drawn: Reader;
  /** What this component has shown last. */
  readonly shown: Signal<Reader | undefined>;
  /** It has not shown this reader before. */
  readonly first: boolean;
  /** There is nothing to show before it settles. */
  readonly wait: Ready | undefined;
}

/** The reader of `endpoint(...args)`. It is not tracked. */
export function useReader(
  hook: string,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): Reader {
  checkCopies('@preact/signals');
  return useController(hook).view(endpoint, ...(args as ArgsOf<EndpointInterface>));
}

/** @preact/signals counts as free of side effects: its tracking is in a bundle only where a function of its is used. */
export function useTracking(): void {
  useSignal(undefined);
}

/**
 * A reader, and what to wait for. Nothing is tracked up to here: a component that suspends is woken by the promise.
 * Tracked meanwhile, Preact 10 would render it apart from its boundary and keep its subscription for ever.
 * `suspends`: whether a server waits for it.
 */
export function useReading(reader: Reader, suspends: boolean): Reading {
  // a signal where a ref would do, see useTracking
  const shown = useSignal<Reader | undefined>(undefined);
  const first = shown.peek() !== reader;
  const served = first ? reader.served?.() : undefined;
  const asks = served === undefined && (suspends || !isServer());
  const wait = asks ? reader.ensure(first) : undefined;
  return { reader, drawn: served ?? reader, shown, first, wait };
}

/** What this component sees of a result: what is deleted stays for who has shown it. */
export function useSeen(reader: Reader, result: Result): Result {
  const had = useRef<Reader>(undefined);
  const seen = had.current === reader ? result : toNewcomer(result);
  if (seen.status === 'success') had.current = reader;
  return seen;
}

/** Data that are there: suspends, or throws the error, while they are not. */
export function useThere(
  hook: string,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): ReadonlySignal<Result> {
  return useThereIn(useReader(hook, endpoint, args));
}

/** As `useThere`, of a reader. */
export function useThereIn(reader: Reader): ReadonlySignal<Result> {
  const reading = useReading(reader, true);
  // eslint-disable-next-line typescript/only-throw-error -- a promise is how a component suspends
  if (reading.wait !== undefined) throw reading.wait;
  const live = liveResult(reading.drawn);
  // as with the promise: what is thrown is not tracked
  const now = live.peek();
  const { error } = reading.first ? toNewcomer(now) : now;
  if (error !== undefined) throw error;
  useShown(reading);
  return live;
}

/** Keeps what is shown while it is mounted, and asks again where it is stale at mount or at another key. */
export function useShown({ reader, drawn, shown }: Reading): void {
  // what the server has drawn gives way once it is mounted
  if (drawn !== reader) void shown.value;
  useEffect(() => {
    shown.value = reader;
    const release = reader.retain();
    reader.revalidate();
    return release;
    // `shown` is the same signal at every render
    // eslint-disable-next-line react/exhaustive-deps
  }, [reader]);
}
