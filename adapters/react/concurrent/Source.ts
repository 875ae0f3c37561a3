/** A stored value as components read it: each keeps in React state the value after the commits of its lane. */
import { currentSetUpdate } from '../../../src/store/writes/currentSetUpdate.ts';
import type { SetUpdate } from '../../../src/store/writes/currentSetUpdate.ts';
import { isServer } from '../../../src/page.ts';
import type { Reader } from '../../../src/view/Reader.ts';
import { useEffect, useLayoutEffect, useReducer } from '../react.ts';
import { rebase } from './rebase.ts';
import type { Included, Timeline } from './Timeline.ts';

/** The change of a value by one commit, or by several commits that are not distinguished. */
interface Step<T> {
  readonly commits: Included;
  readonly before: T;
  readonly after: T;
  readonly replay: SetUpdate | undefined;
}

type Observer<T> = (step: Step<T>) => void;

/** The selected part of a stored object, and its subscription. Must be the same object at every render. */
export interface Selector<T, Target> {
  /** Undefined: the value was removed, and the value before stays. */
  peek(target: Target): T | undefined;
  listen(target: Target, listener: () => void): () => void;
}

// any: readers do not see the type of the target
export class Source<T = unknown, Target = any> {
  readonly timeline: Timeline;
  readonly #facet: Selector<T, Target>;
  readonly #target: Target;
  #known: T | undefined;
  /** The newest value. Valid only while the source has readers. */
  last!: T;
  #observers: Observer<T>[] = [];
  /** The steps that are not rendered everywhere. */
  #steps: Step<T>[] | undefined;
  /** The value for all readers that mount in one pass, independent of later writes. */
  #pass: object | undefined;
  #passValue: T | undefined;
  #stop: (() => void) | undefined;

  constructor(timeline: Timeline, facet: Selector<T, Target>, target: Target) {
    this.timeline = timeline;
    this.#facet = facet;
    this.#target = target;
  }

