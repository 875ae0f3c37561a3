/** The value of a key to which functions of the present value are applied (O11). */
import type { Asked } from '../setup/world.ts';
import { FeatureModel } from './FeatureModel.ts';

/**
 * O11: a function changes the present value when its response arrives; a read issued earlier may not replace the
 * result.
 */
export class Present<T> {
  #value: T | undefined;
  /** When the latest read was issued that counts. */
  latest = 0;
  /** When the latest function was applied, or had nothing to be applied to. */
  changed = 0;
  /** When the last response arrived that counted. */
  #responded = 0;

  get value(): T | undefined {
    return this.#value;
  }

  read(value: T, time: number, now: number): void {
    if (time < this.latest) return;
    this.latest = time;
    this.#responded = now;
    if (this.#value === undefined || time > this.changed) this.#value = value;
  }

  /** True if the last response may or may not contain the change, which was sent at `issued`. */
  change(
    change: (value: T) => T,
    time: number,
    issued: number,
    holds: (value: T) => boolean = () => false,
  ): boolean {
    this.changed = time;
    const crossed = this.#responded > issued;
    const has = crossed && this.#value !== undefined && holds(this.#value);
    if (this.#value !== undefined && !has) this.#value = change(this.#value);
    return crossed;
  }
}

/** A model with a single key of this kind. */
export abstract class PresentModel<T> extends FeatureModel {
  protected abstract readonly get: Asked<unknown>;
  protected present: Present<T> = new Present();

  override reset(): void {
    super.reset();
    this.present = new Present();
  }

  protected readPresent(value: T, response: unknown = value): string[] {
    const { present } = this;
    return this.ask(this.get, {
      value: response,
      take: (at) => present.read(value, at, this.simulation.model.tick()),
      // unknown whether the server had counted the call
      stale: (at) => at < present.changed && at === present.latest && this.#isFresh(),
    });
  }

  /** The outcomes of a mutation with the function `change`; `holds`: true of a value with the change. */
  protected ends(value: unknown, change: (value: T) => T, holds?: (value: T) => boolean) {
    let crossed = false;
    const take = (issued: number) => {
      crossed = this.present.change(change, this.confirmed, issued, holds);
    };
    return { value, take, stale: () => crossed && this.#isFresh() };
  }

  #isFresh(): boolean {
    const { controller, clock } = this.simulation.w;
    return controller.getResponse(this.get, {}).expiresAt > clock.now();
  }
}
