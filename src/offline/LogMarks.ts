/** Facts about mutations that the head of a log holds: they change often, and are small. */

export interface LogMarks {
  /** How often mutations have been sent, where their records do not tell. */
  readonly sent: readonly NumberPair[];
  /** The first and last ids of mutations that have ended without a result in the log. */
  readonly ended: readonly NumberPair[];
  /** Mutations up to this id may be awaited by pages that have not issued them. */
  readonly seen: number;
  /** Mutations up to this id may have been sent once: the marks before were lost. */
  readonly suspect: number;
}

type NumberPair = readonly [number, number];

export const NO_MARKS: LogMarks = { sent: [], ended: [], seen: 0, suspect: 0 };

// how many ranges of ended mutations are kept: only a log that the platform has deleted needs them
const MAX_RANGES = 16;

/** The form on the disk: a list, since a build may rename members. */
export function encodeMarks({ sent, ended, seen, suspect }: LogMarks): unknown {
  return [sent, ended, seen, suspect];
}

/** Undefined if the value is damaged. */
export function decodeMarks(value: unknown): LogMarks | undefined {
  const [sent, ended, seen, suspect] = Array.isArray(value) ? (value as unknown[]) : [];
  const isNumber = (number: unknown) => typeof number === 'number';
  const arePairs = (list: unknown) =>
    Array.isArray(list) &&
    list.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isNumber));
  const areMarks = [sent, ended].every(arePairs) && [seen, suspect].every(isNumber);
  return areMarks ? ({ sent, ended, seen, suspect } as LogMarks) : undefined;
}

/** How often a mutation may have been sent; `recorded`: as its record tells. */
export function attemptsOf({ sent, suspect }: LogMarks, id: number, recorded: number): number {
  const [, marked = 0] = sent.find(([by]) => by === id) ?? [];
  return Math.max(recorded, marked, id <= suspect ? 1 : 0);
}

export function markSent(marks: LogMarks, id: number, attempts: number): LogMarks {
  return { ...marks, sent: [...marks.sent, [id, attempts]] };
}

export function unmarkSent(marks: LogMarks, id: number): LogMarks {
  if (!marks.sent.some(([by]) => by === id)) return marks;
  return { ...marks, sent: marks.sent.filter(([by]) => by !== id) };
}

/** Neighbouring ids become one range. */
export function markEnded(marks: LogMarks, ids: readonly NumberPair[]): LogMarks {
  const ended: NumberPair[] = [];
  for (const [from, to] of [...marks.ended, ...ids].sort(([a], [b]) => a - b)) {
    const before = ended.at(-1);
    if (before === undefined || from > before[1] + 1) ended.push([from, to]);
    else ended[ended.length - 1] = [before[0], Math.max(before[1], to)];
  }
  return { ...marks, ended: ended.slice(-MAX_RANGES) };
}

export function hasEnded({ ended }: LogMarks, id: number): boolean {
  return ended.some(([from, to]) => from <= id && id <= to);
}
