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
 *   ["entity","todo.get.schema","5"]      at    fields, …            a row
 *   ["list","todo.getList.schema","{}"]   at    ids of its parts     a list: only `at` changes when it is fetched again
 *   #["list","todo.getList.schema","{}"]#k3x…   some members         a part, named by its content
 *   ["result","GET /todos"]               at    id of its part       a response: `at` is the time of its freshness
 *
 * A line is `key ⇥ at ⇥ rest`. A short body is in the line itself, without parts. The hash of a member decides whether
 * a part of a list ends with it: a member that comes or goes changes one part.
 */

/** Returns the line of a part. */
export type PartOf = (key: string) => DiskLine | undefined;

// characters: shorter bodies need no part
const SHORT = 1024;
// one of 128 members ends a part, so that a member that comes or goes moves no others to the next part
const ENDS = 2 ** 25;
const MOST = 512;
// the first character of the keys of parts
const HASH = '#'.charCodeAt(0);

/** The line of an entity. Throws a TypeError for a value that no disk can store. */
export function encodeEntity(persisted: PersistedEntity): DiskLine {
  const { fields, refs, turn, creationOrder, hasKeyInFields, at } = persisted;
  const tail = `${textOfReferences(refs)},${creationOrder},${hasKeyInFields}]`;
  return {
    at: `${JSON.stringify(at).slice(0, -1)},${turn}]`,
    rest: `[${textOfValue(fields)},${tail}`,
  };
}

/**
 * A list or a response, and its parts, by key, in slices. Throws a TypeError for a value that no disk can store.
 */
export function* encodeRecord(
  key: string,
  persisted: PersistedList | PersistedRead,
): Generator<void, Map<string, DiskLine>> {
  const at = JSON.stringify(persisted.at);
  const { head, body } =
    persisted.kind === 'list' ? yield* listTexts(persisted) : resultTexts(persisted);
  const isShort = body.reduce((sum, text) => sum + text.length, 0) < SHORT;
  if (isShort) return new Map([[key, { at, rest: `[${head},0${body.map(comma).join('')}]` }]]);
  const parts = body.map((text) => [partKey(key, text), { at: '', rest: text }] as const);
  const ids = parts.map(([name]) => name.slice(name.lastIndexOf('#') + 1));
  return new Map([[key, { at, rest: `[${head},${JSON.stringify(ids)}]` }], ...parts]);
}

const comma = (text: string) => `,${text}`;

interface Texts {
  readonly head: string;
  /** The texts of the parts. */
  readonly body: readonly string[];
}

function* listTexts({ members, paged }: PersistedList): Generator<void, Texts> {
  const body: string[] = [];
  let part: string[] = [];
  for (const member of members) {
    const text = JSON.stringify(member);
    part.push(text);
    if (part.length < MOST && hashText(text) >= ENDS) continue;
    body.push(`[${part.join()}]`);
    part = [];
    yield;
  }
  if (part.length > 0) body.push(`[${part.join()}]`);
  return { head: String(paged), body };
}

function resultTexts({ name, args, expiredOrder, invalidOrder, response }: PersistedRead): Texts {
  const head = `[${JSON.stringify(name)},${textOfValue(args)},${expiredOrder},${invalidOrder}]`;
  if (response === undefined) return { head, body: [] };
  const { value, refs, olderEntities, pages } = response;
  const rest = `${textOfReferences(refs)},${JSON.stringify(olderEntities)}`;
  const further = pages === undefined ? '' : `,${textOfValue(pages)}`;
  return { head, body: [`[${textOfValue(value)},${rest}${further}]`] };
}

function textOfReferences(refs: References): string {
  if (refs === NO_REFERENCES) return '[{},{},[]]';
  const { entities, lists, tables } = refs;
  return JSON.stringify([entities, lists, tables]);
}

function textOfValue(value: unknown): string {
  return JSON.stringify(isPlainRow(value) ? value : encode(value, refuse));
}

