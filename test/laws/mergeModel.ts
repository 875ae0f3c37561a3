/** Records with a merge function in their class, also while a write is pending. */
import { Entity } from 'signalbox';
import type { Shown } from './storeReaders.ts';
import { FeatureModel } from './FeatureModel.ts';

/** `best` only grows, in any order of responses, and with any mutation pending. */
class Score extends Entity {
  id = 0;
  best = 0;
  static override merge(
    existing: { best?: number },
    incoming: { best?: number },
  ): Record<string, unknown> {
    const best = Math.max(existing.best ?? 0, incoming.best ?? 0);
    return { ...existing, ...incoming, best };
  }
}

const ID = 1;

export class MergeModel extends FeatureModel {
  readonly #get = this.simulation.w.read('score', Score);
  readonly #raise = this.simulation.w.mutation('raise', Score, {
    getOptimisticResponse: (_: unknown, __: unknown, body: { best: number }) => body,
  });
  /** The best confirmed value; undefined: none. */
  #confirmed: number | undefined;
  /** The time at which the last confirmed raise was issued: raises issued before are outdated (O3). */
  #standing = 0;
  /** The time of the confirmation: a read issued before that time does not replace the value (O4). */
  #written = 0;
  #pending: readonly { readonly best: number; at: number }[] = [];
  // the server's
  #best = 1;

  override get shown(): Shown[] {
    const source = this.simulation.w.controller.entity(Score, ID);
    return [{ name: 'score', source, wanted: () => this.#row }];
  }

  /** O14: a raise of a missing row shows nothing. */
  get #row(): { readonly id: number; readonly best: number } | undefined {
    if (this.#confirmed === undefined) return undefined;
    const above = this.#pending.filter(({ at }) => at > this.#standing);
    return { id: ID, best: Math.max(this.#confirmed, ...above.map(({ best }) => best)) };
  }

  override reset(): void {
    super.reset();
    this.#confirmed = undefined;
    this.#standing = 0;
    this.#written = 0;
    this.#pending = [];
  }

  #confirm(best: number): void {
    this.#confirmed = Math.max(this.#confirmed ?? 0, best);
  }

  read(): string[] {
    const value = { id: ID, best: this.#best };
    const take = (at: number) => void (at > this.#written && this.#confirm(value.best));
    return this.ask(this.#get, { value, take });
  }

  raise(best: number, refused: boolean): void {
    const raised = { best, at: Infinity };
    this.#pending = [...this.#pending, raised];
    const miss = () => void (this.#pending = this.#pending.filter((other) => other !== raised));
    raised.at = this.tell(this.#raise, [{ id: ID }, { id: ID, best }], () => {
      if (!refused) this.#best = Math.max(this.#best, best);
      const value = refused ? undefined : { id: ID, best: this.#best };
      const take = (at: number) => {
        miss();
        if (at > this.#standing) [this.#standing, this.#written] = [at, this.confirmed];
        this.#confirm(value?.best ?? 0);
      };
      return { value, take, miss };
    });
  }
}
