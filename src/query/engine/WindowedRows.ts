/** Rows in order; the window that readers see is the value. */
import { DEV } from '../../errors.ts';
import { SortedList } from './SortedList.ts';
import type { Compare } from './SortedList.ts';
import { SAME, SHAPE, VALUE } from './Partition.ts';
import type { RowEntry, ChangeLevel, Partition, RowPresenter } from './Partition.ts';

/** The visible part of the order: positions from `from` up to, but without, `to`. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

interface RowEdit<Row> {
  readonly position: number;
  /** How many rows are removed there: 0 or 1. */
  readonly removedCount: number;
  /** The row that is added there. */
  readonly added: RowEntry<Row> | undefined;
}

// with more edits than this, the array is built again
const MAX_EDITS = 16;

export class WindowedRows<Row> implements Partition<Row> {
  size = 0;
  readonly #order: SortedList<RowEntry<Row>>;
  readonly #window: RowRange;
  // undefined until the first read
  #snapshotCache: WindowCache<Row> | undefined;
  #liveCache: WindowCache<Row> | undefined;
  #changeLevel: ChangeLevel = SAME;

  constructor(compare: Compare<RowEntry<Row>>, window: RowRange) {
    this.#order = new SortedList(compare);
    this.#window = window;
  }

  add(entry: RowEntry<Row>): number {
    this.size++;
    if (this.#snapshotCache === undefined && this.#liveCache === undefined) {
      // nobody has read a row
      this.#order.add(entry);
      return this.#window.from;
    }
    return this.#logEdit(this.#order.insert(entry), 0, entry);
  }

  remove(entry: RowEntry<Row>): number {
    this.size--;
    return this.#logEdit(this.#order.remove(entry), 1);
  }

  #logEdit(position: number, removedCount: number, added?: RowEntry<Row>): number {
    this.#snapshotCache?.logEdit({ position, removedCount, added });
    this.#liveCache?.logEdit({ position, removedCount, added });
    return position;
  }

  replace(entry: RowEntry<Row>, row: Row): void {
    entry.row = row;
    const { to } = this.#window;
    // of many rows most come after the visible window
    if (to !== Infinity && this.#order.isAfterPosition(entry, to - 1)) return;
    const position = this.#order.position(entry);
    // a live row keeps its reference
    this.#snapshotCache?.logEdit({ position, removedCount: 1, added: entry });
    this.onMoved(position, position);
  }

  onMoved(from: number, to: number): void {
    const { from: start, to: end } = this.#window;
    // a move before or behind the window is not visible
    if (Math.min(from, to) >= end || Math.max(from, to) < start) return;
    if (from !== to) this.#changeLevel = SHAPE;
    else if (this.#changeLevel === SAME) this.#changeLevel = VALUE;
  }

  takeChangeLevel(): ChangeLevel {
    // an exception of the user's comparison is for the first reader
    this.#order.settle();
    const level = this.#changeLevel;
    this.#changeLevel = SAME;
    if (level === SAME) return SAME;
    // readers of snapshots and live readers may have read at different times
    const caches = [this.#snapshotCache, this.#liveCache].filter((cache) => cache !== undefined);
    const isUnchanged = caches.every((cache) => cache.isUnchanged(this.#order, this.#window));
    return caches.length > 0 && isUnchanged ? SAME : level;
  }

  value(show: RowPresenter<Row>, live: boolean): readonly unknown[] {
    const cache = live
      ? (this.#liveCache ??= new WindowCache())
      : (this.#snapshotCache ??= new WindowCache());
    return cache.value(this.#order, this.#window, show);
  }
}

/** The immutable array of the last read, and the edits since. */
class WindowCache<Row> {
  #array: readonly unknown[] | undefined;
  /** Of the last read. */
  #show: RowPresenter<Row> | undefined;
  /** Undefined: too many edits. */
  #edits: RowEdit<Row>[] | undefined;

  logEdit(edit: RowEdit<Row>): void {
    if (this.#edits === undefined) return;
    if (this.#edits.length < MAX_EDITS) this.#edits.push(edit);
    else this.#edits = undefined;
  }

  /**
   * True if the visible rows are unchanged after the edits. Without an upper bound and with few edits, returns false
   * at once, since these edits always change the result.
   */
  isUnchanged(order: SortedList<RowEntry<Row>>, { from, to }: RowRange): boolean {
    const array = this.#array;
    if (array === undefined || (to === Infinity && this.#edits !== undefined)) return false;
    const entries = order.slice(from, to);
    return (
      entries.length === array.length &&
      entries.every((entry, at) => this.#show?.(entry) === array[at])
    );
  }

  value(
    order: SortedList<RowEntry<Row>>,
    { from, to }: RowRange,
    show: RowPresenter<Row>,
  ): readonly unknown[] {
    const old = this.#array;
    const edits = this.#edits;
    this.#edits = [];
    this.#show = show;
    if (old !== undefined && edits?.length === 0) return old;
    const whole = from === 0 && to === Infinity;
    const next =
      old !== undefined && edits !== undefined && whole
        ? applyRowEdits(old, edits, show)
        : order.slice(from, to).map(show);
    if (old !== undefined && sameMembers(old, next)) return old;
    return (this.#array = DEV ? Object.freeze(next) : next);
  }
}

function applyRowEdits<Row>(
  old: readonly unknown[],
  edits: readonly RowEdit<Row>[],
  show: RowPresenter<Row>,
): unknown[] {
  const next = old.slice();
  for (const { position, removedCount, added } of edits) {
    if (added === undefined) next.splice(position, removedCount);
    else if (removedCount === 1) next[position] = show(added);
    else next.splice(position, 0, show(added));
  }
  return next;
}

/** True if both arrays have the same members in the same order. */
export function sameMembers(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
