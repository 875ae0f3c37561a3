/** Development check: finds `useComputed` that keeps a value computed from the result of a former render. */
import { nextMicrotask } from '../../src/clock.ts';
import { DEV, warn } from '../../src/errors.ts';
import { liveOf } from '../../src/live/LiveObject.ts';
import { Signal, untracked } from '../../src/signals.ts';
import { replaceEqualDeep } from '../../src/schema/equal.ts';
import type { Fields } from '../../src/schema/schema.ts';

// the number of rows of a list whose readers are checked
const MAX_ROWS = 100;

/** The data that a component has rendered, of each read. */
export interface RenderedData {
  current: readonly unknown[];
  /** Computed signals, each with the name of the entity that was read; created by the first check. */
  suspects?: Map<Signal, string>;
}

/**
 * Warns (A9) of each of the component's suspects whose function now gives another value than the signal keeps. The computed signals
 * that have read `former` become suspects. Called once a render with other data is committed, before the readers of
 * `former` are notified. Undefined in production builds.
 */
export const checkComputeds:
  | ((rendered: RenderedData, former: readonly unknown[], parts: readonly unknown[]) => void)
  | undefined = DEV ? check : undefined;

function check(
  rendered: RenderedData,
  former: readonly unknown[],
  parts: readonly unknown[],
): void {
  const suspects = (rendered.suspects ??= new Map());
  const firstRows = former.flatMap((part): unknown =>
    Array.isArray(part) ? part.slice(0, MAX_ROWS) : part,
  );
  for (const row of untracked(() => withNested(firstRows.slice(0, MAX_ROWS)))) {
    const live = liveOf(row);
    for (let cell = live?.first; cell !== undefined; cell = cell.next)
      for (const found of computedsOf(cell))
        suspects.set(found, live?.record.kind.Class.name ?? '');
  }
  // without data the function may have nothing to read: the check waits for the next data
  if (parts.length === 0 || parts.includes(undefined)) return;
  // the readers of the former entity are notified first
  void nextMicrotask(() => {
    for (const [suspect, entity] of suspects) warnIfStale(suspect, entity);
    suspects.clear();
  });
}

/** The rows with their nested entities, which a component may take out of a row. */
function withNested(rows: readonly unknown[]): readonly unknown[] {
  return rows.flatMap((row): unknown => {
    const { schema = {} } = liveOf(row)?.record.kind.Class ?? {};
    return [row, ...Object.keys(schema).flatMap((name) => (row as Fields)[name])];
  });
}

/**
 * The computed signals that depend on `cell`. The engine has no function for this: the dependencies are objects that
 * refer to both signals. If a later version of the engine stores dependencies otherwise, nothing is found.
 */
function computedsOf(cell: Signal): Set<Signal> {
  const found = new Set<Signal>();
  const seen = new Set<unknown>([cell]);
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const members = Object.values(value);
    if (!members.includes(cell)) return;
    for (const member of members) {
      if (member instanceof Signal) {
        if (member !== cell) found.add(member);
      } else visit(member);
    }
  };
  Object.values(cell).forEach(visit);
  return found;
}

function warnIfStale(suspect: Signal, entity: string): void {
  const [compute, ...others] = Object.values(suspect).filter(
    (member): member is () => unknown => typeof member === 'function',
  );
  if (compute === undefined || others.length > 0) return;
  try {
    const kept: unknown = suspect.peek();
    const now = untracked(compute);
    if (replaceEqualDeep(kept, now) !== kept) warn('A9', entity, { kept, now });
  } catch {
    // a function that throws is the application's to see
  }
}
