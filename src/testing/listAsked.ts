/** Tells the params of a list apart: what filters, what orders, and what says which page. */
import { collectionIn } from '../rest/collectionIn.ts';
import type { RestEndpoint } from '../rest/RestEndpoint.ts';
import { PAGE_PARAM, SIZE_PARAM } from './pageOf.ts';
import type { PageParams } from './pageOf.ts';
import { Unknown } from './ServerRows.ts';
import type { Params, ServerRows } from './ServerRows.ts';

export interface ListAsked {
  readonly filters: Params;
  /** True where an order is asked for. */
  readonly ordered: boolean;
  readonly pages: PageParams;
}

export interface KnownRows {
  readonly rows: ServerRows;
  /** Somebody knows how to order rows. */
  readonly sorts: boolean;
}

/*
 *   filters explains it          filters
 *   paginationField              which page; without one `page`, `cursor`, `offset` …, unless rows have such a field
 *   limit, size, perPage …       how many rows, unless rows have such a field
 *   what the Collection says     orders
 *   a field of the rows          filters
 *   any other                    nobody knows: T4
 */
export function listAsked(
  endpoint: RestEndpoint,
  params: Params,
  { rows, sorts }: KnownRows,
): ListAsked {
  const open = Object.keys(params).filter((name) => !rows.hasFilter(name));
  const strange = open.filter((name) => !rows.knows(name));
  const { paginationField } = endpoint as { readonly paginationField?: string };
  const page = paginationField ?? strange.find((name) => PAGE_PARAM.test(name));
  const size = strange.find((name) => SIZE_PARAM.test(name) && name !== page);
  const orders = orderingIn(endpoint.schema);
  const ordering = open.find((name) => name !== page && name !== size && orders(name));
  if (ordering !== undefined && !sorts) {
    throw new Unknown(`${ordering} asks for an order: sort says how rows are ordered`);
  }
  const filters = Object.keys(params).filter(
    (name) => rows.hasFilter(name) || (name !== page && name !== size && !orders(name)),
  );
  const unexplained = filters.find((name) => !rows.explains(name));
  if (unexplained !== undefined) {
    throw new Unknown(
      `no row has a field ${unexplained}: filters.${unexplained} says what it means`,
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

/** Whether a param only orders: by what the list's Collection says, else by its name. */
function orderingIn(schema: unknown): (name: string) => boolean {
  const collection = collectionIn(schema);
  if (collection === undefined) return (name) => ORDERING.test(name);
  return (name) => !Object.hasOwn(collection.filters(JSON.stringify({ [name]: '' })), name);
}