/** True for an object that is its own encoding, as most rows are. */
function isPlainRow(value: unknown): boolean {
  if (Object.prototype.toString.call(value) !== '[object Object]') return false;
  for (const [name, member] of Object.entries(value as Fields)) {
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

function valueIn(text: string): unknown {
  const json = JSON.parse(text) as Json;
  return text.includes('"$":') ? decode(json, () => undefined) : json;
}

/** True for the key of a part. */
export function isPart(key: string): boolean {
  return key.charCodeAt(0) === HASH;
}

/** True for the key of an entity, or a part. */
export function isRow(key: string): boolean {
  return isPart(key) || key.startsWith('["entity"');
}

/** The key of the record that has this part; undefined for the key of a record. */
export function wholeOf(key: string): string | undefined {
  return isPart(key) ? key.slice(1, key.lastIndexOf('#')) : undefined;
}

/** The times of a line, and the turn of an entity; undefined for a part or invalid text. */
export function stampIn({ at }: DiskLine): readonly [...PersistedStamp, turn?: number] | undefined {
  try {
    const times: unknown = JSON.parse(at);
    return isAt(times) ? times : undefined;
  } catch {
    return undefined;
  }
}

/** True if another tab has written a line with the same content: each tab counts order and turns by itself. */
export function isRepeated(present: string, next: string): boolean {
  const [own, other] = [lineIn(present), lineIn(next)];
  if (own.rest !== other.rest) return false;
  const [times, others] = [stampIn(own), stampIn(other)];
  return times?.[1] === others?.[1] && times?.[2] === others?.[2];
}

/** Decodes the times of lines that follow each other: rows of one response have the same ones. */
class StampDecoder {
  #text = '';
  #at: PersistedStamp = [NaN, NaN, NaN];

  /** NaN for invalid text. */
  decode(line: DiskLine): readonly [at: PersistedStamp, turn: number] {
    const end = line.at.lastIndexOf(',');
    const turnText = line.at.slice(end + 1, -1);
    const isKnown = end > 0 && line.at.slice(0, end) === this.#text && line.at.endsWith(']');
    if (isKnown && DIGITS.test(turnText)) return [this.#at, Number(turnText)];
    const [order = NaN, fetchedAt = NaN, expiresAt = NaN, turn] = stampIn(line) ?? [];
    const at: PersistedStamp = [order, fetchedAt, expiresAt];
    // with a turn, the text before it has all times
    this.#text = turn === undefined ? '' : line.at.slice(0, end);
    this.#at = at;
    return [at, turn ?? 0];
  }
}

const DIGITS = /^(?:0|[1-9]\d{0,14})$/;
const stamps = new StampDecoder();

/** The record of a line. Throws for an invalid line: other programs write to disks, too, and lines may be cut short. */
export function decodeRecord(key: string, line: DiskLine, part: PartOf): PersistedRecord {
  const [at, turn] = stamps.decode(line);
  const [kind, ...names] = namesIn(key);
  const row = valueIn(line.rest);
  const persisted =
    !Number.isNaN(at[0]) && Array.isArray(row)
      ? read(key, { kind, names, at, turn, row }, part)
      : undefined;
  if (persisted === undefined) throw new TypeError('it is not a record of this format');
  return persisted;
}

/** The parts of a key. */
function namesIn(key: string): readonly string[] {
  // without an escaped character, texts end at quotes
  return key.includes('\\') ? (JSON.parse(key) as string[]) : key.slice(2, -2).split('","');
}

interface Row {
  readonly kind: string | undefined;
  readonly names: readonly string[];
  readonly at: PersistedStamp;
  readonly turn: number;
  readonly row: readonly unknown[];
}

function read(
  key: string,
  { kind, names, at, turn, row }: Row,
  part: PartOf,
): PersistedRecord | undefined {
  const [name = '', pk = ''] = names;
  if (kind === 'entity') return readEntity({ name, pk, at }, turn, row);
  const [head, ids, ...short] = row;
  if (ids !== 0 && !isTexts(ids)) return undefined;
  const body = ids === 0 ? short : ids.map((id) => bodyIn(part(`#${key}#${id}`)));
  if (kind === 'list') return readList({ name, pk, at }, head === true, body.flat());
  if (kind !== 'result' || !Array.isArray(head)) return undefined;
  return readResult({ key: name, at }, head, body[0]);
}

function bodyIn(line: DiskLine | undefined): unknown {
  if (line === undefined) throw new TypeError('a part of it is missing');
  return valueIn(line.rest);
}

interface RecordHead {
  readonly name: string;
  readonly pk: string;
  readonly at: PersistedStamp;
}

function readEntity(
  head: RecordHead,
  turn: number,
  [fields, row, creationOrder, isKeyInFields]: readonly unknown[],
) {
  const refs = refsIn(row);
  if (!isObject(fields) || refs === undefined) return undefined;
  if (typeof creationOrder !== 'number') return undefined;
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

function readList(head: RecordHead, paged: boolean, members: readonly unknown[]) {
  if (!members.every(isTexts)) return undefined;
  return { kind: 'list', ...head, members: members as never, paged } as const;
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
  const [entities, lists, tables] = Array.isArray(row) ? (row as readonly unknown[]) : [];
  if (!isPks(entities) || !isPks(lists) || !isTexts(tables)) return undefined;
  const isEmpty = [entities, lists, tables].every((all) => Object.keys(all).length === 0);
  return isEmpty ? NO_REFERENCES : { entities, lists, tables };
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

function isAt(at: unknown): at is readonly [...PersistedStamp, turn?: number] {
  return (
    Array.isArray(at) &&
    (at.length === 3 || at.length === 4) &&
    at.every((time) => typeof time === 'number')
  );
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The key of a part of a list or a response, by its content. */
function partKey(key: string, text: string): string {
  const id = [text.length, hashText(text), hashText(text, 0x9dc5811c)];
  return `#${key}#${id.map((number) => number.toString(36)).join('-')}`;
}

/** FNV-1a, 32 bits; another `seed` gives another hash. */
function hashText(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** A line of text on a disk, without its key: `at ⇥ rest`. */
export interface DiskLine {
  readonly at: string;
  readonly rest: string;
}

export function lineText({ at, rest }: DiskLine): string {
  return `${at}\t${rest}`;
}

/** The reverse of `lineText`. */
export function lineIn(text: string): DiskLine {
  const tab = text.indexOf('\t');
  return { at: text.slice(0, tab), rest: text.slice(tab + 1) };
}
