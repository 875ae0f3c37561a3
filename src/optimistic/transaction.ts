/** Several writes and requests that are confirmed, or rolled back, as a unit. */
import { checkArgument, DEV } from '../errors.ts';
import type { Controller } from '../Controller.ts';
import { promiseTry } from '../request/promiseTry.ts';
import { contextOf } from '../request/FetchContext.ts';
import type { FetchContext, TransactionApi } from '../request/FetchContext.ts';
import { runTransaction } from './runTransaction.ts';
import type { Schema } from '../schema/schema.ts';

/** The functions that `work` gets, with the same parameters as the methods of the controller. */
export interface Transaction extends Pick<Controller, 'fetch' | 'set'> {
  /** Begins a part of this transaction. If the part fails, all of it fails. */
  readonly transaction: <T>(work: Work<T>) => Promise<T>;
}

type Work<T> = (steps: Transaction) => T | Promise<T>;

/**
 * `transaction(controller, async ({ fetch, set }) => {…})`: several writes and requests that are confirmed, or rolled
 * back, as a unit. `work` gets `fetch`, `set` and `transaction`, with the same parameters as elsewhere. Readers see
 * each step at once; all steps are confirmed in one commit when `work` and all its requests have succeeded. When one
 * fails, one commit rolls all of them back, requests in flight are aborted, data that the server may have changed are
 * refetched, and the promise rejects with that error. Until `work` first awaits, `fetch` and `set` of the
 * controller, and `transaction` with it, belong to the transaction, too. A transaction inside another is a part of it:
 * when the part fails, the whole transaction fails. Steps after the end reject with F5. Throws A7 if `controller` is
 * not a controller.
 */
export function transaction<T>(controller: Controller, work: Work<T>): Promise<T> {
  const context = contextOf(controller);
  return beginTransaction(context, context.currentTransaction, work);
}

/** Begins a transaction, or a part of `outer`. */
function beginTransaction<T>(
  context: FetchContext,
  outer: TransactionApi | undefined,
  work: Work<T>,
): Promise<T> {
  if (DEV) checkArgument(typeof work === 'function', 'transaction', work, 'an async function');
  const run = (steps: TransactionApi): T | Promise<T> => {
    const before = context.currentTransaction;
    context.currentTransaction = steps;
    try {
      return work(createTransaction(context, steps));
    } finally {
      context.currentTransaction = before;
    }
  };
  return outer ? outer.transaction(run) : runTransaction(context, run);
}

function createTransaction(context: FetchContext, steps: TransactionApi): Transaction {
  return {
    fetch: (endpoint, ...args) =>
      promiseTry(() => (args[0] === null ? undefined : steps.fetch(endpoint, args))) as never,
    set: (schema: Schema, ...rest: unknown[]) => {
      const value = rest.pop();
      return promiseTry(() => steps.set(schema, rest, value));
    },
    transaction: (inner) => beginTransaction(context, steps, inner),
  };
}
