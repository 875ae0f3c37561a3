/** Builds chains of records that are too deep for the call stack, from their end. */
import { eachRecord } from './eachRecord.ts';
import { DIRTY } from './flags.ts';
import type { Builder, StoreRecord } from './StoreRecord.ts';

/** Builds `root` and the dirty records below it, parts first: each build finds clean parts. */
export function buildIteratively(root: StoreRecord, builder: Builder): void {
  const stack: StoreRecord[] = [root];
  const opened = new Set<StoreRecord>();
  for (let record = stack.at(-1); record !== undefined; record = stack.at(-1)) {
    opened.add(record);
    let next: StoreRecord | undefined;
    eachRecord(record.parts(), (part) => {
      if (part.flags & DIRTY && !opened.has(part)) next ??= part;
    });
    if (next === undefined) stack.pop()?.current(builder);
    else stack.push(next);
  }
}
