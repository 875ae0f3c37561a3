/** Sends a request until it is answered, or its failure counts: which failures are worth another attempt, and when. */
import type { Clock } from '../clock.ts';
import { TimeoutError } from '../diagnostics.ts';
import { Abort } from './Abort.ts';
import { accept } from './accept.ts';
import type { Asked } from './Asked.ts';
import { requestOf } from './commit.ts';
import type { Desk } from './Desk.ts';
import { fail } from './fail.ts';
import { send } from './send.ts';

const TIMES = 3;
// the longest wait before the attempt 2, 3, 4…, ms: doubled each time
const FIRST = 1_000;
const MOST = 30_000;
// a reader is not kept waiting for longer than this because a server asks for it, ms
const PATIENCE = 60_000;

/** Sends it; this is the attempt with this number. */
export function retry(desk: Desk, asked: Asked, times = 1): void {
  const ms = asked.endpoint.timeout ?? desk.policies.timeout ?? 0;
  (ms > 0 ? inTime(desk, asked, ms) : send(desk, asked, asked)).then(
    (value) => asked.end(accept, value),
    (error: unknown) => again(desk, asked, error, times),
  );
}

function again(desk: Desk, asked: Asked, error: unknown, times: number): void {
  let delay: number | undefined;
  try {
    delay = delayAfter(desk, asked, error, times);
  } catch (thrown) {
    return asked.end(fail, thrown);
  }
  if (delay === undefined) return asked.end(fail, error);
  const next = { ...requestOf(asked), attempt: times + 1, delay, error };
  desk.events.emit('retry', () => next);
  pause(desk.clock, asked, delay).then(
    () => retry(desk, asked, times + 1),
    (reason) => asked.end(fail, reason),
  );
}

/** One attempt with a timeout: it has a signal of its own. */
function inTime(desk: Desk, asked: Asked, ms: number): Promise<unknown> {
  const { clock } = desk;
  const { title, key } = asked;
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
    timer = clock.after(ms, () => end(new TimeoutError(ms, { endpoint: title, key })));
    send(desk, asked, own).then(resolve, reject);
  }).finally(() => {
    clock.clear(timer);
    asked.removeEventListener('abort', quit);
  });
}

function pause(clock: Clock, asked: Asked, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const quit = () => {
      clock.clear(timer);
      reject(asked.reason);
    };
    const timer = clock.after(ms, () => {
      asked.removeEventListener('abort', quit);
      resolve();
    });
    asked.addEventListener('abort', quit);
  });
}

/** How long to wait before the next attempt, ms; undefined where none follows. */
function delayAfter(desk: Desk, asked: Asked, error: unknown, times: number): number | undefined {
  const { endpoint, aborted } = asked;
  const { policies, clock } = desk;
  const chosen = endpoint.retry ?? (endpoint.sideEffect ? 0 : (policies.retry ?? TIMES));
  const { name } = (error ?? {}) as { name?: unknown };
  if (aborted || name === 'AbortError') return undefined;
  if (typeof chosen === 'function') {
    if (!chosen(error, times)) return undefined;
  } else if (times > Number(chosen === true ? TIMES : chosen) || !isPassing(error)) {
    return undefined;
  }
  const after = retryAfter(error, clock.now());
  if (after > PATIENCE) return undefined;
  // full jitter: those who failed together are spread over the whole wait
  const chance = clock.random?.() ?? Math.random();
  return after + Math.floor(chance * Math.min(MOST, FIRST * 2 ** (times - 1)));
}

/** True for failures that may pass by themselves: nobody answered, not now, too early, too often, or the server broke. */
function isPassing(error: unknown): boolean {
  const { status } = (error ?? {}) as { status?: unknown };
  if (typeof status !== 'number') return true;
  return status >= 500 || status === 408 || status === 425 || status === 429;
}

/** What `Retry-After` of the error's response asks for (RFC 9110, 10.2.3: seconds or a date), ms from now. */
function retryAfter(error: unknown, now: number): number {
  const { response } = (error ?? {}) as { response?: { headers?: Headers } };
  const text = response?.headers?.get?.('retry-after')?.trim();
  if (!text) return 0;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // all forms of a date begin with the name of its day; without, engines take numbers for dates
  const ms = /^[a-z]/i.test(text) ? Date.parse(text) - now : 0;
  return ms > 0 ? ms : 0;
}
