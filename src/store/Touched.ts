/** What is to be looked at when a commit has written everything: lists, and entities on which layers lie, each once. */
import type { EntityRecord } from './EntityRecord.ts';
import { ListRecord } from './ListRecord.ts';
import { TOUCHED } from './Record.ts';
import type { Record } from './Record.ts';

export class Touched {
  readonly entities: EntityRecord[] = [];
  readonly lists: ListRecord[] = [];

  /** An entity without layers shows what was written to it by itself. */
  add(record: Record): void {
    const isList = record instanceof ListRecord;
    if (record.flags & TOUCHED || !(isList || record.layered)) return;
    record.flags |= TOUCHED;
    if (isList) this.lists.push(record);
    else this.entities.push(record as EntityRecord);
  }

  clear(): void {
    for (const record of this.entities) record.flags &= ~TOUCHED;
    for (const record of this.lists) record.flags &= ~TOUCHED;
    this.entities.length = this.lists.length = 0;
  }
}
