/** Results by key: of requests, or of values that are found by their arguments alone. */
import { DEV } from '../../errors.ts';
import { LiteralKind } from '../../schema/containers.ts';
import { kindOf } from '../../schema/kindOf.ts';
import type { Args, Kind, Schema } from '../../schema/schema.ts';
import { schemaChecks } from '../../schema/schemaChecks.ts';
import type { GarbageCollector } from '../gc/GarbageCollector.ts';
import type { StoreRecord } from '../records/StoreRecord.ts';
import { eachRecord, linkParts } from '../records/eachRecord.ts';
import type { Stamp } from '../records/versioning.ts';
import { ResultRecord } from './ResultRecord.ts';
import type { ResultStore } from './ResultRecord.ts';

/** The store as this table uses it. */
interface ResultTableStore extends ResultStore {
  readonly gc: GarbageCollector;
}

export class ResultTable {
  readonly records: Map<string, ResultRecord> = new Map();

  getOrCreate(store: ResultTableStore, key: string, schema: Schema, args: Args): ResultRecord {
    const known = store.gc.findAndMarkUsed(this, key);
    if (known !== undefined) {
      if (DEV && known.schema !== schema) {
        const kind = schema === undefined ? getRawKind() : kindOf(schema, key);
        schemaChecks?.warnOfOtherSchema(key, known.kind, kind);
        known.schema = schema;
      }
      return known;
    }
    const kind = schema === undefined ? getRawKind() : kindOf(schema, key);
    const record = new ResultRecord(key, kind, args, store);
    record.schema = schema;
    record.node = kind.queryKey?.(args, store);
    linkParts(record, [record.node]);
    this.records.set(key, record);
    return store.gc.track(record);
  }

  tryEvict(key: string): boolean {
    const { node, expiredAt, invalidatedAt = 0 } = this.records.get(key) as ResultRecord;
    const since = Math.max(expiredAt, invalidatedAt);
    // the need to refetch outlives the result: the parts count as expired
    if (since > 0) eachRecord(node, (part) => expireIfOlder(part, since));
    return this.records.delete(key);
  }

  clear(store: ResultTableStore): void {
    for (const [key, record] of this.records) {
      const { isObserved } = record;
      // inferring a node creates records: skipped for dropped results
      record.reset(isObserved ? store : undefined);
      if (!isObserved) this.records.delete(key);
    }
  }
}

/** Data that are not newer than `since` count as expired. */
function expireIfOlder(part: StoreRecord & { stamp?: Stamp }, since: number): void {
  const { stamp } = part;
  if (stamp !== undefined && stamp.time <= since) part.stamp = { ...stamp, expiresAt: 0 };
}

/** The kind of an endpoint without a schema: the response as received. */
let rawKind: LiteralKind | undefined;

function getRawKind(): Kind {
  return (rawKind ??= new LiteralKind(undefined));
}
