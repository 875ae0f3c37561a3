/** Until when what a request shows counts as fresh. */
import { EntityRecord } from './EntityRecord.ts';
import { ListRecord } from './ListRecord.ts';
import { eachRecord } from './Record.ts';
import type { Record } from './Record.ts';
import type { ResultRecord } from './ResultRecord.ts';

/**
 * Wall time in ms: of the answer where there was one; else, for what was inferred from the arguments, the least of
 * everything that it needs.
 */
export function expiryOf(result: ResultRecord): number {
  if (result.answered) return result.stamp.expiresAt;
  let least = Infinity;
  const seen = new Set<Record>();
  const line: Record[] = [];
  const note = (record: Record) => {
    if (seen.has(record)) return;
    seen.add(record);
    line.push(record);
  };
  eachRecord(result.node, note);
  for (let record = line.pop(); record !== undefined; record = line.pop()) {
    if (record instanceof EntityRecord && !record.exists) continue;
    if (record instanceof EntityRecord || record instanceof ListRecord) {
      least = Math.min(least, record.stamp.expiresAt);
    }
    eachRecord(record.parts(), note);
  }
  return least;
}
