/** Converts records to lines of text on a disk, and back: arrays, because builds of this library rename members. */
import type { Args, Fields } from '../schema/schema.ts';
import { decode, encode } from '../schema/wire.ts';
import type { Json } from '../schema/wire.ts';
import type { PageImage } from '../store/StorePort.ts';
import { NO_REFERENCES } from '../sync/PersistedRecord.ts';
import type {
  PersistedEntity,
  PersistedList,
  PersistedRead,
  PersistedRecord,
  PersistedResponse,
  PersistedStamp,
  PksByTable,
  References,
} from '../sync/PersistedRecord.ts';

/*
 *   ["entity","todo.get.schema","5"]           at    fields, …           a row
 *   ["list","todo.getList.schema","{}"]        at    ids of the parts    a list: only `at` changes when fetched again
 *   ["part","list","todo.getList.…","{}","k3x…"]     some members        a part, named by the content
 *   ["result","GET /todos"]                    at    id of the part      a response: `at` is the time of freshness
 *
 * A line is the array `[key,⇥at,⇥rest]`; `at` is the text of the times, and the turn of an entity. Lines are joined by a
 * comma and a line feed, so that one call parses a chunk, and a change of lines parses nothing. A short body is in the
 * line itself, without parts. The hash of a member decides whether a part of a list ends there: a member that comes or
 * goes changes a single part.
 */

/**
 * A parsed line of a disk. `row` is encoded if the line is tagged. Other programs write to disks, too. Lines are read by
 * index: in functions that run once for each row, a pattern takes an object for each element before compilation.
 */
export type DiskLine = readonly [
  names: readonly string[],
  times: unknown,
  turn: unknown,
  row: unknown,
  isTagged?: boolean,
];

/** Returns the line of a part. */
export type PartOf = (key: string) => DiskLine | undefined;

type Member = PersistedList['members'][number];

// characters: shorter bodies need no part
const SHORT = 1024;
// on average every 128th member ends a part, so that a member that comes or goes moves no others to the next part
const ENDS = 2 ** 25;
const MOST = 512;
// between the columns of a line, and between lines: JSON escapes the second character within texts
const COLUMN = ',\t';
const LINE = ',\n';
const PART = '["part",';

/** The text of an entity. Throws a TypeError for a value that no disk can store. */
export function encodeEntity(persisted: PersistedEntity): LineText {
  const { fields, refs, turn, creationOrder, hasKeyInFields, at } = persisted;
  const isPlain = refs === NO_REFERENCES && creationOrder === 0 && hasKeyInFields;
  // most rows need no more than their fields
  const tail = isPlain ? '' : `,${textOfReferences(refs)},${creationOrder},${hasKeyInFields}`;
  return { at: textOfTimes(at, turn), rest: `[${textOfValue(fields)}${tail}]` };
}

/**
 * A list or a response, and its parts, by key, in slices. Throws a TypeError for a value that no disk can store.
 */
export function* encodeRecord(
  key: string,
  persisted: PersistedList | PersistedRead,
): Generator<void, Map<string, LineText>> {
  const at = textOfTimes(persisted.at);
  const { head, body } =
    persisted.kind === 'list' ? yield* listTexts(persisted) : resultTexts(persisted);
  const isShort = body.reduce((sum, text) => sum + text.length, 0) < SHORT;
  if (isShort) return new Map([[key, { at, rest: `[${head},0${body.map(comma).join('')}]` }]]);
  const parts = body.map((text) => [partKey(key, text), { at: NO_TIMES, rest: text }] as const);
  const ids = parts.map(([name]) => name.slice(name.lastIndexOf(',') + 2, -2));
  return new Map([[key, { at, rest: `[${head},${JSON.stringify(ids)}]` }], ...parts]);
}

const comma = (text: string) => `,${text}`;

const NO_TIMES = '"",0';

/** The times that were encoded last. */
let encoded: readonly [at: PersistedStamp, text: string] | undefined;

function textOfTimes(at: PersistedStamp, turn: number = 0): string {
  if (encoded?.[0] !== at) encoded = [at, `"${at.join()}"`];
  return `${encoded[1]},${turn}`;
}

interface Texts {
  readonly head: string;
  /** The texts of the parts. */
  readonly body: readonly string[];
}

