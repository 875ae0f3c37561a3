/** Creates the endpoint of pages from a list's endpoint. */
import { checkArgument, DEV } from '../errors.ts';
import type { EndpointCall } from '../endpoint/Endpoint.ts';
import { Collection, Pages } from '../schema/Collection.ts';
import { defineOwn, isPlainObject, hasField } from '../schema/fieldOf.ts';
import { kindOf } from '../schema/kindOf.ts';
import type { Args, Fields, Kind, Schema } from '../schema/schema.ts';
import type { PathValue } from './path.ts';
import { path } from './path.ts';
import type { RestBase } from './RestBase.ts';

/** The name of the page's param, or a function from the arguments of a page to the arguments of the list. */
export type PageBy =
  | string
  | { readonly paginationField: string }
  // any: the function declares its params
  | ((...args: any) => Args);

type PageField<F extends string> = { readonly [K in F]: PathValue | null };
type Defined<Q> = [Exclude<Q, undefined>] extends [never] ? unknown : Exclude<Q, undefined>;
type FieldNames<B> = B extends object ? keyof B : never;

/** Search params with the param of the page, unless it is a field of the body. In a body of any fields it may be. */
export type PageParams<Q, F extends string, B> =
  string extends FieldNames<B>
    ? Defined<Q> & Partial<PageField<F>>
    : Defined<Q> & PageField<Exclude<F, FieldNames<B>>>;

/** The body with the page, if the page is a field of the body. */
export type PageBody<B, F extends string> = [Extract<F, FieldNames<B>>] extends [never]
  ? B
  : B & PageField<F>;

const KEY_PREFIX = 'page ';

/**
 * The endpoint of a page: sent like the list, under another key, because several pages may be in flight at once. The
 * response is added to the list of the same arguments without the param of the page.
 */
export function paginated(list: RestBase, by: PageBy): unknown {
  if (DEV) checkArgument(Boolean(by), 'paginated', by, 'the name of the param of a page');
  const listArgs = withoutPage(by);
  const page: object = list.extend({
    name: `${list.name}.getPage`,
    schema: pageSchema(list.schema, listArgs),
    key(this: RestBase, ...args: Args): string {
      return KEY_PREFIX + list.key.call(this, ...args);
    },
    testKey(this: RestBase, key: string): boolean {
      return key.startsWith(KEY_PREFIX) && list.testKey.call(this, key.slice(KEY_PREFIX.length));
    },
    listOf(...args: Args): EndpointCall | undefined {
      const call = { endpoint: list as never, args: listArgs(args) };
      const params = call.args[0] ?? {};
      // `/posts?page=:page` requires the page: only pages can be requested, there is no request of the list
      const isWhole = path(list.path).required.every((name) => Object.hasOwn(params, name));
      return isWhole ? call : undefined;
    },
  });
  // the store keeps the responses of these endpoints: see `placePages`
  for (const endpoint of [list, page]) defineOwn(endpoint, 'isPaged', true, false);
  return page;
}

function withoutPage(by: PageBy): (args: Args) => Args {
  if (typeof by === 'function') return (args) => by(...args);
  const field = typeof by === 'string' ? by : by.paginationField;
  return (args) => {
    // in the body of a search, or else in the params
    const at = hasField(Object(args[1]) as Fields, field) ? 1 : 0;
    const { [field]: _page, ...list } = Object(args[at]) as Fields;
    return Object.assign([...args], { [at]: list });
  };
}

/** The schema with pages in the place of collections. Plain arrays are concatenated where the response is stored. */
function pageSchema(schema: Schema, listArgs: (args: Args) => Args): Schema {
  if (schema instanceof Collection) return new Pages(schema, listArgs);
  const kind = isPlainObject(schema) ? kindOf(schema, 'getPage') : (schema as Kind | undefined);
  return kind?.mapInner?.((inner) => pageSchema(inner, listArgs) as Kind) ?? schema;
}
