/** One signal of a framework's own graph per cell that somebody reads in it, gone when nobody does. */
import { Cell, effect, untracked } from '../src/reactive.ts';
import type { Listener, ReadonlySignal } from '../src/reactive.ts';

/** What a framework lends whose computations track by themselves. */
export interface Graph {
  /** True while one of its computations runs that can be cleaned up after. */
  isTracking(): boolean;
  /** A signal without a value: how to depend on it, and how to wake who does. */
  createTrigger(): readonly [track: () => void, trigger: () => void];
  /** When the computation that runs is run again or disposed. */
  onCleanup(job: () => void): void;
}

export interface Bridging {
  /** Makes the computation that is running depend on `cell`. Outside of one it does nothing. */
  readonly bridge: (cell: ReadonlySignal) => void;
  /** The value of any signal, tracked: only cells are seen when they are read plainly. */
  readonly look: <T>(signal: ReadonlySignal<T>) => T;
}

/*
 *   cell ──tick────► trigger ─ the framework's signal ─ track ──► computations: each counts as a reader until it runs
 *   other ─effect──►                                              again or is disposed
 */
interface Bridge {
  readers: number;
  readonly track: () => void;
  readonly leave: () => void;
  readonly stop: () => void;
}

export function bridging(graph: Graph): Bridging {
  const bridges = new Map<ReadonlySignal, Bridge>();
  const left = new Set<ReadonlySignal>();
  // what a bridge reads itself must not be bridged again: it reads while a computation runs
  let muted = 0;

  function bridge(cell: ReadonlySignal): void {
    if (muted > 0 || !graph.isTracking()) return;
    let known = bridges.get(cell);
    if (known === undefined) bridges.set(cell, (known = build(cell)));
    known.readers++;
    known.track();
    graph.onCleanup(known.leave);
  }

  function build(cell: ReadonlySignal): Bridge {
    const [track, trigger] = graph.createTrigger();
    const stop = cell instanceof Cell ? listen(cell, trigger) : watch(cell, trigger);
    const leave = (): void => {
      if (--made.readers > 0) return;
      // one that runs again leaves and comes back at once
      if (left.size === 0) queueMicrotask(sweep);
      left.add(cell);
    };
    const made: Bridge = { readers: 0, track, leave, stop };
    return made;
  }

  /** What is no cell changes when the engine says so. */
  function watch(signal: ReadonlySignal, trigger: () => void): () => void {
    let born = false;
    return effect(() => {
      muted++;
      try {
        void signal.value;
      } finally {
        muted--;
      }
      // computations may run in here: what they read is theirs, not this effect's
      if (born) untracked(trigger);
      born = true;
    });
  }

  function sweep(): void {
    for (const cell of left) {
      const known = bridges.get(cell) as Bridge;
      if (known.readers > 0) continue;
      bridges.delete(cell);
      known.stop();
    }
    left.clear();
  }

  const look = <T>(signal: ReadonlySignal<T>): T => {
    bridge(signal);
    return signal.peek();
  };
  return { bridge, look };
}

/** An effect for less: runs `listener` once after each batch that ticked the cell. Gives back how to stop. */
function listen(cell: Cell<unknown>, listener: Listener): () => void {
  cell.listeners = [...(cell.listeners ?? []), listener];
  cell.watch(1);
  return () => {
    const others = cell.listeners?.filter((other) => other !== listener) ?? [];
    cell.listeners = others.length > 0 ? others : undefined;
    cell.watch(-1);
  };
}
