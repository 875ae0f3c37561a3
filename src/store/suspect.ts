/** Entities that a commit may make whole, or break: only when all of it is written can be told. */
import type { Builder } from './Record.ts';

export interface Suspect {
  /** Whether readers could see it when it was last looked at. */
  readonly shown: boolean;
  /** What it was half-way through a commit is nothing to judge by. */
  readonly late?: boolean;
  /** Tells readers that it came or went; `before` is what `shown` was when it became suspect. */
  judge(before: boolean, builder: Builder): void;
}

const suspects = new Map<Suspect, boolean>();

export function suspect(record: Suspect): void {
  if (!suspects.has(record)) suspects.set(record, record.shown);
}

/** Run at the end of each commit, inside its batch. One that is judged may make others suspect. */
export function judgeSuspects(builder: Builder, early = false): void {
  for (const [record, before] of suspects) {
    if (early && record.late) continue;
    suspects.delete(record);
    record.judge(before, builder);
  }
}
