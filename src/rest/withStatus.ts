/** Reads the status of a response that is ok, together with its value. */
import { checkObject, DEV } from '../errors.ts';
import { ListMutation } from '../schema/ListMutation.ts';
import { MapAssign } from '../schema/ValuesKind.ts';
import type { RestBase } from './RestBase.ts';

/** A value and the status that it came with. */
export interface StatusAndBody {
  readonly status: number;
  // any: a response has no type
  readonly body: any;
}

/**
 * A `parseResponse` that gives `{ status, body }`; the method of the class reads the body. Its schema has these members:
 * `{ status: 0, body: Todo }`. The changes of a list, as `push`, have members as their responses, without a status.
 * Rejects as the method of the class.
 */
export const withStatus: (response: Response) => Promise<StatusAndBody> = async function withStatus(
  this: unknown,
  response: Response,
): Promise<StatusAndBody> {
  if (DEV) checkObject('withStatus', response, 'no call: write parseResponse: withStatus');
  const endpoint = this as RestBase;
  const { prototype } = endpoint.constructor as typeof RestBase;
  const body: unknown = await prototype.parseResponse.call(endpoint, response);
  const { schema } = endpoint;
  const isChange = schema instanceof ListMutation || schema instanceof MapAssign;
  return isChange ? (body as StatusAndBody) : { status: response.status, body };
};
