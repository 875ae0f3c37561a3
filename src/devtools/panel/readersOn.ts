/** How many read a stored thing, counted without joining them. */
import { isWatched } from '../../reactive.ts';
import type { StoreRecord } from '../../store/StoreRecord.ts';
import type { StoreObserver } from '../../view/StoreObserver.ts';

/** Who reads one stored thing itself, be it an entity, a list or a request. */
export interface Readers {
  /** At least so many: a component that listens and is mounted counts once. */
  readonly count: number;
  /** Of a request: components that are mounted. */
  readonly mounted: number;
  /** Functions that run when it changes. */
  readonly listeners: number;
  /** Signals of it that somebody watches. */
  readonly signals: readonly string[];
  /** How many watch each of its fields, by name. */
  readonly fields: ReadonlyMap<string, number>;
}

export function readersOn({ cell, observers: fine }: StoreRecord): Readers {
  const { readers: mounted = 0 } = (fine?.reader?.deref() ?? {}) as Partial<StoreObserver>;
  const listeners = fine?.listeners?.size ?? 0;
  const signals: string[] = [];
  if (isWatched(cell)) signals.push('data');
  if (isWatched(fine?.result)) signals.push('result');
  if (isWatched(fine?.shape)) signals.push('shape');
  const fields = new Map<string, number>();
  for (let strand = fine?.first; strand !== undefined; strand = strand.next)
    if (strand.watchers > 0) fields.set(strand.name, strand.watchers);
  const count = Math.max(mounted, listeners + signals.length + fields.size);
  return { count, mounted, listeners, signals, fields };
}
