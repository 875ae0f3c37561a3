/** Determines the table of the lists of a Collection, and the list that a response contains. */
import { warn } from '../diagnostics.ts';
import type { EntityKind } from './EntityKind.ts';
import { isPlainObject } from './equal.ts';
import { collectionKey } from './collectionKey.ts';
import type { CollectionOptions } from './conditionsOf.ts';
import { listTableKey, registerCollection, ownListCandidates } from './ListEndpoint.ts';
import type { ListEndpoint } from './ListEndpoint.ts';
import type { ListOrigin } from './ListOrigin.ts';
import type { Args, Kind, ListKind, StoredKind, NormalizeContext } from './schema.ts';

/** A Collection, as far as its identity uses it. */
export interface IdentifiedList extends ListKind {
  readonly member: Kind;
}

/** The entity that has the lists as a member, and the name of the member. */
interface ListParent {
  readonly entity: EntityKind;
  readonly name: string;
}

export class ListIdentity implements ListOrigin {
  readonly #list: IdentifiedList;
  readonly #options: CollectionOptions;
  listEndpoint: ListEndpoint | undefined;
  parent: ListParent | undefined;
  /** The place of the lists in the responses of their endpoint. */
  #responsePath = '';
  #tableKey: object | undefined;
  /** The list of an endpoint that a nested list without an endpoint was matched with. */
  #listOfSameTable: ListKind | undefined;
  /** All lists of the entity at the time when the table was chosen. */
  #lastListedIn: readonly ListKind[] | undefined;

  constructor(list: IdentifiedList, options: CollectionOptions) {
    this.#list = list;
    this.#options = options;
  }

