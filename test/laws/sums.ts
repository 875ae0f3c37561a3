/** A count that grows by functions of the present value (O11). */
import type { Shown } from './audience.ts';
import { Side } from './side.ts';

/** O11: a function changes what is there when its response arrives; a read issued before that may not replace it. */
class Present<T> {
  #value: T | undefined;
  /** When the latest read was issued that counts. */
  latest = 0;
  /** When the latest function was applied, or had nothing to be applied to. */
  changed = 0;

  get value(): T | undefined {
    return this.#value;
  }

  read(value: T, time: number): void {
    if (time < this.latest) return;
    this.latest = time;
    if (this.#value === undefined || time > this.changed) this.#value = value;
  }

  change(change: (value: T) => T, time: number): void {
    this.changed = time;
    if (this.#value !== undefined) this.#value = change(this.#value);
  }
}

const more = ({ open }: { open: number }) => ({ open: open + 1 });

export class Sums extends Side {
  readonly #get = this.stage.w.read('count', { open: 0 });
  readonly #more = this.stage.w.mutation('more', undefined, {
    update: () => ({ [this.#get.key({})]: more }),
  });
  #count = new Present<{ open: number }>();
  // the server's
  #open = 0;

  override get shown(): Shown[] {
    const source = this.stage.w.controller.signal(this.#get, {});
    return [{ name: 'count', source, wanted: () => this.#count.value }];
  }

  override reset(): void {
    super.reset();
    this.#count = new Present();
  }

  read(): string[] {
    const value = { open: this.#open };
    const { controller, clock } = this.stage.w;
    return this.ask(this.#get, {
      value,
      take: (at) => this.#count.read(value, at),
      // whether the server had counted it, nobody knows
      stale: (at) =>
        at < this.#count.changed &&
        at === this.#count.latest &&
        controller.getResponse(this.#get, {}).expiresAt > clock.now(),
    });
  }

  more(refused: boolean): void {
    this.tell(this.#more, [{}], () => {
      if (!refused) this.#open++;
      const value = refused ? undefined : {};
      return { value, take: () => this.#count.change(more, this.confirmed) };
    });
  }
}