  /** The present value in the store. */
  peek(): T {
    return (this.#known = this.#facet.peek(this.#target) ?? this.#known) as T;
  }

  /** True while a mounted component reads the source. */
  get isRead(): boolean {
    return this.#observers.length > 0;
  }

  /** The value for a reader before its mount. */
  first(): T {
    const { timeline } = this;
    if (this.isRead) return this.at(timeline.rendered);
    // on a server nothing is ever mounted
    if (isServer()) return this.peek();
    const { pass } = timeline;
    pass.mounting = true;
    if (this.#pass !== pass) {
      if (pass.outdated === true) timeline.restart();
      this.#pass = pass;
      this.#passValue = this.peek();
    }
    return this.#passValue as T;
  }

  /**
   * The value after the steps in `included`, of the steps that lead to `last`. Valid only while the source has readers.
   */
  at(included: Included, last: T = this.last): T {
    const steps = this.#steps ?? [];
    const end = steps.findIndex(({ after }) => after === last);
    let value = end < 0 ? last : (steps[0] as Step<T>).before;
    for (const { commits, before, after, replay } of steps.slice(0, end + 1))
      if (this.timeline.has(included, commits)) value = rebase(value, before, after, replay);
    return value;
  }

  /** Called when a reader mounts. Returns the function for its unmount. */
  enter(observer: Observer<T>): () => void {
    const { timeline } = this;
    if (!this.isRead) {
      this.#stop = this.#facet.listen(this.#target, () => this.#changed());
      const now = this.peek();
      this.last = this.#pass === timeline.pass ? (this.#passValue as T) : now;
      if (this.last !== now) this.#step(now, timeline.pending);
    }
    this.#observers.push(observer);
    return () => {
      this.#observers = this.#observers.filter((other) => other !== observer);
      if (this.isRead) return;
      this.#stop?.();
      this.settle();
    };
  }

  #changed(): void {
    const now = this.peek();
    if (now === this.last) return;
    const step = this.#step(now, this.timeline.tell());
    for (const observer of this.#observers) observer(step);
  }

  #step(after: T, commits: Included): Step<T> {
    const step = { commits, before: this.last, after, replay: currentSetUpdate() };
    this.last = after;
    if (this.#steps !== undefined) this.#steps.push(step);
    else {
      this.#steps = [step];
      this.timeline.unsettled.push(this);
    }
    return step;
  }

  /** Called when all steps are rendered everywhere. */
  settle(): void {
    this.#steps = undefined;
  }
}

/** The time from mount to unmount of a component with one source. */
interface Seat<T> {
  readonly source: Source<T>;
  /** The value of the first committed render. */
  readonly start: T;
}

/** State with the lifetime of the component. */
export interface Stay<T> {
  /** Undefined before mount: React may discard the component and its state without a callback. */
  seat?: Seat<T>;
  /** The reader of the last render, if it is not mounted. */
  waiting?: Reader;
}

interface Held<T> {
  readonly stay: Stay<T>;
  /** Undefined before the first update. */
  readonly seat?: Seat<T>;
  readonly value?: T;
  /** True until the first update other than the updates of a late reader. */
  readonly isLate?: boolean;
}

/** A change from `told` to `now`. */
interface Change<T> {
  readonly seat: Seat<T>;
  readonly told: T;
  readonly now: T;
  readonly replay: SetUpdate | undefined;
  readonly late?: never;
}

/** For a late reader: computes the value from the commits of the render. */
interface LateUpdate<T> {
  readonly seat: Seat<T>;
  readonly late: (before: T) => T;
}

const valueOf = <T>(held: Held<T>, seat: Seat<T>): T =>
  held.seat === seat ? (held.value as T) : seat.start;

// a reducer: React computes it in the render, and never eagerly as it does with an update of useState
function updated<T>(held: Held<T>, update: Change<T> | LateUpdate<T>): Held<T> {
  const { seat, late } = update;
  const before = valueOf(held, seat);
  if (late !== undefined && held.seat === seat && held.isLate !== true) return held;
  const value = late ? late(before) : rebase(before, update.told, update.now, update.replay);
  if (value === before) return held;
  return { stay: held.stay, seat, value, isLate: late !== undefined };
}

const first = <T>(): Held<T> => ({ stay: {} });

type See<T> = (now: T, told: T) => T;
const all = <T>(now: T): T => now;

/**
 * The value of `source` that the component renders. `render` returns the value to render from the value in React's
 * state, which is undefined if the component is not mounted with this source. `see` returns the visible part of a new
 * value, given the value before.
 */
export function useSource<T>(
  source: Source<T>,
  render: (held: T | undefined, stay: Stay<T>) => T,
  see: See<T> = all,
): T {
  const [held, update] = useReducer(updated<T>, undefined, first<T>);
  const { stay } = held;
  const { seat } = stay;
  const value = render(seat?.source === source ? valueOf(held, seat) : undefined, stay);
  useLayout(
    () => {
      const { timeline } = source;
      const mounted: Seat<T> = (stay.seat = { source, start: value });
      // the value after all updates that were passed to React
      let told = value;
      const leave = source.enter(({ after, replay }) => {
        const before = told;
        told = see(after, before);
        // an unchanged value would cost an additional pass of the next transition
        if (told !== before) update({ seat: mounted, told: before, now: told, replay });
      });
      const { last } = source;
      const drawn = see(source.at(timeline.committed), value);
      told = see(last, drawn);
      if (drawn !== value) update({ seat: mounted, late: () => drawn });
      if (told !== drawn) {
        const late = (before: T) => see(source.at(timeline.rendered, last), before);
        timeline.later(() => {
          if (stay.seat === mounted) update({ seat: mounted, late });
        });
      }
      timeline.mounted();
      return leave;
    },
    // at mount, with another source and when visible again: after other renders it would undo pending transitions
    // eslint-disable-next-line react/exhaustive-deps
    [source],
  );
  return value;
}

// a server has no layout effects, and React 18 warns of each
export const useLayout: typeof useEffect = isServer() ? useEffect : useLayoutEffect;
