/** One signal of the framework's own graph per cell that is read in the graph; removed without readers. */
import { Cell, effect, untracked } from '../src/signals.ts';
import type { Listener, ReadonlySignal } from '../src/signals.ts';

/** The functions of a framework with automatic tracking. */
export interface ReactiveGraph {
  /** True while a computation runs that supports cleanup. */
  isTracking(): boolean;
  /** Creates a signal of the framework: a function to track, and a function to set. */
  createSignal(): readonly [track: () => void, set: (turn: number) => void];
  /** Calls `job` when the running computation is run again or disposed. */
  onCleanup(job: () => void): void;
}

export interface SignalInterop {
  /** Makes the running computation depend on `cell`. Outside of a computation it does nothing. */
  readonly bridge: (cell: ReadonlySignal) => void;
  /** The value of any signal, tracked. Needed for signals other than cells, which a plain read does not track. */
  readonly look: <T>(signal: ReadonlySignal<T>) => T;
}

/*
 *   cell ──tick────► trigger ─ the framework's signal ─ track ──► computations: each counts as a reader until it runs
 *   other ─effect──►                                              again or is disposed
 */
interface Bridge {
  readonly from: ReadonlySignal;
  readers: number;
  readonly track: () => void;
  readonly leave: () => void;
  readonly stop: () => void;
}

// above 0 while a bridge reads: its own reads inside of a computation must not be bridged again
let muted = 0;

export function createInterop(graph: ReactiveGraph): SignalInterop {
  // the property of a signal with its bridge to this graph: a page reads hundreds at once, and a Map would double the
  // cost
  const BRIDGE = Symbol('signalbox.bridge');
  type Bridged = ReadonlySignal & { [BRIDGE]?: Bridge | undefined };
  let left: Bridge[] = [];
  let turns = 0;

  function bridge(cell: ReadonlySignal): void {
    if (muted > 0 || !graph.isTracking()) return;
    const known = ((cell as Bridged)[BRIDGE] ??= build(cell));
    known.readers++;
    known.track();
    graph.onCleanup(known.leave);
  }

  function build(from: ReadonlySignal): Bridge {
    const [track, set] = graph.createSignal();
    const trigger = (): void => set(++turns);
    const leave = (): void => {
      if (--made.readers > 0) return;
      // a computation that runs again leaves and returns at once
      if (left.push(made) === 1) queueMicrotask(sweep);
    };
    const stop = from instanceof Cell ? listen(from, trigger) : watch(from, trigger);
    const made: Bridge = { from, readers: 0, track, leave, stop };
    return made;
  }

  function sweep(): void {
    const leaving = left;
    left = [];
    for (const known of leaving) {
      // in use again, or twice in this list
      if (known.readers > 0 || (known.from as Bridged)[BRIDGE] !== known) continue;
      (known.from as Bridged)[BRIDGE] = undefined;
      known.stop();
    }
  }

  const look = <T>(signal: ReadonlySignal<T>): T => {
    bridge(signal);
    return signal.peek();
  };
  return { bridge, look };
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
  let born = false;
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
    if (born) untracked(trigger);
    born = true;
  });
}
