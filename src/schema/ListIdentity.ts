/** Determines the table of the lists of a Collection, and the identity of each list. */
import { DEV } from '../errors.ts';
import { schemaChecks } from './schemaChecks.ts';
import type { EntityKind } from './EntityKind.ts';
import { MEMBER_NAME } from './conditionsOf.ts';
import type { CollectionOptions } from './conditionsOf.ts';
import type { ListEndpoint } from './bindTo.ts';
import { KIND } from './schema.ts';
import type { KeyOwner } from './serialize.ts';
import type { Args, Fields, Kind, ListKind, StoredKind, NormalizeContext } from './schema.ts';
import { setOwn, isPlainObject } from './fieldOf.ts';
import { serialize } from './serialize.ts';

/** The entity that has the lists as a member, and the name of the member. */
interface ListParent {
  readonly entity: EntityKind;
  readonly name: string | undefined;
}

export class ListIdentity implements KeyOwner {
  readonly keyOption = 'argsKey';
  readonly options: CollectionOptions;
  readonly #list: ListKind;
  /** The endpoint that reads the lists. */
  listEndpoint: ListEndpoint | undefined;
  parent: ListParent | undefined;
  /** The name under which entities have the Collection as a member; empty if there are several. */
  memberName: string | undefined;
  /** The side at which schemas of the Collection insert created rows; undefined if none does. */
  creationSide: 'start' | 'end' | undefined;
  /** The place of the lists in the responses of their endpoint. */
  #responsePath = '';

  constructor(list: ListKind, options: CollectionOptions) {
    this.#list = list;
    this.options = options;
  }

  /** The name in messages. */
  get title(): string {
    return this.listEndpoint?.name ?? this.#list.title;
  }

  get member(): Kind {
    return this.#list.member;
  }