function* listTexts({ members, paged }: PersistedList): Generator<void, Texts> {
  const body: string[] = [];
  let part: Member[] = [];
  for (const member of members) {
    part.push(member);
    if (part.length < MOST && hashText(JSON.stringify(member)) >= ENDS) continue;
    body.push(textOfMembers(part));
    part = [];
    yield;
  }
  if (part.length > 0) body.push(textOfMembers(part));
  return { head: String(paged), body };
}

/** `[name,[pk,…],name,[pk,…]]`: members of the same table that follow each other share the name of the table. */
function textOfMembers(members: readonly Member[]): string {
  const runs: (string | (string | readonly string[])[])[] = [];
  let pks: (string | readonly string[])[] = [];
  let last: string | undefined;
  for (const [name, pk, mapKey] of members) {
    if (name !== last) runs.push((last = name), (pks = []));
    pks.push(mapKey === undefined ? pk : [pk, mapKey]);
  }
  return JSON.stringify(runs);
}

function membersIn(runs: readonly unknown[]): Member[] | undefined {
  const members: Member[] = [];
  for (let at = 0; at < runs.length; at += 2) {
    const { [at]: name, [at + 1]: pks } = runs;
    if (typeof name !== 'string' || !Array.isArray(pks)) return undefined;
    for (const address of pks as readonly unknown[])
      if (typeof address === 'string') members.push([name, address]);
      else if (isTexts(address)) members.push([name, ...(address as [string, string])]);
      else return undefined;
  }
  return members;
}

function resultTexts({ name, args, expiredOrder, invalidOrder, response }: PersistedRead): Texts {
  const head = `[${JSON.stringify(name)},${textOfValue(args)},${expiredOrder},${invalidOrder}]`;
  if (response === undefined) return { head, body: [] };
  const { value, refs, olderEntities, pages } = response;
  const rest = `${textOfReferences(refs)},${JSON.stringify(olderEntities)}`;
  const further = pages === undefined ? '' : `,${textOfValue(pages)}`;
  return { head, body: [`[${textOfValue(value)},${rest}${further}]`] };
}

function textOfReferences({ entities, lists, tables }: References): string {
  const isEmpty = [entities, lists, tables].every((all) => Object.keys(all).length === 0);
  return isEmpty ? '0' : JSON.stringify([entities, lists, tables]);
}

function textOfValue(value: unknown): string {
  return JSON.stringify(isPlainRow(value) ? value : encode(value, refuse));
}

/** True for an object that needs no encoding, as most rows. */
function isPlainRow(value: unknown): boolean {
  if (Object.prototype.toString.call(value) !== '[object Object]') return false;
  const fields = value as Fields;
  for (const name of Object.keys(fields)) {
    const member = fields[name];
    const type = typeof member;
    const isPlain =
      type === 'string' ||
      type === 'boolean' ||
      member === null ||
      (type === 'number' && Number.isFinite(member) && !Object.is(member, -0));
    if (!isPlain || name === '$' || name === '__proto__') return false;
  }
  return true;
}

function refuse(type: string): never {
  throw new TypeError(`it contains a value of type ${type}`);
}

/** The first letter of the kind in a key: `["entity"…`, `["list"…`, `["part"…`, `["result"…`. */
const letterOf = (key: string) => key.charCodeAt(2);
const ENTITY_LETTER = 101;
const PART_LETTER = 112;
const RESULT_LETTER = 114;

/** True for the key of a part. */
export function isPart(key: string): boolean {
  return letterOf(key) === PART_LETTER;
}

/** True for the key of an entity, or a part. */
export function isRow(key: string): boolean {
  return letterOf(key) === ENTITY_LETTER || isPart(key);
}

export function isResult(key: string): boolean {
  return letterOf(key) === RESULT_LETTER;
}

/** The key of the record that has this part; undefined for the key of a record. */
export function wholeOf(key: string): string | undefined {
  return isPart(key) ? `[${key.slice(PART.length, key.lastIndexOf(','))}]` : undefined;
}

/** The key of a part of a list or a response, derived from the content. */
function partKey(key: string, text: string): string {
  const id = [text.length, hashText(text), hashText(text, 0x9dc5811c)];
  return keyOfPart(key, id.map((number) => number.toString(36)).join('-'));
}

