/** The observers that only some records have: plain listeners, the cells of live reads, and the reader object. */
import { reportException } from '../../errors.ts';
import { deref, scheduleListeners } from '../../signals.ts';
import type { EntityContent } from '../entities/EntityContent.ts';
import type { ListenerHost, Cell, CellSlot, Listener } from '../../signals.ts';

/** The cell of one field, linked to the cell of the next field. */
export interface FieldCell extends Pick<Cell<unknown>, 'tick' | 'watchers'> {
  readonly name: string;
  readonly next: FieldCell | undefined;
}

/** The cell of a field, if it was read. */
export function findFieldCell<S extends FieldCell>(
  first: S | undefined,
  name: string | symbol,
): S | undefined {
  let cell = first;
  while (cell !== undefined && cell.name !== name) cell = cell.next as S | undefined;
  return cell;
}

export class RecordObservers implements ListenerHost {
  listeners: Set<Listener> | undefined;
  queued = false;
  /** The live object of an entity, with the cells of the fields that were read through it. */
  liveObject: CellSlot<{ readonly first: FieldCell | undefined; last: EntityContent | undefined }>;
  /** The signal of the result of a request; `StoreRecord.cell` is the signal of its data. */
  result: CellSlot<Cell<unknown>>;
  /** Ticked when the members of a list, or the existence of an entity, change. */
  shape: CellSlot<Cell<unknown>>;
  /** The object that adapters and programs hold to read a request or a derived value. */
  readerRef: WeakRef<object> | undefined;

  /** Of an entity: the cell of the field that was read first. */
  get firstField(): FieldCell | undefined {
    return deref(this.liveObject)?.first;
  }

  /** Of a deleted entity: the content that its live object still shows, if the live object is held. */
  get lastContent(): EntityContent | undefined {
    return deref(this.liveObject)?.last;
  }

  set lastContent(last: EntityContent | undefined) {
    const object = deref(this.liveObject);
    if (object !== undefined) object.last = last;
  }

  /** Sets the content that the live object of a missing entity shows, and notifies its readers. */
  showLastContent(last: EntityContent | undefined): void {
    if (this.lastContent === last) return;
    this.lastContent = last;
    this.tickAllFields();
  }

  /** Notifies the readers of the result of a request, and the listeners. */
  notifyResult(): void {
    if (this.result !== undefined) deref(this.result)?.tick();
    scheduleListeners(this);
  }

  /**
   * Runs `listener` once after each commit that changed the record, or the first commit of this kind since the value
   * was read. An exception of `listener` is reported. Returns the function that unsubscribes.
   */
  listen(listener: Listener): () => void {
    const listeners = (this.listeners ??= new Set());
    // a new function per call: a listener added twice runs twice, and each of the two is removed separately
    const own = () => {
      try {
        listener();
      } catch (error) {
        reportException(error);
      }
    };
    listeners.add(own);
    return () => void listeners.delete(own);
  }

  tickField(name: string): void {
    findFieldCell(this.firstField, name)?.tick();
  }

  tickAllFields(): void {
    for (let cell = this.firstField; cell !== undefined; cell = cell.next) cell.tick();
  }

  /** True while listeners exist or a cell is held. */
  get isHeld(): boolean {
    const { listeners, liveObject, result, shape } = this;
    return Boolean(listeners?.size || deref(liveObject) || deref(result) || deref(shape));
  }
}
