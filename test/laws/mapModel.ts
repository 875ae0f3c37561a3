/** Maps with assigned keys (O12). */
import { Collection, Entity, Values } from 'signalbox';
import type { Shown } from './storeReaders.ts';
import { FeatureModel } from './FeatureModel.ts';

class Coin extends Entity {
  name = '';
  override pk(): string {
    return this.name;
  }
}

type Ids = Readonly<Record<string, string>>;

/** O12: the latest statement decides a key: a read (of all keys) when issued, an own write when confirmed. */
class Assigned {
  #full: { readonly time: number; readonly ids: Ids } | undefined;
  #keys = new Map<
    string,
    { readonly time: number; readonly id: string; readonly issued: number }
  >();
  get value(): Ids | undefined {
    const full = this.#full;
    if (full === undefined) return undefined;
    const later = [...this.#keys].filter(([, { time }]) => time > full.time);
    const confirmed = Object.fromEntries(later.map(([key, { id }]) => [key, id]));
    return { ...full.ids, ...confirmed };
  }

  read(ids: Ids, time: number): void {
    if (time >= (this.#full?.time ?? 0)) this.#full = { ids, time };
  }

  assign(ids: Ids, issued: number, time: number): void {
    for (const [key, id] of Object.entries(ids))
      if (issued >= (this.#keys.get(key)?.issued ?? 0)) this.#keys.set(key, { time, id, issued });
  }

  /**
   * O5: the confirmed value, with the optimistic writes above in the order of issue; a key with a later, confirmed own
   * write stays.
   */
  expecting(all: ReadonlyMap<number, Ids>): Ids | undefined {
    const { value } = this;
    const stands = (key: string, issued: number) => issued >= (this.#keys.get(key)?.issued ?? 0);
    return (
      value &&
      [...all].reduce(
        (under, [issued, ids]) => ({
          ...under,
          ...Object.fromEntries(Object.entries(ids).filter(([key]) => stands(key, issued))),
        }),
        value,
      )
    );
  }
}

const coinsOf = (ids: Ids) =>
  Object.fromEntries(Object.entries(ids).map(([key, name]) => [key, { name }]));

export class MapModel extends FeatureModel {
  readonly #coins = new Collection(new Values(Coin));
  readonly #map = this.simulation.w.read('coins', this.#coins);
  readonly #assign = this.simulation.w.mutation('assign', this.#coins.assign);
  readonly #expect = this.#assign.extend({
    getOptimisticResponse: (_snapshot: unknown, body: unknown) => body,
  });
  #assigned = new Assigned();
  // optimistic assignments under way, in the order of issue
  #expected = new Map<number, Ids>();
  // the server's
  #ids: Ids = { k: 'first' };

  override get shown(): Shown[] {
    const source = this.simulation.w.controller.signal(this.#map, {});
    const wanted = () => {
      const ids = this.#assigned.expecting(this.#expected);
      return ids && coinsOf(ids);
    };
    return [{ name: 'coins', source, wanted }];
  }

  override reset(): void {
    super.reset();
    this.#assigned = new Assigned();
    this.#expected = new Map();
  }

  read(): string[] {
    const ids = this.#ids;
    const take = (at: number) => this.#assigned.read(ids, at);
    return this.ask(this.#map, { value: coinsOf(ids), take });
  }

  assign(ids: Ids, refused: boolean, expects?: boolean): void {
    const at = this.tell(expects ? this.#expect : this.#assign, [coinsOf(ids)], () => {
      if (!refused) this.#ids = { ...this.#ids, ...ids };
      const value = refused ? undefined : coinsOf(ids);
      return {
        value,
        take: (issued) => {
          this.#expected.delete(issued);
          this.#assigned.assign(ids, issued, this.confirmed);
        },
        miss: (issued) => void this.#expected.delete(issued),
      };
    });
    if (expects) this.#expected.set(at, ids);
  }
}
