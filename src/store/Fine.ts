/** What only some records have: plain listeners, the cells of live readings, and who reads. */
import { held } from '../reactive.ts';
import type { Audience, Cell, Held, Listener } from '../reactive.ts';

export class Fine implements Audience {
  listeners: Set<Listener> | undefined = undefined;
  queued = false;
  /** The live object of an entity, and one cell per field that was read through it. */
  live: WeakRef<object> | undefined = undefined;
  fields: Map<string, Held<Cell<unknown>>> | undefined = undefined;
  /** The signal of a request's result; the record's own cell has its data. */
  result: Held<Cell<unknown>> = undefined;
  /** Woken when the members of a list, or the existence of an entity, change. */
  shape: Held<Cell<unknown>> = undefined;
  /** What adapters and programs hold of a request or a derived value. */
  reader: WeakRef<object> | undefined = undefined;

  tickField(name: string): void {
    const slot = this.fields?.get(name);
    if (slot === undefined) return;
    const cell = held(slot);
    if (cell === undefined) this.fields?.delete(name);
    else cell.tick();
  }

  tickFields(): void {
    if (this.fields !== undefined) for (const name of this.fields.keys()) this.tickField(name);
  }

  /** True while somebody listens or holds one of the cells. */
  get held(): boolean {
    if (this.listeners?.size || this.live?.deref() || held(this.result) || held(this.shape))
      return true;
    for (const slot of this.fields?.values() ?? []) if (held(slot) !== undefined) return true;
    return false;
  }

  /** Lets go of the places of cells that are gone. */
  prune(): void {
    for (const [name, slot] of this.fields ?? []) {
      if (held(slot) === undefined) this.fields?.delete(name);
    }
  }
}
