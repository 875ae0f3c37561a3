/** What only some records have: plain listeners, the cells of live readings, and who reads. */
import { held } from '../reactive.ts';
import type { Audience, Cell, Held, Listener } from '../reactive.ts';

/** The cell of one field, and that of another. */
export interface Strand extends Pick<Cell<unknown>, 'tick' | 'watchers'> {
  readonly name: string;
  readonly next: Strand | undefined;
}

/** The cell of a field, if it was read. */
export function strandOf<S extends Strand>(
  first: S | undefined,
  name: string | symbol,
): S | undefined {
  let cell = first;
  while (cell !== undefined && cell.name !== name) cell = cell.next as S | undefined;
  return cell;
}

export class Fine implements Audience {
  listeners: Set<Listener> | undefined = undefined;
  queued = false;
  /** The live object of an entity, with the cells of the fields that were read through it. */
  live: Held<{ readonly first: Strand | undefined }> = undefined;
  /** The signal of a request's result; the record's own cell has its data. */
  result: Held<Cell<unknown>> = undefined;
  /** Woken when the members of a list, or the existence of an entity, change. */
  shape: Held<Cell<unknown>> = undefined;
  /** What adapters and programs hold of a request or a derived value. */
  reader: WeakRef<object> | undefined = undefined;

  /** Of an entity: the cell of the field that was read first. */
  get first(): Strand | undefined {
    return held(this.live)?.first;
  }

  tickField(name: string): void {
    strandOf(this.first, name)?.tick();
  }

  tickFields(): void {
    for (let cell = this.first; cell !== undefined; cell = cell.next) cell.tick();
  }

  /** True while somebody listens or holds one of the cells. */
  get held(): boolean {
    const { listeners, live, result, shape } = this;
    return Boolean(listeners?.size || held(live) || held(result) || held(shape));
  }
}
