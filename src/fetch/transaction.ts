/** Several writes and requests that are confirmed, or taken back, as one. */
import { ResetError } from '../diagnostics.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { titleOf } from '../endpoint/titleOf.ts';
import type { Args, Schema } from '../schema/schema.ts';
import { Layer } from '../store/Layer.ts';
import type { Stamp } from '../store/order.ts';
import type { Laid } from '../store/Store.ts';
import type { Asked, Holder } from './Asked.ts';
import type { Desk } from './Desk.ts';
import { outdate } from './outdate.ts';
import { named } from './put.ts';
import { run } from './run.ts';
import { lifeOf, stampOf } from './stampOf.ts';

/** What a transaction can do. Both are shown at once. */
export interface Steps {
  fetch(endpoint: EndpointInterface, args: Args): Promise<unknown>;
  set(schema: Schema, args: Args, value: unknown): void;
}

/** One step that is done and not confirmed. */
interface Held {
  readonly layer: Layer;
  readonly schema: Schema;
  readonly args: Args;
  readonly value: unknown;
  readonly title: string | undefined;
  readonly stamp: () => Stamp;
}

/**
 * Runs `work`. When it and all its requests have succeeded, everything is confirmed in one commit. When one of them
 * fails, everything is taken back in one commit, what is on its way is aborted, what the server did is asked again.
 * What `work` does before it first waits is shown in one commit; all of it, where it never waits, is nothing else.
 */
export async function transaction<T>(
  desk: Desk,
  work: (steps: Steps) => T | Promise<T>,
): Promise<T> {
  const joint = new Joint(desk);
  const outcome = joint.begin(work);
  try {
    const value = await outcome;
    await joint.settled();
    joint.confirm();
    return value;
  } catch (error) {
    joint.rollBack(error);
    throw error;
  }
}

class Joint implements Steps, Holder {
  readonly #desk: Desk;
  readonly #held: Held[] = [];
  readonly #asked: Promise<unknown>[] = [];
  readonly #abort = new AbortController();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  fetch(endpoint: EndpointInterface, args: Args): Promise<unknown> {
    const holder = endpoint.sideEffect ? this : undefined;
    const promise = run(this.#desk, endpoint, args, { holder, left: this.#abort.signal });
    promise.catch(() => {});
    this.#asked.push(promise);
    return promise;
  }

  /** What `work` does at once, as one commit. */
  begin<T>(work: (steps: Steps) => T | Promise<T>): T | Promise<T> {
    const { store } = this.#desk;
    let outcome: T | Promise<T> = undefined as T;
    const written = store.together(() => {
      try {
        outcome = work(this);
        if (this.#asked.length > 0 || outcome instanceof Promise) return;
        this.#write();
      } catch (error) {
        this.#drop();
        outcome = Promise.reject(error);
      }
    });
    if (written > 0) this.#desk.emit('commit', { cause: 'set', key: undefined, written });
    return outcome;
  }

  set(schema: Schema, args: Args, value: unknown): void {
    const desk = this.#desk;
    const given = named(desk.store, schema, args, value);
    const issued = desk.store.tick();
    const layer = new Layer({ schema, args, endpoint: undefined, issued, expect: () => given });
    const stamp = () => ({ time: issued, ...lifeOf(desk, {}) });
    this.#show(layer, undefined);
    this.#held.push({ layer, schema, args, value: given, title: undefined, stamp });
  }

  /** An answer came: it is shown, and waits for the others. */
  hold(asked: Asked, value: unknown): unknown {
    const { endpoint, args, issued, key } = asked;
    const { schema } = endpoint;
    const title = titleOf(endpoint);
    const layer =
      asked.shown?.layer ??
      new Layer({ schema, args, endpoint: title, issued, expect: () => value });
    const empty = value === null || value === undefined;
    if (!empty) layer.expect = () => value;
    this.#show(layer, key);
    asked.shown?.begun.confirm(layer.node);
    const stamp = () => stampOf(this.#desk, asked);
    this.#held.push({
      layer,
      schema,
      args,
      value: empty ? layer.answer(this.#desk.store) : value,
      title,
      stamp,
    });
    return empty ? value : this.#desk.store.show(schema, layer.node, args);
  }

  #show(layer: Layer, key: string | undefined): void {
    const { store } = this.#desk;
    layer.say(store);
    const written = store.commit(() => store.layers.lay(layer));
    // at first it is a part of what `begin` shows
    if (written > 0) this.#desk.emit('commit', { cause: 'optimistic', key, written });
  }

  async settled(): Promise<void> {
    // a request may be added while others are waited for
    for (const promise of this.#asked) await promise;
  }

  confirm(): void {
    if (this.#held.length > 0) this.#commit('answer', () => this.#write());
  }

  #write(): void {
    const { store } = this.#desk;
    // a reset has dropped them
    if (!this.#held.every(({ layer }) => store.layers.has(layer)))
      throw new ResetError({ key: 'transaction' });
    const laid: Laid[] = [];
    try {
      for (const { layer, schema, args, value, title, stamp } of this.#held)
        laid.push(store.lay({ schema, args, value, stamp: stamp(), endpoint: title, layer }));
    } catch (error) {
      for (const { draft } of laid) draft.discard();
      throw error;
    }
    for (const { draft, node, stamp } of laid) draft.write(stamp, node);
    this.#drop();
  }

  #drop(): void {
    for (const { layer } of this.#held.splice(0)) this.#desk.store.layers.drop(layer);
  }

  rollBack(reason: unknown): void {
    this.#abort.abort(reason);
    const done = this.#held.filter(({ title }) => title !== undefined);
    if (this.#held.length > 0) this.#commit('rollback', () => this.#drop());
    for (const { schema, args } of done) outdate(this.#desk, schema, args);
  }

  #commit(cause: 'answer' | 'rollback', change: () => void): void {
    const written = this.#desk.store.commit(change);
    this.#desk.emit('commit', { cause, key: undefined, written });
  }
}
