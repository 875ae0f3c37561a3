/** The cell of a related member of a live object: its rows are live. */
import { attachSnapshot } from '../../schema/attachSnapshot.ts';
import { INVALID } from '../../schema/schema.ts';
import type { Fields } from '../../schema/schema.ts';
import { Cell, untrackedAll } from '../../signals.ts';
import type { ReadonlySignal } from '../../signals.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import type { FieldCell } from '../../store/records/RecordObservers.ts';
import type { StoreRecord } from '../../store/records/StoreRecord.ts';
import type { MemberSource } from './EntityMembers.ts';
import { StoreRelations } from './StoreRelations.ts';

/** The live object with the cell. */
export interface LiveHost {
  readonly record: EntityRecord;
  readonly liveSource: {
    live(entity: StoreRecord): object;
    cell(record: StoreRecord): ReadonlySignal<unknown>;
    peek(record: StoreRecord): unknown;
  };
  setWatched(strong: boolean): void;
  add<C extends FieldCell & ReadonlySignal>(cell: C): C;
}

export class RelatedCell extends Cell<unknown> implements FieldCell {
  override readonly name: string;
  next: (FieldCell & ReadonlySignal) | undefined = undefined;
  readonly #live: LiveHost;
  readonly #relation: MemberSource;
  /** INVALID: not read since the last change. */
  #value: unknown = INVALID;

  constructor(live: LiveHost, name: string, relation: MemberSource) {
    super();
    this.#live = live;
    this.name = name;
    this.#relation = relation;
  }

  protected setStrong(strong: boolean): void {
    this.#live.setWatched(strong);
  }

  protected current(): unknown {
    // `tick` ends the validity of the value: its readers need no further dependency
    if (this.#value === INVALID) this.#value = untrackedAll(() => this.#read());
    return this.#value;
  }

  #read(): unknown {
    const { liveSource, record } = this.#live;
    // builds the value of the entity: its members exist from then on
    liveSource.peek(record);
    const members = StoreRelations.findMembers(record);
    if (members === undefined) return this.#relation.emptyValue;
    const value = members.readLive(this.name, this.#relation, (member) => liveSource.live(member));
    return attachSnapshot(
      value,
      () => (liveSource.cell(record).value as Fields | undefined)?.[this.name],
    );
  }

  override tick(): void {
    this.#value = INVALID;
    super.tick();
  }
}
