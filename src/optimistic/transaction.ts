/** Several writes and requests that are confirmed, or rolled back, as a unit. */
import type { Controller } from '../Controller.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { argumentChecks } from '../endpoint/argumentChecks.ts';
import { checkArgument, DEV, ResetError, SignalboxError } from '../errors.ts';
import type { Write } from '../request/Events.ts';
import { contextOf } from '../request/FetchContext.ts';
import type { FetchContext, TransactionApi } from '../request/FetchContext.ts';
import { run } from '../request/InFlightRequest.ts';
import type { InFlightRequest, ResponseHolder } from '../request/InFlightRequest.ts';
import { LazyAbortController } from '../request/LazyAbortController.ts';
import { batchCommits, reportCommit, revalidate, stageAll } from '../request/commit.ts';
import { completeResponse } from '../request/completeResponse.ts';
import type { PartialResponse } from '../request/completeResponse.ts';
import { expireAffected, expireResults, expireUncertain } from '../request/expireAffected.ts';
import type { UncertainResponse } from '../request/expireAffected.ts';
import { isEmptyResponse } from '../request/handleResponse.ts';
import { promiseTry } from '../request/promiseTry.ts';
import { endInvalidations, resolveSetValue } from '../request/put.ts';
import { queryIn } from '../request/queryStore.ts';
import { responseStamp, createSetStamp } from '../request/responseStamp.ts';
import { Delete } from '../schema/Delete.ts';
import type { Schema, Args } from '../schema/schema.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import { Layer } from './Layer.ts';
import { LayerReadView } from './LayerReadView.ts';
import { layersOf } from './Layers.ts';
import { addLayer, createLayers, installOptimistic } from './optimistic.ts';
import { updatesOf } from './updatesOf.ts';

/** The functions that `work` gets, with the same parameters as the methods of the controller. */
export interface Transaction extends Pick<Controller, 'fetch' | 'set'> {
  /** Begins a part of this transaction. If the part fails, the whole transaction fails. */
  readonly transaction: <T>(work: Work<T>) => Promise<T>;
}

type Work<T> = (steps: Transaction) => T | Promise<T>;

/**
 * `transaction(controller, async ({ fetch, set }) => {…})`: several writes and requests that are confirmed, or rolled
 * back, as a unit. `work` gets `fetch`, `set` and `transaction`, with the same parameters as elsewhere. Readers see
 * each step at once; a single commit confirms all steps when `work` and all its requests have succeeded. When `work` or
 * a request fails, a single commit rolls all steps back, requests in flight are aborted, data that the server may have
 * changed are refetched, and the promise rejects with that error. Until `work` first awaits, `fetch` and `set` of the
 * controller, and `transaction` with the same controller, belong to the transaction, too. A nested transaction is a
 * part of the outer transaction: when the part fails, the whole transaction fails. Steps after the end reject with F5.
 * Throws A7 if `controller` is not a controller.
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

/** A step that is done but not confirmed. */
interface TransactionStep {
  readonly layer: Layer;
  /** The pending write; `stamp` gives the time at which the value was known to be true. */
  readonly write: Write;
  readonly value: () => unknown;
  readonly stamp: () => Stamp;
  /** The request, if the step is a response. */
  readonly asked?: InFlightRequest;
  /** True for an empty response. */
  readonly silent?: boolean;
  /** See `CompletedResponse`. */
  readonly partial?: PartialResponse | undefined;
}

/** The steps before the first `await` of `work` are a commit; without an `await` and requests, the only commit. */
function runTransaction<T>(context: FetchContext, work: InnerWork<T>): Promise<T> {
  installOptimistic(context);
  return new RunningTransaction(context).run(work);
}

/** `work`, given the steps without the types of the public functions. */
type InnerWork<T> = (steps: TransactionApi) => T | Promise<T>;

class RunningTransaction implements TransactionApi, ResponseHolder {
  readonly #context: FetchContext;
  readonly #steps: TransactionStep[] = [];
  readonly #asked: Promise<unknown>[] = [];
  readonly #abort = new LazyAbortController();
  /** True while the synchronous part of `work` runs: a single commit shows the steps. */
  #isSynchronous = true;
  /** Entries of the commit event: the confirmed writes; of a rollback, the changes already made on the server. */
  readonly #writes: Write[] = [];
  /** The responses that were written. */
  readonly #responses: UncertainResponse[] = [];
  /** Results that may or may not contain a change by an `update`. */
  readonly #uncertain = new Set<ResultRecord>();

