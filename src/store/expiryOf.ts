/** Until when what a request shows counts as fresh. */
import type { Node } from '../schema/schema.ts';
import { NEVER } from './order.ts';
import type { Stamp } from './order.ts';
import { Record } from './Record.ts';
import { eachRecord } from './eachRecord.ts';
import type { ResultRecord } from './ResultRecord.ts';

/** What answers bring: entities, which may be missing, lists, and maps. */
interface Dated extends Record {
  readonly stamp?: Stamp;
  readonly exists?: boolean;
  /** False: what is there tells who is in, and no answer need say so. */
  readonly told?: boolean;
}

/**
 * Wall time in ms: that of the answer; or, where other answers have brought everything it needs since then, the least
 * of theirs. Before any answer, the least of what the arguments point to. What was declared expired is 0.
 */
export function expiryOf(result: ResultRecord, now: number): number {
  const { answered, stamp, expiredAt, node } = result;
  const own = answered && stamp.time > expiredAt ? stamp.expiresAt : 0;
  if (own >= now || (answered && !(node instanceof Record))) return own;
  return Math.max(own, leastBelow(node, Math.max(expiredAt, answered ? stamp.time : 0)));
}

/** The least expiry of the stored things below; 0 without any, or where one of them is not newer than `since`. */
function leastBelow(node: Node, since: number): number {
  let least: number | undefined;
  const seen = new Set<Record>();
  const see = (record: Record) => seen.add(record);
  eachRecord(node, see);
  // a set that grows while it is walked is walked to its end
  for (const record of seen) {
    const { stamp, exists = true, told = true } = record as Dated;
    if (stamp && exists && (told || stamp !== NEVER))
      least = Math.min(least ?? Infinity, stamp.time > since ? stamp.expiresAt : 0);
    eachRecord(record.parts(), see);
  }
  return least ?? 0;
}
