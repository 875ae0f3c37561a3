/** A declared query at work: rows are added, changed and removed, and the result is updated incrementally. */
import type { Aggregate, FieldAggregate } from './aggregates.ts';
import type { Sort, Compare } from './SortedList.ts';
import { DEV } from '../../errors.ts';
import { setOwn } from '../../schema/fieldOf.ts';
import type { Args, Fields } from '../../schema/schema.ts';
import { compareBy } from './SortedList.ts';
import { NO_POSITION, SAME, SHAPE } from './Partition.ts';
import type { RowEntry, ChangeLevel, Partition, RowPresenter } from './Partition.ts';
import { WindowedRows, sameMembers } from './WindowedRows.ts';
import type { RowRange } from './WindowedRows.ts';
import { Accumulators } from './aggregates.ts';

/** Which rows a query selects, their order, their groups, and their number. All functions must be pure. */
export interface Declaration<Row> {
  /** True for the rows that are part of the result. */
  // any: functions of the user's own argument types must fit
  readonly filter?: (row: Row, ...args: any[]) => boolean;
  /**
   * The order of the rows. Rows that compare as equal, and all rows of a query without `sort`, keep their order of
   * arrival.
   */
  readonly sort?: Sort<Row> | readonly Sort<Row>[];
  /**
   * The name of a field, or a function. The result is an object of groups by the text of this value, in the order of
   * the rows.
   */
  // any: as above
  readonly groupBy?: (keyof Row & string) | ((row: Row, ...args: any[]) => unknown);
  /** Figures instead of rows, computed from all rows that pass the filter. */
  readonly aggregate?: Readonly<Record<string, Aggregate<Row, unknown>>>;
  /** The largest number of rows; of each group, if the query has groups. */
  // any: as above
  readonly limit?: number | ((...args: any[]) => number | undefined);
  /** The number of rows that are skipped first. */
  // any: as above
  readonly offset?: number | ((...args: any[]) => number | undefined);
}

/** Refuses members of a declaration other than `Known`, and fields to sort by that no row has. */
export type OnlyKnown<D, Row, Known> = { readonly [K in Exclude<keyof D, Known>]: never } & {
  readonly [K in keyof D & 'sort']: KnownSort<D[K], Row>;
};

type KnownSort<S, Row> = S extends string | ((...args: never) => unknown)
  ? S
  : S extends readonly unknown[]
    ? { readonly [N in keyof S]: S[N] extends string ? keyof Row & string : KnownSort<S[N], Row> }
    : { readonly [N in Exclude<keyof S, keyof Row>]: never };

/** The row type of an array or a map. */
export type RowIn<Value> = Value extends readonly (infer Row)[]
  ? Row
  : Value extends Readonly<Record<string, infer Row>>
    ? Row
    : never;

/** The result of a query: rows or figures, for each group if the query has groups. */
export type Outcome<Row, D> = D extends { readonly groupBy: {} }
  ? Record<string, Content<Row, D>>
  : Content<Row, D>;

type Content<Row, D> = D extends { readonly aggregate: infer A }
  ? { readonly [N in keyof A]: Figure<Row, A[N]> }
  : Row[];

// any: rows are contravariant; only any meets every aggregate
type Figure<Row, A> =
  A extends Aggregate<any, infer T> ? (unknown extends T ? FieldOf<Row, A> : T) : never;

type FieldOf<Row, A> =
  A extends FieldAggregate<infer K extends keyof Row & string>
    ? NonNullable<Row[K]> | undefined
    : unknown;

/*
 *   change(key, rank, row) ──► filter ──► group ──┬─► Rows: sorted by (sort, rank), a window of the rows is the value
 *                                                 └─► Tallies: figures are the value
 *
 * Each change costs a call of filter and groupBy, comparisons for a removal and an insertion, two steps per figure.
 * A row that keeps its position is compared with the last visible row, and searched only if visible.
 */

const NO_GROUP = '';

