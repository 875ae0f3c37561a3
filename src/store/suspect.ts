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
/** While they are judged: who was found not to be whole. Nothing is written meanwhile, so they stay so. */
let fallen: Set<object> | undefined;

export function suspect(record: Suspect): void {
  if (!suspects.has(record)) suspects.set(record, record.shown);
}

/** Whether readers could see it when it became suspect; what is not suspect, they can see as they could. */
export function wasShown(record: object, shown: boolean): boolean {
  return suspects.get(record as Suspect) ?? shown;
}

/**
 * Run at the end of each commit, inside its batch. One that is judged may make others suspect.
 * `early`, half-way through: who went is told to the lists of before, not to those that it is about to enter. Who came
 * waits: nobody saw it in the lists that it is about to leave.
 */
export function judgeSuspects(builder: Builder, early = false): void {
  if (suspects.size === 0) return;
  const outer = fallen;
  fallen ??= new Set();
  try {
    for (const [record, before] of suspects) {
      if (early && (record.late || !before)) continue;
      suspects.delete(record);
      record.judge(before, builder);
    }
  } finally {
    fallen = outer;
  }
}

/** True when it was found before, in this judgement, not to be whole: in a cycle each would ask the others for ever. */
export function hasFallen(record: object): boolean {
  return fallen !== undefined && fallen.has(record);
}

export function fall(record: object): void {
  fallen?.add(record);
}
