/** Lists that a commit may have left other than they are on the server count as expired. */
import { ObjectNode } from '../schema/containers.ts';
import type { Node } from '../schema/schema.ts';
import type { Record } from '../store/Record.ts';
import { ResultRecord } from '../store/ResultRecord.ts';
import type { Store } from '../store/Store.ts';
import { showing } from './outdate.ts';

/*
 *   a confirmed creation, move or deletion        the list                 its responses
 *   ────────────────────────────────────────────────────────────────────────────────────────────────────────────
 *   a list whose filters it meets, or not         updated at once          expire where they also hold a count
 *   a numbered page, a search, a list at          shows what is certain    expire
 *   another address
 */

const NONE: ReadonlySet<ResultRecord> = new Set();

/** Gives the requests that must be sent again. */
export function expireLists(store: Store, allowed: boolean): ReadonlySet<ResultRecord> {
  const changes = store.changes.take();
  if (!allowed || changes === undefined) return NONE;
  const { updated, uncertain } = changes;
  for (const list of uncertain) list.stamp = { ...list.stamp, expiresAt: 0 };
  const results = showing(store, new Set<Record>(uncertain));
  for (const list of updated)
    for (const parent of list.allParents)
      if (parent instanceof ResultRecord && holdsCount(parent.node)) results.add(parent);
  const time = store.tick();
  for (const result of results) result.expire(time);
  return results;
}

/** True for an envelope that also holds a number: it may count the rows. */
function holdsCount(node: Node): boolean {
  if (!(node instanceof ObjectNode)) return false;
  return Object.values({ ...node.rest, ...node.inner }).some((value) => typeof value === 'number');
}
