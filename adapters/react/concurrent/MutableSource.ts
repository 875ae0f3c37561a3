/** A stored value that components read in concurrent renders: each keeps in React state the value of its lane. */
import { isServer } from '../../../src/page.ts';
import { currentSetUpdate } from '../../../src/store/StorePort.ts';
import type { SetUpdate } from '../../../src/store/StorePort.ts';
import type { Reader } from '../../../src/view/Reader.ts';
import { useReducer } from '../react.ts';
import { useIsomorphicLayoutEffect } from '../reactHooks.ts';
import type { CommitTracker } from './CommitTracker.ts';
import type { Change, CommitIds } from './ChangeHistory.ts';
import { rebase } from './rebase.ts';

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
 *   catch-up        the updates of a reader that mounted without some pending commits.
 *
 *   reader                                   renders
 *   ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 *   hydrating                                the result that the server has rendered               (useResult)
 *   before mount                             the value with the changes that this render includes  (valueIncluding)
 *    … source without readers                the changes are recorded from now on; of pending commits,
 *                                            derived from other sources                   (ChangeHistory.changesOf)
 *   mounted                                  React state: each change is an update, rebased        (reduceUpdate)
 *   mounted without some pending commits     before the paint, the changes that React has committed; then
 *                                            catch-ups: in a microtask for lanes less urgent than the
 *                                            mount, and then in a transition                       (scheduleCatchUp)
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
  /** The changes of pending store commits. */
  #changes: Change<T>[] | undefined;
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
    const isNew = !this.#isTracked;
    tracker.onMountingReader(this);
    if (isNew) this.#startRecording();
    return this.valueIncluding(tracker.rendered);
  }

  /** The value with the changes of the commits in `included`. Valid only while changes are recorded. */
  valueIncluding(included: CommitIds): T {
    const changes = this.#changes ?? [];
    return repeatChanges(
      changes[0]?.before ?? this.newest,
      this.tracker.changesIn(included, changes),
    );
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
    const { tracker } = this;
    const change = this.#addChange(present, tracker.publishCommit());
    for (const listener of this.#listeners) listener(change);
  }

  #addChange(after: T, commits: CommitIds): Change<T> {
    const change = { commits, before: this.newest, after, replay: currentSetUpdate() };
    this.newest = after;
    (this.#changes ??= []).push(change);
    this.tracker.changedSources.add(this);
    this.tracker.history.add(change);
    return change;
  }

  /** Other readers may render an earlier version: their sources have the changes since then. */
  #startRecording(): void {
    const { changedSources, history } = this.tracker;
    const changes = history.changesOf((this.newest = this.peek()));
    this.forgetChanges();
    if (changes.length === 0) return;
    this.#changes = changes;
    changedSources.add(this);
  }

  /** The changes of pending commits, while these are recorded. */
  get changes(): readonly Change<T>[] {
    return [...(this.#changes ?? [])];
  }

  /** Called when all changes are rendered everywhere. */
  forgetChanges(): void {
    this.#changes = undefined;
  }
}

/** The time from mount to unmount of a component with the same source. */
interface Mount<T> {
  readonly source: MutableSource<T>;
  /** The value of the first committed render. */
  readonly initialValue: T;
  readonly toVisible: ToVisible<T>;
  /** The changes of pending commits at the mount. */
  changes?: readonly Change<T>[];
  /** The changes that React has committed; undefined: all. */
  appliedChanges?: ReadonlySet<Change<T>> | undefined;
}

/** An object with the lifetime of the component. */
export interface Instance<T> {
  /** Undefined before mount: React may discard the component and its state without a callback. */
  mount?: Mount<T>;
  /** The reader of the last render, if not mounted. */
  pendingReader?: Reader;
}

/** The React state of a reader. */
interface ReaderState<T> {
  readonly instance: Instance<T>;
  /** Undefined before the first update. */
  readonly mount?: Mount<T>;
  readonly value?: T;
  /** The changes of the mount that the value contains; undefined: all. */
  readonly appliedChanges?: ReadonlySet<Change<T>> | undefined;
  /** While changes of the mount are missing: the later changes, which are repeated after these. */
  readonly laterUpdates?: readonly ChangeUpdate<T>[];
}

/** The change of a value from `before` to `after`; without `before`, also a value that lacks an earlier change. */
interface ChangeUpdate<T> {
  readonly mount: Mount<T>;
  readonly before: T | undefined;
  readonly after: T;
  readonly replay: SetUpdate | undefined;
}

/** For a reader that mounted without some pending commits: adds the commits that the render includes. */
interface CatchUpUpdate<T> {
  readonly mount: Mount<T>;
  /**
   * The changes that the first render with this update includes. React repeats updates in later renders, also of lanes
   * in which no provider renders: the tracker does not know the commits of these.
   */
  included?: readonly Change<T>[];
}

const valueOf = <T>(state: ReaderState<T>, mount: Mount<T>): T =>
  state.mount === mount ? (state.value as T) : mount.initialValue;

type Repeatable<T> = Pick<ChangeUpdate<T>, 'before' | 'after' | 'replay'>;

const repeatChanges = <T>(start: T, changes: readonly Repeatable<T>[]): T =>
  changes.reduce((value, { before, after, replay }) => rebase(value, before, after, replay), start);

// a reducer: runs in the render, and never eagerly like an update of useState
function reduceUpdate<T>(
  state: ReaderState<T>,
  update: ChangeUpdate<T> | CatchUpUpdate<T>,
): ReaderState<T> {
  const { mount } = update;
  const { instance } = state;
  const present = valueOf(state, mount);
  const isFirst = state.mount !== mount;
  const { appliedChanges } = isFirst ? mount : state;
  const laterUpdates = isFirst ? [] : (state.laterUpdates ?? []);
  if ('after' in update) {
    const value = repeatChanges(present, [update]);
    if (value === present) return state;
    if (appliedChanges === undefined || update.before === undefined)
      return { instance, mount, value };
    return { instance, mount, value, appliedChanges, laterUpdates: [...laterUpdates, update] };
  }
  const { changes = [], source, toVisible } = mount;
  const { tracker } = source;
  if (appliedChanges === undefined) return state;
  const included = (update.included ??= tracker.changesIn(tracker.rendered, changes));
  const all = new Set([...appliedChanges, ...included]);
  if (!isFirst && all.size === appliedChanges.size) return state;
  const applied = changes.filter((change) => all.has(change));
  const start = repeatChanges((changes[0] as Change<T>).before, applied);
  const value = repeatChanges(toVisible(start, mount.initialValue), laterUpdates);
  if (all.size === changes.length) return { instance, mount, value };
  return { instance, mount, value, appliedChanges: all, laterUpdates };
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
  const value = render(mount?.source === source ? valueOf(state, mount) : undefined, instance);
  useIsomorphicLayoutEffect(
    () => {
      const { tracker } = source;
      const mounted: Mount<T> = (instance.mount = { source, initialValue: value, toVisible });
      // the value after all updates that were passed to React
      let scheduled = value;
      const unsubscribe = source.subscribe((change) => {
        const before = scheduled;
        scheduled = toVisible(change.after, before);
        // an unchanged value would cost an additional pass of the next transition
        if (scheduled !== before)
          update({ mount: mounted, before, after: scheduled, replay: change.replay });
      });
      const { newest, changes } = source;
      tracker.onReaderMount();
      const included = tracker.changesIn(tracker.committed, changes);
      const isBehind = included.length < changes.length;
      if (isBehind) Object.assign(mounted, { changes, appliedChanges: new Set(included) });
      const committed = toVisible(source.valueIncluding(tracker.committed), value);
      scheduled = toVisible(newest, committed);
      if (committed !== value)
        update(
          isBehind
            ? { mount: mounted, included }
            : { mount: mounted, before: undefined, after: committed, replay: undefined },
        );
      if (isBehind && scheduled !== committed) {
        tracker.scheduleCatchUp(() => {
          if (instance.mount === mounted) update({ mount: mounted });
        });
      }
      return unsubscribe;
    },
    // at mount, with another source and when visible again: after other renders it would undo pending transitions
    // eslint-disable-next-line react/exhaustive-deps
    [source],
  );
  return value;
}
