/** Stages several values that are written in one commit. */
import { isUpdate } from '../endpoint/argumentChecks.ts';
import type { Store } from '../store/Store.ts';
import { prepareCreation } from '../store/entities/EntityContent.ts';
import type { EntityRecord } from '../store/entities/EntityRecord.ts';
import type { Stamp } from '../store/records/versioning.ts';
import { StagedWrite } from '../store/writes/Draft.ts';
import type { WriteRequest } from '../store/writes/Draft.ts';
import type { Write } from './Events.ts';

interface StampedWrite
  extends Write, Pick<WriteRequest, 'layer' | 'mayHavePks' | 'stageLinkedWrites' | 'fetchedPages'> {
  readonly stamp: Stamp;
}

/** Stages all writes. If one of them throws, discards all and rethrows: the store is unchanged. */
export function stageAll(store: Store, writes: readonly StampedWrite[]): StagedWrite[] {
  const laid: StagedWrite[] = [];
  const removed = new Set<EntityRecord>();
  try {
    for (const { endpoint, value, ...write } of writes) {
      const updatesEntityInArgs = endpoint && isUpdate(endpoint, write.args);
      const staged = new StagedWrite(store, { ...write, value, endpoint, updatesEntityInArgs });
      laid.push(staged);
      const { patches, removals } = staged.draft;
      // an entity that an earlier write deletes is created again
      patches.filter(({ record }) => removed.has(record)).forEach(prepareCreation);
      for (const record of removals) removed.add(record);
    }
    return laid;
  } catch (error) {
    for (const each of laid) each.discard();
    throw error;
  }
}