  /**
   * Lists of one member at one address share a table, whichever Collection reads them:
   *
   *   read at a path                the address, and their place in the responses
   *   nested, with `nestKey`        the entity's own list, if it is unique
   *   all others                    the Collection itself
   */
  get tableKey(): object {
    const { listEndpoint } = this;
    const listAddress = listEndpoint?.listAddress;
    const isOwn = listEndpoint
      ? listAddress === undefined
      : this.#list.isMap || this.isIdentifiedByParent;
    if (isOwn) return this.#list;
    // classes that share a table share their lists
    const member = (this.#list.member as Partial<StoredKind>).rootKind ?? this.#list.member;
    if (listAddress !== undefined) {
      const place = this.#list.isMap ? `${this.#responsePath}{}` : this.#responsePath;
      return (this.#tableKey ??= listTableKey(member, listAddress, place));
    }
    const { listedIn } = member as Partial<EntityKind>;
    if (listedIn === undefined) return this.#list;
    if (this.#lastListedIn !== listedIn)
      this.#tableKey = this.#chooseTableKey((this.#lastListedIn = listedIn));
    return this.#tableKey as object;
  }

  #chooseTableKey(listings: readonly ListKind[]): object {
    const [list, ...others] = ownListCandidates(listings);
    if (list === undefined) return this.#list;
    this.#listOfSameTable = others.length === 0 ? list : undefined;
    if (this.#listOfSameTable !== undefined) return this.#listOfSameTable.tableKey as object;
    if (this.parent !== undefined) {
      const { entity, name } = this.parent;
      const paths = [list, ...others].map(({ listOrigin }) => listOrigin.endpointName).join(', ');
      warn('S20', `${entity.title}.${name}`, { member: `${entity.title}.${name}`, paths });
    }
    return this.#list;
  }

  get isIdentifiedByParent(): boolean {
    return this.parent !== undefined && this.#options.nestKey === undefined;
  }

  get listAddress(): string | object | undefined {
    return this.listEndpoint?.listAddress;
  }

  get urlAndResponsePath(): string | undefined {
    const { listAddress, listPath } = this.listEndpoint ?? {};
    return typeof listAddress === 'string'
      ? `${listPath || listAddress} ${this.#responsePath}`
      : undefined;
  }

  /** The name of the endpoint in messages. */
  get endpointName(): string | undefined {
    return this.urlAndResponsePath?.trim() ?? this.listEndpoint?.name;
  }

  /** Arguments that the path contains literally. Nested lists have the arguments of the list they were matched with. */
  get fixedParams(): Readonly<Record<string, string>> | undefined {
    if (this.listEndpoint !== undefined || this.parent === undefined)
      return this.listEndpoint?.fixedParams;
    return this.tableKey === this.#list ? undefined : this.#listOfSameTable?.listOrigin.fixedParams;
  }

  get isResourceList(): boolean {
    return this.listEndpoint?.ownsList === true;
  }

  get isNestedOnly(): boolean {
    return this.parent !== undefined && this.tableKey === this.#list;
  }

  get revalidates(): boolean {
    return this.listEndpoint?.revalidateLists !== false;
  }

  isPathParam(name: string): boolean {
    return this.listEndpoint?.pathParams?.has(name) === true;
  }

  /** True if `endpoint` reads the lists of `listEndpoint`. */
  isBoundTo({ listAddress, fixedParams }: ListEndpoint, place: string): boolean {
    const bound = this.listEndpoint;
    if (bound?.listAddress !== listAddress || this.#responsePath !== place) return false;
    return collectionKey(bound?.fixedParams) === collectionKey(fixedParams);
  }

  bindTo(endpoint: ListEndpoint, place: string): void {
    this.listEndpoint = endpoint;
    this.#responsePath = place;
    this.#tableKey = undefined;
    registerCollection(this.#list);
  }

  /** True if the Collection itself, without a copy, can be the member of an entity. */
  get canBindInPlace(): boolean {
    const isShared = this.#options.nestKey !== undefined;
    return this.parent === undefined && (this.listEndpoint === undefined || isShared);
  }

  /** The identity, as text, of a list in an object of a response. */
  pkInParent(parent: unknown, key: string, { args, entityDepth }: NormalizeContext): string {
    const { nestKey, argsKey } = this.#options;
    // an envelope is not an entity, but without `argsKey` it is the only source of an identity
    if (entityDepth === 0 && argsKey !== undefined) return this.pkForArgs(args);
    if (nestKey !== undefined) return this.#toKey(nestKey(parent, key));
    const entity = entityDepth > 0 ? this.parent?.entity : undefined;
    return entity === undefined
      ? this.pkForArgs(args)
      : collectionKey(entity.pkIn(parent as object, args));
  }

  /**
   * Identity of the list for these arguments: keys sorted, numbers and strings alike. By default the params, and the
   * body of a search (a POST that reads).
   */
  pkForArgs(args: Args): string {
    const { argsKey } = this.#options;
    if (argsKey !== undefined) return this.#toKey(argsKey(...args));
    const [params, body] = args;
    const { method = 'GET', sideEffect } = this.listEndpoint ?? {};
    const isSearch = method !== 'GET' && !sideEffect && isPlainObject(body);
    return this.#toKey(isSearch ? { ...(params as object), ...body } : params);
  }

  #toKey(value: unknown): string {
    const { fixedParams } = this;
    return collectionKey(
      fixedParams && (value === undefined || value === null || isPlainObject(value))
        ? { ...(value as object), ...fixedParams }
        : value,
    );
  }

  /** True if another member of the parent has a list of the same identity, so that both would be one list. */
  collidesWithSibling(parent: object, pk: string): boolean {
    const own = this.parent;
    if (own === undefined || this.listEndpoint !== undefined) return false;
    return Object.entries(own.entity.Class.schema).some(([name, schema]) => {
      const { listOrigin, member } = Object(schema) as Partial<IdentifiedList>;
      const isAlike = listOrigin instanceof ListIdentity && member === this.#list.member;
      if (!isAlike || name === own.name || listOrigin.listEndpoint !== undefined) return false;
      const { nestKey } = listOrigin.#options;
      return nestKey !== undefined && this.#toKey(nestKey(parent, name)) === pk;
    });
  }
}
