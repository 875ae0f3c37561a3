/** Stamps of incoming data (responses, pushes, errors): when the data were known to be true, and when they expire. */
import { defaultErrorPolicy } from '../endpoint/Endpoint.ts';
import type {
  EndpointInterface,
  ErrorPolicy,
  Policies,
  ErrorWithStatus,
} from '../endpoint/Endpoint.ts';
import { titleOf } from '../endpoint/argumentChecks.ts';
import { DEV, warn } from '../errors.ts';
import { isFormData, isObject } from '../schema/fieldOf.ts';
import { EMPTY } from '../store/records/SmallSet.ts';
import type { Stamp } from '../store/records/versioning.ts';
import type { Failure } from '../store/results/Result.ts';
import type { ResultRecord } from '../store/results/ResultRecord.ts';
import { policyOf } from './FetchContext.ts';
import type { FetchContext } from './FetchContext.ts';
import type { InFlightRequest } from './InFlightRequest.ts';

// the defaults of dataExpiryLength and errorExpiryLength, ms
const DEFAULT_DATA_EXPIRY = 60_000;
const DEFAULT_ERROR_EXPIRY = 1_000;

/** The stamp of data that arrive now; `time` is logical. */
export function createArrivalStamp(
  context: FetchContext,
  own: Policies,
  time: number,
): { -readonly [Name in keyof Stamp]: Stamp[Name] } {
  const fetchedAt = context.clock.now();
  // direct access: a call of `policyOf` per response takes a tenth of the write
  const length = own.dataExpiryLength ?? context.policies.dataExpiryLength ?? DEFAULT_DATA_EXPIRY;
  return { time, fetchedAt, expiresAt: fetchedAt + length };
}

/** The stamp of `controller.set`. A value that a function computed from the present value is marked `derived`. */
export function createSetStamp(context: FetchContext, update: unknown, time: number): Stamp {
  const stamp = createArrivalStamp(context, {}, time);
  // assigned: after a spread, each change of a row takes nearly twice as long
  stamp.isPush = true;
  if (typeof update === 'function') stamp.derived = true;
  return stamp;
}

/** The stamp of a response. `result`: the result of a read. `shownFields`: fields that count as sent, besides the body's. */
export function responseStamp(
  request: InFlightRequest,
  result?: ResultRecord,
  shownFields: readonly string[] = EMPTY,
): Stamp {
  const { context, endpoint, args, asOf, sentAt, exchange, pages } = request;
  const arrived = createArrivalStamp(context, endpoint, asOf);
  const arrivedAt = (request.arrivedAt = context.store.tick());
  // assigned: a spread costs as much as the rest of this function
  if (result) arrived.arrivedAt = arrivedAt;
  else {
    arrived.own = new Set([...fieldNamesOf(args.at(-1)), ...shownFields]);
    arrived.ownTime = arrivedAt;
    // behind a gate the response may be older: of another page, from a log
    if (!context.gate && sentAt > asOf && sentAt < arrivedAt) arrived.sentAt = sentAt;
  }
  const stamp = (pages?.exchanges ?? EMPTY).reduce<Stamp>(
    (shortest, page) => earlierOf(shortest, page.adjustStamp(arrived)),
    exchange?.adjustStamp(arrived) ?? arrived,
  );
  // issued before an own write was confirmed: the response may be shown, and must be refetched
  return result !== undefined && request.isOvertaken(result) ? { ...stamp, expiresAt: 0 } : stamp;
}

/** The shorter freshness of two stamps. */
function earlierOf(one: Stamp, other: Stamp): Stamp {
  const { staleUntil = Infinity } = one;
  const until = Math.min(staleUntil, other.staleUntil ?? Infinity);
  return {
    ...one,
    expiresAt: Math.min(one.expiresAt, other.expiresAt),
    staleUntil: until === Infinity ? undefined : until,
  };
}

/** The names of the fields in the body of a mutation. */
export function fieldNamesOf(body: unknown): Iterable<string> {
  if (!isObject(body)) return EMPTY;
  // React Native's FormData cannot be read
  return isFormData(body) && 'keys' in body ? body.keys() : Object.keys(body);
}

/** An error as the store keeps it until its expiry. `time` is logical. */
export function createFailure(
  context: FetchContext,
  own: EndpointInterface,
  error: Error & ErrorWithStatus,
  time: number,
): Failure {
  const fetchedAt = context.clock.now();
  const expiresAt =
    fetchedAt + (policyOf(context, own, 'errorExpiryLength') ?? DEFAULT_ERROR_EXPIRY);
  return { error, hard: isHardError(context, own, error), time, fetchedAt, expiresAt };
}

/** True if an error is shown instead of stored data. If a policy function throws, the default applies. */
function isHardError(
  { policies }: FetchContext,
  own: EndpointInterface,
  error: ErrorWithStatus,
): boolean {
  let chosen: ErrorPolicy;
  try {
    // the default of an endpoint class is not a choice of the user: the controller's policy comes first
    if (own.errorPolicy !== defaultErrorPolicy) chosen = own.errorPolicy?.(error);
    chosen ??= policies.errorPolicy?.(error);
  } catch (reason) {
    if (DEV) warn('E8', titleOf(own), { endpoint: titleOf(own), reason });
  }
  return (chosen ?? defaultErrorPolicy(error)) === 'hard';
}
