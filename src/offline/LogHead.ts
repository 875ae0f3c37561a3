/** The one record of a log that every change reads: which records are valid, and what the last changes were. */
import { randomText } from './LogEntry.ts';
import type { StoredData } from '../sync/PersistStorage.ts';

// grows when the format of the log changes
const FORMAT = 1;

// how many ids of added and removed records the head lists: pages that are further behind read all records
const MOST = 200;

/** The ids of the records that one change has added and removed. */
type LogStep = readonly [added: readonly string[], removed: readonly string[]];

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

// Ids that a replacement leaves free: other pages may have logged mutations that this page has not seen.
const GAP = 1_000;

/** The head of a log that replaces `log`, whose records the platform has deleted; `last`: the last known id. */
export function replacementHead(log: string, last: number): LogHead {
  return { ...firstHead(), log: `${rootOf(log)} ${randomText()}`, last: last + GAP };
}

// the first word in the name of a log that has the records of another one, whose head was damaged
const REPAIRED = 'repaired';

/** True if the storage has lost `known`: `present` is another log, and does not have the records of `known`. */
export function isLost(known: string, present: string): boolean {
  return present !== known && rootOf(present) !== REPAIRED;
}

const rootOf = (log: string) => log.split(' ')[0];

/** True if ids mean the same mutations in both logs. */
export function hasSameIds(log: string, otherLog: string): boolean {
  return rootOf(log) === rootOf(otherLog);
}

/** The head of an empty storage. */
function firstHead(prefix = ''): LogHead {
  return { log: prefix + randomText(), revision: 0, tag: '', last: 0, steps: [] };
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

// shorter than `randomText`: a head lists the tags of up to 200 records
const newTag = () => Math.random().toString(36).slice(2);

export function logHeadText({ log, revision, tag, last, steps }: LogHead): string {
  return JSON.stringify([FORMAT, log, revision, tag, last, steps]);
}

/** Undefined if there is none, or if it is corrupt. Throws for a head of a later format. */
export function logHeadIn(data: StoredData | undefined): LogHead | undefined {
  const row = parse(data);
  const [format, log, revision, tag, last, steps] = Array.isArray(row) ? (row as unknown[]) : [];
  if (isCount(format) && format > FORMAT && typeof log === 'string')
    throw new TypeError('the log has another format');
  const isIntact =
    format === FORMAT &&
    [log, tag].every((text) => typeof text === 'string') &&
    [revision, last].every(isCount) &&
    Array.isArray(steps) &&
    steps.every(isStep);
  return isIntact ? ({ log, revision, tag, last, steps } as LogHead) : undefined;
}

function parse(data: StoredData | undefined): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

function isStep(value: unknown): value is LogStep {
  const isIds = (ids: unknown) =>
    Array.isArray(ids) && ids.every((id: unknown) => typeof id === 'string');
  return Array.isArray(value) && value.length === 2 && value.every(isIds);
}

/** True for heads after the same change. `present` is undefined if the storage is empty, or its head corrupt. */
export function isSameChange(present: LogHead | undefined, known: LogHead): boolean {
  if (present === undefined) return known.tag === '';
  return present.log === known.log && present.tag === known.tag;
}

/**
 * The head itself if it can be the head of these records. Otherwise the head is corrupt or missing, and is replaced by
 * a head to which all records belong: at worst a mutation is sent again, with the same key.
 */
export function repairLogHead(head: LogHead | undefined, ids: readonly string[]): LogHead {
  const newestRevision = ids.reduce((greatest, id) => Math.max(greatest, revisionOf(id)), 0);
  if (head !== undefined) {
    const all = new Set(ids);
    // records of the next revision may be of a change that a page did not finish
    const isHeadOfRecords =
      newestRevision <= head.revision + 1 && combineSteps(head.steps)[0].every((id) => all.has(id));
    if (isHeadOfRecords) return head;
  }
  const { revision, last, ...rest } = head ?? firstHead(newestRevision > 0 ? `${REPAIRED} ` : '');
  // each mutation has increased the revision: no id is greater
  const greatest = Math.max(revision, newestRevision);
  return { ...rest, revision: greatest, last: Math.max(last, newestRevision), steps: [] };
}

/** The revision of the change that has added a record. */
export function revisionOf(id: string): number {
  const revision = Number.parseInt(id, 10);
  return isCount(revision) ? revision : 0;
}

/** What the changes since `known` have added and removed; undefined if `head` does not list all of them. */
export function stepsSince(head: LogHead, known: LogHead): LogStep | undefined {
  const count = head.revision - known.revision;
  if (head.log !== known.log || count < 0 || count > head.steps.length) return undefined;
  return combineSteps(head.steps.slice(head.steps.length - count));
}

function combineSteps(steps: readonly LogStep[]): LogStep {
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
  const [added, removed] = combineSteps(head.steps).map((some) => new Set(some));
  const isValid = (id: string) =>
    revisionOf(id) > head.revision - head.steps.length ? added?.has(id) : !removed?.has(id);
  return Array.from(ids).filter(isValid);
}