  constructor(context: FetchContext) {
    this.#context = context;
  }

  async run<T>(work: InnerWork<T>): Promise<T> {
    const outcome = this.#begin(work);
    try {
      const value = await awaitRequests(outcome, this.#asked);
      const silent = this.#steps.flatMap((held) => (held.silent ? held.write : []));
      this.#end('answer', silent, () => this.#write());
      // steps after the end would never be confirmed
      this.#abort.abort(new SignalboxError('F5', {}));
      return value;
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** The first failure of `work` or a request ends the transaction: later steps reject with the error. */
  #fail(error: unknown): void {
    if (this.#abort.aborted) return;
    const done = [...this.#about.transactionRequests, ...this.#unanswered()].map(undeleted);
    this.#abort.abort(error);
    this.#end('rollback', done, () => this.#removeLayers(true));
  }

  /** The mutations that were sent and not answered, and that the server may have done. */
  #unanswered(): InFlightRequest[] {
    const { allRequests } = this.#context.inflight;
    return [...allRequests].filter(({ holder, waitsForKeys }) => holder === this && !waitsForKeys);
  }

  /** Runs the synchronous part of `work` as a single commit. */
  #begin<T>(work: InnerWork<T>): T | Promise<T> {
    let outcome!: T | Promise<T>;
    const written = batchCommits(this.#context.store, () => {
      try {
        outcome = work(this);
        if (this.#asked.length > 0 || outcome instanceof Promise) return;
        this.#write();
      } catch (error) {
        this.#removeLayers(true);
        outcome = Promise.reject(error);
      }
    });
    this.#isSynchronous = false;
    const cause = this.#writes.length > 0 ? 'set' : 'optimistic';
    const { time } = this.#context.store;
    if (cause === 'set' || written > 0)
      reportCommit(this.#context, { cause, time, written }, this.#about);
    return outcome;
  }

  fetch(endpoint: EndpointInterface, args: Args): Promise<unknown> {
    if (DEV) argumentChecks?.endpoint(endpoint);
    const holder = endpoint.sideEffect ? this : undefined;
    return this.#track(run(this.#context, endpoint, args, { holder, callerSignal: this.#abort }));
  }

  /** If the part fails, the whole transaction fails. */
  transaction<T>(work: InnerWork<T>): Promise<T> {
    return this.#track(runNested(this, work));
  }

  #track<T>(step: Promise<T>): Promise<T> {
    step.catch((error) => this.#fail(error));
    this.#asked.push(step);
    return step;
  }

  set(schema: Schema, args: Args, update: unknown): void {
    if (this.#abort.aborted) throw this.#abort.reason;
    const context = this.#context;
    const { store } = context;
    const issued = store.tick();
    // a function of the present value is applied again to each new value
    const valueIn = (past: LayerReadView) =>
      resolveSetValue(schema, args, update, () => queryIn(past, schema, args));
    const call = { endpoint: { schema }, args, issued, holder: this };
    const layer = new Layer(store, call, valueIn);
    this.#addLayer(layer);
    const write = { endpoint: undefined, schema, args };
    const value = () => valueIn(new LayerReadView(store, issued));
    // a value computed from the present value is as new as the present value
    const time = () => (typeof update === 'function' ? store.tick() : issued);
    this.#steps.push({ layer, write, value, stamp: () => createSetStamp(context, update, time()) });
  }

  /** Shows a response at once, and defers its confirmation until all others have arrived. */
  defer(asked: InFlightRequest, answer: unknown): unknown {
    const context = this.#context;
    const { store } = context;
    const { endpoint, args } = asked;
    const { schema } = endpoint;
    asked.setResponseTime(store.tick());
    const { value: full, partial, shownFields } = completeResponse(asked, answer);
    const expect = () => full;
    const layer = (asked.layer as Layer | undefined) ?? new Layer(store, asked, expect);
    const silent = isEmptyResponse(answer);
    if (!silent) Object.assign(layer, { compute: expect, isPrediction: false });
    this.#addLayer(layer, asked);
    asked.resolveTempIds?.(layer.node);
    const told = silent ? layer.computeOverConfirmed() : full;
    const write = { endpoint, schema, args };
    const value = () => told;
    const stamp = () => ({ ...responseStamp(asked, undefined, shownFields), derived: silent });
    this.#steps.push({ layer, write, value, stamp, asked, silent, partial });
    return silent ? answer : store.denormalize(schema, layer.node, args);
  }

  #addLayer(layer: Layer, asked?: InFlightRequest): void {
    const { store } = this.#context;
    layer.rebase();
    if (this.#isSynchronous) store.commit(() => createLayers(this.#context).add(layer));
    else addLayer(this.#context, layer, asked);
  }

  #write(): void {
    const { store, inflight } = this.#context;
    const held = this.#steps;
    const uncertain = this.#uncertain;
    // a reset has dropped the layers
    if (!held.every(({ layer }) => layersOf(store).active.has(layer)))
      throw new ResetError({ key: 'transaction' });
    const eventWrites: Write[] = [];
    const updatedValues = new Map<ResultRecord, unknown>();
    const given = held.map(({ layer, write, asked, ...step }) => {
      const stamp = step.stamp();
      const known = { ...write, value: step.value(), stamp };
      // other controllers do not know the temporary keys that an empty response confirms
      eventWrites.push(step.silent && layer.hasTempPks ? { ...known, value: null } : known);
      return {
        ...known,
        layer,
        // an empty response confirms the data of the layer, also temporary keys
        addTempPk: step.silent ? layer.createTempPkAdder() : undefined,
        stageLinkedWrites:
          asked?.endpoint.update &&
          updatesOf(store, asked, { stamp, eventWrites, uncertain, updatedValues }),
      };
    });
    stageAll(store, given).forEach((each, at) => {
      each.write();
      const { partial, asked: request } = held[at] as TransactionStep;
      const { stamp, node, draft } = each;
      if (request === undefined) return endInvalidations(store, node, stamp.time);
      this.#responses.push({ partial, request, stamp, node, draft });
      if (request.endpoint.schema === undefined) inflight.setOpaqueWriteTime(store.tick());
    });
    this.#writes.push(...eventWrites);
    this.#removeLayers();
  }

  /** Removes the layers of all steps, also of requests without a response. */
  #removeLayers(failed = false): void {
    const { store, inflight } = this.#context;
    const layers = layersOf(store);
    for (const layer of layers.active) if (layer.call.holder === this) layers.remove(layer, failed);
    for (const { asked } of this.#steps.splice(0)) if (asked) inflight.mutations.delete(asked);
  }

  /** `changed`: writes that changed data on the server without a response that contains the new data. */
  #end(cause: 'answer' | 'rollback', changed: readonly Write[], change: () => void): void {
    const { store } = this.#context;
    const { time } = store;
    const again = new Set<ResultRecord>();
    const about = this.#about;
    const count = this.#steps.length + changed.length;
    const written = store.commit(change);
    if (count + written === 0) return;
    for (const result of this.#uncertain) again.add(result);
    expireResults(store, again);
    for (const write of changed) expireAffected(store, write, again);
    for (const response of this.#responses)
      this.#writes.push(...expireUncertain(store, response, again));
    this.#writes.push(...changed.map(({ schema, args }) => ({ schema, args })));
    reportCommit(this.#context, { cause, time, written }, { ...about, toRefetch: again });
    revalidate(this.#context, again);
  }

  /** The context of a commit: the requests whose responses are held, and the entries of the commit event. */
  get #about(): { readonly transactionRequests: InFlightRequest[]; readonly eventWrites: Write[] } {
    const transactionRequests = this.#steps.flatMap(({ asked }) => asked ?? []);
    return { transactionRequests, eventWrites: this.#writes };
  }
}

/** After a rollback a deleted entity is stored again: as with an update, its readers refetch. */
function undeleted({ endpoint: { schema }, args }: InFlightRequest): Write {
  return { schema: schema instanceof Delete ? schema.entity : schema, args };
}

/** The result of `work`, once all its requests have succeeded. */
async function awaitRequests<T>(
  outcome: T | Promise<T>,
  asked: readonly Promise<unknown>[],
): Promise<T> {
  const value = await outcome;
  // requests may be added while others are awaited
  for (const promise of asked) await promise;
  return value;
}

/** Runs `work` with the steps of an outer transaction. */
async function runNested<T>(steps: TransactionApi, work: InnerWork<T>): Promise<T> {
  const asked: Promise<unknown>[] = [];
  const noted = <P extends Promise<unknown>>(step: P): P => (asked.push(step), step);
  const outcome = work({
    fetch: (endpoint, args) => noted(steps.fetch(endpoint, args)),
    set: (schema, args, update) => steps.set(schema, args, update),
    transaction: (inner) => noted(steps.transaction(inner)),
  });
  return awaitRequests(outcome, asked);
}
