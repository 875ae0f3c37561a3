/** The fields of a live object as signals, for text and attributes that change without a render. */
import { SignalboxError } from '../errors.ts';
import { computed } from '../signals.ts';
import type { ReadonlySignal } from '../signals.ts';
import { liveOf } from './LiveObject.ts';
import type { LiveObject } from './LiveObject.ts';

/** One signal per field and getter; methods are left out. */
export type FieldSignals<T extends object> = {
  readonly [K in keyof T as T[K] extends (...args: never) => unknown ? never : K]: ReadonlySignal<
    T[K]
  >;
};

const proxies = new WeakMap<object, object>();

/**
 * `<b title={$(todo).title}>{$(todo).title}</b>`: a new text is written into the page without a re-render. Each signal
 * is created on first access and stays the same. Throws A2 if `live` is not live.
 */
export function fields<T extends object>(live: T): FieldSignals<T> {
  let signals = proxies.get(live);
  if (signals === undefined)
    proxies.set(
      live,
      (signals = new Proxy(Object.create(null) as {}, new FieldSignalHandler(live))),
    );
  return signals as FieldSignals<T>;
}

class FieldSignalHandler implements ProxyHandler<Record<string, unknown>> {
  readonly #live: LiveObject;

  constructor(value: object) {
    const live = liveOf(value);
    if (live === undefined) throw new SignalboxError('A2', { hook: '$', value });
    this.#live = live;
  }

  get(signals: Record<string, unknown>, name: string | symbol): unknown {
    if (typeof name === 'symbol') return undefined;
    return (signals[name] ??= this.#signal(name));
  }

  /** The signal of a field. The signal of a getter follows the fields that the getter reads. */
  #signal(name: string): ReadonlySignal<unknown> {
    const { record, proxy } = this.#live;
    if (!(name in record.kind.Class.prototype)) return this.#live.field(name);
    return computed(() => Reflect.get(proxy, name) as unknown);
  }
}
