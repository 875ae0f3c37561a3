/** Tracks which store commits a render includes: the provider keeps their numbers in state, in the lane of the write. */
import type { Controller } from '../../../src/Controller.ts';
import { isDeferring } from '../../../src/signals.ts';
import type { Fallbacks } from '../ErrorBoundary.ts';
import { startTransition } from '../react.ts';
import { ChangeHistory } from './ChangeHistory.ts';
import type { CommitIds } from './ChangeHistory.ts';
import type { MutableSource } from './MutableSource.ts';

export const NO_COMMITS: CommitIds = [];

/** A render of the provider and the subtree, until React commits or restarts the render. */
interface RenderPass {
  /** True once a reader has rendered in this pass that is not mounted yet. */
  hasMountingReaders?: boolean;
  /** True while React hydrates, and readers render the server's data. */
  isHydrating?: boolean;
}

type MountingSource = Pick<MutableSource, 'onStoreChange'>;

/** Updates a reader that was mounted without some pending commits. */
type CatchUp = () => void;

// urgent renders may come between two attempts to mount readers; after more, readers are not expected to mount
const MAX_RENDERS_WITHOUT_MOUNT = 10;

/*
 * The words are defined in MutableSource.ts.
 *
 * A provider renders before its readers, so a reader without state finds in `rendered` which commits belong to the
 * render. React entangles all transitions that write, because all update the same queue: the provider's.
 *
 *   store commit:   published ──► pending: in the state of providers ──► in `committed` ──► forgotten, once all are
 */
export class CommitTracker {
  /** The commits in the current render, as far as known: React has no callback for a discarded render. */
  rendered: CommitIds = NO_COMMITS;
  /** The commits in the last render of a provider. */
  included: CommitIds = NO_COMMITS;
  /** The commits in the render that React has committed. */
  committed: CommitIds = NO_COMMITS;
  /** Commits that were passed to providers, and are not rendered yet. */
  pending: CommitIds = [];
  pass: RenderPass = {};
  /** The sources of readers that are not mounted yet: their changes are known, also in a render that is restarted. */
  mountingSources: Set<MountingSource> = new Set();
  /** The changes of pending commits, as the sources have recorded them: another object once all are rendered. */
  history: ChangeHistory = new ChangeHistory();
  /** Undefined until an `AsyncBoundary` is rendered. */
  fallbacks?: Fallbacks;
  /** The catch-ups of readers that a render has updated without some pending commits. */
  readonly catchUps: Set<CatchUp> = new Set();
  readonly #providers = new Set<(commit: number) => void>();
  #rendersWithoutMount = 0;
  /** Catch-ups that wait for a microtask, and catch-ups that a commit of a provider has overtaken. */
  readonly #newCatchUps: CatchUp[] = [];
  readonly #lateCatchUps: CatchUp[] = [];
  /** Catch-ups whose updates are not committed yet. */
  #startedCatchUps: CatchUp[] = [];
  /** The number of the store commit in progress, or else of the last. */
  #lastCommit = 0;

