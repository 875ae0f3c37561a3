/** A stored value as components read it: each holds in React state what its lane has written. */
import { useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { currentReplay } from '../../src/store/replay.ts';
import type { Replay } from '../../src/store/replay.ts';
import { isServer } from '../../src/surroundings.ts';
import type { Reader } from '../../src/view/Reader.ts';
import { rebase } from './rebase.ts';
import type { Included, Timeline } from './Timeline.ts';

/** The change of a value by one commit. */
interface Step<T> {
  readonly commits: readonly number[];
  readonly before: T;
  readonly after: T;
  readonly replay: Replay | undefined;
}

type Observer<T> = (step: Step<T>) => void;

export class Source<T = unknown> {
  readonly timeline: Timeline;
  readonly peek: () => T;
  readonly #listen: (listener: () => void) => () => void;
  readonly #observers = new Set<Observer<T>>();
  /** The value without the steps that are not settled, and with all of them. */
  #base: T | undefined;
  #last: T | undefined;
  #steps: Step<T>[] | undefined;
  /** Shown by all readers that are being mounted in one pass, whatever is written meanwhile. */
  #mounting: { readonly pass: object; readonly value: T } | undefined;
  #stop: (() => void) | undefined;

  constructor(timeline: Timeline, peek: () => T, listen: (listener: () => void) => () => void) {
    this.timeline = timeline;
    this.peek = peek;
    this.#listen = listen;
  }

  /** True while a component that reads it is mounted. */
  get isRead(): boolean {
    return this.#observers.size > 0;
  }

  /** The newest value. Of a source that is read. */
  get last(): T {
    return this.#last as T;
  }

  /** The value for a reader that is not mounted yet. */
  first(): T {
    const { timeline } = this;
    if (this.isRead) return this.at(timeline.rendered);
    // nothing is ever mounted
    if (isServer()) return this.peek();
    const { pass } = timeline;
    pass.mounting = true;
    if (this.#mounting?.pass !== pass) {
      timeline.restart();
      this.#mounting = { pass, value: this.peek() };
    }
    return this.#mounting.value;
  }

  /** The value with the steps that `included` has; with none that are later than `last`. Of a source that is read. */
  at(included: Included, last: T = this.last): T {
    if (this.#steps?.some(({ after }) => after === last) !== true) return last;
    const { timeline } = this;
    let value = this.#base as T;
    for (const { commits, before, after, replay } of this.#steps) {
      if (timeline.has(included, commits)) value = rebase(value, before, after, replay);
      if (after === last) break;
    }
    return value;
  }

  /** A reader is mounted. Gives back how to leave. */
  enter(observer: Observer<T>): () => void {
    const { timeline } = this;
    if (!this.isRead) {
      this.#stop = this.#listen(() => this.#changed());
      const now = this.peek();
      const shown = this.#mounting?.pass === timeline.pass ? this.#mounting.value : now;
      this.#base = this.#last = shown;
      if (shown !== now) this.#step(now, timeline.pending);
    }
    this.#observers.add(observer);
    return () => {
      this.#observers.delete(observer);
      if (this.isRead) return;
      this.#stop?.();
      this.settle();
    };
  }

  #changed(): void {
    const now = this.peek();
    if (now === this.#last) return;
    const step = this.#step(now, [this.timeline.tell()]);
    for (const observer of Array.from(this.#observers)) observer(step);
  }

  #step(after: T, commits: readonly number[]): Step<T> {
    const step = { commits, before: this.#last as T, after, replay: currentReplay() };
    (this.#steps ??= []).push(step);
    this.#last = after;
    this.timeline.unsettled.add(this);
    return step;
  }

  /** All steps are on the screen. */
  settle(): void {
    this.#base = this.#last;
    this.#steps = undefined;
  }
}

/** One stay of a component on the screen with one source. */
interface Seat<T> {
  readonly source: Source<T>;
  /** The value with which it was mounted. */
  readonly start: T;
  /** The value with all updates that React was given. */
  told: T;
}

interface Held<T> {
  readonly seat: Seat<T>;
  readonly value: T;
  /** That value as long as no update but those of a late reader has come. */
  readonly late?: T;
}

interface Update<T> {
  readonly seat: Seat<T>;
  readonly isLate?: boolean;
  readonly next: (value: T) => T;
}

const valueOf = <T>(held: Held<T> | undefined, seat: Seat<T>): T =>
  held?.seat === seat ? held.value : seat.start;

// a reducer: React computes it in the render, and never ahead of it as an update of useState
function updated<T>(held: Held<T> | undefined, { seat, next, isLate }: Update<T>): Held<T> {
  const known = held?.seat === seat ? held : { seat, value: seat.start, late: seat.start };
  const { value: before, late } = known;
  if (isLate === true && before !== late) return known;
  const value = next(before);
  if (value === before) return known;
  return isLate === true ? { seat, value, late: value } : { seat, value };
}

/** Lives as long as the component. */
export interface Stay {
  /** What was rendered last that is not mounted. */
  waiting?: Reader;
}

export interface Place<T> {
  /** Undefined before the component is mounted: React may discard it, and all that it remembers, without a trace. */
  readonly stay: Stay | undefined;
  /** The value that the component shows in this render, or undefined before it is mounted with this source. */
  readonly shown: { readonly value: T } | undefined;
  /** To be called at each render: `value` is shown. `see` gives the part of a new value that this component may see. */
  useValue(value: T, see?: (now: T, told: T) => T): void;
}

const all = <T>(now: T): T => now;

/** The state of a component that reads `source`. */
export function usePlace<T>(source: Source<T>): Place<T> {
  const { current: stay } = useRef<Stay & { seat?: Seat<T> }>({});
  const [held, update] = useReducer(updated<T>, undefined);
  const { seat } = stay;
  const shown = seat?.source === source ? { value: valueOf(held, seat) } : undefined;
  const useValue = (value: T, see: (now: T, told: T) => T = all): void =>
    useLayout(() => {
      const { timeline } = source;
      const seat: Seat<T> = (stay.seat = { source, start: value, told: value });
      const tell = (next: (value: T) => T, isLate = false) => update({ seat, next, isLate });
      const leave = source.enter(({ after, replay }) => {
        const { told } = seat;
        const now = see(after, told);
        // an unchanged value would cost a whole pass of the next transition
        if (now === told) return;
        seat.told = now;
        tell((before) => rebase(before, told, now, replay));
      });
      const drawn = see(source.at(timeline.committed), value);
      if (drawn !== value) tell(() => drawn, true);
      const newest = source.last;
      seat.told = see(newest, drawn);
      if (seat.told !== drawn) {
        timeline.later(() => {
          if (stay.seat === seat)
            tell((before) => see(source.at(timeline.rendered, newest), before), true);
        });
      }
      timeline.mounted();
      return leave;
      // at mount, with another source and when shown again: after other renders it would undo pending transitions
      // eslint-disable-next-line react/exhaustive-deps
    }, [source]);
  return { stay: seat && stay, shown, useValue };
}

// on a server there is no layout, and React 18 says so at each use
export const useLayout: typeof useEffect = isServer() ? useEffect : useLayoutEffect;
