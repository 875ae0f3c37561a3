/** Records as they lie on a disk, and back: arrays, as builds of this library give members other names. */
import type { Fields } from '../schema/schema.ts';
import { keyOfFiled } from './Filed.ts';
import type { At, Filed, FiledAnswer, Pks, Refs } from './Filed.ts';

// grows when rows get another form
const FORMAT = 2;

type Row = readonly unknown[];

/** Says in which form all rows are, and of which generation: one begins whenever all was deleted. */
export interface Head {
  /** Undefined: rows have another form. */
  readonly version: unknown;
  readonly generation: string;
  /** When a log out ended the generation before: wall time, ms since 1970; 0: none did. */
  readonly endedAt: number;
}

export function headRow({ version, generation, endedAt }: Head): Row {
  return [FORMAT, version, generation, endedAt];
}

export function headIn(row: unknown): Head | undefined {
  if (!Array.isArray(row)) return undefined;
  const [format, version, generation, endedAt] = row as Row;
  const known = format === FORMAT ? version : undefined;
  return { version: known, generation: String(generation), endedAt: Number(endedAt) };
}

export function rowOf(filed: Filed): Row {
  const { kind, name, at } = filed;
  return [kind, name, at, ...restOf(filed)];
}

function restOf(filed: Filed): Row {
  if (filed.kind === 'entity')
    return [filed.pk, filed.fields, refsRow(filed.refs), filed.turn, filed.born, filed.named];
  if (filed.kind === 'list') return [filed.pk, filed.members, filed.paged];
  const { key, args, expired, invalid, answer } = filed;
  return [key, args, expired, invalid, answer && answerRow(answer)];
}

function answerRow({ value, refs, apart }: FiledAnswer): Row {
  return [value, refsRow(refs), apart];
}

function refsRow({ entities, lists, tables }: Refs): Row {
  return [entities, lists, tables];
}

/** The record of a row; undefined where it is none: disks are written by other programs, too, and cut short. */
export function filedIn(row: unknown, key: string): Filed | undefined {
  if (!Array.isArray(row)) return undefined;
  const [kind, name, at, ...rest] = row as Row;
  if (typeof name !== 'string' || !isAt(at)) return undefined;
  const filed = read(kind, { name, at }, rest);
  return filed !== undefined && keyOfFiled(filed) === key ? filed : undefined;
}

/** What all records have. */
interface Common {
  readonly name: string;
  readonly at: At;
}

function read(kind: unknown, common: Common, rest: Row): Filed | undefined {
  if (kind === 'entity') return readEntity(common, rest);
  if (kind === 'list') return readList(common, rest);
  return kind === 'result' ? readResult(common, rest) : undefined;
}

function readEntity(common: Common, [pk, fields, row, ...rest]: Row): Filed | undefined {
  const refs = refsIn(row);
  if (typeof pk !== 'string' || !isObject(fields) || refs === undefined) return undefined;
  const [turn, born, named] = rest;
  if (typeof turn !== 'number' || typeof born !== 'number') return undefined;
  return { kind: 'entity', ...common, pk, fields, refs, turn, born, named: named === true };
}

function readList(common: Common, [pk, members, paged]: Row): Filed | undefined {
  if (typeof pk !== 'string' || !Array.isArray(members) || !members.every(isTexts))
    return undefined;
  return { kind: 'list', ...common, pk, members: members as never, paged: paged === true };
}

function readResult(common: Common, [key, args, ...rest]: Row): Filed | undefined {
  const [expired, invalid, row] = rest;
  if (typeof key !== 'string' || !Array.isArray(args)) return undefined;
  if (typeof expired !== 'number' || typeof invalid !== 'number') return undefined;
  const answer = row === undefined ? undefined : answerIn(row);
  if (row !== undefined && answer === undefined) return undefined;
  return { kind: 'result', ...common, key, args, expired, invalid, answer };
}

function answerIn(row: unknown): FiledAnswer | undefined {
  const [value, told, apart] = Array.isArray(row) ? (row as Row) : [];
  const refs = refsIn(told);
  return refs !== undefined && isTexts(apart) ? { value, refs, apart } : undefined;
}

function refsIn(row: unknown): Refs | undefined {
  const [entities, lists, tables] = Array.isArray(row) ? (row as Row) : [];
  if (!isPks(entities) || !isPks(lists) || !isTexts(tables)) return undefined;
  return { entities, lists, tables };
}

function isPks(pks: unknown): pks is Pks {
  return isObject(pks) && Object.values(pks).every(isTexts);
}

function isTexts(texts: unknown): texts is string[] {
  return Array.isArray(texts) && texts.every((text) => typeof text === 'string');
}

function isAt(at: unknown): at is At {
  return Array.isArray(at) && at.length === 3 && at.every((time) => typeof time === 'number');
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
