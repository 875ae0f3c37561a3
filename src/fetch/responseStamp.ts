/** When what arrives now was known to be true, and until when it counts: answers, pushes, errors. */
import type { EndpointInterface, Policies } from '../endpoint/Endpoint.ts';
import type { Stamp } from '../store/versioning.ts';
import type { ResultRecord } from '../store/ResultRecord.ts';
import type { Failure } from '../store/Result.ts';
import type { InFlightRequest } from './InFlightRequest.ts';
import type { FetchContext } from './FetchContext.ts';
import { isHard, policyOf } from './policyOf.ts';
import type { ErrorWithStatus } from './policyOf.ts';

// the defaults of dataExpiryLength and errorExpiryLength, ms
const A_MINUTE = 60_000;
const A_SECOND = 1_000;
/** An endpoint that sets no policy: those of the controller hold. */
export const NO_POLICIES: Policies = {};

/** Of data that arrive now; `time` is logical. */
export function createStamp(context: FetchContext, own: Policies, time: number): Stamp {
  const fetchedAt = context.clock.now();
  // by its name: `settle`, called for each of them, takes a tenth of a write
  const length = own.dataExpiryLength ?? context.policies.dataExpiryLength ?? A_MINUTE;
  return { time, fetchedAt, expiresAt: fetchedAt + length };
}

/** Of a write by `controller.set`: of a value, or of what a function makes of the present one. */
export function setStamp(context: FetchContext, update: unknown, time: number): Stamp {
  const stamp = createStamp(context, NO_POLICIES, time);
  return typeof update === 'function' ? { ...stamp, derived: true } : stamp;
}

/** Of an answer. */
export function responseStamp(
  context: FetchContext,
  request: InFlightRequest,
  result?: ResultRecord,
): Stamp {
  const { endpoint, args, issued } = request;
  const { store } = context;
  const arrived = createStamp(context, endpoint, issued);
  const { time, fetchedAt, expiresAt } = arrived;
  const ownTime = store.tick();
  if (result !== undefined) {
    const dated = request.exchange?.date(arrived) ?? arrived;
    // issued before an own write was confirmed: the response may be shown, and must be fetched again
    return request.isOvertaken(store, result) ? { ...dated, expiresAt: 0 } : dated;
  }
  // spelled out: a spread costs as much as all the rest
  const body: unknown = args.at(-1);
  const names = body !== null && typeof body === 'object' ? Object.keys(body) : [];
  const stamp = { time, fetchedAt, expiresAt, own: new Set(names), ownTime };
  return request.exchange?.date(stamp) ?? stamp;
}

/** An error as the store remembers it: shown as its policies say, until it expires. `time` is logical. */
export function createFailure(
  context: FetchContext,
  own: EndpointInterface,
  error: Error & ErrorWithStatus,
  time: number,
): Failure {
  const expiresAt = context.clock.now() + (policyOf(context, own, 'errorExpiryLength') ?? A_SECOND);
  return { error, hard: isHard(context, own, error), time, expiresAt };
}
