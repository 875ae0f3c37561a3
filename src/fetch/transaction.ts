/** Several writes and requests that are confirmed, or taken back, as one. */
import { ResetError } from '../diagnostics.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import type { Args, Schema } from '../schema/schema.ts';
import { Layer } from '../store/Layer.ts';
import type { Stamp } from '../store/order.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import { Abort } from './Abort.ts';
import type { Asked, Holder } from './Asked.ts';
import { commit } from './commit.ts';
import type { Desk } from './Desk.ts';
import type { Write } from './Events.ts';
import { layAll } from './layAll.ts';
import { outdate, revalidate } from './outdate.ts';
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
  /** The server answered with nothing. */
  readonly silent?: boolean;
  /** The request that it answers, if one does. */
  readonly asked?: Asked;
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
  readonly #abort = new Abort();
  /** What it does is shown with the rest of what `begin` does. */
  #begins = true;
  /** What was confirmed; of what was taken back: what the server has done. */
  readonly #writes: Write[] = [];

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  fetch(endpoint: EndpointInterface, args: Args): Promise<unknown> {
    const holder = endpoint.sideEffect ? this : undefined;
    const promise = run(this.#desk, endpoint, args, { holder, left: this.#abort });
    promise.catch(() => {});
    this.#asked.push(promise);
    return promise;
  }

  /** What `work` does at once, as one commit. */
  begin<T>(work: (steps: Steps) => T | Promise<T>): T | Promise<T> {
    const desk = this.#desk;
    let outcome: T | Promise<T> = undefined as T;
    const written = desk.store.together(() => {
      try {
        outcome = work(this);
        if (this.#asked.length > 0 || outcome instanceof Promise) return;
        this.#write();
      } catch (error) {
        this.#drop();
        outcome = Promise.reject(error);
      }
    });
    this.#begins = false;
    const done = this.#writes.length > 0;
    if (done || written > 0)
      commit(desk, done ? 'set' : 'optimistic', () => written, { writes: this.#writes });
    return outcome;
  }

  set(schema: Schema, args: Args, given: unknown): void {
    const { store } = this.#desk;
    const value = named(store, schema, args, given);
    const call = { endpoint: { schema }, args, issued: store.tick(), title: undefined };
    const layer = new Layer(call, () => value);
    this.#show(layer);
    this.#held.push({ layer, schema, args, value });
  }

  /** An answer came: it is shown, and waits for the others. */
  hold(asked: Asked, value: unknown): unknown {
    const { store } = this.#desk;
    const { args, shown } = asked;
    const { schema } = asked.endpoint;
    const answer = () => value;
    const layer = shown?.layer ?? new Layer(asked, answer);
    const silent = value === null || value === undefined;
    if (!silent) layer.expect = answer;
    this.#show(layer, asked);
    shown?.begun?.(layer.node);
    const told = silent ? layer.answer(store) : value;
    this.#held.push({ layer, schema, args, value: told, silent, asked });
    return silent ? value : store.show(schema, layer.node, args);
  }

  #show(layer: Layer, asked?: Asked): void {
    const { store } = this.#desk;
    layer.say(store);
    const lay = () => store.commit(() => store.layers.lay(layer));
    if (this.#begins) lay();
    else commit(this.#desk, 'optimistic', lay, asked && { by: asked });
  }

  async settled(): Promise<void> {
    // a request may be added while others are waited for
    for (const promise of this.#asked) await promise;
  }

  confirm(): void {
    const silent = this.#held.filter(({ silent: nothing }) => nothing);
    this.#end('answer', silent, () => this.#write());
  }

  #write(): void {
    const desk = this.#desk;
    const { store } = desk;
    // a reset has dropped them
    if (!this.#held.every(({ layer }) => store.layers.has(layer)))
      throw new ResetError({ key: 'transaction' });
    const now = this.#held.map((held) => {
      const { asked, layer } = held;
      const stamp: Stamp = asked
        ? stampOf(desk, asked)
        : { time: layer.issued, ...lifeOf(desk, {}) };
      return { ...held, endpoint: asked?.title, stamp };
    });
    for (const { draft, node, stamp } of layAll(store, now)) draft.write(stamp, node);
    for (const { asked, schema, args, value, stamp } of now)
      this.#writes.push({ endpoint: asked?.endpoint, schema, args, value, stamp });
    this.#drop();
  }

  #drop(): void {
    for (const { layer } of this.#held.splice(0)) this.#desk.store.layers.drop(layer);
  }

  rollBack(reason: unknown): void {
    this.#abort.abort(reason);
    const done = this.#held.filter(({ asked }) => asked !== undefined);
    this.#end('rollback', done, () => this.#drop());
  }

  /** `changed`: steps that changed something on the server of which nobody said how it is now. */
  #end(cause: 'answer' | 'rollback', changed: readonly Held[], change: () => void): void {
    if (this.#held.length === 0) return;
    const desk = this.#desk;
    const again = new Set<ResultRecord>();
    const asked = this.#held.flatMap((held) => held.asked ?? []);
    const end = () => {
      const written = desk.store.commit(change);
      for (const { schema, args } of changed)
        this.#writes.push(outdate(desk.store, { schema, args }, again));
      return written;
    };
    commit(desk, cause, end, { asked, writes: this.#writes, again });
    revalidate(desk, again);
  }
}
