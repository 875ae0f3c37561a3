/** A mutation in the log, the result of a mutation, and the forms of both on the disk. */
import type { Code } from '../errors.ts';
import { NetworkError } from '../rest/NetworkError.ts';
import { badDataError } from '../schema/badDataError.ts';
import type { Args } from '../schema/schema.ts';
import { swapKeys } from '../schema/toPk.ts';
import { pack } from './logData.ts';

/**
 * The mutations of a queue are sent in sequence: the mutations of a single entity, or the creations of a single kind. A
 * number: the mutations that name an entity by a temporary key wait for the creation with this id.
 */
export type QueueId = string | number;

/** A temporary key in arguments, the id of the creation, and the index of the key among all keys of that creation. */
export type TempIdRef = readonly [key: string, creation: number, at: number];

/** A mutation before the log gives it an id and a queue. */
export interface NewLogEntry {
  /** The version under which the arguments were written. */
  readonly version: string;
  readonly name: string;
  readonly args: Args;
  readonly idempotencyKey: string;
  /** When the mutation was issued: wall time, ms since 1970. */
  readonly since: number;
  /** How often the mutation has been sent. */
  readonly attempts: number;
  /** The pause until the next attempt: begin and end, wall time, ms since 1970. */
  readonly pause: readonly [from: number, to: number];
  readonly tempIds: readonly TempIdRef[];
  /** The ETag that the entity must still have at the server; `''`: any. */
  readonly etag: string;
  /** How often a conflict was resolved by sending the mutation again. */
  readonly revision: number;
  /** The ids and the names of earlier mutations that are merged into this mutation. */
  readonly merged: readonly (readonly [id: number, name: string])[];
}

export interface LogEntry extends NewLogEntry {
  /** Later entries have greater ids. */
  readonly id: number;
  readonly queue: QueueId;
}

/** A mutation as stored in the log. */
export interface LoggedMutation {
  /** For `discard`. */
  readonly id: number;
  /** The name of the endpoint in `names` when the mutation was logged. */
  readonly name: string;
  readonly args: Args;
  /** The `version` under which the mutation was logged. */
  readonly version: string;
  /** When the mutation was issued: wall time, ms since 1970. */
  readonly since: number;
}

/** The entry in the form for applications. */
export function toLogged({ id, name, args, version, since }: LogEntry): LoggedMutation {
  return { id, name, args, version, since };
}

/** How long an entry must still wait, ms. Zero if the pause began in the future, as the clock was set back. */
export function pauseOf({ pause: [from, to] }: LogEntry, now: number): number {
  return now < from ? 0 : Math.max(to - now, 0);
}

/** The value of the `Idempotency-Key`: after a conflict the mutation is new for the server. */
export function sentKeyOf({ idempotencyKey, revision }: LogEntry): string {
  return revision === 0 ? idempotencyKey : `${idempotencyKey}-${revision}`;
}

/** The form on the disk: a list, since a build may rename members. */
export function encodeEntry(entry: LogEntry): unknown {
  const { version, name, args, idempotencyKey, since, attempts, pause, tempIds } = entry;
  const { etag, revision, merged, id, queue } = entry;
  const more = [etag, revision, merged, id, queue];
  return [version, name, args, idempotencyKey, since, attempts, pause, tempIds, ...more];
}

/** The entry of a record; undefined if the value is no entry. */
export function decodeEntry(value: unknown): LogEntry | undefined {
  if (!Array.isArray(value)) return undefined;
  const [version, name, args, idempotencyKey, since, attempts, pause, tempIds] = value as unknown[];
  const [etag, revision, merged, id, queue] = value.slice(8) as unknown[];
  const texts = [version, name, idempotencyKey, etag].every((text) => typeof text === 'string');
  const numbers = [since, attempts, revision, id].every((number) => typeof number === 'number');
  const isEntry =
    texts &&
    numbers &&
    Array.isArray(args) &&
    ['string', 'number'].includes(typeof queue) &&
    areRows([pause], ['number', 'number']) &&
    areRows(tempIds, ['string', 'number', 'number']) &&
    areRows(merged, ['number', 'string']);
  if (!isEntry) return undefined;
  const first = { version, name, args, idempotencyKey, since, attempts, pause, tempIds };
  return { ...first, etag, revision, merged, id, queue } as LogEntry;
}

/** True for a list of lists whose members have these types. */
function areRows(value: unknown, types: readonly string[]): boolean {
  const isRow = (row: unknown) =>
    Array.isArray(row) && types.every((type, at) => typeof row[at] === type);
  return Array.isArray(value) && value.every(isRow);
}