interface GroupedValue {
  readonly names: readonly string[];
  readonly values: readonly unknown[];
  readonly groups: Fields;
}

/** What pipelines of the same declaration and the same arguments share. */
export class PipelinePlan<Row> {
  readonly declaration: Declaration<Row>;
  readonly args: Args;
  /** The order by `sort`. */
  readonly compareRows: Compare<Row>;
  readonly compareEntries: Compare<RowEntry<Row>>;
  readonly window: RowRange;

  /** `compareKeys`: the order of rows of equal rank. */
  constructor(declared: Declaration<Row>, args: Args, compareKeys?: Compare<unknown>) {
    this.declaration = declared;
    this.args = args;
    const compare = compareBy(declared.sort ?? []);
    this.compareRows = compare;
    const compareRanks: Compare<RowEntry<Row>> = compareKeys
      ? (a, b) => compareKeys(a.key, b.key)
      : (a, b) => a.rank - b.rank;
    this.compareEntries = (a, b) => compare(a.row as Row, b.row as Row) || compareRanks(a, b);
    const from = resolveNumber(declared.offset, args) ?? 0;
    this.window = { from, to: from + (resolveNumber(declared.limit, args) ?? Infinity) };
  }
}

export class Pipeline<Row> {
  /** Created when a key is looked for: of many related rows, most never change. */
  #entriesByKey: Map<unknown, RowEntry<Row>> | undefined;
  /** The entries before that. */
  #entries: RowEntry<Row>[] = [];
  readonly #plan: PipelinePlan<Row>;
  /** The rows of a query without groups. */
  #ungrouped: Partition<Row> | undefined;
  #partitions: Map<string, Partition<Row>> | undefined;
  /** The names of the groups that may have changed since the last `takeChangeLevel`. */
  #changedGroups: Set<string> | undefined;
  #groupNames: string[] | undefined;
  /** The groups of the last read, as snapshots and live. */
  #lastValues: GroupedValue[] | undefined;

  constructor(plan: PipelinePlan<Row>) {
    this.#plan = plan;
  }

  /** All rows, by key. */
  get entries(): Map<unknown, RowEntry<Row>> {
    if (this.#entriesByKey === undefined) {
      this.#entriesByKey = new Map(this.#entries.map((entry) => [entry.key, entry]));
      this.#entries = [];
    }
    return this.#entriesByKey;
  }

  /** The order by `sort`. */
  get compareRows(): Compare<Row> {
    return this.#plan.compareRows;
  }

  /** True if `limit` or `offset` hide rows of the result. */
  get isWindowed(): boolean {
    const { from, to } = this.#plan.window;
    return from > 0 || to < Infinity;
  }

  /** Sets the row under `key`; undefined: a row that cannot be read. Ranks order rows that compare as equal. */
  setRow(key: unknown, rank: number, value: Row | undefined): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return this.addRow(key, rank, value);
    const row = value !== undefined && this.#passes(value) ? value : undefined;
    if (row === entry.row && rank === entry.rank) return;
    const previous = entry.row === undefined ? undefined : this.#getOrCreatePartition(entry.group);
    const group = row === undefined ? NO_GROUP : this.#groupOf(row);
    if (row !== undefined && this.#keepsPosition(entry, rank, row, group))
      return previous?.replace(entry, row);
    const from = previous?.remove(entry) ?? NO_POSITION;
    entry.rank = rank;
    entry.row = row;
    entry.group = group;
    const next = row === undefined ? undefined : this.#getOrCreatePartition(group);
    const to = next?.add(entry) ?? NO_POSITION;
    if (previous === next) return next?.onMoved(from, to);
    previous?.onMoved(from, NO_POSITION);
    next?.onMoved(NO_POSITION, to);
  }

