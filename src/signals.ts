/** Signals for the library: lazy cells over stored records; the only file that imports @preact/signals-core. */
import { batch, computed, effect, Signal, signal, untracked } from '@preact/signals-core';
import type { ReadonlySignal } from '@preact/signals-core';

export { batch, computed, effect, Signal, signal, untracked };
export type { ReadonlySignal };

/** The number of ticks of all cells so far. The difference over a commit is the number of signals written. */
export let tickCount = 0;
// V8 runs an assignment to `super.value` in the slow runtime, half of the time of a tick; a setter call is compiled
const valueProperty = /* @__PURE__ */ Object.getOwnPropertyDescriptor(
  Signal.prototype,
  'value',
) as Required<PropertyDescriptor>;

/*
 * A record holds a cell strongly while the cell is watched, otherwise weakly, so unwatched cells are collected. If a
 * program holds a cell, or a `computed` that depends on the cell, the same cell is notified of later changes.
 */
export type CellSlot<C extends object> = C | WeakRef<C> | undefined;

/** The cell in a slot, unless collected. */
export function deref<C extends object>(slot: CellSlot<C>): C | undefined {
  return slot instanceof WeakRef ? slot.deref() : slot;
}

/** True while the cell in a slot is watched. */
export function isWatched<C extends object>(slot: CellSlot<C>): boolean {
  return slot !== undefined && !(slot instanceof WeakRef);
}

// shared by all cells: the engine calls these functions with the cell as `this`
const watchCallbacks = {
  watched(this: Signal): void {
    (this as Cell<unknown>).watch(1);
  },
  unwatched(this: Signal): void {
    (this as Cell<unknown>).watch(-1);
  },
};

/**
 * A signal whose value is stored elsewhere: the engine holds only a tick counter, and a read calls `current()`. So a
 * change costs a single tick regardless of the number of dependents, and a value without readers is never built. Cell
 * is a true `Signal`: `value`, `peek`, `subscribe`, JSX text and `instanceof` work as with any other.
 */
export abstract class Cell<T> extends Signal<T> implements ListenerHost {
  /** The number of listeners, plus 1 if the engine has subscribers. */
  watchers = 0;
  /** Each listener is called once after each batch in which the cell ticked. */
  listeners: readonly Listener[] | undefined;
  queued = false;

  constructor() {
    super(0 as T, watchCallbacks);
    // Preact renders a signal as text only if `constructor` is the value that Preact gave `Signal`, but each subclass
    // defines a new value. The prototype keeps the new value, by which classes that Babel has compiled to functions
    // (React Native) construct. With the first instance: a statement of the module would keep `Cell` in apps without
    // signals of the library.
    if (this.constructor === Signal.prototype.constructor) return;
    const prototype = Object.getPrototypeOf(this) as object;
    const { constructor } = prototype;
    Object.defineProperty(prototype, 'constructor', {
      configurable: true,
      get(this: object) {
        return this === prototype ? constructor : Signal.prototype.constructor;
      },
    });
  }

  /** The first subscriber came (`strong`), or the last subscriber left: the owner may hold the cell weakly then. */
  protected abstract setStrong(strong: boolean): void;

  /** Counts a subscriber that came (1) or left (-1). */
  watch(change: 1 | -1): void {
    this.watchers += change;
    if (this.watchers === Number(change > 0)) this.setStrong(change > 0);
  }

  /** The present value. The reference must stay the same until the next `tick`. */
  protected abstract current(): T;

  override get value(): T {
    if (tracker !== null) tracker(this);
    // the base getter makes the running effect depend on the tick
    void super.value;
    return this.current();
  }

  override set value(_: T) {
    throw new TypeError('this signal is read-only: write through the controller');
  }

  override peek(): T {
    return this.current();
  }

  /** Notifies readers, at the end of the batch, that `current()` returns a new value. */
  tick(): void {
    if (deferredCalls !== undefined) return void deferredCalls.push(() => this.tick());
    valueProperty.set.call(this, ++tickCount);
    if (this.listeners !== undefined) scheduleListeners(this);
  }
}

type Track = (cell: Cell<unknown>) => void;
let tracker: Track | null = null;

/**
 * Lets a framework with a separate dependency graph (Solid) track each read of a cell. Returns the function that
 * removes `track`. All trackers are called in turn; a tracker ignores reads outside of the framework's computations.
 */
export function addTracker(track: Track): () => void {
  setTrackers([...trackers, track]);
  return () => setTrackers(trackers.filter((other) => other !== track));
}

/** Reads without a dependency, also in the graphs of other frameworks. Not for code that runs a framework's own. */
export function untrackedAll<T>(read: () => T): T {
  const track = tracker;
  tracker = null;
  try {
    return untracked(read);
  } finally {
    tracker = track;
  }
}

let trackers: readonly Track[] = [];

function setTrackers(next: readonly Track[]): void {
  trackers = next;
  const [only] = next;
  if (only === undefined) tracker = null;
  else if (next.length === 1) tracker = only;
  else tracker = (cell) => next.forEach((track) => track(cell));
}

/*
 * Plain listeners (React) run once per batch, after the signal effects, and wait in `dueHosts` until then. Writing
 * `listenerTrigger` triggers a first effect, which triggers a second: the engine runs the second after all effects that
 * the batch has triggered so far. So an outer batch() of the user is respected, too.
 */
export type Listener = () => void;

/** An object with plain listeners; `queued` is true while the object is in `dueHosts`. */
export interface ListenerHost {
  readonly listeners: Iterable<Listener> | undefined;
  queued: boolean;
}

let dueHosts: ListenerHost[] = [];
let listenerTrigger: Signal<number> | undefined;

export function scheduleListeners(host: ListenerHost): void {
  if (deferredCalls !== undefined) return void deferredCalls.push(() => scheduleListeners(host));
  if (host.queued || host.listeners === undefined) return;
  // created while `dueHosts` is empty: an effect runs once on creation
  listenerTrigger ??= createListenerTrigger();
  host.queued = true;
  if (dueHosts.push(host) === 1) listenerTrigger.value = listenerTrigger.peek() + 1;
}

function createListenerTrigger(): Signal<number> {
  const first = signal(0);
  const second = signal(0);
  effect(() => {
    second.value = first.value;
  });
  effect(() => {
    void second.value;
    untracked(callDueListeners);
  });
  return first;
}

/** Calls every listener. After all calls, the first exception is thrown. */
function callDueListeners(): void {
  let failed: { readonly error: unknown } | undefined;
  // the iteration includes hosts that become due meanwhile
  for (const host of dueHosts) {
    host.queued = false;
    for (const listener of Array.from(host.listeners ?? [])) {
      try {
        listener();
      } catch (error) {
        failed ??= { error };
      }
    }
  }
  dueHosts = [];
  if (failed !== undefined) throw failed.error;
}

let deferredCalls: (() => void)[] | undefined;

/**
 * Runs a change while a component renders, when no subscriber may be notified. Returns the deferred notifications.
 * Reads during the change already see the new values.
 */
export function collectNotifications(change: () => void): readonly (() => void)[] {
  const deferred: (() => void)[] = (deferredCalls = []);
  try {
    untrackedAll(change);
  } finally {
    deferredCalls = undefined;
  }
  return deferred;
}

/** True while a change runs whose notifications are deferred: a component renders. */
export function isDeferring(): boolean {
  return deferredCalls !== undefined;
}