/** With the keys that the server gave to the entities of a creation; undefined if a key is missing. */
export function withServerKeys(
  entry: LogEntry,
  creation: number,
  keys: readonly unknown[],
): LogEntry | undefined {
  const references = entry.tempIds.filter(([, by]) => by === creation);
  const serverKeys = new Map(references.map(([key, , at]) => [key, keys[at]]));
  if ([...serverKeys.values()].includes(undefined)) return undefined;
  const tempIds = entry.tempIds.filter(([, by]) => by !== creation);
  return { ...entry, tempIds, args: swapKeys(entry.args, (key) => serverKeys.get(key)) };
}

/** A random UUID (RFC 9562) if the platform can create UUIDs: pages without https cannot. */
export function randomText(): string {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  if (typeof crypto?.randomUUID === 'function') return crypto.randomUUID();
  return Array.from({ length: 3 }, () => Math.random().toString(36).slice(2)).join('');
}

/** The new ids of mutations, by their ids in the lost log. */
export type MovedIds = ReadonlyMap<number, number>;

/** The entry with new ids, also of the awaited creations and of the merged mutations. */
export function moveEntry(entry: LogEntry, newId: (id: number) => number): LogEntry {
  const { id, queue, tempIds, merged } = entry;
  return {
    ...entry,
    id: newId(id),
    queue: typeof queue === 'number' ? newId(queue) : queue,
    tempIds: tempIds.map(([key, creation, at]) => [key, newId(creation), at]),
    merged: merged.map(([mergedId, name]) => [newId(mergedId), name]),
  };
}

/** The server's response, or the error after which the mutation is not sent again. */
export type MutationResult = { readonly value: unknown } | { readonly error: unknown };

/** With the primary keys that the server gave to the created entities. */
export interface PersistedResult {
  readonly result: MutationResult;
  readonly keys: readonly unknown[];
}

export const ANSWER = 'answer';

/** The key of the result of the mutation with this id. */
export const answerKey = (id: number): string => `${ANSWER}:${id}`;

/** The result of a mutation of this name that was merged into `entry`. */
export function resultOfMerged(
  name: string,
  entry: LogEntry,
  result: MutationResult,
): MutationResult {
  // an empty response confirms the optimistic response
  return 'error' in result || name === entry.name ? result : { value: null };
}

/**
 * The form on the disk. A value that cannot be stored is left out: an empty response confirms the optimistic response.
 */
export function encodeResult({ result, keys }: PersistedResult): unknown {
  if ('error' in result) return [keys, errorParts(result.error)];
  return [keys, undefined, toStorable(result.value)];
}

function toStorable(value: unknown): unknown {
  try {
    pack('', value);
    return value;
  } catch {
    return null;
  }
}

/** Undefined if there is none, or if the record is damaged. */
export function decodeResult(stored: unknown): PersistedResult | undefined {
  const [keys, error, value] = Array.isArray(stored) ? (stored as unknown[]) : [];
  if (!Array.isArray(keys) || (error !== undefined && !Array.isArray(error))) return undefined;
  const parts = error as ErrorParts | undefined;
  return { keys, result: parts === undefined ? { value } : { error: errorOf(parts) } };
}

/** The result of a mutation if the creation of the entity failed. */
export function failedDependency(
  { tempIds: [first] }: LogEntry,
  { result }: PersistedResult,
): PersistedResult {
  const reason = 'error' in result ? result.error : 'the response has no key for it';
  return { keys: [], result: { error: badDataError('E6', { pk: first?.[0], reason }) } };
}

type ErrorParts = readonly [
  name: string,
  message: string,
  code: Code | undefined,
  status: number | undefined,
  body: unknown,
];

function errorParts(thrown: unknown): ErrorParts {
  const { name, message, code, status, body } = (thrown ?? {}) as Partial<NetworkError>;
  const text = message ?? String(thrown);
  return [
    name ?? 'Error',
    text,
    toStorable(code) as Code,
    toStorable(status) as number,
    toStorable(body),
  ];
}

function errorOf([name, message, code, status, body]: ErrorParts): Error {
  const error =
    name === 'NetworkError' && code !== undefined && status !== undefined
      ? new NetworkError(code, {}, { status, body })
      : new Error(message);
  // `code` only if the original had a code, so that `'code' in error` is right
  const more = { ...(code !== undefined && { code }), ...(status !== undefined && { status }) };
  return Object.assign(error, { name, message }, more);
}
