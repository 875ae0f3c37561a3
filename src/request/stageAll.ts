/** Stages several values that are written in one commit. */
import { isUpdate } from '../endpoint/argumentChecks.ts';
import type { Stamp } from '../store/records/versioning.ts';
import { StagedWrite } from '../store/writes/StagedWrite.ts';
import type { WriteRequest } from '../store/writes/StagedWrite.ts';
import type { Store } from '../store/Store.ts';
import type { Write } from './Events.ts';

interface StampedWrite
  extends
    Write,
    Pick<WriteRequest, 'layer' | 'mayHavePks' | 'createLinkedWrites' | 'fetchedPages'> {
  readonly stamp: Stamp;
}

/** Stages all writes. If one of them throws, discards all and rethrows: the store is unchanged. */
export function stageAll(store: Store, writes: readonly StampedWrite[]): StagedWrite[] {
  const laid: StagedWrite[] = [];
  try {
    for (const { endpoint, value, ...write } of writes) {
      const updatesEntityInArgs = endpoint && isUpdate(endpoint, write.args);
      laid.push(new StagedWrite(store, { ...write, value, endpoint, updatesEntityInArgs }));
    }
    return laid;
  } catch (error) {
    for (const each of laid) each.discard();
    throw error;
  }
}
