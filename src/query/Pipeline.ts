/** A declared query at work: rows are added, changed and removed, and the result is updated incrementally. */
import { DEV } from '../diagnostics.ts';
import { assign } from '../schema/equal.ts';
import type { Args, Fields } from '../schema/schema.ts';
import { compareBy } from './compareBy.ts';
import type { Declaration } from './Declaration.ts';
import type { Compare } from './SortedList.ts';
import { NO_POSITION, SAME, SHAPE } from './Partition.ts';
import type { RowEntry, ChangeLevel, Partition, RowPresenter } from './Partition.ts';
import { WindowedRows } from './WindowedRows.ts';
import type { Window } from './WindowedRows.ts';
import { sameMembers } from './sameMembers.ts';
import { Accumulators } from './Accumulators.ts';

/*
 *   change(key, rank, row) ──► filter ──► group ──┬─► Rows: sorted by (sort, rank), a window of them is the value
 *                                                 └─► Tallies: figures are the value
 *
 * One change costs one call of filter and groupBy, comparisons for one removal and one insertion, two steps per figure.
 * A row that keeps its position is compared with the last visible row, and searched only if it is visible.
 */

const NO_GROUP = '';

interface Groups {
  readonly names: readonly string[];
  readonly values: readonly unknown[];
  readonly groups: Fields;
}

export class Pipeline<Row> {
  readonly entries: Map<unknown, RowEntry<Row>> = new Map();
  readonly #declared: Declaration<Row>;
  readonly #args: Args;
  readonly #inOrder: Compare<Row>;
  readonly #compare: Compare<RowEntry<Row>>;
  readonly #partitions: Map<string, Partition<Row>> = new Map();
  /** The names of the groups that may have changed since the last `settle`. */
  readonly #changedGroups: Set<string> = new Set();
  readonly #window: Window;
  #groupNames: string[] | undefined;
  /** The groups of the last read, as snapshots and live. */
  readonly #lastGroups: Groups[] = [];

  constructor(declared: Declaration<Row>, args: Args) {
    this.#declared = declared;
    this.#args = args;
    const compare = compareBy(declared.sort ?? []);
    this.#inOrder = compare;
    this.#compare = (a, b) => compare(a.row as Row, b.row as Row) || a.rank - b.rank;
    const from = numberIn(declared.offset, args) ?? 0;
    this.#window = { from, to: from + (numberIn(declared.limit, args) ?? Infinity) };
  }

  /** Sets the row under `key`; undefined: a row that cannot be read. Ranks order rows that compare as equal. */
  change(key: unknown, rank: number, value: Row | undefined): void {
    const entry = this.entries.get(key) ?? { key, rank, row: undefined, group: NO_GROUP };
    this.entries.set(key, entry);
    const row = value !== undefined && this.#passes(value) ? value : undefined;
    if (row === entry.row && rank === entry.rank) return;
    const left = entry.row === undefined ? undefined : this.#partOf(entry.group);
    const group = row === undefined ? NO_GROUP : this.#groupOf(row);
    if (row !== undefined && this.#keepsPosition(entry, rank, row, group))
      return left?.replace(entry, row);
    const from = left?.remove(entry) ?? NO_POSITION;
    Object.assign(entry, { rank, row, group });
    const part = row === undefined ? undefined : this.#partOf(group);
    const to = part?.add(entry) ?? NO_POSITION;
    if (left === part) return part?.moved(from, to);
    left?.moved(from, NO_POSITION);
    part?.moved(NO_POSITION, to);
  }

  /** True if the new row takes the position of the row before. */
  #keepsPosition(entry: RowEntry<Row>, rank: number, row: Row, group: string): boolean {
    if (entry.row === undefined || rank !== entry.rank || group !== entry.group) return false;
    return this.#inOrder(entry.row, row) === 0;
  }

  /** Removes `key`, which does not change any more. */
  drop(key: unknown): void {
    this.change(key, 0, undefined);
    this.entries.delete(key);
  }

  /** How much the result changed since the last call. */
  settle(): ChangeLevel {
    let news: ChangeLevel = SAME;
    for (const name of this.#changedGroups) {
      const part = this.#partOf(name);
      news = Math.max(news, part.settle()) as ChangeLevel;
      if (part.size === 0 && this.#declared.groupBy !== undefined) {
        this.#partitions.delete(name);
        this.#groupNames = undefined;
        news = SHAPE;
      }
    }
    this.#changedGroups.clear();
    return news;
  }

  /** The immutable result. Unchanged parts keep their reference. */
  value(show: RowPresenter<Row>, live = false): unknown {
    if (this.#declared.groupBy === undefined) return this.#partOf(NO_GROUP).value(show, live);
    this.#groupNames ??= [...this.#partitions.keys()].sort();
    const values = this.#groupNames.map((name) => this.#partOf(name).value(show, live));
    const last = this.#lastGroups[Number(live)];
    if (last?.names === this.#groupNames && sameMembers(last.values, values)) return last.groups;
    const groups: Fields = {};
    this.#groupNames.forEach((name, at) => assign(groups, name, values[at]));
    if (DEV) Object.freeze(groups);
    this.#lastGroups[Number(live)] = { names: this.#groupNames, values, groups };
    return groups;
  }

  #passes(row: Row): boolean {
    const { filter } = this.#declared;
    return filter === undefined || filter(row, ...this.#args);
  }

  #groupOf(row: Row): string {
    const { groupBy } = this.#declared;
    if (groupBy === undefined) return NO_GROUP;
    return String(typeof groupBy === 'function' ? groupBy(row, ...this.#args) : row[groupBy]);
  }

  /** The rows or figures of a group, created for its first row. Marks the group as touched. */
  #partOf(name: string): Partition<Row> {
    this.#changedGroups.add(name);
    const known = this.#partitions.get(name);
    if (known !== undefined) return known;
    const { aggregate } = this.#declared;
    const made =
      aggregate === undefined
        ? new WindowedRows(this.#compare, this.#window)
        : new Accumulators(aggregate);
    this.#partitions.set(name, made);
    this.#groupNames = undefined;
    return made;
  }
}

/** A number, or a function of the arguments that returns a number. */
function numberIn(given: Declaration<never>['limit'], args: Args): number | undefined {
  return typeof given === 'function' ? given(...args) : given;
}
