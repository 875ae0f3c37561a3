/** Keys for the rows of `<For>`. */
import { recordOf } from '../src/live/LiveObject.ts';

interface Keyed {
  pk(): string | number | undefined;
}

const isKeyed = (row: unknown): row is Keyed =>
  recordOf(row) !== undefined || typeof (row as Partial<Keyed> | null)?.pk === 'function';

/**
 * Returns a name of each row from class and primary key, undefined for a row that is no entity. The live row cannot be
 * the key, since hydration replaces it.
 */
export function rowNames(): (row: unknown) => string | undefined {
  const classes: unknown[] = [];
  return (row) => {
    if (!isKeyed(row)) return undefined;
    const { kind, pk } = recordOf(row) ?? { kind: { Class: row.constructor }, pk: row.pk() };
    if (!classes.includes(kind.Class)) classes.push(kind.Class);
    return `${classes.indexOf(kind.Class)},${pk}`;
  };
}
