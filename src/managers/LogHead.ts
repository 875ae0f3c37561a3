/** The one record of a log that every change reads: which records are valid, and what the last changes were. */
import { randomText } from './randomText.ts';
import type { StoredData } from './PersistStorage.ts';

// grows when the format of the log changes
const FORMAT = 1;

// how many ids of added and removed records the head lists: pages that are further behind read all records
const MOST = 200;

/** The ids of the records that one change has added and removed. */
export type LogStep = readonly [added: readonly string[], removed: readonly string[]];

export interface LogHead {
  /** Identifies the log: another log begins if the storage was emptied. */
  readonly log: string;
  /** The number of changes. */
  readonly revision: number;
  /** Identifies the last change: two pages may try to make a change of the same number. */
  readonly tag: string;
  /** The last id of a mutation. */
  readonly last: number;
  /** The last changes, in their order. */
  readonly steps: readonly LogStep[];
}

/** The head of an empty storage. */
export function firstHead(): LogHead {
  return { log: randomText(), revision: 0, tag: '', last: 0, steps: [] };
}

export function nextLogHead(
  { log, revision, steps }: LogHead,
  last: number,
  step: LogStep,
): LogHead {
  const all = [...steps, step];
  let count = 0;
  for (const [added, removed] of all) count += added.length + removed.length;
  while (count > MOST) {
    const [added, removed] = all.shift() as LogStep;
    count -= added.length + removed.length;
  }
  return { log, revision: revision + 1, tag: newTag(), last, steps: all };
}

// shorter than `newKey`: a head lists the tags of up to 200 records
const newTag = () => Math.random().toString(36).slice(2);

export function logHeadText({ log, revision, tag, last, steps }: LogHead): string {
  return JSON.stringify([FORMAT, log, revision, tag, last, steps]);
}

/** Undefined if there is none. Throws for a head of another format. */
export function logHeadIn(data: StoredData | undefined): LogHead | undefined {
  if (data === undefined) return undefined;
  const row: unknown = JSON.parse(String(data));
  const [format, log, revision, tag, last, steps] = Array.isArray(row) ? (row as unknown[]) : [];
  if (format !== FORMAT || !Array.isArray(steps)) throw new TypeError('the log has another format');
  const texts = { log: String(log), tag: String(tag) };
  return { ...texts, revision: Number(revision), last: Number(last), steps };
}

/** True for heads after the same change. `present` is undefined in an empty storage. */
export function isSameChange(present: LogHead | undefined, known: LogHead): boolean {
  if (present === undefined) return known.revision === 0;
  return present.log === known.log && present.tag === known.tag;
}

/** What the changes since `known` have added and removed; undefined if `head` does not list all of them. */
export function stepsSince(head: LogHead, known: LogHead): LogStep | undefined {
  const count = head.revision - known.revision;
  if (head.log !== known.log || count < 0 || count > head.steps.length) return undefined;
  return sum(head.steps.slice(head.steps.length - count));
}

function sum(steps: readonly LogStep[]): LogStep {
  const added = new Set(steps.flatMap(([ids]) => ids));
  const removed = steps.flatMap(([, ids]) => ids);
  for (const id of removed) added.delete(id);
  return [[...added], removed];
}

/** The id of a record that the next change adds; `isEncoded`: by a transform. `number`: unique in the change. */
export function recordId({ revision }: LogHead, number: number, isEncoded: boolean): string {
  return `${revision + 1}.${number}.${isEncoded ? 'encoded' : 'plain'}.${newTag()}`;
}

/** True for the id of a record that went through a transform. */
export function isEncodedId(id: string): boolean {
  return id.split('.')[2] === 'encoded';
}

/**
 * The ids that belong to the log. Storages without transactions may keep records of a change that a page did not
 * finish: records of one of the listed changes that are not listed as added, or records that are listed as removed.
 */
export function validIds(head: LogHead, ids: Iterable<string>): readonly string[] {
  const [added, removed] = sum(head.steps).map((some) => new Set(some));
  const isValid = (id: string) =>
    Number.parseInt(id, 10) > head.revision - head.steps.length
      ? added?.has(id)
      : !removed?.has(id);
  return Array.from(ids).filter(isValid);
}