function keyOfPart(key: string, id: string): string {
  return `${PART}${key.slice(1, -1)},"${id}"]`;
}

/** The key of a parsed line. */
export function keyOfLine([names]: DiskLine): string {
  return JSON.stringify(names);
}

/** The parts of a key. */
export function namesIn(key: string): readonly string[] {
  // without an escaped character, texts end at quotes
  return key.includes('\\') ? (JSON.parse(key) as string[]) : key.slice(2, -2).split('","');
}

/** The text of a line without the key: the columns after the first. */
export function lineText({ at, rest }: LineText): string {
  return at + COLUMN + rest;
}

/** The text of a chunk. */
export function chunkText(
  lines: readonly { readonly key: string; readonly line: string }[],
): string {
  return lines.map(({ key, line }) => `[${key}${COLUMN}${line}]`).join(LINE);
}

/** Calls `visit` with the key of each line of a chunk, and the bounds of the rest of the line. */
export function eachLine(
  text: string,
  visit: (key: string, from: number, to: number) => void,
): void {
  for (let start = 0; start < text.length;) {
    // one character is found faster than two
    const end = text.indexOf('\n', start);
    const to = end < 0 ? text.length : end - 1;
    const tab = text.indexOf('\t', start);
    if (tab >= 0 && tab < to) visit(text.slice(start + 1, tab - 1), tab + 1, to - 1);
    start = to + LINE.length;
  }
}

/** The lines of a chunk; a line that is broken has no row. */
export function parseLines(text: string): DiskLine[] {
  let lines = parseJson(`[${text}]`) as readonly unknown[] | undefined;
  if (lines?.every(isLine) !== true) {
    const found: unknown[] = [];
    eachLine(text, (key, from, to) => {
      const line = parseJson(`[${key}${COLUMN}${text.slice(from, to)}]`);
      found.push(isLine(line) ? line : [parseJson(key)]);
    });
    lines = found.filter(isLine);
  }
  const isTagged = text.includes('"$":');
  return isTagged ? (lines as DiskLine[]).map((line) => tagged(line)) : (lines as DiskLine[]);
}

function tagged([names, times, turn, row]: DiskLine): DiskLine {
  return [names, times, turn, row, true];
}

