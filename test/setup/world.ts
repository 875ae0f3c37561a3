// A small world for a test: a stopped clock, a controller with this clock, records, and endpoints that the test answers.
import { effect } from '@preact/signals-core';
import { Controller, Endpoint, Entity, optimistic } from 'signalbox';
import type {
  Clock,
  ControllerOptions,
  EndpointOptions,
  ReadonlySignal,
  Return,
  Surroundings,
} from 'signalbox';
import { User } from './samples.ts';

export { User };

export class Tag extends Entity {
  id = 0;
  label = '';
}

/** Nested members that may be missing. */
export class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
  userId = 0;
  author: User | null = null;
  tags: Tag[] = [];
  static override schema = { author: User, tags: [Tag] };

  get upper(): string {
    return this.title.toUpperCase();
  }
  titled(prefix: string): string {
    return prefix + this.title;
  }
}

/** A response with all fields of the class: a detail is shown without a request. */
export const wholeTodo = (fields: object = {}): object => ({
  id: 1,
  title: 'a',
  done: false,
  userId: 1,
  tags: [],
  ...fields,
});

/** A required nested member: without this member the entity is incomplete. */
export class Article extends Entity {
  id = 0;
  title = '';
  author = User.fromJS();
  static override schema = { author: User };
}

/** May point to itself. */
export class Knot extends Entity {
  id = 0;
  label = '';
  next: Knot | null = null;
  static override schema = { next: Knot };
}

export class StoppedClock implements Clock {
  #now: number;
  #timers: { at: number; job: () => void }[] = [];

  constructor(now = 1_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, job: () => void): unknown {
    const timer = { at: this.#now + ms, job };
    this.#timers.push(timer);
    return timer;
  }

  clear(timer: unknown): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }

  /** The value that `random` returns. */
  chance = 0.5;
  random(): number {
    return this.chance;
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#timers.length;
  }

  /** Advances the time (or moves the time back), and runs due timers in order. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.clear(due);
      this.#now = Math.max(this.#now, due.at);
      due.job();
    }
    this.#now = until;
  }
}

/** A page under the control of the test: hidden or visible, offline or online. */
export class Page implements Surroundings {
  hidden = false;
  offline = false;
  readonly #listeners = new Set<(what: Return) => void>();

  get listeners(): number {
    return this.#listeners.size;
  }

  listen(back: (what: Return) => void): () => void {
    this.#listeners.add(back);
    return () => void this.#listeners.delete(back);
  }

  /** The user and the network return after an absence. */
  comeBack(what: Return): void {
    if (what === 'focus') this.hidden = false;
    else this.offline = false;
    for (const back of this.#listeners) back(what);
  }
}

/** A request in flight, with the actions of the test. Both actions wait until the store has stored the result. */
export interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly signal: AbortSignal | undefined;
  answer(value?: unknown): Promise<void>;
  fail(error: unknown): Promise<void>;
}

/** As a server or a fetch refuses: with a status, or without where nothing answered. */
export function refusal(status?: number): Error & { status?: number } {
  return Object.assign(
    new Error(`refused ${status ?? ''}`),
    status === undefined ? {} : { status },
  );
}

// any: each test calls the endpoints with different arguments
type Ask = (...args: any[]) => Promise<any>;
/** An endpoint that certainly has a schema. */
export type Asked<S> = Endpoint<Ask, S> & { readonly schema: S };

interface Asking extends Omit<EndpointOptions<Ask>, 'schema' | 'name' | 'sideEffect'> {
  /** Responds at once; without this function the test responds. */
  readonly reply?: (...args: any[]) => unknown;
}

/** The rejection of a promise; a promise that resolves fails the test. */
export function refused(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => Promise.reject(new Error(`resolved with ${String(value)}`)),
    (reason: unknown) => reason,
  );
}

/** Lets everything that is due in promises happen. */
export function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

export class World {
  readonly clock: StoppedClock = new StoppedClock();
  readonly page: Page = new Page();
  readonly controller: Controller;
  /** Every request, in the order of sending. */
  readonly calls: Call[] = [];

  constructor(options: Omit<ControllerOptions, 'clock'> = {}) {
    const { clock, page } = this;
    // most tests are about the effect of a failure, not about retries; only tests of the sweep wait for the sweep
    const still = { retry: 0, sweepAfter: Infinity };
    this.controller = new Controller({
      optimistic,
      clock,
      surroundings: page,
      ...still,
      ...options,
    });
  }

  /** Names and arguments of all requests so far. */
  get log(): string[] {
    return this.calls.map(({ name, args }) => `${name} ${args.map(spell).join(' ')}`.trim());
  }

  /** The request number `at`; -1 is the last. */
  call(at = -1): Call {
    const call = this.calls.at(at);
    if (call === undefined) throw new Error(`request ${at} was never sent`);
    return call;
  }

  read<S>(name: string, schema: S, options: Asking = {}): Asked<S> {
    return this.#ask(name, schema, options, false);
  }

  mutation<S>(name: string, schema: S, options: Asking = {}): Asked<S> {
    return this.#ask(name, schema, options, true);
  }

  #ask<S>(name: string, schema: S, { reply, ...options }: Asking, sideEffect: boolean): Asked<S> {
    const { calls } = this;
    function send(this: { signal?: AbortSignal } | undefined, ...args: unknown[]) {
      return new Promise<unknown>((resolve, reject) => {
        const answer = (value: unknown) => (resolve(value), settled());
        const fail = (error: unknown) => (reject(error), settled());
        calls.push({ name, args, signal: this?.signal, answer, fail });
        if (reply !== undefined) resolve(reply(...args));
      });
    }
    const identity: EndpointOptions<Ask, S> = {
      ...options,
      schema,
      name,
      ...(sideEffect ? { sideEffect } : {}),
    };
    return new Endpoint(send, identity) as Asked<S>;
  }
}

function spell(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined';
}

export function world(options?: Omit<ControllerOptions, 'clock'>): World {
  return new World(options);
}

/** A reader: how often the reader ran (once at creation), and the values. */
export class Watcher<T> {
  runs = 0;
  readonly seen: T[] = [];
  readonly stop: () => void;

  constructor(look: () => T) {
    this.stop = effect(() => {
      this.runs++;
      this.seen.push(look());
    });
  }

  get last(): T {
    return this.seen.at(-1) as T;
  }
}

export function watch<T>(source: ReadonlySignal<T> | (() => T)): Watcher<T> {
  return new Watcher(typeof source === 'function' ? source : () => source.value);
}
