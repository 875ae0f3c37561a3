/** Tracks which store commits a render includes: the provider keeps their numbers in state, in the lane of the write. */
import type { Controller } from '../../../src/Controller.ts';
import { isDeferring } from '../../../src/signals.ts';
import { startTransition } from '../react.ts';
import type { Fallbacks } from './Fallbacks.ts';

/** Numbers of store commits that are not rendered everywhere yet; a new array for each update of the provider. */
export type CommitIds = readonly number[];

export const NO_COMMITS: CommitIds = [];

/** One render of the provider and its subtree, until React commits or restarts it. */
interface RenderPass {
  /** True once a reader has rendered in this pass that is not mounted yet. */
  hasMountingReaders?: boolean;
  /** True once the store has changed since. */
  isOutdated?: boolean;
  /** True while React hydrates, and readers render the server's data. */
  isHydrating?: boolean;
}

// one in so many restarts of a render is skipped, while the store changes continuously
const SKIP_EVERY = 10;

interface ChangedSource {
  forgetChanges(): void;
}

/*
 * The words are defined in MutableSource.ts.
 *
 * A provider renders before its readers, so a reader without state finds in `rendered` which commits belong to the
 * render. React entangles all transitions that write, because they update one queue: the provider's.
 *
 *   store commit:   published ──► pending: in the state of providers ──► in `committed` ──► forgotten, once all are
 */
export class CommitTracker {
  /** The commits in the current render, as far as known: React has no callback for a discarded render. */
  rendered: CommitIds = NO_COMMITS;
  /** The commits in the render that React has committed. */
  committed: CommitIds = NO_COMMITS;
  /** Commits that were passed to providers, and are not rendered yet. */
  pending: CommitIds = [];
  pass: RenderPass = {};
  /** The sources with changes of pending commits. */
  changedSources: ChangedSource[] = [];
  /** Undefined until an `AsyncBoundary` is rendered. */
  fallbacks?: Fallbacks;
  readonly #providers = new Set<(commit: number) => void>();
  readonly #restartListeners = new Set<() => void>();
  #restarts = 0;
  #catchUps: (() => void)[] = [];
  /** The number of the store commit in progress, or of the last one. */
  #lastCommit = 0;

  constructor(controller: Controller) {
    controller.wrapCommits((commit) => {
      this.#lastCommit++;
      commit();
      // readers that are mounting have no subscription yet
      if (this.pass.hasMountingReaders === true && !isDeferring()) {
        this.pass.isOutdated = true;
        this.publishCommit();
      }
    });
  }

  /** Adds the last store commit to the state of the providers, once. Returns the commit. */
  publishCommit(): CommitIds {
    const commit = this.#lastCommit;
    if (this.#providers.size === 0) this.pass = {};
    else if (this.pending.at(-1) !== commit) {
      this.pending = [...this.pending, commit];
      for (const include of this.#providers) include(commit);
    }
    return [commit];
  }

  /** The reducer of a provider; 0 re-renders and adds nothing. */
  readonly include: (included: CommitIds, commit: number) => CommitIds = (included, commit) => {
    const first = this.pending[0] ?? commit;
    const stillPending = included.filter((other) => other >= first);
    return commit === 0 ? stillPending : [...stillPending, commit];
  };

  /** Called when a provider renders. */
  onRender(included: CommitIds): void {
    if (included === this.rendered) return;
    this.rendered = included;
    this.pass = {};
  }

  /**
   * Called when a reader suspends: React discards the render, or commits a fallback instead. The next render may be an
   * urgent one, without the commits of a transition; a render with these commits renders the provider again.
   */
  onSuspend(wait: Promise<void>): void {
    this.onRender(this.committed);
    this.fallbacks?.onSuspend(wait);
  }

  /** For providers: changes to make React restart the render in which readers are mounting. */
  readonly getRestarts = (): number => this.#restarts;

  readonly subscribeRestarts = (listener: () => void): (() => void) => {
    this.#restartListeners.add(listener);
    return () => void this.#restartListeners.delete(listener);
  };

  /**
   * Called when a reader mounts with a value that may have changed since the render began, and no other reader has kept
   * the earlier value. An external store of React is the only state with updates that interrupt a transition. The
   * number of restarts is limited: if commits follow each other faster than React renders, readers are corrected at
   * mount.
   */
  restartRender(): void {
    this.pass.isOutdated = false;
    queueMicrotask(() => {
      if (++this.#restarts % SKIP_EVERY === 0) return;
      this.pass = {};
      for (const listener of this.#restartListeners) listener();
    });
  }

  /** Called when a reader is mounted. With this commit of React the pass ends, and every other pass restarts. */
  onReaderMount(): void {
    const { pass } = this;
    if (pass.hasMountingReaders !== true) return;
    pass.hasMountingReaders = false;
    queueMicrotask(() => {
      if (this.pass === pass) this.pass = {};
    });
  }

  /** Called when React commits the render of a provider. */
  onCommit(included: CommitIds): void {
    this.committed = included;
    if (this.includesAll(included, this.pending)) this.#forgetPending();
  }

  #forgetPending(): void {
    this.pending = [];
    for (const source of this.changedSources) source.forgetChanges();
    this.changedSources = [];
  }

  /** True if `included` contains all of `commits` that are not rendered yet. */
  includesAll(included: CommitIds, commits: CommitIds): boolean {
    return commits.every((commit) => included.includes(commit) || !this.pending.includes(commit));
  }

  /** Called when a provider mounts. Returns the function for its unmount. */
  addProvider(include: (commit: number) => void): () => void {
    this.#providers.add(include);
    return () => {
      this.#providers.delete(include);
      if (this.#providers.size === 0) this.#forgetPending();
    };
  }

  /**
   * For a reader that was mounted without some pending commits: `catchUp` adds to its state the pending commits that
   * the render includes. `catchUp` is called for transitions, for lanes less urgent than the mount, and when all
   * commits are rendered. An update of the provider in the same lane makes the provider report which commits the
   * render includes.
   */
  scheduleCatchUp(catchUp: () => void): void {
    const update = () => {
      for (const include of this.#providers) include(0);
      catchUp();
    };
    startTransition(update);
    queueMicrotask(update);
    this.#catchUps.push(catchUp);
  }

  /** Called when the readers below a provider are mounted. */
  onReadersMounted(): void {
    if (this.#catchUps.length === 0 || this.pending.length > 0) return;
    for (const catchUp of this.#catchUps) catchUp();
    this.#catchUps = [];
  }
}

const trackers = new WeakMap<Controller, CommitTracker>();

export function commitTrackerOf(controller: Controller): CommitTracker {
  let tracker = trackers.get(controller);
  if (tracker === undefined) trackers.set(controller, (tracker = new CommitTracker(controller)));
  return tracker;
}