function isLine(line: unknown): line is DiskLine {
  return Array.isArray(line) && isTexts(line[0]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The times that were decoded last: the rows of a response have the same times, and share the array. */
let known: readonly [text: string, at: PersistedStamp | undefined] = ['', undefined];

/** The times of a line; undefined for a part or an invalid line. */
export function stampIn(line: DiskLine): PersistedStamp | undefined {
  const times = line[1];
  if (typeof times !== 'string') return undefined;
  if (times !== known[0]) {
    const [order = NaN, fetchedAt = NaN, expiresAt = NaN] = times.split(',').map(Number);
    const isValid = !Number.isNaN(order + fetchedAt + expiresAt);
    known = [times, isValid ? [order, fetchedAt, expiresAt] : undefined];
  }
  return known[1];
}

/** True if another tab has written a line with the same content: each tab counts order and turns by itself. */
export function isRepeated(present: string, next: string): boolean {
  const [own, other] = [lineIn(present), lineIn(next)];
  if (own.rest !== other.rest) return false;
  // the times without the order
  return wallTimesIn(own) === wallTimesIn(other);
}

function wallTimesIn({ at }: LineText): string {
  return at.slice(at.indexOf(','), at.lastIndexOf('"'));
}

/** The record of a line. Throws for an invalid line: other programs write to disks, too, and lines may be cut short. */
export function decodeRecord(line: DiskLine, part: PartOf): PersistedRecord {
  const at = stampIn(line);
  const row = rowIn(line);
  const isValid = at !== undefined && Array.isArray(row);
  const persisted = isValid ? read(line, { at, row }, part) : undefined;
  if (persisted === undefined) throw new TypeError('it is not a record of this format');
  return persisted;
}

function rowIn(line: DiskLine): unknown {
  return line[4] === true ? decode(line[3] as Json, () => undefined) : line[3];
}

let lastName = '';

interface Row {
  readonly at: PersistedStamp;
  readonly row: readonly unknown[];
}

function read(line: DiskLine, { at, row }: Row, part: PartOf): PersistedRecord | undefined {
  const { 0: kind, 1: title = '', 2: pk = '' } = line[0];
  // the rows of a table share the text of the name, and the hash of the text
  const name = title === lastName ? lastName : (lastName = title);
  if (kind === 'entity') return readEntity({ name, pk, at }, line[2], row);
  const [head, ids, ...short] = row;
  if (ids !== 0 && !isTexts(ids)) return undefined;
  const key = keyOfLine(line);
  const body = ids === 0 ? short : ids.map((id) => bodyIn(part(keyOfPart(key, id))));
  if (kind === 'list') return readList({ name, pk, at }, head === true, body.flat());
  if (kind !== 'result' || !Array.isArray(head)) return undefined;
  return readResult({ key: name, at }, head, body[0]);
}

function bodyIn(line: DiskLine | undefined): unknown {
  if (line === undefined) throw new TypeError('a part of it is missing');
  return rowIn(line);
}

interface RecordHead {
  readonly name: string;
  readonly pk: string;
  readonly at: PersistedStamp;
}

function readEntity(
  head: RecordHead,
  turn: unknown,
  {
    0: fields,
    1: references = 0,
    2: creationOrder = 0,
    3: isKeyInFields = true,
  }: readonly unknown[],
) {
  const refs = refsIn(references);
  if (!isObject(fields) || refs === undefined) return undefined;
  if (typeof creationOrder !== 'number' || typeof turn !== 'number') return undefined;
  return {
    kind: 'entity',
    ...head,
    fields,
    refs,
    turn,
    creationOrder,
    hasKeyInFields: isKeyInFields === true,
  } as const;
}

function readList(head: RecordHead, paged: boolean, runs: readonly unknown[]) {
  const members = membersIn(runs);
  return members && ({ kind: 'list', ...head, members, paged } as const);
}

function readResult(
  { key, at }: { readonly key: string; readonly at: PersistedStamp },
  [name, args, expiredOrder, invalidOrder]: readonly unknown[],
  body: unknown,
): PersistedRead | undefined {
  if (typeof name !== 'string' || !Array.isArray(args)) return undefined;
  if (typeof expiredOrder !== 'number' || typeof invalidOrder !== 'number') return undefined;
  const response = body === undefined ? undefined : responseIn(body);
  if (body !== undefined && response === undefined) return undefined;
  return {
    kind: 'result',
    name,
    key,
    args: args as Args,
    at,
    expiredOrder,
    invalidOrder,
    response,
  };
}

function responseIn(row: unknown): PersistedResponse | undefined {
  const [value, ids, olderEntities, pages] = Array.isArray(row) ? (row as readonly unknown[]) : [];
  const refs = refsIn(ids);
  if (refs === undefined || !isTexts(olderEntities)) return undefined;
  return { value, refs, olderEntities, ...(isPages(pages) && { pages }) };
}

function refsIn(row: unknown): References | undefined {
  if (row === 0) return NO_REFERENCES;
  const [entities, lists, tables] = Array.isArray(row) ? (row as readonly unknown[]) : [];
  if (!isPks(entities) || !isPks(lists) || !isTexts(tables)) return undefined;
  return { entities, lists, tables };
}

function isPages(pages: unknown): pages is readonly PageImage[] {
  const isPage = (page: unknown) =>
    isObject(page) && typeof page['key'] === 'string' && Array.isArray(page['args']);
  return Array.isArray(pages) && pages.every(isPage);
}

function isPks(pks: unknown): pks is PksByTable {
  return isObject(pks) && Object.values(pks).every(isTexts);
}

function isTexts(texts: unknown): texts is string[] {
  return Array.isArray(texts) && texts.every((text) => typeof text === 'string');
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** FNV-1a, 32 bits; another `seed` gives another hash. */
function hashText(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** A line as text, without the key. */
export interface LineText {
  readonly at: string;
  readonly rest: string;
}

/** The reverse of `lineText`. */
function lineIn(text: string): LineText {
  const tab = text.indexOf(COLUMN);
  return { at: text.slice(0, tab), rest: text.slice(tab + COLUMN.length) };
}
