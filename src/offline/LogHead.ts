/** The record of a log that every change reads: which records are valid, the last changes, marks of mutations. */
import type { StoredData } from '../sync/PersistStorage.ts';
import { randomText } from './LogEntry.ts';

// Grows when the format of the log changes. Format 1 had no marks and no appended records.
const FORMAT = 2;

// how many ids of added and removed records the head lists: pages that are further behind read all records
const MOST = 40;

/*
 * A change that only adds a single record appends the record, and leaves the head unchanged:
 *
 *   head, revision 7, tag x     8.0.plain.x     9.0.plain.x     …     the next head has revision 10
 *
 * All pages know the id of the next appended record, so only a single page can write that record. An appended record is
 * deleted only together with a new head.
 */

/** The ids of the records that a change has added and removed. */
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
  /** The last changes, in their order, with the records that were appended after the head. */
  readonly steps: readonly LogStep[];
  readonly marks: LogMarks;
  /** False for a missing or damaged head, or an older format: the next change must write the head. */
  readonly isAppendable: boolean;
  /** True if appended records go through a transform. */
  readonly isEncoded: boolean;
}

// Ids that a replacement leaves free: other pages may have logged mutations that this page has not seen.
const GAP = 1_000;

/** The head of a log that replaces `log`, whose records the platform has deleted; `last`: the last known id. */
export function replacementHead(log: string, last: number, marks: LogMarks): LogHead {
  return { ...firstHead(), log: `${rootOf(log)} ${randomText()}`, last: last + GAP, marks };
}

// the first word in the name of a log that has the records of a log with a damaged head
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
  const log = prefix + randomText();
  const flags = { isAppendable: false, isEncoded: false };
  return { log, revision: 0, tag: '', last: 0, steps: [], marks: NO_MARKS, ...flags };
}

/** The head after a change that writes a new head. */
export function nextLogHead(
  head: LogHead,
  step: LogStep,
  changed: Pick<LogHead, 'last' | 'marks' | 'isEncoded'>,
): LogHead {
  const { log, revision } = head;
  const steps = lastSteps([...head.steps, step]);
  return { log, revision: revision + 1, tag: newTag(), steps, isAppendable: true, ...changed };
}

/** The head after a change that appends the record with this id. */
export function appendedLogHead(head: LogHead, id: string, last: number): LogHead {
  const revision = revisionOf(id);
  // each revision has a step: a record in between may be gone
  const missing = Array.from({ length: revision - head.revision - 1 }, (): LogStep => [[], []]);
  return { ...head, revision, steps: lastSteps([...head.steps, ...missing, [[id], []]]), last };
}

function lastSteps(steps: readonly LogStep[]): readonly LogStep[] {
  const all = [...steps];
  let count = 0;
  for (const [added, removed] of all) count += added.length + removed.length;
  while (count > MOST) {
    const [added, removed] = all.shift() as LogStep;
    count -= added.length + removed.length;
  }
  return all;
}

// shorter than `randomText`: a head lists the tags of many records
const newTag = () => Math.random().toString(36).slice(2);

export function logHeadText(head: LogHead): string {
  const { log, revision, tag, last, steps, marks, isEncoded } = head;
  return JSON.stringify([FORMAT, log, revision, tag, last, steps, encodeMarks(marks), isEncoded]);
}

