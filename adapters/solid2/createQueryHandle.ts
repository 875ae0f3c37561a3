/** The shared parts of all reading hooks: the request that the params name, and the promise to wait for. */
import type { ArgsOf } from '../../src/Controller.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { toNewReaderResult } from '../../src/store/results/Result.ts';
import type { Result } from '../../src/store/results/Result.ts';
import type { Ready, Reader } from '../../src/view/Reader.ts';
import { liveResult } from '../../src/live/liveResult.ts';
import { readTracked } from './trackInSolid.ts';
import { useControllerContext, useReadingContext } from './Provider.ts';
import { createEffect, createMemo, createSignal, onCleanup, untrack } from './solid.ts';
import type { Accessor } from './solid.ts';

/** The arguments of an endpoint, each as a function. Arguments that read a pending value wait for it. */
export type Params<A extends readonly unknown[]> = { readonly [K in keyof A]: () => A[K] };

export interface QueryHandle {
  readonly reader: Accessor<Reader>;
  readonly result: Accessor<Result>;
  /** The promise to wait for, before the first data; in an object, since Solid would wait for a bare promise. */
  readonly wait: Accessor<{ readonly ready: Ready | undefined }>;
}

/** The reader of the request that the params name now. */
export function createObserver(
  hook: string,
  endpoint: EndpointInterface,
  params: readonly unknown[],
): Accessor<Reader> {
  const { controller } = useReadingContext(hook, endpoint);
  return createMemo(() => {
    const args = (params as readonly Accessor<unknown>[]).map((param) => param());
    return untrack(() => controller.view(endpoint, ...(args as ArgsOf<EndpointInterface>)));
  });
}

/** The visible result of a reader: data of a deleted entity stay for components that have rendered the entity. */
export function createShownResult(reader: Accessor<Reader>): Accessor<Result> {
  let had: Reader | undefined;
  return () => {
    const at = reader();
    const now = readTracked(liveResult(at));
    const seen = had === at ? now : toNewReaderResult(now);
    if (seen.status === 'success') had = at;
    return seen;
  };
}

/** Creates a reader, and fetches without data. `throws`: boundaries catch the reader's errors, and reset them. */
export function createQueryHandle(
  hook: string,
  endpoint: EndpointInterface,
  params: readonly unknown[],
  throws: boolean,
): QueryHandle {
  const { resets } = useControllerContext(hook);
  const reader = createObserver(hook, endpoint, params);
  const result = createShownResult(reader);
  const [turns, turn] = createSignal(0, { ownedWrite: true });
  let settled = 0;
  let shown: Reader | undefined;
  const wait = createMemo(() => {
    const at = reader();
    if (throws) resets();
    turns();
    const { status } = result();
    // a second read of an expired error: a boundary was reset
    const ready = untrack(() => at.ensure(shown !== at || (throws && status === 'error')));
    if (ready === undefined) shown = at;
    else void ready.then(() => turn(++settled));
    return { ready };
  });
  createEffect(reader, (at) => {
    const release = at.retain();
    at.revalidate();
    return release;
  });
  return { reader, result, wait };
}

/** Suspends its readers until there are data. */
export function createSuspenseGate({ reader, wait }: QueryHandle): Accessor<void> {
  return createMemo(() => {
    const { ready } = wait();
    const at = reader();
    let gone = false;
    onCleanup(() => {
      gone = true;
    });
    // if the promise settles without a response, the gate waits for the next one, as long as it has readers
    const answer = async (): Promise<void> => {
      for (let next = ready; next !== undefined; next = gone ? undefined : at.ensure(false))
        await next;
    };
    return ready && answer();
  });
}
