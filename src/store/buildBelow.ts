/** Chains of records that are too deep for the call stack are built from their end. */
import { eachRecord } from './eachRecord.ts';
import { DIRTY } from './flags.ts';
import type { Builder, Record } from './Record.ts';

/** Builds what is dirty below `root`, and `root`, parts first: each finds its parts built. */
export function buildBelow(root: Record, builder: Builder): void {
  const line: Record[] = [root];
  const opened = new Set<Record>();
  for (let record = line.at(-1); record !== undefined; record = line.at(-1)) {
    opened.add(record);
    let next: Record | undefined;
    eachRecord(record.parts(), (part) => {
      if (part.flags & DIRTY && !opened.has(part)) next ??= part;
    });
    if (next === undefined) line.pop()?.current(builder);
    else line.push(next);
  }
}
