/** What one answer says of entities: each once, merged as its class says. */
import type { EntityKind } from '../schema/EntityKind.ts';
import type { Meta } from '../schema/EntityStatics.ts';
import { assign, equal } from '../schema/equal.ts';
import { fieldOf } from '../schema/namesIn.ts';
import type { Fields, Node, Sink } from '../schema/schema.ts';
import { renormalizeMerged, toInputForm } from '../schema/toInputForm.ts';
import type { EntityRecord } from './EntityRecord.ts';
import { confirmed } from './Layered.ts';
import type { Put } from './Laying.ts';
import { more, NONE } from './more.ts';
import { isOutrun } from './order.ts';
import type { Stamp } from './order.ts';

type Merged = Pick<Laid, 'fields' | 'nodes' | 'stamp'>;
type Given = Pick<Laid, 'fields' | 'nodes' | 'kind'>;

export type Laid = Put<EntityRecord>;

export class Puts {
  readonly #stamp: Stamp;
  readonly #sink: Sink;
  /** In the order in which they came. */
  #puts: Laid[] = NONE;

  constructor(stamp: Stamp, sink: Sink) {
    this.#stamp = stamp;
    this.#sink = sink;
  }

  get all(): readonly Laid[] {
    return this.#puts;
  }

  /** Lays what is said of an entity; what a class of the user's makes of it is asked here, where a throw costs nothing. */
  add(record: EntityRecord, given: Fields, nodes: readonly Node[], as: EntityKind): void {
    const base = confirmed(record);
    const kind = widest(record.put?.kind ?? (base.exists ? base.kind : as), as);
    const fields = kind === as ? given : kind.fitting(given, as);
    const own = kind.plan.merges ? this.#merged(record, { fields, nodes, kind }) : undefined;
    const { put } = record;
    if (put === undefined) {
      record.put = putOf(record, own?.fields ?? fields, own?.nodes ?? nodes, kind);
      record.put.stamp = own?.stamp;
      this.#puts = more(this.#puts, record.put);
      return;
    }
    if (put.kind !== kind) put.fields = kind.fitting(put.fields, put.kind);
    put.kind = kind;
    again(put, own?.fields ?? fields, own?.nodes ?? nodes);
    put.stamp = own?.stamp ?? put.stamp;
  }

  /**
   * What a merge() of the user's makes of it. What it changes counts as written. It runs here, where a throw costs
   * nothing.
   */
  #merged(record: EntityRecord, { fields, nodes, kind }: Given): Merged {
    const laid = record.put;
    const base = confirmed(record);
    if (laid === undefined && !base.exists) return { fields, nodes, stamp: undefined };
    const { nested } = kind.plan;
    const before = nested.map((_, at) => {
      const node = laid?.nodes[at];
      return node === undefined ? base.nodes[at] : node;
    });
    const existing = toInputForm({ ...base.instance, ...laid?.fields }, nested, before);
    const incoming = toInputForm(fields, nested, nodes);
    const merged = this.#decided(record, existing, incoming);
    const { decides } = kind.plan;
    // of what a class leaves as it was, only that is received which reads the same as what came
    const left = base.known.left.filter((name) => equal(merged[name], incoming[name]));
    const written = Object.keys(merged).filter(
      (name) =>
        merged[name] !== existing[name] ||
        (Object.hasOwn(fields, name) && (!decides || left.includes(name))),
    );
    const out: Fields = {};
    for (const name of written) assign(out, name, merged[name]);
    const stamp = this.#known(record, existing, incoming);
    const from = [[incoming, nodes] as const, [existing, before] as const];
    return { fields: out, nodes: renormalizeMerged(merged, nested, from, this.#sink), stamp };
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
    for (const put of this.all) {
      const { record } = put;
      const base = confirmed(record);
      put.fields = base.exists
        ? received(put.fields, base, this.#stamp)
        : this.#standing(put.fields, base);
      put.form = put.kind.formOf(put.fields);
      if (!base.exists) put.instance = put.kind.instance(put.fields, put.form);
    }
  }

  /** Without the own fields of which a later own write stands, from before the entity was deleted; its key stays. */
  #standing(fields: Fields, base: EntityRecord): Fields {
    const { own, time } = this.#stamp;
    if (own === undefined || base.known.ownIssued === undefined) return fields;
    const key = base.kind.plan.namedBy?.field;
    const stand = ([name]: [string, unknown]) =>
      name === key || !own.has(name) || !isOutrun(name, time, base.known);
    return Object.fromEntries(Object.entries(fields).filter(stand));
  }

  /** To be run when all are laid, or none is to be. */
  end(): void {
    for (const { record } of this.all) record.put = undefined;
  }
}

/** Without the defaults that stand in a derived value for what was never received. */
export function received(fields: Fields, { known, instance }: EntityRecord, stamp: Stamp): Fields {
  const { left } = known;
  if (stamp.derived !== true || left.length === 0) return fields;
  const isDefault = (name: string) =>
    left.includes(name) && stamp.own?.has(name) !== true && equal(fields[name], instance?.[name]);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isDefault(name)));
}

/** What is said of an entity. All have one shape, so that what is done with them is quick. */
export function putOf(
  record: EntityRecord,
  fields: Fields,
  nodes: readonly Node[],
  kind: EntityKind,
): Laid {
  const form = undefined;
  return { record, kind, fields, nodes, form, instance: form, stamp: form, created: false };
}

/** Of two classes that share a table, the one that extends the other. */
function widest(one: EntityKind, other: EntityKind): EntityKind {
  return one === other || one.is(other) ? one : other;
}

/** The same entity twice in one answer: later fields over earlier ones, and one write. Most say nothing new. */
function again(put: Laid, fields: Fields, nodes: readonly Node[]): void {
  const before = put.fields;
  for (const name in fields) {
    const value = fields[name];
    if (value === before[name] && typeof value !== 'function') continue;
    if (value === undefined || !Object.hasOwn(fields, name)) continue;
    if (equal(fieldOf(before, name), value)) continue;
    if (put.fields === before) put.fields = { ...before };
    assign(put.fields, name, value);
  }
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at];
    if (node !== undefined && node !== put.nodes[at]) put.nodes = withNode(put.nodes, at, node);
  }
}

function withNode(nodes: readonly Node[], at: number, node: Node): Node[] {
  const changed = nodes.slice();
  changed[at] = node;
  return changed;
}

function metaOf({ time, fetchedAt, expiresAt }: Stamp): Meta {
  return { fetchedAt: time, date: fetchedAt, expiresAt };
}
