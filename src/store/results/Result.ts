/** The result of a request: the data or the failure that readers see. */
import { toShortText } from '../../errors.ts';
import type { UnknownError } from '../../errors.ts';
import { replaceEqualDeep } from '../../schema/equal.ts';
import { INVALID } from '../../schema/schema.ts';
import type { NormalizedNode } from '../../schema/schema.ts';
import { eachRecord } from '../records/eachRecord.ts';

/** The result that a reader sees; the same object until something inside changes. Data are immutable. */
export type Result<T = unknown> =
  | { readonly status: 'pending'; readonly data: undefined; readonly error: undefined }
  | {
      readonly status: 'success';
      readonly data: T;
      readonly error: undefined;
      /** The entity is deleted: `data` are its last data, for readers that already show the entity. */
      readonly deleted?: true;
      /** With `deleted`: the result for a new reader. */
      readonly now?: Result<T> | undefined;
    }
  | {
      readonly status: 'error';
      readonly data: undefined;
      readonly error: UnknownError;
      /** A function of the schema threw `error` while the data were built; no request failed. */
      readonly thrown?: true;
    };

export const PENDING: Result<never> = Object.freeze({
  status: 'pending',
  data: undefined,
  error: undefined,
});

/** The result for a new reader, which does not get the last data of a deleted entity. */
export function toNewReaderResult<T>(result: Result<T>): Result<T> {
  return (result.status === 'success' && result.now) || result;
}

/** A failed request, as stored. */
export interface Failure {
  readonly error: UnknownError;
  /** Shown even if there are data. */
  readonly hard: boolean;
  /** Logical time at which the request was issued. */
  readonly time: number;
  /** Wall time, ms since 1970. Undefined for an error of a server render. */
  readonly fetchedAt?: number;
  readonly expiresAt: number;
}

/** The result for `data`, which may be INVALID. Returns `last` if nothing has changed. */
export function nextResult(last: Result, data: unknown, failure: Failure | undefined): Result {
  if (failure !== undefined && (failure.hard || data === INVALID)) {
    const before = toNewReaderResult(last);
    if (before.error === failure.error) return before;
    return { status: 'error', data: undefined, error: failure.error };
  }
  if (data === INVALID) return PENDING;
  if (last.status === 'success' && last.data === data && last.deleted === undefined) return last;
  return { status: 'success', data, error: undefined };
}

/** The result of a deleted entity. `answered`: the data of the response to a later request, or INVALID. */
export function deletedResult(
  last: Result,
  answered: unknown,
  failure: Failure | undefined,
): Result {
  const now = answered === INVALID ? nextResult(last, INVALID, failure) : undefined;
  const before = last.status === 'success' ? last.data : INVALID;
  const data = now === undefined ? replaceEqualDeep(before, answered) : before;
  if (data === INVALID) return now as Result;
  const isSame = last.status === 'success' && last.deleted && last.now === now;
  return isSame && last.data === data
    ? last
    : { status: 'success', data, error: undefined, deleted: true, now };
}

/** The latest `deletionIssued` of the entities in a node; undefined if none is deleted. */
export function latestDeletion(node: NormalizedNode): number | undefined {
  let gone: number | undefined;
  eachRecord(node, (record) => {
    if (record.deletionIssued !== undefined) gone = Math.max(gone ?? 0, record.deletionIssued);
  });
  return gone;
}

interface Thrown {
  readonly status: 'error';
  readonly data: undefined;
  readonly error: UnknownError;
  readonly thrown: true;
}

interface ResultLike<T> {
  readonly data: T;
  readonly error: UnknownError | undefined;
  readonly thrown?: true;
}

/** The same object as `last` for the same exception. */
export function thrownResult<R extends ResultLike<unknown>>(thrown: unknown, last?: R): R | Thrown {
  const known = last?.error;
  if (known !== undefined && (known === thrown || known.cause === thrown)) return last as R;
  const error =
    thrown instanceof Error ? thrown : new Error(toShortText(thrown, 200), { cause: thrown });
  return { status: 'error', data: undefined, error, thrown: true };
}

/** The data of a result, for readers that ignore failures of requests. Throws the exception of a schema function. */
export function dataOf<T>({ data, error, thrown }: ResultLike<T>): T {
  if (thrown) throw error as Error;
  return data;
}
