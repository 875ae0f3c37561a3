/** Maps whose keys are assigned (O12). */
import { Collection, Entity, Values } from 'signalbox';
import type { Shown } from './audience.ts';
import { Side } from './side.ts';

class Coin extends Entity {
  name = '';
  override pk(): string {
    return this.name;
  }
}

type Ids = Readonly<Record<string, string>>;

/** O12: a key is as the latest says: a read (of all keys) when it was issued, an own write when it was confirmed. */
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
}

const coinsOf = (ids: Ids) =>
  Object.fromEntries(Object.entries(ids).map(([key, name]) => [key, { name }]));

export class Purse extends Side {
  readonly #coins = new Collection(new Values(Coin));
  readonly #map = this.stage.w.read('coins', this.#coins);
  readonly #assign = this.stage.w.mutation('assign', this.#coins.assign);
  #assigned = new Assigned();
  // the server's
  #ids: Ids = { k: 'first' };

  override get shown(): Shown[] {
    const source = this.stage.w.controller.signal(this.#map, {});
    const wanted = () => this.#assigned.value && coinsOf(this.#assigned.value);
    return [{ name: 'coins', source, wanted }];
  }

  override reset(): void {
    super.reset();
    this.#assigned = new Assigned();
  }

  read(): string[] {
    const ids = this.#ids;
    const take = (at: number) => this.#assigned.read(ids, at);
    return this.ask(this.#map, { value: coinsOf(ids), take });
  }

  assign(ids: Ids, refused: boolean): void {
    this.tell(this.#assign, [coinsOf(ids)], () => {
      if (!refused) this.#ids = { ...this.#ids, ...ids };
      const value = refused ? undefined : coinsOf(ids);
      return { value, take: (at) => this.#assigned.assign(ids, at, this.confirmed) };
    });
  }
}
