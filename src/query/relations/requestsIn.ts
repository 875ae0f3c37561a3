/** The requests for the related rows of some data. */
import type { EndpointInterface } from '../../endpoint/Endpoint.ts';
import { checkArgument, DEV } from '../../errors.ts';
import type { Args, Fields } from '../../schema/schema.ts';
import { kindOfRow } from './RelatedClasses.ts';

/** The members to fetch, without the types of the data. */
export type AnyRequests = object;

/** An endpoint with its arguments. */
export type RelatedRequest = readonly [EndpointInterface, ...unknown[]];

/** How a relation fetches its rows, as declared. */
export interface RelatedSource<Row> {
  /** The endpoint that brings the related rows of a row, for readers `withRelated`. A function may choose by the row. */
  readonly from?:
    | EndpointInterface
    | ((row: Row) => EndpointInterface | null | undefined)
    | undefined;
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

/** The fields of an argument, with their values. */
export type ArgumentFields = readonly (readonly [name: string, value: unknown])[];

/**
 * The source of a declaration. `defaultArgument`: for a row, the fields of the argument. `groupOf`: rows of the same group
 * have the same endpoint.
 */
export function createRequestSource(
  { from, args, argsOfAll }: RelatedSource<never>,
  defaultArgument: (row: Fields) => ArgumentFields | undefined,
  groupOf: (row: Fields) => unknown = () => 0,
): CreateRequests | undefined {
  if (from === undefined) return undefined;
  const argumentOf = (row: Fields): unknown => {
    if (args !== undefined) return args(row as never);
    const fields = defaultArgument(row);
    const isKnown = fields?.every(([, value]) => !isNoKey(value));
    return fields && isKnown ? Object.fromEntries(fields) : undefined;
  };
  const requestOf = (row: Fields, argument: unknown): RelatedRequest[] => {
    if (argument === undefined || argument === null) return [];
    const endpoint = 'key' in from ? from : (from as (row: never) => unknown)(row as never);
    return endpoint ? [[endpoint as EndpointInterface, argument]] : [];
  };
  return (rows) => {
    if (argsOfAll === undefined) return rows.flatMap((row) => requestOf(row, argumentOf(row)));
    return [...groupBy(rows, groupOf).values()].flatMap((group) =>
      requestOf(group[0] as Fields, argsOfAll(inOrderOfKeys(group) as never)),
    );
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
export function valueIn(row: Fields, field: string | undefined): unknown {
  const value = field === undefined ? row : row[field];
  const { pk } = (value ?? {}) as { readonly pk?: unknown };
  return typeof pk === 'function' ? pk.call(value) : value;
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
    const found = [...groupBy(new Set(rows), kindOfRow)].flatMap(([kind, group]) => {
      if (kind === undefined) return [];
      const { descriptor } = kind;
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

function groupBy<G>(rows: Iterable<Fields>, groupOf: (row: Fields) => G): Map<G, Fields[]> {
  const groups = new Map<G, Fields[]>();
  for (const row of rows) {
    const name = groupOf(row);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return groups;
}
