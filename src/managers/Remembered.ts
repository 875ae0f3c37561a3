/** How the things of a store were filed last, and in which order they lie on the disk. */
import { EntityRecord } from '../store/EntityRecord.ts';
import { sameOrder } from '../store/joined.ts';
import type { EntityContent } from '../store/EntityContent.ts';
import type { Stamp } from '../store/order.ts';
import type { Record } from '../store/Record.ts';
import type { DiskHead } from './DiskHead.ts';
import type { At, FiledEntity } from './Filed.ts';
import { LATEST, PAGE } from './diskTime.ts';

/** An entity. */
interface Known {
  readonly content: EntityContent;
  readonly left: readonly string[];
  readonly at: At;
  readonly pk: string;
  /** The turn of the record, and that on the disk. */
  readonly turns: readonly [record: number, disk: number];
}

/** A list. */
export interface Shown {
  readonly members: readonly Record[];
  readonly at: At;
  readonly paged: boolean;
}

export class Remembered {
  #entities = new WeakMap<EntityRecord, Known>();
  #lists = new WeakMap<Record, Shown>();
  /** The last on the disk, when it was read. */
  #turn = 0;
  #order = 0;

  /** The last turn on the disk when it was read: entities of the disk come before those of the page. */
  get lastTurn(): number {
    return this.#turn;
  }

  /** What is filed from now on stands behind these. */
  follow({ order, turn }: Pick<DiskHead, 'order' | 'turn'>): void {
    this.#order = Math.max(this.#order, order);
    this.#turn = Math.max(this.#turn, turn);
  }

  /** This record is as it lies there. */
  know(record: EntityRecord, { at, turn }: FiledEntity): void {
    const { base, known } = record;
    if (base !== undefined) this.#set(record, { content: base, left: known.left, at }, turn);
  }

  #set(
    record: EntityRecord,
    { content, left, at }: Pick<Known, 'content' | 'left' | 'at'>,
    turn: number,
  ): void {
    const { pk } = record;
    this.#entities.set(record, { content, left, at, pk, turns: [record.turn, turn] });
  }

  /** The key under which the entity was filed last, where a mutation has changed it since. */
  formerOf(record: EntityRecord): string | undefined {
    const pk = this.#entities.get(record)?.pk;
    return pk === record.pk ? undefined : pk;
  }

  clear(): void {
    this.#entities = new WeakMap();
    this.#lists = new WeakMap();
  }

  at({ time, fetchedAt, expiresAt }: Stamp): At {
    return [this.orderOf(time), fetchedAt, expiresAt];
  }

  /** What was read from the disk has its order still; behind it stands what a server sent ahead, then the page's own. */
  orderOf(time: number): number {
    return time < PAGE ? Math.min(time * LATEST, this.#order) : this.#order + time;
  }

  /**
   * The entity is filed so from now on. Gives its turn; undefined where it was. `carried`: a request that is filed now
   * says for it that it came later.
   */
  entity(
    record: EntityRecord,
    content: EntityContent,
    at: At,
    carried: boolean,
  ): number | undefined {
    const last = this.#entities.get(record);
    const { positions } = record.kind.plan;
    const { left } = record.known;
    const same = last?.left === left && readsSame(last.content, content, positions);
    if (same && (sameOrder(last.at, at) || (carried && cameBefore(last.at, at)))) return undefined;
    const turn = last?.turns[0] === record.turn ? last.turns[1] : this.#turn + record.turn;
    this.#set(record, { content, left, at }, turn);
    return turn;
  }

  /** The list is filed so from now on. False where it was. */
  list(record: Record, shown: Shown): boolean {
    const last = this.#lists.get(record);
    if (last !== undefined && sameList(last, shown)) return false;
    this.#lists.set(record, shown);
    return true;
  }

  /** Nothing is filed of this. */
  forget(record: Record): void {
    this.#lists.delete(record);
    if (record instanceof EntityRecord) this.#entities.delete(record);
  }
}

/** By wall time: an answer may come after one that was asked later. */
function cameBefore([, one]: At, [, other]: At): boolean {
  return one < other;
}

function sameList(one: Shown, other: Shown): boolean {
  const same = one.paged === other.paged && sameOrder(one.at, other.at);
  return same && sameOrder(one.members, other.members);
}

/** What is nested stands in the nodes: as a field it is built anew when others change. */
function readsSame(
  one: EntityContent,
  other: EntityContent,
  nested: ReadonlyMap<string, number>,
): boolean {
  if (!sameOrder(one.nodes, other.nodes)) return false;
  const names = Object.keys(other.fields);
  if (names.length !== Object.keys(one.fields).length) return false;
  return names.every((name) => nested.has(name) || one.fields[name] === other.fields[name]);
}
