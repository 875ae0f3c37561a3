/** The requests for the related rows of some data. */
import type { EndpointInterface } from '../../endpoint/Endpoint.ts';
import { checkArgument, DEV } from '../../errors.ts';
import type { EntityKind } from '../../schema/EntityKind.ts';
import { KIND } from '../../schema/schema.ts';
import type { Args, Fields } from '../../schema/schema.ts';
import type { KeyFields } from './ForeignKeyIndex.ts';

/** The members to fetch, without the types of the data. */
export type AnyRequests = object;

/** An endpoint with its arguments. */
export type RelatedRequest = readonly [EndpointInterface, ...unknown[]];

/** How a relation fetches its rows, as declared. */
export interface RelatedSource<Row> {
  /** The endpoint that brings the related rows of a row, for readers `withRelated`. */
  readonly from?: EndpointInterface | (() => EndpointInterface) | undefined;
  /**
   * The first argument for a row; null or undefined: no request. Default: for `belongsTo` the primary key of the related
   * row, else an object with the foreign key, as in `{ postId: 1 }`.
   */
  readonly args?: ((row: Row) => unknown) | undefined;
  /**
   * The first argument of a single request for the related rows of all rows, instead of `args`. The rows come in the order
   * of their primary keys: rows in another order need no other request.
   */
  readonly argsOfAll?: ((rows: readonly Row[]) => unknown) | undefined;
}

/** Creates the requests for the related rows of some rows. */
export type CreateRequests = (rows: readonly Fields[]) => RelatedRequest[];

/** The source of a declaration; `defaultArgs`: the fields of the argument, each with the field of the row. */
export function createRequestSource(
  { from, args, argsOfAll }: RelatedSource<never>,
  argumentFields: () => readonly (readonly [name: string, field: string | undefined])[],
): CreateRequests | undefined {
  if (from === undefined) return undefined;
  const defaultArgs = (row: Fields): unknown => {
    const values = argumentFields().map(([name, field]) => [name, valueIn(row, field)] as const);
    return values.some(([, value]) => isNoKey(value)) ? undefined : Object.fromEntries(values);
  };
  return (rows) => {
    const endpoint = 'key' in from ? from : (from as () => EndpointInterface)();
    const params = argsOfAll
      ? [argsOfAll(inOrderOfKeys(rows) as never)]
      : rows.map((row) => (args ? args(row as never) : defaultArgs(row)));
    return params
      .filter((each) => each !== undefined && each !== null)
      .map((each): RelatedRequest => [endpoint, each]);
  };
}

function inOrderOfKeys(rows: readonly Fields[]): Fields[] {
  const textOf = (row: Fields) => String(valueIn(row, undefined));
  // numbers in their order: shorter texts first
  return [...rows].sort((one, other) => {
    const [a, b] = [textOf(one), textOf(other)];
    return a.length - b.length || (a < b ? -1 : Number(a > b));
  });
}

function isNoKey(value: unknown): boolean {
  return value === undefined || value === null || value === '' || Number.isNaN(value);
}

/** Undefined as field: the primary key. A nested entity stands for its primary key. */
function valueIn(row: Fields, field: string | undefined): unknown {
  const value = field === undefined ? row : row[field];
  const { pk } = (value ?? {}) as { readonly pk?: unknown };
  return typeof pk === 'function' ? pk.call(value) : value;
}

/** The fields of the argument for each field of a key, and the equal fields of a row. */
export function pairFields(
  names: KeyFields,
  fields: KeyFields | undefined,
): readonly (readonly [string, string | undefined])[] {
  return names.map((name, at) => [name, fields?.[at]] as const);
}

/**
 * The requests for the members in `include` of an entity, a list or an object, and of their members. `canSend`: false for
 * arguments that no server knows yet.
 */
export function requestsIn(
  data: unknown,
  include: AnyRequests,
  canSend: (args: Args) => boolean,
): RelatedRequest[] {
  const rows = rowsIn(data);
  return Object.entries(include).flatMap(([name, next]: [string, unknown]) => {
    const found = [...groupByClass(rows)].flatMap(([{ descriptor }, group]) => {
      const requestsOf = (some: readonly Fields[]) => {
        const requests = descriptor.relations?.requestsOf(name, some) as
          | RelatedRequest[]
          | undefined;
        if (DEV) checkMember(name, next, requests, some);
        return (requests ?? []).filter(([, ...args]) => canSend(args));
      };
      const requests = requestsOf(group);
      if (requests.length > 0) return requests;
      // a single request for all rows: the rows that the server has named do not wait for the others
      const named = group.filter((row) => canSend([valueIn(row, undefined)]));
      return named.length === group.length ? requests : requestsOf(named);
    });
    if (typeof next !== 'object' || next === null) return found;
    return [
      ...found,
      ...requestsIn(
        rows.map((row) => row[name]),
        next,
        canSend,
      ),
    ];
  });
}

/** A member that is asked for by itself, and that no request brings, is a mistake. */
function checkMember(
  name: string,
  next: unknown,
  requests: readonly RelatedRequest[] | undefined,
  rows: readonly Fields[],
): void {
  // of the classes of a union some may have the member
  const isMistake = next === true && requests === undefined && rows.some((row) => name in row);
  checkArgument(!isMistake, 'withRelated', name, 'relations of the class with `from`');
}

function rowsIn(data: unknown): Fields[] {
  if (Array.isArray(data)) return data.flatMap(rowsIn);
  return typeof data === 'object' && data !== null ? [data as Fields] : [];
}

function groupByClass(rows: readonly Fields[]): Map<EntityKind, Fields[]> {
  const groups = new Map<EntityKind, Fields[]>();
  for (const row of new Set(rows)) {
    const kind = (row.constructor as { readonly [KIND]?: EntityKind })[KIND];
    if (kind === undefined) continue;
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [row]);
    else group.push(row);
  }
  return groups;
}
