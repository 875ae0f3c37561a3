/** A signal of the framework's own graph for each cell that is read in the graph; removed without readers. */
import { addTracker, Cell, effect, untracked } from '../src/signals.ts';
import type { Listener, ReadonlySignal } from '../src/signals.ts';

/** The functions of a framework with automatic tracking. */
export interface ReactiveGraph {
  /** True while a computation runs that supports cleanup. */
  isTracking(): boolean;
  /** Creates a signal of the framework: a function to track, and a function to set. */
  createSignal(): readonly [track: () => void, set: (count: number) => void];
  /** Calls `job` when the running computation is run again or disposed. */
  onCleanup(job: () => void): void;
}

export interface SignalInterop {
  /** Tracks all reads of the store's signals in computations of the graph, for the lifetime of the page. */
  install(): void;
  /** The value of any signal, tracked. Needed for signals other than cells, which a plain read does not track. */
  readTracked<T>(signal: ReadonlySignal<T>): T;
}

/*
 *   cell ──tick────► trigger ─ the framework's signal ─ track ──► computations: each counts as a reader until it runs
 *   other ─effect──►                                              again or is disposed
 */
interface Bridge {
  readonly signal: ReadonlySignal;
  readers: number;
  readonly track: () => void;
  readonly release: () => void;
  readonly stop: () => void;
}

// above 0 while a bridge reads: the bridge's own reads inside of a computation must not be bridged again
let muted = 0;

export function createInterop(graph: ReactiveGraph): SignalInterop {
  // the property of a signal with the bridge to this graph: a page reads hundreds at once, and a Map would double the
  // cost
  const BRIDGE = Symbol('signalbox.bridge');
  type Bridged = ReadonlySignal & { [BRIDGE]?: Bridge | undefined };
  let released: Bridge[] = [];
  let triggers = 0;
  let isInstalled = false;

  /** Makes the running computation depend on `cell`. Does nothing outside of a computation. */
  function track(cell: ReadonlySignal): void {
    if (muted > 0 || !graph.isTracking()) return;
    const bridge = ((cell as Bridged)[BRIDGE] ??= createBridge(cell));
    bridge.readers++;
    bridge.track();
    graph.onCleanup(bridge.release);
  }

  function createBridge(signal: ReadonlySignal): Bridge {
    const [trackSignal, setSignal] = graph.createSignal();
    const trigger = (): void => setSignal(++triggers);
    const release = (): void => {
      if (--bridge.readers > 0) return;
      // a computation that runs again releases the bridge and reads at once
      if (released.push(bridge) === 1) queueMicrotask(sweep);
    };
    const stop = signal instanceof Cell ? listen(signal, trigger) : watch(signal, trigger);
    const bridge: Bridge = { signal, readers: 0, track: trackSignal, release, stop };
    return bridge;
  }

  function sweep(): void {
    const bridges = released;
    released = [];
    for (const bridge of bridges) {
      // in use again, or twice in this list
      if (bridge.readers > 0 || (bridge.signal as Bridged)[BRIDGE] !== bridge) continue;
      (bridge.signal as Bridged)[BRIDGE] = undefined;
      bridge.stop();
    }
  }

  return {
    install() {
      if (!isInstalled) addTracker(track);
      isInstalled = true;
    },
    readTracked(signal) {
      track(signal);
      return signal.peek();
    },
  };
}

/** A cheaper effect: runs `listener` once after each batch that ticked the cell. Returns an unsubscribe function. */
function listen(cell: Cell<unknown>, listener: Listener): () => void {
  const { listeners } = cell;
  cell.listeners = listeners === undefined ? [listener] : [...listeners, listener];
  cell.watch(1);
  return () => {
    const others = cell.listeners?.filter((other) => other !== listener) ?? [];
    cell.listeners = others.length > 0 ? others : undefined;
    cell.watch(-1);
  };
}

/** For signals other than cells: an effect of the engine detects the changes. */
function watch(signal: ReadonlySignal, trigger: () => void): () => void {
  let isSubscribed = false;
  return effect(() => {
    muted++;
    try {
      void signal.value;
    } catch {
      // the exception goes to the reader, not to the writer
    } finally {
      muted--;
    }
    // computations may run in here: their reads must not become dependencies of this effect
    if (isSubscribed) untracked(trigger);
    isSubscribed = true;
  });
}
