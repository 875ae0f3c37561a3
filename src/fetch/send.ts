/** How a request leaves: by its endpoint, which sees the signal as an option of its own. */
import { SignalboxError } from '../diagnostics.ts';
import { heritable } from '../endpoint/Endpoint.ts';
import type { Endpoint } from '../endpoint/Endpoint.ts';
import { networks } from '../endpoint/networks.ts';
import type { Args } from '../schema/schema.ts';
import type { Abort } from './Abort.ts';
import type { Asked, Exchange } from './Asked.ts';
import { attempt } from './attempt.ts';
import type { Desk } from './Desk.ts';

/** One attempt; `abort` is its own, or that of the whole request. */
export function send(desk: Desk, asked: Asked, abort: Abort): Promise<unknown> {
  const { endpoint, args } = asked;
  return attempt(() => {
    const exchange = (asked.exchange = exchangeOf(desk, asked));
    if (exchange !== undefined) networks.set(abort.signal, exchange.send);
    return desk.send(endpoint, args, () => sendWith(abort, asked));
  });
}

/** Of the policy `http`. Throws E12 for a policy that is no `httpCache`. */
function exchangeOf(desk: Desk, asked: Asked): Exchange | undefined {
  const http = asked.endpoint.http ?? desk.policies.http;
  if (!http) return undefined;
  if (typeof http === 'function') return (http as Http)(desk, asked);
  throw new SignalboxError('E12', { option: 'http', value: http, expected: 'httpCache' });
}

type Http = (desk: Desk, asked: Asked) => Exchange;

/** Endpoints see the signal as an option of theirs; plain functions with a key have no place for it. */
function sendWith(abort: Abort, { endpoint, args, exchange }: Asked): Promise<unknown> {
  const { extend } = endpoint as Partial<Endpoint>;
  const isLasting = abort.lasting && exchange === undefined;
  if (isLasting || extend === undefined) return endpoint(...args);
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
