/** Creates the comparison function of two rows from the `sort` of a declaration. */
import type { Compare } from './SortedList.ts';

/** The name of a field, several names with their direction, or a comparison function as `Array.sort` takes it. */
export type Sort<Row> =
  | (keyof Row & string)
  | { readonly [K in keyof Row]?: 'asc' | 'desc' }
  | Compare<Row>;

/** The first sort criterion with a difference decides; 0 if there is none. */
export function compareBy<Row>(sorts: Sort<Row> | readonly Sort<Row>[]): Compare<Row> {
  const steps = ([sorts].flat() as Sort<Row>[]).flatMap(comparatorsOf);
  return (a, b) => {
    for (const step of steps) {
      const order = step(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function comparatorsOf<Row>(sort: Sort<Row>): Compare<Row>[] {
  if (typeof sort === 'function') return [sort];
  const fields = typeof sort === 'string' ? { [sort]: 'asc' } : sort;
  return Object.entries(fields).map(([name, way]) => {
    const field = name as keyof Row;
    const sign = way === 'desc' ? -1 : 1;
    return (a, b) => compareValues(a[field], b[field], sign);
  });
}

/**
 * Missing values (null, undefined, NaN) come last in both directions. Texts compare by code units, dates by their time.
 */
export function compareValues(a: unknown, b: unknown, sign = 1): number {
  if (a === b) return 0;
  if (isMissingValue(a) || isMissingValue(b))
    return Number(isMissingValue(a)) - Number(isMissingValue(b));
  if ((a as number) < (b as number)) return -sign;
  return (a as number) > (b as number) ? sign : 0;
}

/** True for null, undefined and NaN. */
export function isMissingValue(value: unknown): boolean {
  return value === null || value === undefined || value !== value;
}
