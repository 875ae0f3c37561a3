/** A count that grows by functions of the present value (O11). */
import type { Shown } from './storeReaders.ts';
import { PresentModel } from './present.ts';

type Open = Readonly<Record<'open', number>>;

const more = ({ open }: Open) => ({ open: open + 1 });

export class Sums extends PresentModel<Open> {
  protected override readonly get = this.simulation.w.read('count', { open: 0 });
  readonly #more = this.simulation.w.mutation('more', undefined, {
    update: () => ({ [this.get.key({})]: more }),
  });
  // the server's
  #open = 0;

  override get shown(): Shown[] {
    const source = this.simulation.w.controller.signal(this.get, {});
    return [{ name: 'count', source, wanted: () => this.present.value }];
  }

  read(): string[] {
    return this.readPresent({ open: this.#open });
  }

  more(refused: boolean): void {
    this.tell(this.#more, [{}], () => {
      if (!refused) this.#open++;
      const ends = this.ends(refused ? undefined : {}, more);
      const take = (issued: number) => (this.simulation.model.opaque(), ends.take(issued));
      return { ...ends, take };
    });
  }
}
