/** What one tab is: groups to choose from, rows, and the detail of the row that is chosen. */
import type { Child, Sketch } from './sketch.ts';

/** One of the groups that rows are in. */
export interface Group {
  readonly name: string;
  readonly title: string;
  readonly count: number;
  /** A heading above it, where another kind of groups begins. */
  readonly heading?: string;
}

/** Rows in their order; each is put together when it is to be seen. */
export interface BoardRows {
  readonly length: number;
  /** The name of a row, which stays the same when others come and go. */
  key(at: number): string;
  cells(at: number): readonly Sketch[];
}

export interface Board {
  readonly title: string;
  /** What the tab says beside its title. */
  readonly count: number;
  /** What to say where there is no row. */
  readonly empty: string;
  groups(): readonly Group[];
  /** Those of one group that have this in them, in lower case; '' stands for all of either. */
  rows(group: string, filter: string): BoardRows;
  /** Of the row with this name; undefined: it is there no more. */
  detail(key: string): readonly Child[] | undefined;
  /** Beside the filter. */
  tools?(): readonly Sketch[];
  /** What a button with `data-do` does. */
  act?(what: string, about: string): void;
}

/** The rows of an array. */
export function rowsOf<T>(
  items: readonly T[],
  key: (item: T) => string,
  cells: (item: T) => readonly Sketch[],
): BoardRows {
  return {
    length: items.length,
    key: (at) => key(items[at] as T),
    cells: (at) => cells(items[at] as T),
  };
}
