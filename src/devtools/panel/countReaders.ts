/** Counts the readers of a record without becoming one. */
import type { StoreRecord } from '../../store/StorePort.ts';
import { isWatched } from '../../signals.ts';
import type { StoreObserver } from '../../view/Reader.ts';

/** The readers of one record, be it an entity, a list or a request. */
interface ReaderCounts {
  /** A lower bound: a mounted component that listens counts once. */
  readonly count: number;
  /** Of a request: mounted components. */
  readonly mounted: number;
  /** Functions that run when the record changes. */
  readonly listeners: number;
  /** The watched signals of the record. */
  readonly signals: readonly string[];
  /** The number of watchers of each field, by name. */
  readonly fields: ReadonlyMap<string, number>;
}

export function countReaders({ cell, observers }: StoreRecord): ReaderCounts {
  const { readers: mounted = 0 } = (observers?.readerRef?.deref() ?? {}) as Partial<StoreObserver>;
  const listeners = observers?.listeners?.size ?? 0;
  const signals: string[] = [];
  if (isWatched(cell)) signals.push('data');
  if (isWatched(observers?.result)) signals.push('result');
  if (isWatched(observers?.shape)) signals.push('shape');
  const fields = new Map<string, number>();
  for (let strand = observers?.firstField; strand !== undefined; strand = strand.next)
    if (strand.watchers > 0) fields.set(strand.name, strand.watchers);
  const count = Math.max(mounted, listeners + signals.length + fields.size);
  return { count, mounted, listeners, signals, fields };
}
