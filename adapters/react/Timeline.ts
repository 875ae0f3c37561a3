/** Which commits of the store a React render includes: the provider counts them in its state, in the lane of each write. */
import type { Controller } from '../../src/Controller.ts';
import { startTransition } from './react.ts';

/** Commits that are not rendered everywhere yet; another array for each update of the provider. */
export type Included = readonly number[];

export const NONE: Included = [];

/** One render of the provider and of all below it, until React commits it or starts again. */
interface Pass {
  /** True once a reader has rendered in it that is not mounted yet. */
  mounting?: boolean;
  /** True once something was committed since. */
  outdated?: boolean;
  /** True while React hydrates, and readers show what the server has rendered. */
  hydrating?: boolean;
}

// how often a render is started anew at most, while the store goes on
const MOST = 10;

interface Settling {
  settle(): void;
}

/*
 *   controller.set() ──► tell() ──► state of the provider   + commit 7     React renders both, or none of them,
 *                    └─► Source ──► state of each reader    + its step 7   in the lane of the write
 *
 * A provider renders before its readers, so a reader that has no state yet finds in `rendered` which commits belong to the
 * render. All transitions that write are one for React, because they update one queue: that of the provider.
 */
export class Timeline {
  /** Included in the render that is being made, as far as is known: React does not tell when it gives up a render. */
  rendered: Included = NONE;
  /** Included in what is on the screen. */
  committed: Included = NONE;
  pass: Pass = {};
  /** The sources with steps that are not settled. */
  unsettled: Settling[] = [];
  readonly #providers = new Set<(commit: number) => void>();
  readonly #listeners = new Set<() => void>();
  #restarts = 0;
  #late: (() => void)[] = [];
  #soon: (() => void)[] = [];
  /** The commit that is being made, or was made last. */
  #current = 0;
  #told: Included = NONE;
  /** Commits that providers were told of, and that are not on the screen. */
  pending: Included = [];

  constructor(controller: Controller) {
    controller.wrapCommits((commit) => {
      this.#current++;
      commit();
      // what is being mounted listens to nothing yet
      if (this.pass.mounting === true) {
        this.pass.outdated = true;
        this.tell();
      }
    });
  }

  /** Adds the current commit to the state of the providers, once. Gives it. */
  tell(): Included {
    const commit = this.#current;
    if (this.#providers.size === 0) this.pass = {};
    else if (this.pending.at(-1) !== commit) {
      this.pending = [...this.pending, commit];
      for (const include of this.#providers) include(commit);
    }
    if (this.#told[0] !== commit) this.#told = [commit];
    return this.#told;
  }

  /** The reducer of a provider; 0 makes it render and adds nothing. */
  readonly include: (included: Included, commit: number) => Included = (included, commit) => {
    const first = this.pending[0] ?? commit;
    const still = included.filter((other) => other >= first);
    return commit === 0 ? still : [...still, commit];
  };

  /** A provider renders. */
  begin(included: Included): void {
    if (included === this.rendered) return;
    this.rendered = included;
    this.pass = {};
  }

  /**
   * A reader suspends: React gives up the render, or commits a fallback in its place. The next render may be an urgent
   * one, without the commits of a transition; one that has them renders the provider anew.
   */
  suspended(): void {
    this.begin(this.committed);
  }

  /** For providers: changes when React is to start the render anew in which readers are being mounted. */
  readonly restarts = (): number => this.#restarts;

  readonly onRestart = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /**
   * A reader is being mounted whose value may have changed since the render began: no other reader has kept it. An
   * external store of React is the only state whose update interrupts a transition. Not for ever: where commits follow
   * each other faster than React renders, readers are corrected when they are mounted.
   */
  restart(): void {
    this.pass.outdated = false;
    queueMicrotask(() => {
      if (++this.#restarts % MOST === 0) return;
      this.pass = {};
      for (const listener of this.#listeners) listener();
    });
  }

  /** A reader is mounted. With this commit of React the pass ends, and each other one starts again. */
  mounted(): void {
    const { pass } = this;
    if (pass.mounting !== true) return;
    pass.mounting = false;
    queueMicrotask(() => {
      if (this.pass === pass) this.pass = {};
    });
  }

  /** What a provider rendered is on the screen. */
  commit(included: Included): void {
    this.committed = included;
    if (this.has(included, this.pending)) this.#settle();
  }

  #settle(): void {
    this.pending = [];
    for (const source of this.unsettled) source.settle();
    this.unsettled = [];
  }

  /** True where `included` has those of `commits` that are not on the screen. */
  has(included: Included, commits: Included): boolean {
    return commits.every((commit) => included.includes(commit) || !this.pending.includes(commit));
  }

  /** A provider is mounted. Gives back how to leave. */
  join(include: (commit: number) => void): () => void {
    this.#providers.add(include);
    return () => {
      this.#providers.delete(include);
      if (this.#providers.size === 0) this.#settle();
    };
  }

  /**
   * For a reader that was mounted without commits that are pending: `goOn` takes into its state those that the render
   * includes. It is called for transitions, for what is less urgent than the mount, and when all are on the screen. An
   * update of the provider in the same lane makes it tell which commits the render includes.
   */
  later(goOn: () => void): void {
    startTransition(() => this.#goOn([goOn]));
    this.#late.push(goOn);
    if (this.#soon.push(goOn) > 1) return;
    queueMicrotask(() => {
      const soon = this.#soon;
      this.#soon = [];
      this.#goOn(soon);
    });
  }

  #goOn(late: readonly (() => void)[]): void {
    for (const include of this.#providers) include(0);
    for (const goOn of late) goOn();
  }

  /** The readers below a provider are mounted. */
  landed(): void {
    if (this.#late.length === 0 || this.pending.length > 0) return;
    for (const goOn of this.#late) goOn();
    this.#late = [];
  }
}

const timelines = new WeakMap<Controller, Timeline>();

export function timelineOf(controller: Controller): Timeline {
  let timeline = timelines.get(controller);
  if (timeline === undefined) timelines.set(controller, (timeline = new Timeline(controller)));
  return timeline;
}
