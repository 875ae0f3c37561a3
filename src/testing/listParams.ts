/** Classifies the params of a list request: filters, order, and page. */
import { collectionIn } from '../rest/collectionIn.ts';
import type { RestEndpoint } from '../rest/RestEndpoint.ts';
import { PAGE_PARAM, SIZE_PARAM } from './pageOf.ts';
import type { PageParams } from './pageOf.ts';
import { UnsupportedRequestError } from './ServerRows.ts';
import type { Params, ServerRows } from './ServerRows.ts';

export interface ListParams {
  readonly filters: Params;
  /** True if the request has an order. */
  readonly ordered: boolean;
  readonly pages: PageParams;
}

export interface KnownRows {
  readonly rows: ServerRows;
  /** True if the options have a `sort` function. */
  readonly sorts: boolean;
}

/*
 *   a name in `filters`          filters
 *   paginationField              which page; without one `page`, `cursor`, `offset` …, unless rows have such a field
 *   limit, size, perPage …       how many rows, unless rows have such a field
 *   the Collection's sort param  orders
 *   a field of the rows          filters
 *   any other                    unknown: T4
 */
export function parseListParams(
  endpoint: RestEndpoint,
  params: Params,
  { rows, sorts }: KnownRows,
): ListParams {
  const open = Object.keys(params).filter((name) => !rows.hasFilter(name));
  const strange = open.filter((name) => !rows.knows(name));
  const { paginationField } = endpoint as { readonly paginationField?: string };
  const page = paginationField ?? strange.find((name) => PAGE_PARAM.test(name));
  const size = strange.find((name) => SIZE_PARAM.test(name) && name !== page);
  const orders = orderingIn(endpoint.schema);
  const ordering = open.find((name) => name !== page && name !== size && orders(name));
  if (ordering !== undefined && !sorts) {
    throw new UnsupportedRequestError(`${ordering} requests an order: define sort`);
  }
  const filters = Object.keys(params).filter(
    (name) => rows.hasFilter(name) || (name !== page && name !== size && !orders(name)),
  );
  const unexplained = filters.find((name) => !rows.explains(name));
  if (unexplained !== undefined) {
    throw new UnsupportedRequestError(
      `no row has a field ${unexplained}: define filters.${unexplained}`,
    );
  }
  const valueOf = (name: string | undefined) =>
    name === undefined || params[name] === undefined ? undefined : String(params[name]);
  const asked = valueOf(size);
  return {
    filters: Object.fromEntries(filters.map((name) => [name, params[name] ?? ''])),
    ordered: ordering !== undefined,
    pages: {
      name: page,
      token: valueOf(page),
      size: asked === undefined ? undefined : Number(asked),
    },
  };
}

const ORDERING = /^_?(?:order|sort)/i;

/** Whether a param only orders: as the list's Collection declares, else by its name. */
function orderingIn(schema: unknown): (name: string) => boolean {
  const collection = collectionIn(schema);
  if (collection === undefined) return (name) => ORDERING.test(name);
  return (name) => !Object.hasOwn(collection.filterArgs(JSON.stringify({ [name]: '' })), name);
}
