/** What one answer says of entities: each once, merged as its class says. */
import type { Meta } from '../schema/EntityStatics.ts';
import { assign, equal } from '../schema/equal.ts';
import { fieldOf, namesIn } from '../schema/namesIn.ts';
import type { Fields, Node } from '../schema/schema.ts';
import type { EntityRecord, Laying } from './EntityRecord.ts';
import { confirmed } from './Layered.ts';
import { isOutrun } from './order.ts';
import type { Stamp } from './order.ts';
import { MARKED } from './Record.ts';

const NO_NAMES: readonly string[] = [];

/** What is laid for one entity; `names` and `instance` are filled in when everything is laid. */
export interface Put extends Laying {
  readonly record: EntityRecord;
}

type Merged = Pick<Put, 'fields' | 'nodes' | 'stamp'>;

export class Puts {
  readonly #stamp: Stamp;
  readonly #puts: Put[] = [];
  /** From the first entity that comes twice on: its first put. */
  #putOf: Map<EntityRecord, Put> | undefined;

  constructor(stamp: Stamp) {
    this.#stamp = stamp;
  }

  [Symbol.iterator](): Iterator<Put> {
    return this.#puts[Symbol.iterator]();
  }

  /** Lays what is said of an entity; what a class of the user's makes of it is asked here, where a throw costs nothing. */
  add(record: EntityRecord, fields: Fields, nodes: readonly Node[]): void {
    if (!record.kind.plan.merges) return this.#lay(record, fields, nodes, undefined);
    const own = this.#merged(record, fields, nodes);
    this.#lay(record, own.fields, own.nodes, own.stamp);
  }

  #lay(
    record: EntityRecord,
    fields: Fields,
    nodes: readonly Node[],
    stamp: Stamp | undefined,
  ): void {
    if (record.flags & MARKED) return again(this.of(record) as Put, fields, nodes, stamp);
    record.flags |= MARKED;
    const put: Put = { record, fields, nodes, names: NO_NAMES, instance: undefined, stamp };
    this.#puts.push(put);
    this.#putOf?.set(record, put);
  }

  /** What is laid of it so far. */
  of(record: EntityRecord): Put | undefined {
    if (!(record.flags & MARKED)) return undefined;
    this.#putOf ??= new Map(this.#puts.map((put) => [put.record, put]));
    return this.#putOf.get(record);
  }

  /**
   * What a merge() of the user's makes of it. It sees nested members in normalized form; what it changes counts as
   * written. It runs here, where a throw costs nothing.
   */
  #merged(record: EntityRecord, fields: Fields, nodes: readonly Node[]): Merged {
    const { kind } = record;
    const laid = this.of(record);
    const base = confirmed(record);
    if (laid === undefined && !base.exists) return { fields, nodes, stamp: undefined };
    const stored = kind.normalized(base.instance ?? {}, base.nodes);
    const existing = laid ? { ...stored, ...kind.normalized(laid.fields, laid.nodes) } : stored;
    const incoming = kind.normalized(fields, nodes);
    const merged = this.#decided(record, existing, incoming);
    const { decides } = kind.plan;
    const written = Object.keys(merged).filter(
      (name) => merged[name] !== existing[name] || (!decides && Object.hasOwn(fields, name)),
    );
    const out: Fields = {};
    for (const name of written) assign(out, name, merged[name]);
    const stamp = this.#known(record, existing, incoming);
    return { fields: out, nodes: kind.plan.nested.map(({ name }) => merged[name]), stamp };
  }

  #known(record: EntityRecord, existing: Fields, incoming: Fields): Stamp | undefined {
    const { kind, stamp } = confirmed(record);
    if (!kind.plan.metas) return undefined;
    const [was, is] = [metaOf(stamp), metaOf(this.#stamp)];
    const meta = kind.Class.mergeMetaWithStore(was, is, existing, incoming);
    return { time: meta.fetchedAt, fetchedAt: meta.date, expiresAt: meta.expiresAt };
  }

  #decided(record: EntityRecord, existing: Fields, incoming: Fields): Fields {
    const { kind, stamp } = confirmed(record);
    if (!kind.plan.decides) return kind.Class.merge(existing, incoming);
    return kind.Class.mergeWithStore(metaOf(stamp), metaOf(this.#stamp), existing, incoming);
  }

  /** Runs what is not ours (getters, constructors). */
  finish(): void {
    for (const put of this.#puts) {
      const { record } = put;
      const base = confirmed(record);
      if (!base.exists) put.fields = this.#standing(put.fields, base);
      put.names = namesIn(put.fields);
      if (!base.exists) put.instance = record.kind.instance(put.fields, put.names);
    }
  }

  /** Without the own fields of which a later own write stands, from before the entity was deleted; its key stays. */
  #standing(fields: Fields, base: EntityRecord): Fields {
    const { own, time } = this.#stamp;
    if (own === undefined || base.ownIssued === undefined) return fields;
    const key = base.kind.plan.namedBy?.field;
    const stand = ([name]: [string, unknown]) =>
      name === key || !own.has(name) || !isOutrun(name, time, base);
    return Object.fromEntries(Object.entries(fields).filter(stand));
  }

  /** Entities are marked while they are laid; to be run when all are, or none is to be. */
  unmark(): void {
    for (const { record } of this.#puts) record.flags &= ~MARKED;
  }
}

/** The same entity twice in one answer: later fields over earlier ones, and one write. Most say nothing new. */
function again(put: Put, fields: Fields, nodes: readonly Node[], stamp: Stamp | undefined): void {
  if (stamp !== undefined) put.stamp = stamp;
  const before = put.fields;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value === undefined || equal(fieldOf(before, name), value)) continue;
    if (put.fields === before) put.fields = { ...before };
    assign(put.fields, name, value);
  }
  if (nodes.some((node, at) => node !== undefined && node !== put.nodes[at])) {
    put.nodes = put.nodes.map((node, at) => (nodes[at] === undefined ? node : nodes[at]));
  }
}

function metaOf({ time, fetchedAt, expiresAt }: Stamp): Meta {
  return { fetchedAt: time, date: fetchedAt, expiresAt };
}
