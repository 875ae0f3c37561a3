/** How a request leaves: by its endpoint, which sees the signal as an option of its own. */
import { heritable } from '../endpoint/Endpoint.ts';
import type { Endpoint, EndpointInterface } from '../endpoint/Endpoint.ts';
import { exchanges } from '../endpoint/Exchange.ts';
import type { Args } from '../schema/schema.ts';
import type { Abort } from './Abort.ts';
import type { Asked } from './Asked.ts';
import { attempt } from './attempt.ts';
import type { Desk } from './Desk.ts';
import { vouchedOf } from './vouch.ts';

/** One attempt; `abort` is its own, or that of the whole request. */
export function send(desk: Desk, asked: Asked, abort: Abort): Promise<unknown> {
  const { endpoint, args, read } = asked;
  return attempt(() => {
    // HTTP is to say how fresh the answer is, and whether it is another than the stored one
    if (read && (endpoint.http ?? desk.policies.http))
      exchanges.set(abort.signal, (asked.exchange = { known: vouchedOf(desk.store, asked) }));
    return desk.send(endpoint, args, () => sendWith(abort, endpoint, args));
  });
}

/** Endpoints see the signal as an option of theirs; plain functions with a key have no place for it. */
function sendWith(abort: Abort, endpoint: EndpointInterface, args: Args): Promise<unknown> {
  const { extend } = endpoint as Partial<Endpoint>;
  if (abort.lasting || extend === undefined) return endpoint(...args);
  const copy = (options: object) => extend.call(endpoint, { signal: abort.signal, ...options });
  // only a true copy has the private members that a class may have
  if (!heritable.has(Object.getPrototypeOf(endpoint) as object)) return copy({})(...args);
  // the signal is made for those who ask: one is dear
  const own: Endpoint = new Proxy(endpoint as Endpoint, {
    get(target, name): unknown {
      if (name === 'signal') return abort.signal;
      return name === 'extend' ? copy : Reflect.get(target, name);
    },
    apply: (_target, _this, given: Args) => own.fetch(...given),
  });
  return own.fetch(...args);
}