/** Undefined for a missing or corrupt head. Throws for a head of a later format. */
export function logHeadIn(data: StoredData | undefined): LogHead | undefined {
  const row = parse(data);
  const all = Array.isArray(row) ? (row as unknown[]) : [];
  const [format, log, revision, tag, last, steps, known, isEncoded = false] = all;
  if (isCount(format) && format > FORMAT && typeof log === 'string')
    throw new TypeError('the log has another format');
  const isOld = format === 1;
  // nobody knows which mutations of an older log other pages wait for
  const marks = isOld ? { ...NO_MARKS, seen: last } : decodeMarks(known);
  const isIntact =
    (isOld || format === FORMAT) &&
    marks !== undefined &&
    typeof isEncoded === 'boolean' &&
    [log, tag].every((text) => typeof text === 'string') &&
    [revision, last].every(isCount) &&
    Array.isArray(steps) &&
    steps.every(isStep);
  const head = { log, revision, tag, last, steps, marks, isAppendable: !isOld, isEncoded };
  return isIntact ? (head as LogHead) : undefined;
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

/** True for heads after the same change. `present` is undefined if the storage is empty, or the head corrupt. */
export function isSameChange(present: LogHead | undefined, known: LogHead): boolean {
  if (present === undefined) return known.tag === '';
  return present.log === known.log && present.tag === known.tag;
}

/** The head with the appended records; undefined if `head` cannot be the head of these records. */
export function intactLogHead(
  head: LogHead | undefined,
  ids: readonly string[],
): LogHead | undefined {
  if (head === undefined) return undefined;
  const all = new Set(ids);
  const withAppended = addAppended(head, ids);
  const appended = new Set(ids.filter((id) => isAppended(id, head)).map(revisionOf));
  // records of the next revision may be of a change that a page did not finish
  const isPlausible = (revision: number) =>
    revision <= head.revision || appended.has(revision) || revision === withAppended.revision + 1;
  const isIntact =
    ids.every((id) => isPlausible(revisionOf(id))) &&
    combineSteps(head.steps)[0].every((id) => all.has(id));
  return isIntact ? withAppended : undefined;
}

/**
 * Replaces a head that is corrupt or missing by a head to which all records belong: at worst a mutation is sent again,
 * with the same key.
 */
export function repairedLogHead(head: LogHead | undefined, ids: readonly string[]): LogHead {
  const newestRevision = newestOf(ids);
  const known = head ?? firstHead(newestRevision > 0 ? `${REPAIRED} ` : '');
  // each mutation has increased the revision: no id is greater
  const revision = Math.max(known.revision, newestRevision);
  const last = Math.max(known.last, newestRevision);
  // any of the mutations may have been sent, or rendered by other pages
  const marks = { ...known.marks, seen: last, suspect: last };
  return { ...known, revision, last, marks, steps: [], isAppendable: false };
}

function newestOf(ids: readonly string[]): number {
  return ids.reduce((greatest, id) => Math.max(greatest, revisionOf(id)), 0);
}

/** The head after the appended records. */
function addAppended(head: LogHead, ids: readonly string[]): LogHead {
  const appended = ids
    .filter((id) => isAppended(id, head))
    .sort((a, b) => revisionOf(a) - revisionOf(b));
  return appended.reduce((known, id) => appendedLogHead(known, id, known.last), head);
}

function isAppended(id: string, { tag, revision, isAppendable }: LogHead): boolean {
  const [, number, , by] = id.split('.');
  return isAppendable && number === '0' && by === tag && revisionOf(id) > revision;
}

/** The id of the record that the next change appends. */
export function appendedId({ revision, tag, isEncoded }: LogHead, at = 0): string {
  return `${revision + 1 + at}.0.${kindOf(isEncoded)}.${tag}`;
}

/** The revision of the change that has added a record. */
export function revisionOf(id: string): number {
  const revision = Number.parseInt(id, 10);
  return isCount(revision) ? revision : 0;
}

/** What the changes since `known` have added and removed; undefined if `head` does not list all these changes. */
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
  return `${revision + 1}.${number}.${kindOf(isEncoded)}.${newTag()}`;
}

const kindOf = (isEncoded: boolean) => (isEncoded ? 'encoded' : 'plain');

/** True for the id of a record that went through a transform. */
export function isEncodedId(id: string): boolean {
  return id.split('.')[2] === kindOf(true);
}

/**
 * The ids that belong to the log. Storages without transactions may keep records of a change that a page did not
 * finish: records of a listed change that are not listed as added, or records that are listed as removed.
 */
export function validIds(head: LogHead, ids: Iterable<string>): readonly string[] {
  const [added, removed] = combineSteps(head.steps).map((some) => new Set(some));
  const isValid = (id: string) =>
    revisionOf(id) > head.revision - head.steps.length ? added?.has(id) : !removed?.has(id);
  return Array.from(ids).filter(isValid);
}

/** Facts about mutations, small and often changed, in the head of a log. */
export interface LogMarks {
  /** How often mutations have been sent, where the records do not tell. */
  readonly sent: readonly NumberPair[];
  /** The first and last ids of mutations that have ended without a result in the log. */
  readonly ended: readonly NumberPair[];
  /** Mutations up to this id may be awaited by pages other than the issuing page. */
  readonly seen: number;
  /** Mutations up to this id may have been sent once: the marks before were lost. */
  readonly suspect: number;
  /** How often a log out has emptied the log. */
  readonly emptied: number;
}

type NumberPair = readonly [number, number];

export const NO_MARKS: LogMarks = { sent: [], ended: [], seen: 0, suspect: 0, emptied: 0 };

// how many ranges of ended mutations are kept: needed only after the platform has deleted the log
const MAX_RANGES = 16;

/** The form on the disk: a list, since a build may rename members. */
function encodeMarks({ sent, ended, seen, suspect, emptied }: LogMarks): unknown {
  return [sent, ended, seen, suspect, emptied];
}

/** Undefined if the value is damaged. */
function decodeMarks(value: unknown): LogMarks | undefined {
  // earlier builds have not written the last member
  const [sent, ended, seen, suspect, emptied = 0] = Array.isArray(value)
    ? (value as unknown[])
    : [];
  const isNumber = (number: unknown) => typeof number === 'number';
  const arePairs = (list: unknown) =>
    Array.isArray(list) &&
    list.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isNumber));
  const areMarks = [sent, ended].every(arePairs) && [seen, suspect, emptied].every(isNumber);
  return areMarks ? ({ sent, ended, seen, suspect, emptied } as LogMarks) : undefined;
}

/** How often a mutation may have been sent; `recorded`: the number in the record. */
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

/** Neighbouring ids become a single range. */
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
