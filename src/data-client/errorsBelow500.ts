/** Which errors are shown instead of stored data, where an endpoint does not decide. */
import type { ErrorPolicy } from '../endpoint/Endpoint.ts';
import type { ErrorWithStatus } from '../endpoint/defaultErrorPolicy.ts';

/** The policy of plain endpoints: each error, except for a response without the requested data. */
export const everyError = ({ code }: ErrorWithStatus): ErrorPolicy =>
  code === 'F2' ? undefined : 'hard';

/** The policy of rest endpoints: as above, unless the server is down. */
export const errorsBelow500 = (error: ErrorWithStatus): ErrorPolicy =>
  (error.status ?? 0) >= 500 ? undefined : everyError(error);
