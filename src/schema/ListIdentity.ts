/** Determines the table of the lists of a Collection, and the list that a response contains. */
import { warn } from '../diagnostics.ts';
import type { EntityKind } from './EntityKind.ts';
import { isPlain } from './equal.ts';
import { collectionKey } from './collectionKey.ts';
import type { CollectionOptions } from './conditionsOf.ts';
import { listTable, noteList, ownLists } from './ListEndpoint.ts';
import type { ListEndpoint } from './ListEndpoint.ts';
import type { ListPlace } from './ListPlace.ts';
import type { Args, Kind, ListKind, StoredKind, NormalizeContext } from './schema.ts';

/** A Collection, as far as its identity uses it. */
export interface Identified extends ListKind {
  readonly member: Kind;
}

/** The entity that has the lists as a member, and the name of the member. */
interface Parent {
  readonly entity: EntityKind;
  readonly name: string;
}

export class ListIdentity implements ListPlace {
  readonly #list: Identified;
  readonly #options: CollectionOptions;
  home: ListEndpoint | undefined;
  parent: Parent | undefined;
  /** The place of the lists in the responses of their endpoint. */
  #place = '';
  #table: object | undefined;
  /** The list of an endpoint that a nested list without an endpoint was matched with. */
  #chosen: ListKind | undefined;
  /** All lists of the entity at the time when the table was chosen. */
  #listings: readonly ListKind[] | undefined;

  constructor(list: Identified, options: CollectionOptions) {
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
  get table(): object {
    const { address } = this;
    const { keyed } = this.#list;
    // classes that share a table share their lists
    const member = (this.#list.member as Partial<StoredKind>).root ?? this.#list.member;
    if (address !== undefined) {
      const place = keyed ? `${this.#place}{}` : this.#place;
      return (this.#table ??= listTable(member, address, place));
    }
    const { listings } = member as Partial<EntityKind>;
    if (keyed || listings === undefined || this.home !== undefined || this.isByParent)
      return this.#list;
    if (this.#listings !== listings) this.#table = this.#chosenFrom((this.#listings = listings));
    return this.#table as object;
  }

  #chosenFrom(listings: readonly ListKind[]): object {
    const [list, ...others] = ownLists(listings);
    if (list === undefined) return this.#list;
    this.#chosen = others.length === 0 ? list : undefined;
    if (this.#chosen !== undefined) return this.#chosen.table as object;
    if (this.parent !== undefined) {
      const { entity, name } = this.parent;
      const paths = [list, ...others].map(({ at }) => at.title).join(', ');
      warn('S20', `${entity.title}.${name}`, { member: `${entity.title}.${name}`, paths });
    }
    return this.#list;
  }

  get isByParent(): boolean {
    return this.parent !== undefined && this.#options.nestKey === undefined;
  }

  get address(): string | object | undefined {
    return this.home?.listAddress;
  }

  get path(): string | undefined {
    const { address } = this;
    return typeof address === 'string'
      ? `${this.home?.listPath || address} ${this.#place}`
      : undefined;
  }

  /** The name of the endpoint in messages. */
  get title(): string | undefined {
    return this.path?.trim() ?? this.home?.name;
  }

  /** Arguments that the path contains literally. Nested lists have the arguments of the list they were matched with. */
  get fixed(): Readonly<Record<string, string>> | undefined {
    if (this.home !== undefined || this.parent === undefined) return this.home?.fixedParams;
    return this.table === this.#list ? undefined : this.#chosen?.at.fixed;
  }

  get owned(): boolean {
    return this.home?.ownsList === true;
  }

  get nested(): boolean {
    return this.parent !== undefined && this.table === this.#list;
  }

  get revalidates(): boolean {
    return this.home?.revalidateLists !== false;
  }

  isPathParam(name: string): boolean {
    return this.home?.pathParams?.has(name) === true;
  }

  /** True if `endpoint` reads these lists already. */
  isReadBy(endpoint: ListEndpoint, place: string): boolean {
    const { home } = this;
    if (home === undefined || this.#place !== place) return false;
    const isSame = collectionKey(home.fixedParams) === collectionKey(endpoint.fixedParams);
    return isSame && home.listAddress === endpoint.listAddress;
  }

  readBy(endpoint: ListEndpoint, place: string): void {
    this.home = endpoint;
    this.#place = place;
    this.#table = undefined;
    noteList(this.#list);
  }

  /** True if the Collection itself, without a copy, can be the member of an entity. */
  get isFree(): boolean {
    const isShared = this.#options.nestKey !== undefined;
    return this.parent === undefined && (this.home === undefined || isShared);
  }

  /** The identity, as text, of a list in a response. */
  pkIn(parent: unknown, key: string, { args, within }: NormalizeContext): string {
    const { nestKey, argsKey } = this.#options;
    // an envelope is not an entity, but without `argsKey` it is the only source of an identity
    if (parent === undefined || (within === 0 && argsKey !== undefined)) return this.pkOf(args);
    if (nestKey !== undefined) return this.#textOf(nestKey(parent, key));
    const entity = within > 0 ? this.parent?.entity : undefined;
    return entity === undefined
      ? this.pkOf(args)
      : collectionKey(entity.pkIn(parent as object, args));
  }

  /** Identity of the list for these arguments: keys sorted, numbers and strings alike. */
  pkOf(args: Args): string {
    const { argsKey } = this.#options;
    return this.#textOf(argsKey === undefined ? args[0] : argsKey(...args));
  }

  #textOf(given: unknown): string {
    const { fixed } = this;
    return collectionKey(
      fixed && (given === undefined || given === null || isPlain(given))
        ? { ...(given as object), ...fixed }
        : given,
    );
  }

  /** True if another member of the parent has a list of the same identity, so that both would be one list. */
  meetsAnother(parent: object, pk: string): boolean {
    const own = this.parent;
    if (own === undefined || this.home !== undefined) return false;
    return Object.entries(own.entity.Class.schema).some(([name, schema]) => {
      const { at, member } = Object(schema) as Partial<Identified>;
      const isAlike = at instanceof ListIdentity && member === this.#list.member;
      if (!isAlike || name === own.name || at.home !== undefined) return false;
      const { nestKey } = at.#options;
      return nestKey !== undefined && this.#textOf(nestKey(parent, name)) === pk;
    });
  }
}
