/** All chunks of a disk, decoded, in slices. */
import { decodeData } from './chunkData.ts';
import { ChunkIndex } from './ChunkIndex.ts';
import type { StoredData, Transform } from '../sync/PersistStorage.ts';
import { TimeSlice } from './TimeSlice.ts';

interface ReadChunks {
  readonly index: ChunkIndex;
  readonly lines: Map<string, string>;
  /** The ids of chunks that cannot be decoded, with the reason. */
  readonly broken: ReadonlyMap<string, unknown>;
}

export async function readChunks(
  chunks: Iterable<readonly [id: string, data: StoredData | undefined]>,
  transform: Transform | undefined,
): Promise<ReadChunks> {
  const lines = new Map<string, string>();
  const broken = new Map<string, unknown>();
  const index = new ChunkIndex();
  const slice = new TimeSlice();
  for (const [id, data] of chunks) {
    try {
      const text = await decodeData(data, transform);
      index.add({ id, text }, (key, line) => lines.set(key, line));
    } catch (reason) {
      broken.set(id, reason);
    }
    if (slice.isOver) await slice.next();
  }
  return { index, lines, broken };
}
