/** What readers of a request see of its data and its failure. */
import { share } from '../schema/equal.ts';
import { INVALID } from '../schema/schema.ts';
import type { Node } from '../schema/schema.ts';
import { eachRecord } from './eachRecord.ts';

/** What a reader of a request sees; the same object until something in it changes. Data are immutable. */
export type Result<T = unknown> =
  | { readonly status: 'pending'; readonly data: undefined; readonly error: undefined }
  | {
      readonly status: 'success';
      readonly data: T;
      readonly error: undefined;
      /** The entity is deleted: these are its last data, for those who show them already. */
      readonly deleted?: true;
      /** Then: what a reader sees who comes now. */
      readonly now?: Result<T> | undefined;
    }
  | {
      readonly status: 'error';
      readonly data: undefined;
      readonly error: Error;
      /** A function of the schema threw `error` while the data were built: no request failed. */
      readonly thrown?: true;
    };

export const PENDING: Result<never> = Object.freeze({
  status: 'pending',
  data: undefined,
  error: undefined,
});

/** What a reader sees that has shown none of it: the last data of what is deleted are not for it. */
export function toNewcomer<T>(result: Result<T>): Result<T> {
  return (result.status === 'success' && result.now) || result;
}

/** A failed request, as it is remembered. */
export interface Failure {
  readonly error: Error;
  /** Shown even where there are data. */
  readonly hard: boolean;
  /** Logical time at which the request was issued. */
  readonly time: number;
  /** Wall time, ms since 1970. */
  readonly expiresAt: number;
}

/** Of data that are there, or INVALID; the last result where it says the same. */
export function outcomeOf(last: Result, data: unknown, failure: Failure | undefined): Result {
  if (failure !== undefined && (failure.hard || data === INVALID)) {
    const before = toNewcomer(last);
    if (before.error === failure.error) return before;
    return { status: 'error', data: undefined, error: failure.error };
  }
  if (data === INVALID) return PENDING;
  if (last.status === 'success' && last.data === data && last.deleted === undefined) return last;
  return { status: 'success', data, error: undefined };
}

/** Of what is deleted. `answered`: the data that a response to a later request gave, or INVALID. */
export function keptOf(last: Result, answered: unknown, failure: Failure | undefined): Result {
  const now = answered === INVALID ? outcomeOf(last, INVALID, failure) : undefined;
  const before = last.status === 'success' ? last.data : INVALID;
  const data = now === undefined ? share(before, answered) : before;
  if (data === INVALID) return now as Result;
  const isSame = last.status === 'success' && last.deleted && last.now === now;
  return isSame && last.data === data
    ? last
    : { status: 'success', data, error: undefined, deleted: true, now };
}

/** Undefined, unless an entity that belongs here is deleted: then as `Record.gone` of it. */
export function goneIn(node: Node): number | undefined {
  let gone: number | undefined;
  eachRecord(node, (record) => {
    if (record.deletedAt !== undefined) gone = Math.max(gone ?? 0, record.deletedAt);
  });
  return gone;
}
