// A stored counter, and a component for each hook that reads the counter.
import { createContext, useContext } from 'react';
import type { ComponentType, ReactElement } from 'react';
import { useSignals } from '@preact/signals-react/runtime';
import { Endpoint, Entity } from 'signalbox';
import { For, useCache, useDLE, useEntity, useLive, useQuery, useSuspense } from 'signalbox/react';
import { useSignalQuery } from 'signalbox/react/signals';

export class Counter extends Entity {
  id = 0;
  count = 0;
  static override key = 'Counter';
}

export const getCounter = new Endpoint(
  ({ id }: { id: number }) => Promise.resolve({ id, count: 1 }),
  { name: 'getCounter', schema: Counter },
);
export const getCounters = new Endpoint(
  (page: object) => Promise.resolve([{ id: 1, count: 1, ...page }]),
  { name: 'getCounters', schema: [Counter] },
);

/** The counter as React's own state, for comparison. */
export const Plain = createContext(0);

/** The time that each hook takes, ms. */
export const readCost = { ms: 0 };

/** Takes the time `ms`. */
export function beBusy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

interface ReadProps {
  /** The first snapshot of the counter. */
  readonly first: Counter;
  readonly children: (count: number) => ReactElement;
}

export const readers = {
  useContext: reader(() => useContext(Plain)),
  useQuery: reader(() => useQuery(Counter, { id: 1 })?.count),
  useSuspense: reader(() => useSuspense(getCounter, { id: 1 }).count),
  useCache: reader(() => useCache(getCounter, { id: 1 })?.count),
  useDLE: reader(() => useDLE(getCounter, { id: 1 }).data?.count),
  useLive: reader(() => useLive(getCounter, { id: 1 }).count),
  useEntity: reader((first) => useEntity(first).count),
  useSignalQuery: reader(() => {
    useSignals();
    return useSignalQuery(Counter, { id: 1 }).value.data?.count;
  }),
  For: ({ children }: ReadProps) => (
    <For each={getCounters} params={{}}>
      {({ count }) => children(count)}
    </For>
  ),
};
export type Hook = keyof typeof readers;

function reader(useCount: (first: Counter) => number | undefined): ComponentType<ReadProps> {
  return function Reader({ first, children }: ReadProps) {
    const count = useCount(first);
    beBusy(readCost.ms);
    return children(count ?? 0);
  };
}
