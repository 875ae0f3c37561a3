/** The answer to a request that was issued, however often it is sent. */
import { heritable } from '../endpoint/Endpoint.ts';
import type { Endpoint, EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Args } from '../schema/schema.ts';
import type { Abort } from './Abort.ts';
import { accept } from './accept.ts';
import { ignore } from './Asked.ts';
import type { Asked } from './Asked.ts';
import type { Desk } from './Desk.ts';
import { fail } from './fail.ts';
import { rollBack } from './foretell.ts';
import { retry } from './retry.ts';
import type { Course } from './retry.ts';

/**
 * The answer; a reset or an abort settles it at once, whatever the network does. However often it is sent, it is the
 * one request of its first issue: what it brings may be newer than that, never older, and a read that was issued before
 * an invalidation or an own write is neither joined nor believed after it, also where a later attempt is answered.
 */
export function answered(desk: Desk, asked: Asked): Promise<unknown> {
  const promise = new Promise((resolve, reject) => {
    asked.resolve = resolve;
    asked.reject = reject;
  });
  asked.cancel = (reason) => giveUp(desk, asked, reason);
  // a listener to the request may have ended it
  if (asked.lost !== undefined) asked.cancel(asked.lost);
  else leave(desk, asked);
  return promise;
}

/** Sends it, with the server's primary keys in the place of ours as soon as they are known. */
function leave(desk: Desk, asked: Asked): void {
  const named = desk.creations.real(asked.args);
  if (named === undefined) return retry(desk, asked, COURSE);
  const refuse = (reason: unknown) => COURSE.refuse(desk, asked, reason);
  named.then((real) => {
    asked.args = real;
    retry(desk, asked, COURSE);
  }, refuse);
}

const COURSE: Course = {
  send: ({ send }, { endpoint, args }, abort) =>
    send(endpoint, args, () => sendWith(abort, endpoint, args)),
  answer(desk, asked, value) {
    if (!asked.over) end(desk, asked, accept, value);
  },
  refuse(desk, asked, error) {
    if (!asked.over) end(desk, asked, fail, error);
  },
};

function giveUp(desk: Desk, asked: Asked, reason: unknown): void {
  if (asked.over) return;
  asked.over = true;
  // what an abort takes back, it takes back at once; a reset empties everything itself
  if (asked.aborted) rollBack(desk, asked, reason);
  void Promise.resolve().then(() => end(desk, asked, fail, reason));
}

function end(desk: Desk, asked: Asked, become: typeof accept, outcome: unknown): void {
  const { resolve, reject } = asked;
  // whoever remembers that it was sent does not hold what it brought
  asked.cancel = asked.resolve = asked.reject = ignore;
  try {
    resolve(become(desk, asked, outcome));
  } catch (error) {
    reject(error);
  }
}

const ABORT: unique symbol = Symbol('signalbox.abort');
type Callee = Endpoint & { [ABORT]: Abort };

/** By an endpoint what `this` is in its `fetch`, but for the one request. */
const callees = new WeakMap<Endpoint, Callee>();

function calleeOf(endpoint: Endpoint): Callee {
  let callee = callees.get(endpoint);
  if (callee !== undefined) return callee;
  callee = Object.create(endpoint, {
    // made for those who ask: signals are dear
    signal: {
      get(this: Callee) {
        return this[ABORT].signal;
      },
    },
    // what there is to copy is the endpoint's own
    extend: {
      value(this: Callee, options: object) {
        return endpoint.extend({ signal: this.signal, ...options });
      },
    },
  }) as Callee;
  callees.set(endpoint, callee);
  return callee;
}

/** Endpoints see the signal as an option of theirs; plain functions with a key have no place for it. */
function sendWith(abort: Abort, endpoint: EndpointInterface, args: Args): Promise<unknown> {
  if (abort.lasting) return endpoint(...args);
  // only a true copy has the private members that a class may have
  if (heritable.has(Object.getPrototypeOf(endpoint) as object)) {
    const own = Object.create(calleeOf(endpoint as Endpoint)) as Callee;
    own[ABORT] = abort;
    return own.fetch(...args);
  }
  const { extend } = endpoint as { extend?: (options: object) => EndpointInterface };
  const { signal } = abort;
  return (extend?.call(endpoint, { signal }) ?? endpoint)(...args);
}
