/** Several reads at once: the argument and the types of `useSuspenseAll` and `useDLEAll`. */
import type { ArgsOf, Controller, DataOf } from '../src/Controller.ts';
import type { EndpointInterface, ReadEndpoint } from '../src/endpoint/Endpoint.ts';
import type { Reader } from '../src/view/Reader.ts';
import type { DLE, TrackedDLE } from './DLE.ts';
import type { EmptyOf, NullableArgs } from './EmptyOf.ts';

/** An endpoint with its arguments. */
export type QueryTuple<E extends ReadEndpoint = ReadEndpoint> = readonly [E, ...NullableArgs<E>];

/** Any list of endpoints with arguments. */
export type AnyReads = readonly (readonly [ReadEndpoint, ...unknown[]])[];

/** The type of a list of reads whose arguments fit their endpoints. */
export type ReadsOf<R extends AnyReads> = R & { readonly [K in keyof R]: QueryTuple<R[K][0]> };

/** The data of one read: with the schema's empty value if the first argument may be null. */
export type DataOfRead<Q> = Q extends readonly [infer E extends ReadEndpoint, ...infer A]
  ? DataOf<E> | (null extends A[0] ? EmptyOf<E['schema']> : never)
  : never;

/** The data of each read, in order. */
export type DataOfReads<R extends AnyReads> = { -readonly [K in keyof R]: DataOfRead<R[K]> };

/** `{data, loading, error}` of each read, in order. */
export type DLEOfReads<R extends AnyReads> = { -readonly [K in keyof R]: DLE<DataOfRead<R[K]>> };

/** The tracked object of each read, in order. */
export type TrackedDLEOfReads<R extends AnyReads> = {
  -readonly [K in keyof R]: TrackedDLE<DataOfRead<R[K]>>;
};

/** One reader for each read. Equal reads have the same reader. */
export function findReaders(controller: Controller, reads: AnyReads): Reader[] {
  return reads.map(([endpoint, ...args]) =>
    controller.view(endpoint, ...(args as ArgsOf<EndpointInterface>)),
  );
}
