/** An application on the module written from Blockfrost's description, which has no update of a record. */
import { Collection, Entity } from 'signalbox';
import { expect, test } from 'vitest';
import type * as blockfrost from '../generated/blockfrost.ts';
import { world } from '../world.ts';

/** An entity of the application: the description does not say that `{IPFS_path}` is the hash. */
class Pin extends Entity {
  ipfs_hash = '';
  size = '';
  state: 'queued' | 'pinned' | 'unpinned' | 'failed' | 'gc' = 'queued';

  static override key = 'Pin';

  override pk() {
    return this.ipfs_hash;
  }
}

/** The generated endpoints with this record, and a server on which a removed pin is unpinned. */
async function pins() {
  const here = await world<typeof blockfrost>('blockfrost', {
    keys: { IPFS_path: 'ipfs_hash' },
    members: () => ({ state: 'pinned' }),
    actions: { 'POST /ipfs/pin/remove/{IPFS_path}': () => ({ state: 'unpinned' }) },
  });
  const { api, controller } = here;
  const getPins = api.getIpfsPinList.extend({ schema: new Collection([Pin]) });
  const getPin = api.getIpfsPinListIPFSPath.extend({ schema: Pin });
  const unpin = api.postIpfsPinRemoveIPFSPath.extend({ schema: Pin });
  await controller.fetch(getPins);
  const rows = () => controller.getResponse(getPins).data ?? [];
  return { ...here, getPins, getPin, unpin, rows };
}

test('[T3] Blockfrost: removing a pin changes the row of that pin in the list, and no other row', async () => {
  const { controller, unpin, rows, mock } = await pins();
  const before = rows();
  const [first, ...others] = before;
  expect(before.map(({ state }) => state)).toEqual(['pinned', 'pinned', 'pinned', 'pinned']);
  const removed = await controller.fetch(unpin, { IPFS_path: first?.ipfs_hash ?? '' });
  expect(rows()[0]).toBe(removed);
  expect(removed).toMatchObject({ size: first?.size, state: 'unpinned' });
  expect(rows().slice(1)).toEqual(others);
  expect(mock.faults).toEqual([]);
});

test('[T3] Blockfrost: the detail of a pin is the same object as its row in the list', async () => {
  const { controller, getPin, rows, mock } = await pins();
  const [, second] = rows();
  const opened = await controller.fetch(getPin, { IPFS_path: second?.ipfs_hash ?? '' });
  expect(rows()[1]).toBe(opened);
  expect(opened.size).toBe(second?.size);
  expect(mock.faults).toEqual([]);
});
