/** Lists that are found by their arguments and can grow. */
import { expectArray, normalizeMembers } from './containers.ts';
import { kindOf } from './kindOf.ts';
import type {
  Args,
  Denormalized,
  Entry,
  Fields,
  Kind,
  ListKind,
  Node,
  Ref,
  Schema,
  Source,
  Walk,
} from './schema.ts';

export interface CollectionOptions {
  /** The part of the arguments that is the list's identity. Default: the first argument. */
  // any: a function of the user's own parameter types must fit
  readonly argsKey?: (...args: any[]) => Fields;
  /** True for arguments that only order or page: they do not decide what enters. Default: sort and order names. */
  readonly nonFilterArgumentKeys?: ((name: string) => boolean) | readonly string[] | RegExp;
}

const EMPTY: readonly never[] = Object.freeze([]);
const ORDERING = /^(?:order|sort)/i;

/**
 * `new Collection([Todo])`: a list entity with the arguments of its request as identity, so that a creation
 * (`collection.push`, `collection.unshift`) enters the stored lists whose filter arguments match it.
 */
export class Collection<S extends readonly Schema[]> implements ListKind<Denormalized<S>> {
  declare readonly denormalized?: Denormalized<S>;
  readonly stores = 'list';
  readonly schema: S;
  readonly #options: CollectionOptions;
  #member: Kind | undefined;

  constructor(schema: S, options: CollectionOptions = {}) {
    this.schema = schema;
    this.#options = options;
  }

  /** Collections of one entity share their lists, whoever declared them. */
  get table(): object {
    return this.member;
  }

  get member(): Kind {
    return (this.#member ??= kindOf(this.schema[0], 'Collection', '[0]'));
  }

  get title(): string {
    return `Collection([${this.member.title}])`;
  }

  inner(): readonly Kind[] {
    return [this.member];
  }

  /** A created member (or several) that enters the matching lists at their end. */
  get push(): Entering<S> {
    return new Entering(this, 'end');
  }

  /** A created member (or several) that enters the matching lists at their front. */
  get unshift(): Entering<S> {
    return new Entering(this, 'start');
  }

  normalize(input: unknown, _parent: unknown, key: string, walk: Walk): Node {
    if (input === null || input === undefined) return input;
    const members = expectArray(input, walk, this.member.title);
    const ref = walk.sink.ref(this, this.pkOf(walk.args));
    walk.sink.fill(ref, normalizeMembers(this.member, members, key, walk));
    return ref;
  }

  denormalize(node: Node, source: Source): unknown {
    return node === null || node === undefined ? node : source.value(node as Ref);
  }

  infer(args: Args, source: Source): Node {
    return source.ref(this, this.pkOf(args));
  }

  recall(key: unknown, source: Source): Node | undefined {
    return typeof key === 'string' ? source.ref(this, key) : undefined;
  }

  empty(): unknown {
    return EMPTY;
  }

  /** Identity of the list that these arguments describe: its members sorted, numbers and strings alike. */
  pkOf(args: Args): string {
    const { argsKey } = this.#options;
    const given = argsKey === undefined ? args[0] : argsKey(...args);
    if (given === null || given === undefined) return '{}';
    if (typeof given !== 'object') return JSON.stringify({ '': String(given) });
    const fields = given as Fields;
    const parts: [string, string][] = [];
    for (const name of Object.keys(fields).sort()) {
      const value = fields[name];
      if (value !== undefined) parts.push([name, asText(value)]);
    }
    return JSON.stringify(Object.fromEntries(parts));
  }

  filters(pk: string): Readonly<Record<string, string>> {
    const all = JSON.parse(pk) as Record<string, string>;
    return Object.fromEntries(Object.entries(all).filter(([name]) => !this.#onlyOrders(name)));
  }

  #onlyOrders(name: string): boolean {
    const { nonFilterArgumentKeys: keys = ORDERING } = this.#options;
    if (typeof keys === 'function') return keys(name);
    return keys instanceof RegExp ? keys.test(name) : keys.includes(name);
  }
}

/** The schema of a creation: its answer is a member, or an array of members, of `collection`. */
export class Entering<S extends readonly Schema[]> implements Kind<Denormalized<S[0]>> {
  declare readonly denormalized?: Denormalized<S[0]>;
  readonly collection: Collection<S>;
  readonly side: Entry['side'];

  get title(): string {
    return `${this.collection.title}, ${this.side}`;
  }

  constructor(collection: Collection<S>, side: Entry['side']) {
    this.collection = collection;
    this.side = side;
  }

  normalize(input: unknown, _parent: unknown, key: string, walk: Walk): Node {
    if (input === null || input === undefined) return input;
    const { member } = this.collection;
    const inputs: readonly unknown[] = Array.isArray(input) ? input : [input];
    const present = inputs.filter((one) => one !== null && one !== undefined);
    const members = normalizeMembers(member, present, key, walk);
    const values = present.map((fields) => lookUp(fields, walk.args));
    walk.sink.enter(this.collection, { members, side: this.side, values });
    return Array.isArray(input) ? members : members[0];
  }

  denormalize(node: Node, source: Source): unknown {
    const { member } = this.collection;
    if (!Array.isArray(node)) return member.denormalize(node, source);
    return (node as Node[]).map((one) => member.denormalize(one, source));
  }

  empty(): unknown {
    return undefined;
  }
}

/** What a creation says of a filter argument: the answer first, then the body, then the parameters. */
function lookUp(answer: unknown, args: Args): (name: string) => unknown {
  const places = [answer, ...[...args].reverse()];
  return (name) => {
    for (const place of places) {
      if (place === null || typeof place !== 'object' || !Object.hasOwn(place, name)) continue;
      const value = (place as Fields)[name];
      if (value !== undefined) return asText(value);
    }
    return undefined;
  };
}

function asText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
