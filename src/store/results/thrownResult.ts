/** The result of a request if a function of its schema threw while the value was built. */
import type { UnknownError } from './Result.ts';
import { toShortText } from '../../errors.ts';

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
