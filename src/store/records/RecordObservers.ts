/** The observers of a record: plain listeners, the signals of its value, result and members, and development tools. */
import { reportException } from '../../errors.ts';
import { projectForReader } from '../../schema/projectForReader.ts';
import { INVALID } from '../../schema/schema.ts';
import type { Ref } from '../../schema/schema.ts';
import { deref, scheduleListeners, Cell } from '../../signals.ts';
import type { ListenerHost, CellSlot, Listener } from '../../signals.ts';
import type { EntityContent } from '../entities/EntityContent.ts';
import { append, EMPTY } from './SmallSet.ts';
import type { Builder, StoreRecord } from './StoreRecord.ts';

/** The cell of a field, linked to the cell of the next field. */
export interface FieldCell extends Pick<Cell<unknown>, 'tick' | 'watchers'> {
  readonly name: string;
  readonly next: FieldCell | undefined;
}

/** The cell of a field, if the field was read. */
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
  /** The live object of an entity, with the cells of the fields that were read through this object. */
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

/**
 * Called for each record with notified readers. `news`: the changed fields; `true`: the record appeared, disappeared,
 * or has other members; absent: a part of the record changed.
 */
export type NotifyHook = (record: Ref, news?: readonly string[] | true) => void;

let currentHook: NotifyHook | undefined;

declare const process: { env: { NODE_ENV?: string } };

/** Calls the present hook, if any; undefined in production builds. */
export const onNotify: NotifyHook | undefined =
  process.env.NODE_ENV === 'production' ? undefined : (record, news) => currentHook?.(record, news);

/** Sets the hook; returns the hook before. */
export function setNotifyHook(next: NotifyHook | undefined): NotifyHook | undefined {
  const before = currentHook;
  currentHook = next;
  return before;
}

/** The value is undefined while the record is missing or incomplete. */
export class RecordCell extends Cell<unknown> {
  #record: StoreRecord;
  readonly #builder: Builder;
  protected retainedCache: object | undefined;
  /** The cell that `StoreRecord.cell` refers to, if another cell of the same record. */
  #primaryCell: RecordCell | undefined;
  /** Further cells of the record, which `StoreRecord.cell` does not refer to. */
  #secondaryCells: RecordCell[] = EMPTY;

  constructor(record: StoreRecord, builder: Builder) {
    super();
    this.#record = record;
    this.#builder = builder;
  }

  /** Moves to `record`, after the record of this cell turned out to be the same entity. */
  moveTo(record: StoreRecord): void {
    const first = deref(record.cell) as RecordCell | undefined;
    this.#record = record;
    this.#primaryCell = first;
    if (first === undefined) this.setStrong(this.watchers > 0);
    else first.#secondaryCells = append(first.#secondaryCells, this);
    const others = this.#secondaryCells;
    this.#secondaryCells = EMPTY;
    for (const other of others) other.moveTo(record);
    this.tick();
  }

  override tick(): void {
    super.tick();
    for (const other of this.#secondaryCells) other.tick();
  }

  protected setStrong(strong: boolean): void {
    if (this.#primaryCell === undefined) this.#record.cell = strong ? this : new WeakRef(this);
  }

  protected current(): unknown {
    const value = this.#builder.read(this.#record);
    this.retainedCache = this.#record.derivedCache?.();
    return value === INVALID ? undefined : projectForReader(value, this.#record);
  }
}

type SlotName = 'result' | 'shape';

export class AuxCell extends Cell<unknown> {
  /** Of a list: the last live rows and the index of the next edit. Collected with the cell when readers are gone. */
  lastLiveRows: { readonly rows: readonly object[]; readonly next: number } | undefined = undefined;
  readonly #recordObservers: RecordObservers;
  readonly #slotName: SlotName;
  readonly #read: () => unknown;

  constructor(observers: RecordObservers, slot: SlotName, read: () => unknown) {
    super();
    this.#recordObservers = observers;
    this.#slotName = slot;
    this.#read = read;
    this.setStrong(false);
  }

  protected setStrong(strong: boolean): void {
    this.#recordObservers[this.#slotName] = strong ? this : new WeakRef(this);
  }

  protected current(): unknown {
    return this.#read();
  }
}

/** The cell in a slot of the record. A new cell reads its value through `read`. */
export function getOrCreateCell(record: StoreRecord, slot: SlotName, read: () => unknown): AuxCell {
  const observers = (record.observers ??= new RecordObservers());
  return (deref(observers[slot]) as AuxCell | undefined) ?? new AuxCell(observers, slot, read);
}

/** Ticks when an entity appears or disappears, or when a list gains, loses or moves members. */
export function membershipSignal(record: StoreRecord): AuxCell {
  return getOrCreateCell(record, 'shape', nothing);
}

// the cell has no value; only its ticks count
const nothing = () => undefined;
