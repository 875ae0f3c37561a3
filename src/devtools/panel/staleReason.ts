/** Why the data of a request have to be fetched, in words. */
import type { ResultRecord } from '../../store/StorePort.ts';
import { formatSeconds } from './PanelTab.ts';

/** `now`: wall time, ms. Undefined if the data are fresh. */
export function staleReason(record: ResultRecord | undefined, now: number): string | undefined {
  if (record?.node === undefined) return 'no response is stored';
  const { failure, invalidatedAt, uncertainSince, stamp, expiredAt, hasResponse } = record;
  if (failure !== undefined) return 'the last attempt failed';
  if (invalidatedAt !== undefined) return 'the data were invalidated';
  if (record.isIncomplete) return 'a field was never received';
  if (uncertainSince > stamp.time) return 'a mutation may have changed the list';
  const expiry = record.expiryAt(now);
  if (expiry >= now) return undefined;
  if (!hasResponse && expiry === 0) return 'no response is stored';
  if (expiredAt >= stamp.time || expiry === 0) return 'expireAll, or a mutation, expired the data';
  return `the data expired ${formatSeconds(now - expiry)} ago`;
}
