/** The answer to a request that was issued, however often it is sent. */
import { Endpoint } from '../endpoint/Endpoint.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Args } from '../schema/schema.ts';
import type { Asked } from './Asked.ts';
import { requestOf } from './commit.ts';
import type { Desk } from './Desk.ts';
import { rollBack } from './foretell.ts';
import { reasonOf } from './reasonOf.ts';
import { retry } from './retry.ts';
import type { Course } from './retry.ts';

/**
 * The answer; a reset or an abort settles it at once, whatever the network does. However often it is sent, it is the
 * one request of its first issue: what it brings may be newer than that, never older, and a read that was issued before
 * an invalidation or an own write is neither joined nor believed after it, also where a later attempt is answered.
 */
export function answered(desk: Desk, asked: Asked): Promise<unknown> {
  const { endpoint, args, key, title } = asked;
  const { policies, clock } = desk;
  const { signal } = asked.abort;
  return new Promise((resolve, reject) => {
    // a listener to the request may have ended it
    if (asked.lost !== undefined) return reject(asked.lost);
    asked.cancel = reject;
    const quit = () => {
      const reason = reasonOf(signal);
      rollBack(desk, asked, reason);
      reject(reason);
    };
    signal.addEventListener('abort', quit, { once: true });
    const about = { endpoint: title, key };
    const tell: Course['tell'] = (attempt, error, delay) =>
      desk.emit('retry', () => ({ ...requestOf(asked), attempt, delay, error }));
    const send = async (own: AbortSignal) =>
      desk.send(endpoint, asked.args, () => sendWith(own, endpoint, asked.args));
    const course = { endpoint, policies, clock, signal, about, tell };
    const named = desk.creations.real(args);
    const sent = named?.then((real) => {
      asked.args = real;
      return retry(course, send);
    });
    (sent ?? retry(course, send)).then(resolve, reject);
  });
}

/** Endpoints see the signal as an option of theirs; plain functions with a key have no place for it. */
function sendWith(signal: AbortSignal, endpoint: EndpointInterface, args: Args): Promise<unknown> {
  // a subclass may have private members, which only a true copy has, too; copies are dear
  if (Object.getPrototypeOf(endpoint) === Endpoint.prototype) {
    const own = Object.create(endpoint, {
      signal: { value: signal, enumerable: true },
    }) as Endpoint;
    return own.fetch(...args);
  }
  const { extend } = endpoint as { extend?: (options: object) => EndpointInterface };
  return (extend?.call(endpoint, { signal }) ?? endpoint)(...args);
}
