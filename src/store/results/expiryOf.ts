/** Until when the data of a request count as fresh. */
import type { NormalizedNode } from '../../schema/schema.ts';
import { UNWRITTEN_STAMP } from '../records/versioning.ts';
import type { Stamp } from '../records/versioning.ts';
import { StoreRecord } from '../records/StoreRecord.ts';
import { reachableRecords } from '../records/eachRecord.ts';
import type { ResultRecord } from './ResultRecord.ts';

/** A record that responses write: an entity, which may be missing, a list, or a map. */
interface StampedRecord extends StoreRecord {
  readonly stamp?: Stamp;
  readonly exists?: boolean;
  /** False: the members follow from the stored entities, so no response is needed. */
  readonly isFromResponses?: boolean;
}

/**
 * Wall time in ms: the expiry of the response; or the earliest expiry of its records, if other responses have brought
 * all of them since. Before any response: the earliest expiry of the records that the arguments point to. Returns 0 for
 * a result that was declared expired or is incomplete.
 */
export function expiryOf(result: ResultRecord, now: number): number {
  const { hasResponse, stamp, expiredAt, node } = result;
  if (result.isIncomplete) return 0;
  const own = hasResponse && stamp.time > expiredAt ? stamp.expiresAt : 0;
  if (own >= now || (hasResponse && !(node instanceof StoreRecord))) return own;
  return Math.max(own, earliestExpiry(node, Math.max(expiredAt, hasResponse ? stamp.time : 0)));
}

/** The earliest expiry of the records below; 0 if there are none, or if any record is not newer than `since`. */
function earliestExpiry(node: NormalizedNode, since: number): number {
  let least: number | undefined;
  for (const record of reachableRecords(node)) {
    const { stamp, exists = true, isFromResponses = true } = record as StampedRecord;
    if (stamp && exists && (isFromResponses || stamp !== UNWRITTEN_STAMP))
      least = Math.min(least ?? Infinity, stamp.time > since ? stamp.expiresAt : 0);
  }
  return least ?? 0;
}
