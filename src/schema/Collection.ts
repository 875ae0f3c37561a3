/** Lists that are found by their arguments and can grow. */
import { expectArray, normalizeMembers } from './containers.ts';
import { isPlain } from './equal.ts';
import { kindOf } from './kindOf.ts';
import { serialize } from './serialize.ts';
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
  /** The identity of a list inside of an entity: `(user) => ({userId: user.id})`. It meets the list of these arguments. */
  // any: as above
  readonly nestKey?: (parent: any, key: string) => Fields;
  /** True for arguments that only order or page: they do not decide what enters. Default: sort and order names. */
  readonly nonFilterArgumentKeys?: ((name: string) => boolean) | readonly string[] | RegExp;
  /** Which lists a creation with these arguments enters. Default: those whose filter arguments it meets. */
  // any: as above
  readonly createCollectionFilter?: (
    ...args: any[]
  ) => (collectionKey: Readonly<Record<string, string>>) => boolean;
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

  /** A member (or several) that leaves the lists which hold it; the entity stays. */
  get remove(): Entering<S> {
    return new Entering(this, 'out');
  }

  /** A changed member (or several) that leaves the lists which it no longer matches and enters those it now matches. */
  get move(): Entering<S> {
    return new Entering(this, 'move');
  }

  filterOf(args: Args): Entry['filter'] {
    return this.#options.createCollectionFilter?.(...args);
  }

  normalize(input: unknown, parent: unknown, key: string, walk: Walk): Node {
    if (input === null || input === undefined) return input;
    const members = expectArray(input, walk, this.member.title);
    const { nestKey } = this.#options;
    const nested = nestKey !== undefined && parent !== undefined;
    const pk = nested ? textOf(nestKey(parent, key)) : this.pkOf(walk.args);
    const ref = walk.sink.ref(this, pk);
    walk.sink.fill(ref, normalizeMembers(this.member, members, key, walk));
    return ref;
  }

  denormalize(node: Node, source: Source): unknown {
    return node === null || node === undefined ? node : source.value(node as Ref);
  }

  infer(args: Args, source: Source): Node {
    return source.ref(this, this.pkOf(args));
  }

  lists(node: Node): readonly Ref[] {
    return [node as Ref];
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
    return textOf(argsKey === undefined ? args[0] : argsKey(...args));
  }

  filters(pk: string): Readonly<Record<string, string>> {
    const all = JSON.parse(pk) as Record<string, string>;
    return Object.fromEntries(Object.entries(all).filter(([name]) => !this.#onlyOrders(name)));
  }

  #onlyOrders(name: string): boolean {
    const { nonFilterArgumentKeys: keys = ORDERING } = this.#options;
    if (typeof keys === 'function') return keys(name);
    // search, not test: it knows no last index
    return keys instanceof RegExp ? name.search(keys) >= 0 : keys.includes(name);
  }
}

/** The identity of a list as text: its members sorted, numbers and strings alike. */
function textOf(given: unknown): string {
  if (given === null || given === undefined) return '{}';
  if (typeof given !== 'object' || !isPlain(given)) return JSON.stringify({ '': asText(given) });
  const parts: [string, string][] = [];
  for (const name of Object.keys(given).sort()) {
    const value = given[name];
    if (value !== undefined) parts.push([name, asText(value)]);
  }
  return JSON.stringify(Object.fromEntries(parts));
}

/** The schema of a creation, a removal, or a move: its answer is a member, or an array of members, of `collection`. */
export class Entering<S extends readonly Schema[]> implements Kind<Denormalized<S[0]>> {
  declare readonly denormalized?: Denormalized<S[0]>;
  readonly collection: Collection<S>;
  readonly how: Entry['how'];

  constructor(collection: Collection<S>, how: Entry['how']) {
    this.collection = collection;
    this.how = how;
  }

  get title(): string {
    return `${this.collection.title}, ${this.how}`;
  }

  inner(): readonly Kind[] {
    return [this.collection];
  }

  normalize(input: unknown, _parent: unknown, key: string, walk: Walk): Node {
    if (input === null || input === undefined) return input;
    const { collection, how } = this;
    const inputs: readonly unknown[] = Array.isArray(input) ? input : [input];
    const present = inputs.filter((one) => one !== null && one !== undefined);
    const members = normalizeMembers(collection.member, present, key, walk);
    const values = present.map((fields) => lookUp(fields, walk.args));
    walk.sink.enter(collection, { members, how, values, filter: collection.filterOf(walk.args) });
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
function lookUp(answer: unknown, args: Args): (name: string) => string | undefined {
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

/** A value as the text that lists are told apart by; what is not text itself is marked as such. */
function asText(value: unknown): string {
  if (value !== null && (typeof value !== 'object' || value instanceof Date)) {
    return value instanceof Date ? value.toISOString() : String(value);
  }
  return `\u0000${serialize(value)}`;
}
