/** Sends a request until it is answered, or its failure counts: which failures are worth another attempt, and when. */
import { TimeoutError } from '../diagnostics.ts';
import { isUnreadable } from '../endpoint/Endpoint.ts';
import type { EndpointInterface, Policies } from '../endpoint/Endpoint.ts';
import { isAbort } from '../endpoint/isAbort.ts';
import { Abort } from './Abort.ts';
import { accept } from './accept.ts';
import type { Asked } from './Asked.ts';
import { requestOf } from './commit.ts';
import type { Desk } from './Desk.ts';
import { fail } from './fail.ts';
import { pauseAfter } from './pauseAfter.ts';
import { send } from './send.ts';
import { settle } from './settle.ts';

const TIMES = 3;
// too long, too early, too often (RFC 9110, 8470, 6585)
const PASSING = [408, 425, 429];
// a reader is not kept waiting for longer than this because a server asks for it, ms
const PATIENCE = 60_000;

/** Sends it; this is the attempt with this number. */
export function retry(desk: Desk, asked: Asked, times = 1): void {
  // a reset leaves mutations to reach the server; what has not left by then does not
  if (asked.lost !== undefined) return;
  const ms = settle(desk, asked.endpoint, 'timeout');
  const answer =
    ms > 0 ? within(desk, asked, ms, (own) => send(desk, asked, own)) : send(desk, asked, asked);
  answer.then(
    (value) => asked.end(accept, value),
    (error: unknown) => again(desk, asked, error, times),
  );
}

async function again(desk: Desk, asked: Asked, error: unknown, times: number): Promise<void> {
  const become = asked.exchange?.outcome(error);
  if (become === 'again') return retry(desk, asked, times);
  if (become !== undefined) return asked.end(become, error);
  const attempt = times + 1;
  try {
    const delay = delayAfter(desk, asked, error, times);
    desk.events.emit('retry', () => ({ ...requestOf(asked), attempt, delay, error }));
    await within(desk, asked, delay);
    retry(desk, asked, attempt);
  } catch (reason) {
    asked.end(fail, reason);
  }
}

/** An attempt within a time, with a signal of its own; without an attempt, a pause. An abort of the request ends both. */
function within(
  { clock }: Desk,
  asked: Asked,
  ms: number,
  attempt?: (own: Abort) => Promise<unknown>,
): Promise<unknown> {
  const own = new Abort();
  let quit: () => void;
  let timer: unknown;
  return new Promise((resolve, reject) => {
    const end = (reason: unknown) => {
      // whatever the network does
      reject(reason);
      own.abort(reason);
    };
    quit = () => end(asked.reason);
    asked.addEventListener('abort', quit);
    timer = clock.after(ms, () => {
      if (attempt === undefined) return resolve(undefined);
      end(new TimeoutError(ms, { endpoint: asked.title, key: asked.key }));
    });
    attempt?.(own).then(resolve, reject);
  }).finally(() => {
    clock.clear(timer);
    asked.removeEventListener('abort', quit);
  });
}

/** How long to wait before the next attempt, ms. Throws the error where none follows. */
function delayAfter(
  { policies, clock }: Desk,
  asked: Asked,
  error: unknown,
  times: number,
): number {
  if (asked.lost !== undefined || !isWorth(asked.endpoint, policies, error, times)) throw error;
  const after = retryAfter(error, clock.now());
  if (after > PATIENCE) throw error;
  return after + pauseAfter(times - 1, clock);
}

/** True where policies want another attempt after this many, and it may do better. */
function isWorth(own: EndpointInterface, wider: Policies, error: unknown, times: number): boolean {
  if (isAbort(error)) return false;
  const chosen = own.retry ?? (own.sideEffect ? 0 : (wider.retry ?? TIMES));
  if (typeof chosen === 'function') return chosen(error, times);
  if (times > Number(chosen === true ? TIMES : chosen)) return false;
  // a page of a proxy or a body cut off; a mutation may have been done
  return mayPass(error) || (!own.sideEffect && isUnreadable(error));
}

/** What may pass by itself: nobody answered, the server broke, or it says not now. */
export function mayPass(error: unknown): boolean {
  const { status } = (error ?? {}) as { status?: unknown };
  return typeof status !== 'number' || status >= 500 || PASSING.includes(status);
}

/** What `Retry-After` of the error's response asks for (RFC 9110, 10.2.3: seconds or a date), ms from now. */
export function retryAfter(error: unknown, now: number): number {
  const failed = error as { response?: { headers?: Headers } } | undefined | null;
  const text = failed?.response?.headers?.get?.('retry-after')?.trim();
  if (!text) return 0;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // all forms of a date begin with the name of its day; without, engines take numbers for dates
  return /^[a-z]/i.test(text) ? Math.max(Date.parse(text) - now || 0, 0) : 0;
}
