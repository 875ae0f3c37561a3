/** Requests in flight between a store and a server: how a request may end, and which result the caller must get. */
import { refusal, settled } from '../setup/world.ts';
import type { Call } from '../setup/world.ts';
import type { Fields } from './confirmed.ts';

export type Ending = 'answer' | 'fail' | 'empty' | 'abort' | 'partial';

/** The effect of each ending on the model. */
export interface Outcome {
  /** The response of the server at the time of the request; undefined: the server rejects the request. */
  readonly value: unknown;
  take(): void;
  /** Whether a response may be empty (R8), and the effect of an empty response. */
  readonly mayBeEmpty: boolean;
  takeEmpty(): void;
  /** Of a mutation of a row: the effect of a response with some of the fields (N23). True: a field that was sent is missing. */
  takePartial?(value: Fields): boolean;
  /** Failed, or aborted. */
  miss(): void;
  /** The data that readers see and the caller gets; undefined: nothing, or uncertain. */
  shown(): unknown;
  /** True if the result must not count as fresh. */
  stale(empty: boolean): boolean;
}

/** How the promise of a caller ended. */
interface Fate {
  ended: boolean;
  with?: unknown;
}

export interface AwaitedRequest {
  readonly call: Call;
  /** Of a read. */
  readonly key?: string;
  readonly abort: AbortController;
  readonly fate: Fate;
  /** Sent by a mounted reader: no caller is notified of the end. */
  readonly automatic?: boolean;
  /** Undefined: aborted or reset. The response still arrives, and is ignored. */
  readonly outcome: Outcome | undefined;
}

export class RequestsInFlight {
  #requests: AwaitedRequest[] = [];
  readonly #fates: Fate[] = [];
  readonly #shared = new Set<AwaitedRequest>();

  get length(): number {
    return this.#requests.length;
  }

  /** Callers with a pending promise. */
  get waiting(): number {
    return this.#fates.filter(({ ended }) => !ended).length;
  }

  follow(promise: Promise<unknown>): Fate {
    const fate: Fate = { ended: false };
    this.#fates.push(fate);
    const end = (value: unknown) => void Object.assign(fate, { ended: true, with: value });
    void promise.then(end, end);
    return fate;
  }

  send(request: AwaitedRequest): void {
    this.#requests.push(request);
  }

  /** Another caller waits for the response, too: a single signal does not abort the request. */
  share(key: string): void {
    const request = this.#requests.filter((one) => one.key === key).at(-1);
    if (request !== undefined) this.#shared.add(request);
  }

  /** O8: waiting callers are rejected at once. */
  async lose(): Promise<string[]> {
    await settled();
    const untold = this.#requests.filter(
      ({ outcome, fate, automatic }) =>
        outcome !== undefined && automatic !== true && nameOf(fate.with) !== 'ResetError',
    );
    this.#requests = this.#requests.map((request) => ({ ...request, outcome: undefined }));
    return untold.map(({ call }) => `reset not told: ${call.name}`);
  }

  /** Ends a request; returns the faults in the result of the caller. */
  async end(at: number, ending: Ending): Promise<string[]> {
    const [request] = this.#requests.splice(at % this.#requests.length, 1);
    if (request === undefined) return [];
    const { call, outcome } = request;
    if (outcome === undefined) return (await call.answer({}), []);
    if (ending === 'abort' && !this.#shared.has(request)) return this.#abort(request, outcome);
    if (ending === 'fail' || outcome.value === undefined)
      return fail(request, outcome, refusal(at % 2 === 0 ? 500 : undefined));
    if (ending === 'partial' && outcome.takePartial) return partial(request, outcome, at);
    const empty = ending === 'empty' && outcome.mayBeEmpty;
    await call.answer(empty ? null : structuredClone(outcome.value));
    if (empty) outcome.takeEmpty();
    else outcome.take();
    return received(request, outcome, empty);
  }

  /** O10: the request has no effect, with any response. */
  async #abort(request: AwaitedRequest, outcome: Outcome): Promise<string[]> {
    request.abort.abort();
    this.#requests.push({ ...request, outcome: undefined });
    await settled();
    outcome.miss();
    return nameOf(request.fate.with) === 'AbortError'
      ? []
      : [`abort not told: ${request.call.name}`];
  }
}

async function fail(
  { call, fate, automatic }: AwaitedRequest,
  outcome: Outcome,
  error: Error,
): Promise<string[]> {
  await call.fail(error);
  outcome.miss();
  return fate.with === error || automatic === true ? [] : [`error not told: ${call.name}`];
}

/** N23: with the id alone, or with another field. */
async function partial(request: AwaitedRequest, outcome: Outcome, at: number): Promise<string[]> {
  const { id, n } = outcome.value as Fields;
  const value = at % 2 === 0 ? { id } : { id, n };
  await request.call.answer({ ...value });
  const lacks = outcome.takePartial?.(value) === true;
  return received(request, outcome, lacks, false);
}

/** F2: the caller gets the data that readers see. */
function received(
  { call, fate, automatic }: AwaitedRequest,
  outcome: Outcome,
  lacks: boolean,
  empty = lacks,
): string[] {
  const found: string[] = [];
  const due = empty ? null : outcome.shown();
  if (due !== undefined && automatic !== true && fate.with !== due)
    found.push(`caller gets another value: ${call.name} gives ${String(fate.with)}`);
  if (outcome.stale(lacks)) found.push(`older answer counts as fresh: ${call.name}`);
  return found;
}

function nameOf(reason: unknown): unknown {
  return (reason as { readonly name?: unknown } | null | undefined)?.name;
}