  /** As `setRow`, for a key that is new. */
  addRow(key: unknown, rank: number, value: Row | undefined): void {
    const entry: RowEntry<Row> = { key, rank, row: undefined, group: NO_GROUP };
    if (this.#entriesByKey === undefined) this.#entries.push(entry);
    else this.#entriesByKey.set(key, entry);
    if (value === undefined || !this.#passes(value)) return;
    entry.group = this.#groupOf(value);
    entry.row = value;
    const part = this.#getOrCreatePartition(entry.group);
    part.onMoved(NO_POSITION, part.add(entry));
  }

  /** True if the new row takes the position of the row before. */
  #keepsPosition(entry: RowEntry<Row>, rank: number, row: Row, group: string): boolean {
    if (entry.row === undefined || rank !== entry.rank || group !== entry.group) return false;
    return this.compareRows(entry.row, row) === 0;
  }

  /** Removes `key`, which does not change any more. */
  removeRow(key: unknown): void {
    if (!this.entries.has(key)) return;
    this.setRow(key, 0, undefined);
    this.entries.delete(key);
  }

  /** How much the result changed since the last call. */
  takeChangeLevel(): ChangeLevel {
    if (this.#plan.declaration.groupBy === undefined)
      return this.#ungrouped?.takeChangeLevel() ?? SAME;
    let level: ChangeLevel = SAME;
    for (const name of this.#changedGroups ?? []) {
      const part = this.#getOrCreatePartition(name);
      level = Math.max(level, part.takeChangeLevel()) as ChangeLevel;
      if (part.size === 0) {
        this.#partitions?.delete(name);
        this.#groupNames = undefined;
        level = SHAPE;
      }
    }
    this.#changedGroups?.clear();
    return level;
  }

  /** The immutable result. Unchanged parts keep their reference. */
  value(show: RowPresenter<Row>, live = false): unknown {
    if (this.#plan.declaration.groupBy === undefined)
      return this.#getOrCreatePartition(NO_GROUP).value(show, live);
    this.#groupNames ??= [...(this.#partitions?.keys() ?? [])].sort();
    const values = this.#groupNames.map((name) =>
      this.#getOrCreatePartition(name).value(show, live),
    );
    const lastValues = (this.#lastValues ??= []);
    const last = lastValues[Number(live)];
    if (last?.names === this.#groupNames && sameMembers(last.values, values)) return last.groups;
    const groups: Fields = {};
    this.#groupNames.forEach((name, at) => setOwn(groups, name, values[at]));
    if (DEV) Object.freeze(groups);
    lastValues[Number(live)] = { names: this.#groupNames, values, groups };
    return groups;
  }

  #passes(row: Row): boolean {
    const { args, declaration } = this.#plan;
    return declaration.filter === undefined || declaration.filter(row, ...args);
  }

  #groupOf(row: Row): string {
    const { args, declaration } = this.#plan;
    const { groupBy } = declaration;
    if (groupBy === undefined) return NO_GROUP;
    return String(typeof groupBy === 'function' ? groupBy(row, ...args) : row[groupBy]);
  }

  /** The rows or figures of a group, created for the first row. Marks the group as touched. */
  #getOrCreatePartition(name: string): Partition<Row> {
    const { declaration } = this.#plan;
    if (declaration.groupBy === undefined) return (this.#ungrouped ??= this.#createPartition());
    (this.#changedGroups ??= new Set()).add(name);
    const partitions = (this.#partitions ??= new Map());
    const known = partitions.get(name);
    if (known !== undefined) return known;
    const made = this.#createPartition();
    partitions.set(name, made);
    this.#groupNames = undefined;
    return made;
  }

  #createPartition(): Partition<Row> {
    const { compareEntries, declaration, window } = this.#plan;
    return declaration.aggregate === undefined
      ? new WindowedRows(compareEntries, window)
      : new Accumulators(declaration.aggregate);
  }
}

/** A number, or a function of the arguments that returns a number. */
function resolveNumber(given: Declaration<never>['limit'], args: Args): number | undefined {
  return typeof given === 'function' ? given(...args) : given;
}
