/** Builds chains of records that are too deep for the call stack. */
import { EntityRecord } from './EntityRecord.ts';
import { BUILDING, DIRTY, MARKED, SOILED } from './Record.ts';
import { eachRecord } from './eachRecord.ts';
import type { Builder, Record } from './Record.ts';

/** Builds what is dirty below `root`, and `root`, children first: each finds its parts built. */
export function buildBelow(root: Record, builder: Builder): void {
  const line: Record[] = [root];
  const { owner } = builder;
  try {
    buildLine(line, builder);
  } catch (error) {
    // a function of the user's threw: none of them is built
    for (const record of line)
      record.flags = (record.flags & ~(MARKED | BUILDING)) | DIRTY | SOILED;
    throw error;
  } finally {
    builder.owner = owner;
  }
}

function buildLine(line: Record[], builder: Builder): void {
  for (let record = line.at(-1); record !== undefined; record = line.at(-1)) {
    record.flags |= MARKED;
    // opened before its children: a cycle finds the object that is going to be its value
    if (record instanceof EntityRecord && record.flags & DIRTY) record.begin();
    const next = dirtyPart(record);
    if (next !== undefined) {
      line.push(next);
      continue;
    }
    builder.owner = record;
    if (record instanceof EntityRecord) record.finish(builder);
    else record.current(builder);
    line.pop();
    record.flags &= ~MARKED;
  }
}

function dirtyPart(record: Record): Record | undefined {
  let found: Record | undefined;
  eachRecord(record.parts(), (part) => {
    if (found === undefined && (part.flags & (DIRTY | MARKED)) === DIRTY) found = part;
  });
  return found;
}
