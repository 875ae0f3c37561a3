/** Several writes and requests that are confirmed, or taken back, as one. */
import type { Controller } from '../Controller.ts';
import { promiseTry } from '../fetch/promiseTry.ts';
import { contextOf } from '../fetch/FetchContext.ts';
import type { FetchContext, TransactionApi } from '../fetch/FetchContext.ts';
import { runTransaction } from './runTransaction.ts';
import type { Schema } from '../schema/schema.ts';

/** The functions that the work of a transaction gets, with the same parameters as the methods of the controller. */
export interface Transaction extends Pick<Controller, 'fetch' | 'set'> {
  /** Begins a part of this transaction. If the part fails, all of it fails. */
  readonly transaction: <T>(work: Work<T>) => Promise<T>;
}

type Work<T> = (steps: Transaction) => T | Promise<T>;

/**
 * `transaction(controller, async ({ fetch, set }) => {…})`: several writes and requests that are confirmed, or taken back, as
 * one. `work` gets `fetch`, `set` and `transaction`, with the parameters that they have elsewhere. Readers see each step at
 * once; all of them are confirmed in one commit when `work` and all its requests have succeeded. When one fails, all of them
 * are taken back in one commit, requests under way are aborted, data that the server has changed already are fetched again,
 * and the promise rejects with that error. Until `work` first waits, `fetch` and `set` of the controller, and `transaction`
 * with it, belong to the transaction, too. A transaction inside of another is a part of it: when the part fails, all of it
 * does. Steps that come after the end reject with F5. Throws A7 for what is not a controller.
 */
export function transaction<T>(controller: Controller, work: Work<T>): Promise<T> {
  const context = contextOf(controller);
  return begin(context, context.transaction, work);
}

/** Begins a transaction, or a part of `outer`. */
function begin<T>(
  context: FetchContext,
  outer: TransactionApi | undefined,
  work: Work<T>,
): Promise<T> {
  const run = (steps: TransactionApi): T | Promise<T> => {
    const before = context.transaction;
    context.transaction = steps;
    try {
      return work(verbsOf(context, steps));
    } finally {
      context.transaction = before;
    }
  };
  return outer ? outer.transaction(run) : runTransaction(context, run);
}

function verbsOf(context: FetchContext, steps: TransactionApi): Transaction {
  return {
    fetch: (endpoint, ...args) =>
      promiseTry(() => (args[0] === null ? undefined : steps.fetch(endpoint, args))) as never,
    set: (schema: Schema, ...rest: unknown[]) => {
      const value = rest.pop();
      return promiseTry(() => steps.set(schema, rest, value));
    },
    transaction: (inner) => begin(context, steps, inner),
  };
}
