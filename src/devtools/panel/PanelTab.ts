/** The interface of a tab: groups to choose from, rows, and the detail of the selected row. */
import type { Child, VNode } from './VNode.ts';

/** A group of rows. */
export interface Group {
  readonly name: string;
  readonly title: string;
  readonly count: number;
  /** A heading above the group, where another kind of groups begins. */
  readonly heading?: string;
}

/** Ordered rows; the cells of a row are created when it is visible. */
export interface TabRows {
  readonly length: number;
  /** The key of a row, which stays the same when other rows come and go. */
  key(at: number): string;
  cells(at: number): readonly VNode[];
}

export interface PanelTab {
  readonly title: string;
  /** The number beside the tab's title. */
  readonly count: number;
  /** The text for an empty list. */
  readonly empty: string;
  groups(): readonly Group[];
  /** The rows of `group` that contain `filter`, in lower case; '' selects all groups, or does not filter. */
  rows(group: string, filter: string): TabRows;
  /** The detail of the row with this key; undefined if the row no longer exists. */
  detail(key: string): readonly Child[] | undefined;
  /** Elements beside the filter. */
  tools?(): readonly VNode[];
  /** Executes the action of a button with `data-do`. */
  act?(what: string, about: string): void;
}

/** The rows of an array. */
export function rowsOf<T>(
  items: readonly T[],
  key: (item: T) => string,
  cells: (item: T) => readonly VNode[],
): TabRows {
  return {
    length: items.length,
    key: (at) => key(items[at] as T),
    cells: (at) => cells(items[at] as T),
  };
}
