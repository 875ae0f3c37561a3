/** The names that the GraphQL package of Data Client adds. */
import { NetworkError } from '../rest/NetworkError.ts';
import { EntityMixin } from './Entity.ts';
import type { EntityConstructor } from './Entity.ts';

class Identified {
  readonly id: string = '';
}

/** An entity whose primary key is `id`, a text. */
export const GQLEntity: (new () => Identified) & EntityConstructor = EntityMixin(Identified);
export type GQLEntity = InstanceType<typeof GQLEntity>;

/** One of the `errors` of a GraphQL response. */
export interface GQLError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly [key: string]: unknown;
}

/** The error of a response with `errors`, which are in `error.body`. */
export const GQLNetworkError: typeof NetworkError = NetworkError;
export type GQLNetworkError = NetworkError;
