/** Signals, as the library uses them: lazy cells over stored things; the one door to @preact/signals-core. */
import { batch, computed, effect, Signal, signal, untracked } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';

export { batch, computed, effect, Signal, signal, untracked };
export type { ReadonlySignal };

let ticks = 0;

/*
 * Nobody reading means nothing is held: a stored thing holds its cell firmly while it is watched, weakly else. A cell
 * that a program holds, or a `computed` that it holds, stays the one that is told.
 */
export type Held<C extends object> = C | WeakRef<C> | undefined;

/** The cell in a slot, if it is still there. */
export function held<C extends object>(slot: Held<C>): C | undefined {
  return slot instanceof WeakRef ? slot.deref() : slot;
}

/** True while somebody watches the cell in a slot. */
export function isWatched<C extends object>(slot: Held<C>): boolean {
  return slot !== undefined && !(slot instanceof WeakRef);
}

// one for all cells: the engine calls these on the cell
const watching = {
  watched(this: Signal): void {
    (this as Cell<unknown>).watch(1);
  },
  unwatched(this: Signal): void {
    (this as Cell<unknown>).watch(-1);
  },
};

/**
 * A signal whose value lives elsewhere: the engine holds only a tick, `current()` is asked when somebody reads.
 * So a change costs one tick however much hangs on it, and what nobody reads is never built.
 * It is a true `Signal`: `value`, `peek`, `subscribe`, JSX text and `instanceof` behave as of any other.
 */
export abstract class Cell<T> extends Signal<T> implements ListenerHost {
  /** The engine's subscribers count as one, each listener as one. */
  watchers = 0;
  /** Each is run once after each batch that ticked this. */
  listeners: readonly Listener[] | undefined = undefined;
  queued = false;

  constructor() {
    super(0 as T, watching);
    hideConstructor(new.target.prototype);
  }

  /** The first subscriber came (`firm`), or the last has gone: whoever made this cell may let go of it then. */
  protected abstract hold(firm: boolean): void;

  /** Somebody came, or went. */
  watch(change: 1 | -1): void {
    this.watchers += change;
    if (this.watchers === Number(change > 0)) this.hold(change > 0);
  }

  /** The value now; must be the same reference until the next `tick`. */
  protected abstract current(): T;

  override get value(): T {
    if (foreign !== null) foreign(this);
    // the base getter makes the engine's dependency on the tick
    void super.value;
    return this.current();
  }

  override set value(_: T) {
    throw new TypeError('this signal is read-only: write through the controller');
  }

  override peek(): T {
    return this.current();
  }

  /** Tells readers, at the end of the batch, that `current()` answers anew. */
  tick(): void {
    if (later !== undefined) return void later.push(() => this.tick());
    super.value = ++ticks as T;
    if (this.listeners !== undefined) scheduleListeners(this);
  }
}

// as its subclasses do, before the first of them is made
hideConstructor(Cell.prototype);

/** Preact draws a signal as text only where @preact/signals hid the constructor; a subclass would bring it back. */
function hideConstructor(prototype: object): void {
  if (Object.hasOwn(prototype, 'constructor')) Reflect.deleteProperty(prototype, 'constructor');
}

type Track = (cell: Cell<unknown>) => void;
let foreign: Track | null = null;

/**
 * Lets a framework with a graph of its own (Solid) see each read of a cell.
 * Gives back how to stop. Trackers are asked in turn and ignore reads outside of their own computations.
 */
export function addTracker(track: Track): () => void {
  const trackers = [...installed, track];
  install(trackers);
  return () => install(installed.filter((other) => other !== track));
}

/** Reads so that nobody depends on it, foreign graphs neither. Not for code that may run a framework's own. */
export function untrackedAll<T>(read: () => T): T {
  const track = foreign;
  foreign = null;
  try {
    return untracked(read);
  } finally {
    foreign = track;
  }
}

let installed: readonly Track[] = [];

function install(trackers: readonly Track[]): void {
  installed = trackers;
  const [only] = trackers;
  if (only === undefined) foreign = null;
  else if (trackers.length === 1) foreign = only;
  else foreign = (cell) => trackers.forEach((track) => track(cell));
}

/*
 * Plain listeners (React) run once per batch, after the signal effects of it. They wait in `due`; `drain` wakes a first
 * effect, which wakes a second one: the engine runs that after all effects that the batch has woken so far. So an outer
 * batch() of the user's is respected, too.
 */
export type Listener = () => void;

/** A thing with plain listeners; `queued` keeps it in line once. */
export interface ListenerHost {
  readonly listeners: Iterable<Listener> | undefined;
  queued: boolean;
}

let due: ListenerHost[] = [];
let drain: Signal<number> | undefined;

export function scheduleListeners(audience: ListenerHost): void {
  if (later !== undefined) return void later.push(() => scheduleListeners(audience));
  if (audience.queued || audience.listeners === undefined) return;
  // made while the line is empty: an effect runs once at birth
  drain ??= drained();
  audience.queued = true;
  if (due.push(audience) === 1) drain.value = drain.peek() + 1;
}

function drained(): Signal<number> {
  const first = signal(0);
  const second = signal(0);
  effect(() => {
    second.value = first.value;
  });
  effect(() => {
    void second.value;
    untracked(callAll);
  });
  return first;
}

/** Calls every listener. The first exception is thrown when all of them have been called. */
function callAll(): void {
  const failed: { readonly error: unknown }[] = [];
  while (due.length > 0) {
    const line = due;
    due = [];
    for (const audience of line) {
      audience.queued = false;
      for (const listener of Array.from(audience.listeners ?? [])) call(listener, failed);
    }
  }
  for (const { error } of failed) throw error;
}

function call(listener: Listener, failed: { readonly error: unknown }[]): void {
  try {
    listener();
  } catch (error) {
    failed.push({ error });
  }
}

let later: (() => void)[] | undefined;

/**
 * Runs a change while a component renders, where nobody may be told: gives who is to be told of it afterwards.
 * What is read meanwhile is true already.
 */
export function deferNotifications(change: () => void): readonly (() => void)[] {
  const told: (() => void)[] = (later = []);
  try {
    untrackedAll(change);
  } finally {
    later = undefined;
  }
  return told;
}

/** How many ticks cells have made so far: the difference over a commit is the number of signals it wrote. */
export function ticked(): number {
  return ticks;
}
