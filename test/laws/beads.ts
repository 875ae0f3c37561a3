/** A list to which functions of the present value append created rows (O11). */
import { Entity } from 'signalbox';
import type { Shown } from './storeReaders.ts';
import { PresentModel } from './present.ts';

class Bead extends Entity {
  id = 0;
}

const rowsOf = (ids: readonly number[]) => ids.map((id) => ({ id }));

export class Beads extends PresentModel<readonly number[]> {
  protected override readonly get = this.simulation.w.read('beads', [Bead]);
  readonly #add = this.simulation.w.mutation('addBead', Bead, {
    update: (made: string) => ({ [this.get.key({})]: (pks: string[]) => [...pks, made] }),
  });
  // the server's
  #ids: readonly number[] = [1];

  override get shown(): Shown[] {
    const source = this.simulation.w.controller.signal(this.get, {});
    return [
      { name: 'beads', source, wanted: () => this.present.value && rowsOf(this.present.value) },
    ];
  }

  read(): string[] {
    return this.readPresent(this.#ids, rowsOf(this.#ids));
  }

  add(refused: boolean): void {
    this.tell(this.#add, [{}], () => {
      const id = this.#ids.length + 1;
      if (refused) return this.ends(undefined, (ids) => ids);
      this.#ids = [...this.#ids, id];
      return this.ends(
        { id },
        (ids) => [...ids, id],
        (ids) => ids.includes(id),
      );
    });
  }
}
