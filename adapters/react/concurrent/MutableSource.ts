/** A stored value that components read in concurrent renders: each keeps in React state the value of its lane. */
import { isServer } from '../../../src/page.ts';
import { currentSetUpdate } from '../../../src/store/StorePort.ts';
import type { Reader } from '../../../src/view/Reader.ts';
import { useReducer } from '../react.ts';
import { useIsomorphicLayoutEffect } from '../reactHooks.ts';
import { NO_COMMITS } from './CommitTracker.ts';
import type { CommitTracker } from './CommitTracker.ts';
import { repeatChanges } from './ChangeHistory.ts';
import type { Change, CommitIds } from './ChangeHistory.ts';

/*
 * Concurrent React, in one page
 *
 * React renders some versions of the tree side by side: an urgent render is shown while a transition is rendered. The
 * store has one present. All components of one render must show the same version, so a component never renders the
 * present of the store, once it is mounted: it renders React state, and each change of the store updates this state in
 * the lane of the write. React then decides which renders include the change.
 *
 *   write ──► store commit 7 ──► CommitTracker ──► state of the provider + 7          all in the lane of the write:
 *                           └──► MutableSource ──► state of each mounted reader       a render includes both, or none
 *
 * Words
 *   store commit    one change of the store, with a number. Pending: passed to React, and not rendered everywhere yet.
 *   included        the pending store commits that a render includes: the state of the provider, see CommitTracker.
 *   change          what one store commit did to the value of one source: before, after.
 *   reader          a component with a `useMutableSource`.
 *   mount           the time from the mount of a reader, with one source, to its unmount or to another source.
 *   render pass     one render of a provider with the tree below, until React commits or restarts the render.
 *   rebase          to repeat a change on a value that lacks an earlier change, as React does with updates of state.
 *   catch-up        the updates of a reader whose value lacks changes that no other update of the reader adds.
 *
 *   reader                                   renders
 *   ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 *   hydrating                                the result that the server has rendered               (useResult)
 *   before mount                             the value with the changes that this render includes  (valueIncluding)
 *    … source without readers                the changes are recorded from now on; those of pending
 *                                            commits are removed from the entities   (ChangeHistory.valueIncluding)
 *   mounted                                  React state: each change is an update, rebased        (reduceUpdate)
 *   mounted without some pending commits     before the paint, the changes that React has committed; then
 *                                            catch-ups: in a microtask for lanes less urgent than the
 *                                            mount, and then in a transition                       (scheduleCatchUp)
 *   mounted, given an entity that pending    without the changes that the render does not include, then
 *     commits have changed                   catch-ups as well                        (evaluate, CommitTracker.catchUps)
 */

type ChangeListener<T> = (change: Change<T>) => void;

/** The selected part of a stored object, and the subscription. Must be the same object at every render. */
export interface Selector<T, Target> {
  /** Undefined: the value was removed, and the value before stays. */
  peek(target: Target): T | undefined;
  listen(target: Target, listener: () => void): () => void;
}

// any: readers do not see the type of the target
export class MutableSource<T = unknown, Target = any> {
  readonly tracker: CommitTracker;
  readonly #selector: Selector<T, Target>;
  readonly #target: Target;
  #present: T | undefined;
  /** The value after the last change. Valid only while changes are recorded. */
  newest!: T;
  #listeners: ChangeListener<T>[] = [];
  #stopListening: (() => void) | undefined;

  constructor(tracker: CommitTracker, selector: Selector<T, Target>, target: Target) {
    this.tracker = tracker;
    this.#selector = selector;
    this.#target = target;
  }

  /** The present value in the store. */
  peek(): T {
    return (this.#present = this.#selector.peek(this.#target) ?? this.#present) as T;
  }

  /** True while a mounted component reads the source. */
  get hasReaders(): boolean {
    return this.#listeners.length > 0;
  }

  /** True while changes are recorded: for mounted readers, and from the first render of readers that are mounting. */
  get #isTracked(): boolean {
    return this.hasReaders || this.tracker.mountingSources.has(this);
  }

  /** The value for a reader before the mount. */
  initialValue(): T {
    // on a server nothing is ever mounted
    if (isServer()) return this.peek();
    const { tracker } = this;
    if (!this.#isTracked) this.#startRecording();
    tracker.onMountingReader(this);
    return evaluate(tracker, this.versions(tracker.rendered)).value;
  }

  /** A value of the store without the changes that this render does not include. */
  toIncluded(start: T): T {
    const { tracker } = this;
    return evaluate(tracker, { start, changes: [], included: tracker.rendered }).value;
  }

  /** The value before the changes of pending commits, and these changes. Valid only while changes are recorded. */
  versions(included: CommitIds): Versions<T> {
    const changes: readonly Change<T>[] = this.tracker.history.changes.get(this) ?? [];
    const { before: start = this.newest } = changes[0] ?? {};
    return { start, changes, included };
  }

  /** Called when a reader mounts. Returns the function for the unmount. */
  subscribe(listener: ChangeListener<T>): () => void {
    if (!this.hasReaders) {
      this.#stopListening = this.#selector.listen(this.#target, () => this.onStoreChange());
      if (!this.#isTracked) this.#startRecording();
      const present = this.peek();
      if (this.newest !== present) this.#addChange(present, this.tracker.pending);
    }
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
      if (!this.hasReaders) this.#stopListening?.();
    };
  }

  /** Called when the value may have changed. */
  onStoreChange(): void {
    const present = this.peek();
    if (present === this.newest) return;
    this.#addChange(present, this.tracker.publishCommit());
  }

  #addChange(after: T, commits: CommitIds): void {
    const change = { commits, before: this.newest, after, replay: currentSetUpdate() };
    this.newest = after;
    this.tracker.history.add(this, change as never);
    for (const listener of this.#listeners) listener(change);
  }

  #startRecording(): void {
    this.newest = this.peek();
    this.tracker.history.changes.delete(this);
  }
}

