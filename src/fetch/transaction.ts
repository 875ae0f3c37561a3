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
import type { Commit, Write } from './Events.ts';
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
  readonly silent: boolean;
  /** The request that it answers, if one does. */
  readonly asked: Asked | undefined;
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
    this.#begins = false;
    const done = this.#writes.length > 0;
    if (done || written > 0) this.#commit(done ? 'set' : 'optimistic', () => written);
    return outcome;
  }

  set(schema: Schema, args: Args, value: unknown): void {
    const desk = this.#desk;
    const given = named(desk.store, schema, args, value);
    const issued = desk.store.tick();
    const layer = new Layer({ schema, args, endpoint: undefined, issued, expect: () => given });
    const stamp = () => ({ time: issued, ...lifeOf(desk, {}) });
    this.#show(layer);
    this.#held.push({ layer, schema, args, value: given, silent: false, asked: undefined, stamp });
  }

  /** An answer came: it is shown, and waits for the others. */
  hold(asked: Asked, value: unknown): unknown {
    const { endpoint, args, issued, title } = asked;
    const { schema } = endpoint;
    const layer =
      asked.shown?.layer ??
      new Layer({ schema, args, endpoint: title, issued, expect: () => value });
    const empty = value === null || value === undefined;
    if (!empty) layer.came(value);
    this.#show(layer, asked);
    asked.shown?.begun.confirm(layer.node);
    const stamp = () => stampOf(this.#desk, asked);
    this.#held.push({
      layer,
      schema,
      args,
      value: empty ? layer.answer(this.#desk.store) : value,
      silent: empty,
      asked,
      stamp,
    });
    return empty ? value : this.#desk.store.show(schema, layer.node, args);
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
    const { store } = this.#desk;
    // a reset has dropped them
    if (!this.#held.every(({ layer }) => store.layers.has(layer)))
      throw new ResetError({ key: 'transaction' });
    const now = this.#held.map(({ stamp, ...held }) => ({ ...held, stamp: stamp() }));
    const laid = layAll(
      store,
      now.map(({ asked, ...held }) => ({ ...held, endpoint: asked?.title })),
    );
    for (const { draft, node, stamp } of laid) draft.write(stamp, node);
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
    const { store } = this.#desk;
    const again = new Set<ResultRecord>();
    const end = () => {
      const written = store.commit(change);
      for (const { schema, args } of changed)
        this.#writes.push(outdate(store, { schema, args }, again));
      return written;
    };
    this.#commit(cause, end, again);
    revalidate(this.#desk, again);
  }

  #commit(cause: Commit['cause'], change: () => number, again?: Iterable<ResultRecord>): void {
    const asked = this.#held.flatMap((held) => held.asked ?? []);
    commit(this.#desk, cause, change, { asked, writes: this.#writes, again });
  }
}