  /** Classes that share a table share their lists. */
  get #rootMember(): Kind & Partial<Pick<EntityKind, 'listedIn'>> {
    return (this.member as Partial<StoredKind>).rootKind ?? this.member;
  }

  /**
   * Lists of the same member at the same address share a table, whichever Collection reads them:
   *
   *   read at a path                the address, and the place in the responses
   *   nested, with `nestKey`        the entity's own list, if unique
   *   all others                    the Collection itself
   */
  get tableKey(): object {
    const { listEndpoint } = this;
    if (!listEndpoint) return (this.#matchingList?.tableKey ?? this.#list) as object;
    const { listAddress } = listEndpoint;
    if (listAddress === undefined) return this.#list;
    const place = this.#list.isMap ? `${this.#responsePath}{}` : this.#responsePath;
    return listTableKey(this.#rootMember, listAddress, place);
  }

  /** For lists without an endpoint: the matching list of an endpoint, if the entity has no other. */
  get #matchingList(): ListKind | undefined {
    if (this.#list.isMap || this.isIdentifiedByParent) return undefined;
    const candidates = ownListCandidates(this.#rootMember.listedIn ?? []);
    if (DEV && candidates.length > 1 && this.parent !== undefined)
      schemaChecks?.warnOfSeveralLists(this.parent.entity, this.parent.name, candidates);
    return candidates.length === 1 ? candidates[0] : undefined;
  }

  get isIdentifiedByParent(): boolean {
    return !!this.parent && !this.options.nestKey;
  }

  /** The path in the address, and the place in the responses; undefined if there is none. */
  get urlAndResponsePath(): string | undefined {
    const { listAddress, listPath } = this.listEndpoint ?? {};
    return typeof listAddress === 'string'
      ? `${listPath || listAddress} ${this.#responsePath}`
      : undefined;
  }

  /** Arguments that the path contains literally. Nested lists have the arguments of the matching list. */
  get fixedParams(): Readonly<Record<string, string>> | undefined {
    return (this.listEndpoint ?? (this.parent && this.#matchingList?.listOrigin))?.fixedParams;
  }

  /** True for lists that only responses with their parent contain. */
  get isNestedOnly(): boolean {
    return !!this.parent && this.tableKey === this.#list;
  }

  /** True for a param of the path. */
  isPathParam(name: string): boolean {
    return this.listEndpoint?.pathParams?.has(name) === true;
  }

  /** True if `endpoint` reads the lists of `listEndpoint`. */
  isBoundTo({ listAddress, fixedParams }: ListEndpoint, place: string): boolean {
    const bound = this.listEndpoint;
    return (
      bound?.listAddress === listAddress &&
      this.#responsePath === place &&
      collectionKey(bound?.fixedParams) === collectionKey(fixedParams)
    );
  }

  bindTo(endpoint: ListEndpoint, place: string): void {
    this.listEndpoint = endpoint;
    this.#responsePath = place;
    registerCollection(this.#list);
  }

  /** Reads the lists of `other`. */
  copyEndpointOf(other: ListIdentity): void {
    this.listEndpoint = other.listEndpoint;
    this.#responsePath = other.#responsePath;
  }

  /** True if the Collection itself, without a copy, can be the member of an entity. */
  get canBindInPlace(): boolean {
    return !(this.parent || (this.listEndpoint && !this.options.nestKey));
  }

  /** The identity, as text, of a list in a response. */
  pkInResponse(parent: unknown, key: string, walk: NormalizeContext): string {
    const { args, enclosingEntity, endpoint, mayHavePks } = walk;
    const { nestKey, argsKey } = this.options;
    // an envelope is not an entity, but the only source of an identity without `argsKey`
    if (nestKey && parent && (enclosingEntity ?? !argsKey)) {
      const identity = nestKey(parent, key);
      const pk = this.#toKey(identity);
      const isApart = enclosingEntity && this.#collidesWithSibling(parent, pk);
      return isApart ? this.#toKey({ ...identity, [MEMBER_NAME]: key }) : pk;
    }
    // the lists in a map of the entity differ by their key
    return enclosingEntity && this.parent
      ? collectionKey({ '': enclosingEntity.pk, [MEMBER_NAME]: key })
      : // the mutation's `update` gives a stored read the next value
        this.pkForArgs(args, !mayHavePks && endpoint?.sideEffect);
  }

  /**
   * Identity of the list for these arguments: keys sorted, numbers and strings alike. By default all arguments. If
   * several are passed to a mutation, the last argument is the body, which identifies nothing.
   */
  pkForArgs(args: Args, isMutation?: unknown): string {
    const { argsKey } = this.options;
    const owner = isMutation ? undefined : this;
    if (argsKey !== undefined) return this.#toKey(argsKey(...args), owner);
    return this.#toKey(joinArgs(isMutation && args.length > 1 ? args.slice(0, -1) : args), owner);
  }

  #toKey(value: Fields, owner?: KeyOwner): string {
    const { fixedParams } = this;
    return collectionKey(fixedParams ? { ...value, ...fixedParams } : value, owner);
  }

  /** True if another member of the parent has a list of the same identity, so that both would be the same list. */
  #collidesWithSibling(parent: object, pk: string): boolean {
    const { parent: own, listEndpoint, member } = this;
    if (!own || listEndpoint) return false;
    return own.entity.descriptor.nested.some(({ name, kind }) => {
      const other = kind as ListKind;
      // only Collections have `isMap`
      const isAlike = other.member === member && other.isMap === this.#list.isMap;
      if (!isAlike || name === own.name || other.listOrigin.listEndpoint) return false;
      const { nestKey } = other.listOrigin.options;
      return nestKey && this.#toKey(nestKey(parent, name)) === pk;
    });
  }
}

const tableKeys = new WeakMap<Kind, Map<unknown, Map<string, object>>>();

/** The identity of the table of all lists of `member` at the same address and the same place of the response. */
function listTableKey(member: Kind, address: string | object, place: string): object {
  const addresses = tableKeys.get(member) ?? new Map<unknown, Map<string, object>>();
  const places = addresses.get(address) ?? new Map<string, object>();
  const table = places.get(place) ?? {};
  tableKeys.set(member, addresses.set(address, places.set(place, table)));
  return table;
}

/**
 * Registers a Collection, read by an endpoint, with the entity of its members. A Collection at the same path is
 * replaced: it was defined again, maybe for another server. Of Collections without a path two are kept, enough to know
 * that there are several.
 */
function registerCollection(list: ListKind): void {
  const [first] = (Array.isArray(list.schema) ? list.schema : []) as [unknown?];
  // members of another kind, or a circular import
  if (typeof first !== 'function' || !(KIND in first)) return;
  const kind = first[KIND] as StoredKind;
  const entity = (kind.rootKind ?? kind) as EntityKind;
  const { urlAndResponsePath } = list.listOrigin;
  // of those at the same path
  let keepCount = urlAndResponsePath ? 0 : 1;
  const others = entity.listedIn.filter(
    ({ listOrigin }) => listOrigin.urlAndResponsePath !== urlAndResponsePath || keepCount-- > 0,
  );
  entity.listedIn = [...others, list];
}

/** The lists that can be an entity's own list: the lists of its resources, else all. A single list is unique. */
function ownListCandidates(listings: readonly ListKind[]): readonly ListKind[] {
  const owned = listings.filter(({ listOrigin }) => listOrigin.listEndpoint?.ownsList);
  return owned[0] ? owned : listings;
}

/** The identity of a list: members sorted, numbers and strings alike. Throws E16 as `serialize` does. */
function collectionKey(value: unknown, owner?: KeyOwner): string {
  if (value === null || value === undefined) return '{}';
  if (!isPlainObject(value)) return JSON.stringify({ '': asText(value, owner) });
  const texts = {};
  for (const name of Object.keys(value).sort()) {
    if (value[name] !== undefined) setOwn(texts, name, asText(value[name], owner));
  }
  return JSON.stringify(texts);
}

/**
 * The members of all arguments. An argument that is not an object has an empty name. A name that an earlier argument
 * has is followed by the position: id$2, $2.
 */
function joinArgs(args: Args): Fields {
  const joined: Fields = {};
  args.forEach((arg, at) => {
    for (const [name, value] of Object.entries(isPlainObject(arg) ? arg : { '': arg }))
      setOwn(joined, Object.hasOwn(joined, name) ? `${name}$${at + 1}` : name, value);
  });
  return joined;
}

/** True for results of `collectionKey`. */
export function isCollectionKey(text: string): boolean {
  try {
    return collectionKey(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

/** A value as text for the identity of lists; the text of an object is marked by a prefix. */
export function asText(value: unknown, owner?: KeyOwner): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object') return `\u0000${serialize(value, owner)}`;
  return typeof value === 'function' ? serialize(value, owner) : String(value);
}
