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
export function findFieldCell<C extends FieldCell>(
  first: C | undefined,
  name: string | symbol,
): C | undefined {
  let cell = first;
  while (cell !== undefined && cell.name !== name) cell = cell.next as C | undefined;
  return cell;
}

/** The readers of single fields of an entity. */
interface FieldReaders {
  /** The cell of the field that was read first. */
  readonly first: FieldCell | undefined;
  /** The content that the live object of a deleted entity still shows. */
  readonly last: EntityContent | undefined;
  notifyField(name: string): void;
  notifyAllFields(): void;
  /** The entity has another class, where fields that were read before may be members. */
  onClassChange(): void;
  /** Sets the content to show while the entity is missing. */
  keepContent(last: EntityContent | undefined): void;
  /** As `keepContent`; notifies the readers of another content. */
  showContent(last: EntityContent | undefined): void;
}

export class RecordObservers implements ListenerHost {
  listeners: Set<Listener> | undefined;
  queued = false;
  /** The live object of an entity, with the cells of the fields that were read through it. */
  liveObject: CellSlot<FieldReaders>;
  /** The signal of the result of a request; `StoreRecord.cell` is the signal of its data. */
  result: CellSlot<Cell<unknown>>;
  /** Ticked when the members of a list, or the existence of an entity, change. */
  shape: CellSlot<Cell<unknown>>;
  /** The object that adapters and programs hold to read a request or a derived value. */
  readerRef: WeakRef<object> | undefined;

  /** The readers of single fields, if there are any. */
  get fieldReaders(): FieldReaders | undefined {
    return deref(this.liveObject);
  }

  /** Of an entity: the cell of the field that was read first. */
  get firstField(): FieldCell | undefined {
    return this.fieldReaders?.first;
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

  /** True while listeners exist or a cell is held. */
  get isHeld(): boolean {
    const { listeners, fieldReaders, result, shape } = this;
    return Boolean(listeners?.size || fieldReaders || deref(result) || deref(shape));
  }
}
