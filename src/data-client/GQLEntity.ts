/** The names that the GraphQL package of Data Client adds. */
import { errorsIn, GQLEndpoint as OwnGQLEndpoint, messagesIn } from '../rest/GQLEndpoint.ts';
import type { GQLEndpointConstructor, GQLOptions, GraphQLAnswer } from '../rest/GQLEndpoint.ts';
import { NetworkError } from '../rest/NetworkError.ts';
import type { RequestDetails } from '../rest/NetworkError.ts';
import type { RestBase } from '../rest/RestBase.ts';
import { readAbsentAsUndefined } from './Endpoint.ts';
import { EntityMixin } from './Entity.ts';
import type { EntityConstructor } from './Entity.ts';
import { sendPlainly } from './NetworkError.ts';
import type { Send } from './RestEndpoint.ts';

class Identified {
  readonly id: string = '';
}

/** An entity whose primary key is `id`, a text. */
export const GQLEntity: (new () => Identified) & EntityConstructor = EntityMixin(Identified);
export type GQLEntity = InstanceType<typeof GQLEntity>;

// any begin: the server's address, or the options of another endpoint; operations of unknown types
class PeerOperation extends (OwnGQLEndpoint as new (...options: any[]) => Operation) {
  constructor(...options: any[]) {
    super(...options);
    readAbsentAsUndefined(this.schema);
  }

  override fetchResponse(...request: Parameters<Send>): ReturnType<Send> {
    return withErrors(sendPlainly(super.fetchResponse(...request)));
  }

  override parseResponse(...response: Parameters<Parse>): ReturnType<Parse> {
    return withErrors(super.parseResponse(...response));
  }
}
interface Operation {
  schema: unknown;
  fetchResponse(...request: Parameters<Send>): ReturnType<Send>;
  parseResponse(...response: Parameters<Parse>): ReturnType<Parse>;
}
type Parse = RestBase['parseResponse'];

/** `new GQLEndpoint('https://host/graphql')`: `query` and `mutation` create endpoints. */
export const GQLEndpoint: OpenGQLConstructor = PeerOperation as never;
/** A GraphQL server, or a single operation: `V` is the type of the variables, or the list of arguments. */
export type GQLEndpoint<V = any, S = any> = OwnGQLEndpoint<VariableArgs<V>, S>;

type VariableArgs<V> = 0 extends 1 & V ? any[] : V extends readonly unknown[] ? V : [variables: V];

/** The constructor, with the type parameters that `class Authd<V, S> extends GQLEndpoint<V, S>` passes. */
export interface OpenGQLConstructor extends GQLEndpointConstructor {
  new <V, S = any>(url: string, options?: GQLOptions): OwnGQLEndpoint<VariableArgs<V>, S>;
}
// any end

/** An entry of `errors` in a GraphQL response. */
export interface GQLError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly [key: string]: unknown;
}

/** The error of a response with `errors`, whose messages are the message. */
export class GQLNetworkError extends NetworkError {
  readonly errors: readonly GQLError[];

  constructor(errors: readonly GQLError[], details?: RequestDetails) {
    super('R11', { reason: '' }, { status: 400, body: { errors }, ...details });
    this.errors = errors;
    this.message = messagesIn(errors);
  }
}

async function withErrors<T>(receiving: Promise<T>): Promise<T> {
  try {
    return await receiving;
  } catch (error) {
    if (!(error instanceof NetworkError && error.code === 'R11')) throw error;
    const errors = errorsIn(error.body as GraphQLAnswer) as readonly GQLError[];
    throw new GQLNetworkError(errors, { ...error });
  }
}
