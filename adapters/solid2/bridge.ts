/** One Solid signal per cell that somebody reads in Solid, quiet when nobody does. */
import { effect, untracked } from '../../src/reactive.ts';
import type { ReadonlySignal } from '../../src/reactive.ts';
import { createSignal, getObserver } from './solid.ts';

const bridges = new WeakMap<ReadonlySignal, () => void>();
// what a bridge reads itself must not be bridged again: it reads while a computation of Solid's runs
let muted = false;

/** Makes the computation of Solid's that is running depend on `cell`. Outside of one it does nothing. */
export function bridge(cell: ReadonlySignal): void {
  if (muted || getObserver() === null) return;
  let track = bridges.get(cell);
  if (track === undefined) bridges.set(cell, (track = build(cell)));
  track();
}

function build(cell: ReadonlySignal): () => void {
  let stop: (() => void) | undefined;
  const unobserved = (): void => {
    stop?.();
    stop = undefined;
  };
  const [read, write] = createSignal(0, { ownedWrite: true, unobserved });
  let turns = 0;
  const listen = (): (() => void) => {
    let born = false;
    return effect(() => {
      muted = true;
      void cell.value;
      muted = false;
      if (born) untracked(() => write(++turns));
      born = true;
    });
  };
  return () => {
    read();
    stop ??= listen();
  };
}

/** The value of any signal, tracked by Solid: only cells are seen when they are read plainly. */
export function look<T>(signal: ReadonlySignal<T>): T {
  bridge(signal);
  return signal.peek();
}