/** A value as the changes that led there: React may render the value without some of these. */
interface Versions<T> {
  readonly start: T;
  readonly changes: readonly Change<T>[];
  /** The commits that the value includes. */
  readonly included: CommitIds;
}

/** The value; `missing` are the versions if it lacks changes of commits that are not included. */
function evaluate<T>(tracker: CommitTracker, versions: Versions<T>): Shown<T> {
  const { start, changes, included } = versions;
  const isIncluded = (commits: CommitIds) => tracker.includesAll(included, commits);
  const applied = changes.filter(({ commits }) => isIncluded(commits));
  const whole = repeatChanges(start, applied);
  // a response may contain entities that pending commits have changed
  const value = isIncluded(tracker.pending)
    ? whole
    : tracker.history.valueIncluding(whole, isIncluded);
  const isWhole = value === whole && applied.length === changes.length;
  return { value, missing: isWhole ? undefined : versions };
}

/** A value that a reader renders. */
interface Shown<T> {
  readonly value: T;
  /** While the value lacks changes that no update of this reader adds, except catch-ups. */
  readonly missing?: Versions<T> | undefined;
}

/** The time from mount to unmount of a component with the same source; `value`: of the first committed render. */
interface Mount<T> extends Shown<T> {
  readonly source: MutableSource<T>;
  readonly toVisible: ToVisible<T>;
  readonly catchUp: () => void;
  missing?: Versions<T> | undefined;
}

/** An object with the lifetime of the component. */
export interface Instance<T> {
  /** Undefined before mount: React may discard the component and its state without a callback. */
  mount?: Mount<T>;
  /** The reader of the last render, if not mounted. */
  pendingReader?: Reader;
}

/** The React state of a reader. */
interface ReaderState<T> extends Partial<Shown<T>> {
  readonly instance: Instance<T>;
  /** Undefined before the first update. */
  readonly mount?: Mount<T>;
}

interface Update<T> {
  readonly mount: Mount<T>;
  readonly change: Change<T>;
  /**
   * The results of former calls. React repeats updates in later renders, also of lanes in which no provider renders: the
   * tracker does not know the commits of these.
   */
  readonly results: WeakMap<ReaderState<T>, ReaderState<T>>;
}

/** Adds to a value the commits that the render includes. */
const CATCH_UP: Change<never> = { commits: NO_COMMITS } as never;

const shownIn = <T>(state: ReaderState<T>, mount: Mount<T>): Shown<T> =>
  state.mount === mount ? (state as Shown<T>) : mount;

// a reducer: runs in the render, and never eagerly like an update of useState
function reduceUpdate<T>(
  state: ReaderState<T>,
  { mount, change, results }: Update<T>,
): ReaderState<T> {
  const { tracker } = mount.source;
  const isCommitted = tracker.includesAll(tracker.committed, change.commits);
  const known = results.get(state);
  if (known && isCommitted) return known;
  const { value: present, missing: before } = shownIn(state, mount);
  const { start, changes, included } = before ?? { start: present, changes: [], included: [] };
  const { value, missing } = evaluate(tracker, {
    start,
    changes: [...changes, change],
    included: [...included, ...tracker.included, ...change.commits],
  });
  const visible = mount.toVisible(value, present);
  if (missing && !isCommitted) tracker.catchUps.add(mount.catchUp);
  const result =
    missing || before || visible !== present
      ? { instance: state.instance, mount, value: visible, missing }
      : state;
  results.set(state, result);
  return result;
}

const createState = <T>(): ReaderState<T> => ({ instance: {} });

/** The visible part of a new value, given the visible value before. */
type ToVisible<T> = (value: T, before: T) => T;
const unchanged = <T>(value: T): T => value;

/**
 * The value of `source` that the component renders. `render` returns the value to render from the value in React's
 * state, which is undefined if the component is not mounted with this source.
 */
export function useMutableSource<T>(
  source: MutableSource<T>,
  render: (stateValue: T | undefined, instance: Instance<T>) => T,
  toVisible: ToVisible<T> = unchanged,
): T {
  const [state, update] = useReducer(reduceUpdate<T>, undefined, createState<T>);
  const { instance } = state;
  const { mount } = instance;
  const value = render(
    mount?.source === source ? shownIn(state, mount).value : undefined,
    instance,
  );
  useIsomorphicLayoutEffect(
    () => {
      const { tracker } = source;
      const send = (change: Change<T>) =>
        update({ mount: mounted, change, results: new WeakMap() });
      const catchUp = () => {
        if (instance.mount === mounted) send(CATCH_UP);
      };
      const mounted: Mount<T> = (instance.mount = { source, value, toVisible, catchUp });
      // the value after all updates that were passed to React
      let scheduled = value;
      const unsubscribe = source.subscribe((change) => {
        const before = scheduled;
        scheduled = toVisible(change.after, before);
        // an unchanged value would cost an additional pass of the next transition
        if (scheduled !== before) send({ ...change, before, after: scheduled });
      });
      tracker.onReaderMount();
      const versions = source.versions(tracker.committed);
      const { value: included, missing } = evaluate(tracker, versions);
      const committed = toVisible(included, value);
      mounted.missing = committed === value ? missing : versions;
      scheduled = toVisible(source.newest, committed);
      if (committed !== value) send(CATCH_UP);
      if (scheduled !== committed) tracker.scheduleCatchUp(catchUp);
      return unsubscribe;
    },
    // at mount, with another source and when visible again: after other renders it would undo pending transitions
    // eslint-disable-next-line react/exhaustive-deps
    [source],
  );
  return value;
}
