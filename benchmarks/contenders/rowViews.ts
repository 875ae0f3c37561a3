/** Row views that are given their row by a list, as memoized components are: those run whose row is another object than before. */
import type { Row } from '../Contender.ts';

/** `rows`: what the list shows now, or later; gives how many of the views on `ids` run for it. */
export function rowViews(
  ids: readonly number[],
  rows: readonly Row[],
): (rows: readonly Row[]) => number {
  const watched = new Set(ids);
  const shown = new Map<number, Row>();
  const show = (rows: readonly Row[]): number => {
    let runs = 0;
    for (const row of rows) {
      if (shown.get(row.id) === row || !watched.has(row.id)) continue;
      shown.set(row.id, row);
      runs++;
    }
    return runs;
  };
  show(rows);
  return show;
}

/** What is derived from the list by plain code, anew for each change. */
export function openOf(rows: readonly Row[]): Row[] {
  return rows.filter(({ completed }) => !completed);
}

export function figuresOf(open: readonly Row[]): { count: number; total: number } {
  return { count: open.length, total: open.reduce((sum, { score }) => sum + score, 0) };
}
