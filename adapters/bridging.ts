/** One signal of a framework's own graph per cell that somebody reads in it, gone when nobody does. */
import { Cell, effect, untracked } from '../src/reactive.ts';
import type { Listener, ReadonlySignal } from '../src/reactive.ts';

/** What a framework lends whose computations track by themselves. */
export interface Graph {
  /** True while one of its computations runs that can be cleaned up after. */
  isTracking(): boolean;
  /** A signal of its own: how to depend on it, and how to set it. */
  createSignal(): readonly [track: () => void, set: (turn: number) => void];
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
  readonly from: ReadonlySignal;
  readers: number;
  readonly track: () => void;
  readonly leave: () => void;
  readonly stop: () => void;
}

// what a bridge reads itself must not be bridged again: it reads while a computation runs
let muted = 0;

export function bridging(graph: Graph): Bridging {
  // where a signal keeps its bridge to this graph: a page reads hundreds at once, and a Map costs as much as the rest
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
      // one that runs again leaves and comes back at once
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
      // back again, or met twice in here
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

/** An effect for less: runs `listener` once after each batch that ticked the cell. Gives back how to stop. */
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

/** What is no cell changes when the engine says so. */
function watch(signal: ReadonlySignal, trigger: () => void): () => void {
  let born = false;
  return effect(() => {
    muted++;
    try {
      void signal.value;
    } catch {
      // whoever looks gets the exception, not whoever wrote
    } finally {
      muted--;
    }
    // computations may run in here: what they read is theirs, not this effect's
    if (born) untracked(trigger);
    born = true;
  });
}
