/** The functions of Solid 2 for the shared bodies of hooks: pending values and errors pass through computations. */
import { createMemo, onCleanup, untrack } from 'solid-js';
import type { ArgsOf } from '../../src/Controller.ts';
import type { EndpointInterface } from '../../src/endpoint/Endpoint.ts';
import { isServer } from '../../src/page.ts';
import type { Reader, Ready } from '../../src/view/Reader.ts';
import { findReaders } from '../CombinedReader.ts';
import type { AnyReads } from '../CombinedReader.ts';
import { createInterop } from '../signalInterop.ts';
import type { SignalInterop } from '../signalInterop.ts';
import {
  createWritable,
  evaluateAll,
  shownResult,
  useControllerContext,
  useReadingController,
} from '../solid-shared/SolidRuntime.ts';
import type {
  Accessor,
  ActiveRead,
  AnyParams,
  QueryHandle,
  SolidRuntime,
  ListedReads,
} from '../solid-shared/SolidRuntime.ts';
import { createEffect, getObserver } from './solid.ts';

/** The signals of the store as Solid's: a signal for each cell that is read in a computation of Solid's. */
export const solid2Interop: SignalInterop = /* @__PURE__ */ createInterop({
  isTracking: () => getObserver() !== null,
  createSignal: () => createWritable(0),
  onCleanup,
});

/** The request that the params name now. */
function createActiveRead(
  hook: string,
  endpoint: EndpointInterface,
  params: AnyParams,
): Accessor<ActiveRead> {
  const controller = useReadingController(hook, endpoint);
  return createMemo<ActiveRead>(() => {
    const args = evaluateAll(params);
    const viewArgs = args as ArgsOf<EndpointInterface>;
    return { reader: untrack(() => controller.view(endpoint, ...viewArgs)), args };
  });
}

/** `suspends`: boundaries catch and reset the reader's errors. */
export function createPendingHandle(
  hook: string,
  endpoint: EndpointInterface,
  params: AnyParams,
  suspends: boolean,
): QueryHandle {
  const { resets } = useControllerContext(hook);
  const evaluated = createActiveRead(hook, endpoint, params);
  const read = createMemo<ActiveRead>((last) => {
    const next = evaluated();
    return last?.reader === next.reader ? last : next;
  });
  const reader = () => read().reader;
  const result = () => shownResult(solid2Interop, read());
  const [trackSettled, setSettled] = createWritable(0);
  let settled = 0;
  let shown: Reader | undefined;
  // in an object: Solid would wait for a bare promise
  const wait = createMemo((): { readonly ready: Ready | undefined } => {
    const current = reader();
    if (suspends) resets?.();
    trackSettled();
    const { status } = result();
    // a second read of an expired error: a boundary was reset
    const isFirst = shown !== current || (suspends && status === 'error');
    const ready = untrack(() => current.ensure(isFirst));
    if (ready === undefined) shown = current;
    else void ready.then(() => setSettled(++settled));
    return { ready };
  });
  createEffect(reader, (current) => {
    const release = current.retain();
    current.revalidate();
    return release;
  });
  return { reader, result, wait: () => wait().ready };
}

/** The list of reads with their readers. */
export function listReads(hook: string, reads: Accessor<AnyReads>): Accessor<ListedReads> {
  const { controller } = useControllerContext(hook);
  return () => {
    const value = reads();
    return { reads: value, readers: untrack(() => findReaders(controller, value)) };
  };
}

export const solid2Runtime: SolidRuntime = {
  createEffect,
  // each write is a transition
  startTransition: (change) => change(),
  readTracked: (signal) => solid2Interop.readTracked(signal),
  createHydrating: () => isServer,
  createServerReader: () => () => undefined,
  createActiveRead,
};
