/** Endpoints whose readers also fetch related rows: `withRelated(getPost, { author: true })`. */
import { checkObject, DEV } from '../errors.ts';
import { isObject } from '../schema/fieldOf.ts';
import type { Denormalized, Fields } from '../schema/schema.ts';
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { argumentChecks } from '../endpoint/argumentChecks.ts';
import { StoreObserver } from '../view/Reader.ts';
import type { AnyRequests } from '../query/relations/requestsIn.ts';
import { RelatedReader } from './RelatedReader.ts';
import type { ReaderSource } from './RelatedReader.ts';

/**
 * The members of the data that readers fetch: `{ author: true, comments: { author: true } }`. For a list, the members of
 * its rows; `true` fetches one relation, an object its relations, too.
 */
export type RelatedRequests<T> = T extends readonly (infer Row)[]
  ? RelatedRequests<Row>
  : {
      readonly [K in keyof T as MemberName<T, K>]?: true | RelatedRequests<NonNullable<T[K]>>;
    };

/** `K`, if the member is an object or a list. */
type MemberName<T, K extends keyof T> =
  NonNullable<T[K]> extends (...args: never) => unknown
    ? never
    : T[K] extends object | null | undefined
      ? K
      : never;

/** An endpoint that can be extended. */
interface Extensible extends EndpointInterface {
  extend(options: never): unknown;
}

/** The data of an endpoint. */
type ReadData<E extends EndpointInterface> = NonNullable<
  [Exclude<E['schema'], undefined>] extends [never]
    ? Awaited<ReturnType<E>>
    : Denormalized<Exclude<E['schema'], undefined>>
>;

const readers = new WeakMap<StoreObserver, Map<string, RelatedReader>>();
/** The members that the readers of an endpoint fetch, by its `createReader`. */
const includes = new WeakMap<object, AnyRequests>();

/**
 * The same endpoint, for readers that also need related rows: a relation with `from` fetches its rows as soon as its
 * parent is known, all in parallel. Readers suspend once, until all are there. Key, data and mutations are those of
 * `endpoint`; `controller.fetch` fetches `endpoint` alone. Members of several calls add up.
 */
export function withRelated<E extends Extensible>(
  endpoint: E,
  include: RelatedRequests<ReadData<E>>,
): E {
  if (DEV) argumentChecks?.endpoint(endpoint);
  if (DEV) checkObject('withRelated', include, 'an object of relations or of members');
  const former = endpoint.createReader && includes.get(endpoint.createReader);
  const all = merge(former ?? {}, include);
  const name = JSON.stringify(all);
  const createReader = (reader: object, controller: ReaderSource): object => {
    if (!(reader instanceof StoreObserver)) return reader;
    let known = readers.get(reader);
    if (known === undefined) readers.set(reader, (known = new Map()));
    let related = known.get(name);
    if (related === undefined)
      known.set(name, (related = new RelatedReader(reader, all, controller)));
    return related;
  };
  includes.set(createReader, all);
  return endpoint.extend({ createReader } as never) as E;
}

/** The members of both, at each level; without those that are undefined. */
function merge(former: AnyRequests, next: AnyRequests): AnyRequests {
  const merged: Fields = { ...former };
  for (const [name, members] of Object.entries(next) as [string, unknown][]) {
    const known = merged[name];
    if (isObject(members)) merged[name] = merge(isObject(known) ? known : {}, members);
    else if (members !== undefined) merged[name] ??= members;
  }
  return merged;
}
