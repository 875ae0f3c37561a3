/** The shared steps of all reading hooks: find the reader, decide whether to suspend, retain the reader. */
import type { ArgsOf } from '../../src/Controller.ts';
import { nextMicrotask } from '../../src/clock.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { liveOf } from '../../src/live/LiveObject.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { isServer } from '../../src/page.ts';
import { batch } from '../../src/signals.ts';
import type { ReadonlySignal, Signal } from '../../src/signals.ts';
import { toNewReaderResult } from '../../src/store/StorePort.ts';
import type { Result } from '../../src/store/StorePort.ts';
import type { Reader, Ready } from '../../src/view/Reader.ts';
import { checkSignalsCopy } from '../FrameworkHooks.ts';
import { IsMountedContext, useController } from './Provider.ts';
import { checkComputeds } from './checkComputeds.ts';
import type { RenderedData } from './checkComputeds.ts';
import { useSignal } from '@preact/signals';
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks';

interface QueryHandle {
  readonly reader: Reader;
  /** The reader to render: while hydrating, the server's result if the store has changed since. */
  readonly visibleReader: Reader;
  /** The reader of this component's last committed render. */
  readonly committedReader: Signal<Reader | undefined>;
  /** True if this component has not rendered this reader before. */
  readonly first: boolean;
  /** The promise to wait for, if there are no data. */
  readonly wait: Ready | undefined;
}

/** The reader of `endpoint(...args)`. The call is not tracked. */
export function useReader(
  hook: string,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): Reader {
  checkSignalsCopy('@preact/signals');
  return useController(hook).view(endpoint, ...(args as ArgsOf<EndpointInterface>));
}

/**
 * @preact/signals is marked as free of side effects: a bundle contains the tracking only if a function of the package
 * is used.
 */
export function useTracking(): void {
  useSignal();
}

/**
 * The reader, and the promise to wait for. Nothing is tracked up to here: the promise re-renders a component that
 * suspends. With tracking, Preact 10 would render the component outside of the boundary and keep the subscription
 * forever. `suspends`: whether a server waits for the promise.
 */
export function useQueryHandle(reader: Reader, suspends: boolean): QueryHandle {
  // a signal instead of a ref, see useTracking
  const committedReader = useSignal<Reader>();
  const first = committedReader.peek() !== reader;
  const isMounted = useContext(IsMountedContext).current;
  const served = first && !isMounted ? reader.serverReader?.() : undefined;
  const fetches = served === undefined && (suspends || !isServer());
  const wait = fetches ? reader.ensure(first) : undefined;
  return { reader, visibleReader: served ?? reader, committedReader, first, wait };
}

/** The visible result: data of a deleted entity stay for components that have rendered the entity. */
export function useShownResult(reader: Reader, result: Result): Result {
  const readerWithData = useRef<Reader>(undefined);
  const shown = readerWithData.current === reader ? result : toNewReaderResult(result);
  if (shown.status === 'success') readerWithData.current = reader;
  return shown;
}

/** Data that exist: suspends before the first data, or throws the error. */
export function useSuspendedResult(
  hook: string,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): ReadonlySignal<Result> {
  return useSuspendedReader(useReader(hook, endpoint, args));
}

/** As `useSuspendedResult`, for a reader. */
export function useSuspendedReader(reader: Reader): ReadonlySignal<Result> {
  const handle = useQueryHandle(reader, true);
  const { visibleReader, first, wait } = handle;
  // eslint-disable-next-line typescript/only-throw-error -- a promise is how a component suspends
  if (wait) throw wait;
  // a server renders once: nothing follows single fields
  const live = isServer() ? visibleReader.result : liveResult(visibleReader);
  // as with the promise: a component that throws must not be tracked
  const result = live.peek();
  const { error } = first ? toNewReaderResult(result) : result;
  if (error) throw error;
  useRetainedHandle(handle);
  return live;
}

/** Retains the reader while the component is mounted, and refetches stale data at mount or at another key. */
export function useRetainedHandle({ reader, visibleReader, committedReader }: QueryHandle): void {
  // the server's result is replaced after mount
  if (visibleReader !== reader) void committedReader.value;
  useEffect(() => {
    const former = committedReader.peek();
    committedReader.value = reader;
    const release = reader.retain();
    reader.revalidate(former);
    return release;
    // `committedReader` is the same signal at every render
    // eslint-disable-next-line react/exhaustive-deps
  }, [reader]);
}

/** Returns `data`. */
export function useLiveData<T>(data: T): T {
  useLiveParts([data]);
  return data;
}

/**
 * `useComputed` and `useSignalEffect` call the function of the last render, but only when a signal that was read
 * changes: once other data are rendered, the readers of the former entities are notified. The cost: other components
 * that render a former entity run once more. `parts`: the data of each read; the number of reads may change.
 */
export function useLiveParts(parts: readonly unknown[]): void {
  const rendered: RenderedData = useRef(parts);
  useLayoutEffect(() => {
    const former = rendered.current;
    if (former === parts) return;
    rendered.current = parts;
    // later: a changed context renders readers after the layout effects
    void nextMicrotask(() => {
      checkComputeds?.(rendered, former, parts);
      batch(() => {
        for (const part of former) liveOf(part)?.notifyAllFields();
      });
    });
    // Preact compares dependencies of any number
    // eslint-disable-next-line react/exhaustive-deps
  }, parts);
}
