/** One Solid signal per cell that somebody reads in Solid, gone when nobody does. */
import { createSignal, getListener, getOwner, onCleanup } from 'solid-js';
import { Cell, effect, untracked } from '../../src/reactive.ts';
import type { ReadonlySignal } from '../../src/reactive.ts';

/*
 *   cell ──tick────► trigger ─ Solid signal ─ track ──► computations: each counts as a reader until it runs again
 *   other ─effect──►                                    or is disposed
 */
interface Bridge {
  readers: number;
  readonly track: () => void;
  readonly leave: () => void;
  readonly stop: () => void;
}

const bridges = new Map<ReadonlySignal, Bridge>();
const left = new Set<ReadonlySignal>();
// what a bridge reads itself must not be bridged again: it reads while a computation of Solid's runs
let muted = false;

function quietly(read: () => unknown): void {
  const before = muted;
  muted = true;
  try {
    read();
  } finally {
    muted = before;
  }
}

/** Makes the computation of Solid's that is running depend on `cell`. Outside of one it does nothing. */
export function bridge(cell: ReadonlySignal): void {
  if (muted || getListener() === null || getOwner() === null) return;
  let known = bridges.get(cell);
  if (known === undefined) bridges.set(cell, (known = build(cell)));
  known.readers++;
  known.track();
  onCleanup(known.leave);
}

function build(cell: ReadonlySignal): Bridge {
  const [track, trigger] = createSignal(undefined, { equals: false });
  const stop = cell instanceof Cell ? cell.listen(trigger) : watch(cell, trigger);
  const made: Bridge = { readers: 0, track, leave, stop };
  function leave(): void {
    if (--made.readers > 0) return;
    // one that runs again leaves and comes back at once
    if (left.size === 0) queueMicrotask(sweep);
    left.add(cell);
  }
  return made;
}

/** What is no cell changes when the engine says so. */
function watch(signal: ReadonlySignal, trigger: () => void): () => void {
  let born = false;
  return effect(() => {
    quietly(() => signal.value);
    // Solid's computations run in here: what they read is theirs, not this effect's
    if (born) untracked(trigger);
    born = true;
  });
}

function sweep(): void {
  for (const cell of left) {
    const known = bridges.get(cell);
    if (known === undefined || known.readers > 0) continue;
    bridges.delete(cell);
    known.stop();
  }
  left.clear();
}

/** The value of any signal, tracked by Solid: only cells are seen when they are read plainly. */
export function look<T>(signal: ReadonlySignal<T>): T {
  bridge(signal);
  return signal.peek();
}
