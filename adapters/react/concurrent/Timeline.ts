/** Tracks which commits of the store a render includes: the provider counts them in state, in the write's lane. */
import type { Controller } from '../../../src/Controller.ts';
import { isDeferring } from '../../../src/signals.ts';
import type { Fallbacks } from './Fallbacks.ts';
import { startTransition } from '../react.ts';

/** Commits that are not rendered everywhere yet; a new array for each update of the provider. */
export type Included = readonly number[];

export const NONE: Included = [];

/** One render of the provider and its subtree, until React commits or restarts it. */
interface Pass {
  /** True once a reader has rendered in this pass that is not mounted yet. */
  mounting?: boolean;
  /** True once a commit of the store has happened since. */
  outdated?: boolean;
  /** True while React hydrates, and readers render the server's data. */
  hydrating?: boolean;
}

// the number of restarts of a render after which one is skipped, while the store changes continuously
const MOST = 10;

interface Settling {
  settle(): void;
}

/*
 *   controller.set() ──► tell() ──► state of the provider   + commit 7     React renders both, or none of them,
 *                    └─► Source ──► state of each reader    + its step 7   in the lane of the write
 *
 * A provider renders before its readers, so a reader without state finds in `rendered` which commits belong to the
 * render. React entangles all transitions that write, because they update one queue: the provider's.
 */
export class Timeline {
  /** The commits in the current render, as far as known: React has no callback for a discarded render. */
  rendered: Included = NONE;
  /** The commits in the committed render. */
  committed: Included = NONE;
  pass: Pass = {};
  /** The sources with steps that are not settled. */
  unsettled: Settling[] = [];
  readonly #providers = new Set<(commit: number) => void>();
  readonly #listeners = new Set<() => void>();
  #restarts = 0;
  #late: (() => void)[] = [];
  /** The number of the commit in progress, or of the last one. */
  #current = 0;
  /** Undefined until an `AsyncBoundary` is rendered. */
  fallbacks?: Fallbacks;
  /** Commits that were passed to providers, and are not rendered yet. */
  pending: Included = [];

  constructor(controller: Controller) {
    controller.wrapCommits((commit) => {
      this.#current++;
      commit();
      // readers that are mounting have no subscription yet
      if (this.pass.mounting === true && !isDeferring()) {
        this.pass.outdated = true;
        this.tell();
      }
    });
  }

  /** Adds the current commit to the state of the providers, once. Returns the commit. */
  tell(): Included {
    const commit = this.#current;
    if (this.#providers.size === 0) this.pass = {};
    else if (this.pending.at(-1) !== commit) {
      this.pending = [...this.pending, commit];
      for (const include of this.#providers) include(commit);
    }
    return [commit];
  }

  /** The reducer of a provider; 0 re-renders and adds nothing. */
  readonly include: (included: Included, commit: number) => Included = (included, commit) => {
    const first = this.pending[0] ?? commit;
    const still = included.filter((other) => other >= first);
    return commit === 0 ? still : [...still, commit];
  };

  /** Called when a provider renders. */
  begin(included: Included): void {
    if (included === this.rendered) return;
    this.rendered = included;
    this.pass = {};
  }

  /**
   * Called when a reader suspends: React discards the render, or commits a fallback instead. The next render may be an
   * urgent one, without the commits of a transition; a render with these commits renders the provider again.
   */
  suspended(wait: Promise<void>): void {
    this.begin(this.committed);
    this.fallbacks?.onSuspend(wait);
  }

  /** For providers: changes to make React restart the render in which readers are mounting. */
  readonly restarts = (): number => this.#restarts;

  readonly onRestart = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /**
   * Called when a reader mounts with a value that may have changed since the render began, and no other reader has kept
   * the earlier value. An external store of React is the only state with updates that interrupt a transition. The
   * number of restarts is limited: if commits follow each other faster than React renders, readers are corrected at
   * mount.
   */
  restart(): void {
    this.pass.outdated = false;
    queueMicrotask(() => {
      if (++this.#restarts % MOST === 0) return;
      this.pass = {};
      for (const listener of this.#listeners) listener();
    });
  }

  /** Called when a reader is mounted. With this commit of React the pass ends, and every other pass restarts. */
  mounted(): void {
    const { pass } = this;
    if (pass.mounting !== true) return;
    pass.mounting = false;
    queueMicrotask(() => {
      if (this.pass === pass) this.pass = {};
    });
  }

  /** Called when the render of a provider is committed. */
  commit(included: Included): void {
    this.committed = included;
    if (this.has(included, this.pending)) this.#settle();
  }

  #settle(): void {
    this.pending = [];
    for (const source of this.unsettled) source.settle();
    this.unsettled = [];
  }

  /** True if `included` contains all of `commits` that are not rendered yet. */
  has(included: Included, commits: Included): boolean {
    return commits.every((commit) => included.includes(commit) || !this.pending.includes(commit));
  }

  /** Called when a provider mounts. Returns the function for its unmount. */
  join(include: (commit: number) => void): () => void {
    this.#providers.add(include);
    return () => {
      this.#providers.delete(include);
      if (this.#providers.size === 0) this.#settle();
    };
  }

  /**
   * For a reader that was mounted without some pending commits: `goOn` adds to its state the pending commits that the
   * render includes. `goOn` is called for transitions, for lanes less urgent than the mount, and when all commits are
   * rendered. An update of the provider in the same lane makes the provider report which commits the render includes.
   */
  later(goOn: () => void): void {
    const update = () => {
      for (const include of this.#providers) include(0);
      goOn();
    };
    startTransition(update);
    queueMicrotask(update);
    this.#late.push(goOn);
  }

  /** Called when the readers below a provider are mounted. */
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
