/** The relations of an entity class (`static relations`): getters of the instances, computed on access. */
import type { EntityRelations } from '../../schema/EntityDescriptor.ts';
import type { EntityStatics } from '../../schema/EntityStatics.ts';
import { attachSnapshot } from '../../schema/attachSnapshot.ts';
import { badDataError } from '../../schema/badDataError.ts';
import { LIVE, INVALID } from '../../schema/schema.ts';
import type { Fields, Ref, Source } from '../../schema/schema.ts';
import { Cell, untrackedAll } from '../../signals.ts';
import type { ReadonlySignal } from '../../signals.ts';
import { Store } from '../../store/Store.ts';
import type { EntityRecord } from '../../store/entities/EntityRecord.ts';
import type { FieldCell } from '../../store/records/RecordObservers.ts';
import type { StoreRecord } from '../../store/records/StoreRecord.ts';
import { StoreRelations } from './StoreRelations.ts';
import type { EntityMembers, MemberSource } from './StoreRelations.ts';
import type { RelatedRequest } from './requestsIn.ts';

/** The members of the entity that a value shows to readers. */
const membersOfValue = new WeakMap<object, EntityMembers>();
/** The value of which a row with further members is a copy. */
const originals = new WeakMap<object, object>();

export class ClassRelations implements EntityRelations {
  readonly #relations: ReadonlyMap<string, MemberSource>;

  /**
   * Defines the getters. Throws S24 if the class has a field or a nested member of the name of a relation, S26 if a
   * relation has options that only a query follows.
   */
  constructor(Class: EntityStatics) {
    this.#relations = new Map(Object.entries(collectRelations(Class)));
    for (const [name, relation] of this.#relations) {
      if (Object.hasOwn(Class.defaults, name) || Object.hasOwn(Class.schema, name))
        throw badDataError('S24', { entity: Class.key, member: name });
      if (relation.readsArgs || relation.isRequired)
        throw badDataError('S26', { entity: Class.key, member: name });
      defineGetter(Class.prototype, name, relation);
    }
  }

  has(name: string): boolean {
    return this.#relations.has(name);
  }

  attach(ref: Ref, source: Source): void {
    const record = ref as EntityRecord;
    const value = record.cachedValue;
    if (typeof value !== 'object' || value === null) return;
    // an optimistic update, and a reader of a deleted row, read copies: their related rows are those of readers
    const members =
      source instanceof Store
        ? StoreRelations.of(source).membersOf(record)
        : StoreRelations.findMembers(source.ref(record.kind, record.pk) as EntityRecord);
    if (members !== undefined) membersOfValue.set(value, members);
  }

  requestsOf(name: string, rows: readonly Fields[]): readonly RelatedRequest[] | undefined {
    return this.#relations.get(name)?.createRequests?.(rows);
  }

  attachCopy(copy: object, value: object): void {
    originals.set(copy, value);
  }
}

/** The relations of a class and of all extended classes. */
export function collectRelations(Class: EntityStatics): Readonly<Record<string, MemberSource>> {
  let all = {};
  for (let at: object | null = Class; at !== null; at = Object.getPrototypeOf(at) as object | null)
    if (Object.hasOwn(at, 'relations')) all = { ...(at as EntityStatics).relations, ...all };
  return all;
}

function defineGetter(prototype: object, name: string, relation: MemberSource): void {
  // a class may replace an inherited relation by a getter
  if (Object.hasOwn(prototype, name)) return;
  Object.defineProperty(prototype, name, {
    configurable: true,
    get(this: object & { readonly [LIVE]?: LiveHost }) {
      const live = this[LIVE];
      if (live !== undefined) return live.add(new RelatedCell(live, name, relation)).value;
      const value = originals.get(this) ?? this;
      return membersOfValue.get(value)?.read(name, relation, value) ?? relation.emptyValue;
    },
  });
}

/** The live object with the cell. */
interface LiveHost {
  readonly record: EntityRecord;
  readonly liveSource: {
    live(entity: StoreRecord): object;
    cell(record: StoreRecord): ReadonlySignal<unknown>;
    peek(record: StoreRecord): unknown;
  };
  setWatched(strong: boolean): void;
  add<C extends FieldCell & ReadonlySignal>(cell: C): C;
}

/** The cell of a related member of a live object: the rows are live. */
class RelatedCell extends Cell<unknown> implements FieldCell {
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
    // `tick` ends the validity of the value: readers need no further dependency
    if (this.#value === INVALID) this.#value = untrackedAll(() => this.#read());
    return this.#value;
  }

  #read(): unknown {
    const { liveSource, record } = this.#live;
    // builds the value of the entity: the members exist from then on
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
