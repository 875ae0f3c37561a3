// The contract of storages, with IndexedDB in memory; in browsers see test/browser/storage.test.ts.
import { indexedDbStorage } from 'signalbox/persist';
import { expect, test } from 'vitest';
import { StoppedClock } from '../setup/world.ts';
import { freshDisk } from '../sync/disks.ts';
import { expectedOfStorage, playStorage } from './storageContract.ts';

test('[P6] IndexedDB fulfills the contract of storages', async () => {
  const disk = freshDisk();
  const seen = await playStorage(() => indexedDbStorage(disk, new StoppedClock()));
  expect(seen).toEqual(expectedOfStorage);
});
