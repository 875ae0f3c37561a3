/** The result of a mutation, and its form on the disk, from which other pages learn it. */
import type { Code } from '../errors.ts';
import { badDataError } from '../schema/badDataError.ts';
import { NetworkError } from '../rest/NetworkError.ts';
import type { LogEntry } from './LogEntry.ts';
import { pack } from './logData.ts';

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

/** The result of a mutation of this name that was merged into another one. */
export function resultOfMerged(
  name: string,
  entry: LogEntry,
  result: MutationResult,
): MutationResult {
  // an empty response confirms the optimistic one
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

/** The result of a mutation if the creation of its entity failed. */
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
  // `code` only if the original had one, so that `'code' in error` is right
  const more = { ...(code !== undefined && { code }), ...(status !== undefined && { status }) };
  return Object.assign(error, { name, message }, more);
}
