/** A count that grows by functions of the present value (O11). */
import type { Shown } from './storeReaders.ts';
import { PresentSide } from './present.ts';

type Open = Readonly<Record<'open', number>>;

const more = ({ open }: Open) => ({ open: open + 1 });

export class Sums extends PresentSide<Open> {
  protected override readonly get = this.stage.w.read('count', { open: 0 });
  readonly #more = this.stage.w.mutation('more', undefined, {
    update: () => ({ [this.get.key({})]: more }),
  });
  // the server's
  #open = 0;

  override get shown(): Shown[] {
    const source = this.stage.w.controller.signal(this.get, {});
    return [{ name: 'count', source, wanted: () => this.present.value }];
  }

  read(): string[] {
    return this.readPresent({ open: this.#open });
  }

  more(refused: boolean): void {
    this.tell(this.#more, [{}], () => {
      if (!refused) this.#open++;
      const ends = this.ends(refused ? undefined : {}, more);
      const take = (issued: number) => (this.stage.model.opaque(), ends.take(issued));
      return { ...ends, take };
    });
  }
}
