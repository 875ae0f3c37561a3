/** What became of a mutation, and how it stands on the disk for other pages. */
import type { Code } from '../diagnostics.ts';
import { badData } from '../schema/badData.ts';
import { NetworkError } from '../rest/NetworkError.ts';
import type { Entry } from './Entry.ts';

/** What the server answered, or why it is not going to be sent again. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** With the primary keys that the server gave to what it created. */
export interface Answer {
  readonly outcome: Outcome;
  readonly keys: readonly unknown[];
}

/** As the disk has it. What cannot be cloned is left out: an empty answer confirms what was expected. */
export function write({ outcome, keys }: Answer): unknown {
  if ('error' in outcome) return [keys, errorParts(outcome.error)];
  return [keys, undefined, cloned(outcome.value)];
}

function cloned(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return null;
  }
}

export function read(told: unknown): Answer {
  const [keys, error, value] = told as [unknown[], ErrorParts | undefined, unknown];
  return { keys, outcome: error === undefined ? { value } : { error: errorOf(error) } };
}

/** Of a mutation of what a creation was to bring that has brought nothing. */
export function unnamed({ unnamed: [first] }: Entry, { outcome }: Answer): Answer {
  const reason = 'error' in outcome ? outcome.error : 'the answer does not name it';
  return { keys: [], outcome: { error: badData('E6', { pk: first?.[0], reason }) } };
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
  const said = message ?? String(thrown);
  return [name ?? 'Error', said, cloned(code) as Code, cloned(status) as number, cloned(body)];
}

function errorOf([name, message, code, status, body]: ErrorParts): Error {
  const error =
    name === 'NetworkError' && code !== undefined && status !== undefined
      ? new NetworkError(code, {}, { status, body })
      : new Error(message);
  // `code` only where there was one, so that `'code' in error` tells the truth
  const more = { ...(code !== undefined && { code }), ...(status !== undefined && { status }) };
  return Object.assign(error, { name, message }, more);
}
