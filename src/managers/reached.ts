/** All that a node shows, as it is confirmed. */
import type { Node } from '../schema/schema.ts';
import { eachRecord } from '../store/eachRecord.ts';
import { confirmed } from '../store/Layered.ts';
import type { Record } from '../store/Record.ts';

/** The records in a node, in these, and so on. */
export function reached(node: Node): Set<Record> {
  const seen = new Set<Record>();
  const see = (record: Record) => void seen.add(record);
  eachRecord(node, see);
  // a set that grows while it is walked is walked to its end
  for (const record of seen) eachRecord(confirmed(record).parts(), see);
  return seen;
}
