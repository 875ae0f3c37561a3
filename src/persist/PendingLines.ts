/** Lines that are being written to the disk, were refused there, or wait for the next write. */
import type { Packed } from './LinePacker.ts';
import type { LineChanges } from './rewriteChunks.ts';

const NO_MARKS = { order: 0, turn: 0 };

export class PendingLines {
  /** A new map whenever the lines change. */
  changes: LineChanges = new Map();
  marks: Pick<Packed, 'order' | 'turn'> = NO_MARKS;
  /** True if only the freshness of lists and responses has changed. */
  isFreshness = true;

  add({ changes, order, turn, isFreshness }: Packed): void {
    this.changes = new Map([...this.changes, ...changes]);
    this.marks = {
      order: Math.max(order, this.marks.order),
      turn: Math.max(turn, this.marks.turn),
    };
    this.isFreshness &&= isFreshness;
  }

  delete(keys: Iterable<string>): void {
    const changes = new Map(this.changes);
    for (const key of keys) {
      changes.set(key, undefined);
      this.isFreshness = false;
    }
    this.changes = changes;
  }

  /** These lines have been written. True if there are no others. */
  settle(changes: LineChanges): boolean {
    if (this.changes !== changes) return false;
    this.clear();
    return true;
  }

  clear(): void {
    this.changes = new Map();
    this.marks = NO_MARKS;
    this.isFreshness = true;
  }
}