  constructor(controller: Controller) {
    controller.wrapCommits((commit) => {
      this.#lastCommit++;
      commit();
      // readers that are mounting have no subscription yet
      if (this.mountingSources.size === 0 || isDeferring()) return;
      this.publishCommit();
      for (const source of this.mountingSources) source.onStoreChange();
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

  /** The reducer of a provider; 0 re-renders and adds no commit. */
  readonly include: (included: CommitIds, commit: number) => CommitIds = (included, commit) => [
    ...included.filter((other) => this.pending.includes(other)),
    commit,
  ];

  /** Called when a provider renders. */
  onRender(included: CommitIds): void {
    if (included === this.rendered) return;
    this.rendered = included;
    if (this.pass.hasMountingReaders === true) this.#rendersWithoutMount = 0;
    else if (++this.#rendersWithoutMount > MAX_RENDERS_WITHOUT_MOUNT)
      this.mountingSources = new Set();
    this.pass = {};
  }

  /** Called when a reader renders `source` before the mount. */
  onMountingReader(source: MountingSource): void {
    this.pass.hasMountingReaders = true;
    this.mountingSources.add(source);
  }

  /**
   * Called when a reader suspends: React discards the render, or commits a fallback instead. The next render may be
   * urgent, without the commits of a transition; a render with these commits renders the provider again.
   */
  onSuspend(wait: Promise<void>): void {
    this.onRender(this.committed);
    this.fallbacks?.onSuspend(wait);
  }

  /** Called when a reader is mounted. With this commit of React the pass ends, and every other pass restarts. */
  onReaderMount(): void {
    const { pass, mountingSources } = this;
    // until a provider renders again
    this.included = this.committed;
    if (pass.hasMountingReaders !== true) return;
    pass.hasMountingReaders = false;
    queueMicrotask(() => {
      if (this.pass === pass) this.pass = {};
      if (this.mountingSources === mountingSources) this.mountingSources = new Set();
    });
  }

  /** Called when React commits the render of a provider. */
  onCommit(included: CommitIds): void {
    this.committed = included;
    this.#lateCatchUps.push(...this.#newCatchUps.splice(0));
    if (this.includesAll(included, this.pending)) this.#forgetPending();
  }

  /** Called in the layout effects of this commit. */
  afterCommit(): void {
    const started = this.#startedCatchUps;
    const late = this.#lateCatchUps.splice(0);
    // 0 is the update of the started catch-ups: without it, React has committed other lanes before
    if (!this.committed.includes(0)) late.push(...started.splice(0));
    this.catchUps.forEach((catchUp) => this.scheduleCatchUp(catchUp));
    this.catchUps.clear();
    this.#startedCatchUps = late;
    this.#catchUp(late);
    if (this.pending.length > 0) startTransition(() => this.#catchUp(started));
  }

  #forgetPending(): void {
    this.pending = [];
    this.history = new ChangeHistory();
  }

  /** True if `included` contains all of `commits` that are not rendered yet. */
  includesAll(included: CommitIds, commits: CommitIds): boolean {
    return commits.every((commit) => included.includes(commit) || !this.pending.includes(commit));
  }

  /** Called when a provider mounts. Returns the function for the unmount. */
  addProvider(include: (commit: number) => void): () => void {
    this.#providers.add(include);
    return () => {
      this.#providers.delete(include);
      if (this.#providers.size === 0) this.#forgetPending();
    };
  }

  /**
   * For a reader that was mounted without some pending commits: `catchUp` adds to the state the pending commits that
   * the render includes. `catchUp` is called in a microtask, for lanes less urgent than the mount; React 18 may commit
   * these lanes before, then it is called before the paint. Commits that are still pending after that belong to
   * transitions, and `catchUp` is called in a transition. A transition without need would render the deferred values of
   * this reader alone (`useDeferredValue`).
   */
  scheduleCatchUp(catchUp: CatchUp): void {
    this.#newCatchUps.push(catchUp);
    queueMicrotask(() => {
      const catchUps = this.#newCatchUps.splice(0);
      this.#startedCatchUps.push(...catchUps);
      this.#catchUp(catchUps);
    });
  }

  /**
   * An update of the provider in the lane of the catch-ups makes the provider report which commits the render includes.
   */
  #catchUp(catchUps: readonly CatchUp[]): void {
    if (catchUps.length === 0) return;
    for (const include of this.#providers) include(0);
    for (const catchUp of catchUps) catchUp();
  }
}

const trackers = new WeakMap<Controller, CommitTracker>();

export function commitTrackerOf(controller: Controller): CommitTracker {
  let tracker = trackers.get(controller);
  if (tracker === undefined) trackers.set(controller, (tracker = new CommitTracker(controller)));
  return tracker;
}
