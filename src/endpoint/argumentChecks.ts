/** Development checks: rejects endpoints where a schema is expected (E10), and other values than endpoints (E14). */
import { SignalboxError, warn } from '../errors.ts';
import { badDataError } from '../schema/badDataError.ts';
import { isObject } from '../schema/fieldOf.ts';
import type { EndpointInterface } from './Endpoint.ts';
import { isEndpoint } from './isEndpoint.ts';
import { titleOf } from './titleOf.ts';

declare const process: { env: { NODE_ENV?: string } };

/** Undefined in production builds, which drop the rest of this file. */
export const argumentChecks:
  | {
      schema(value: unknown): void;
      endpoint: typeof checkEndpoint;
      optimistic(endpoint: EndpointInterface): void;
    }
  | undefined =
  process.env.NODE_ENV === 'production'
    ? undefined
    : { schema: checkSchema, endpoint: checkEndpoint, optimistic: checkOptimistic };

/** Throws S4 for undefined, and E10 for an endpoint or a resource: no arguments would find anything. */
function checkSchema(schema: unknown): void {
  if (schema === undefined) throw badDataError('S4', { owner: 'schema', member: '' });
  const endpoint = isEndpoint(schema) ? schema : endpointsIn(schema)[0]?.[1];
  if (endpoint !== undefined) throw new SignalboxError('E10', { endpoint: titleOf(endpoint) });
}

/** Throws E14 for a value without the method that the caller needs. */
function checkEndpoint(value: unknown, method: 'key' | 'testKey' = 'key'): void {
  const members = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof members[method] !== 'function') throw badDataError('E14', { reason: describe(value) });
}

/** Throws E12 for a mutation that needs optimistic writes, where they are not installed; warns of a read. */
function checkOptimistic(endpoint: EndpointInterface): void {
  const { sideEffect, getOptimisticResponse, update } = endpoint;
  const member = sideEffect && getOptimisticResponse ? 'an optimistic response' : 'an update';
  if (!(sideEffect && getOptimisticResponse) && update === undefined) return;
  const reason = `${titleOf(endpoint)} has ${member}: write new Controller({ optimistic })`;
  const details = { option: 'the option optimistic of the controller', value: undefined, reason };
  if (sideEffect) throw new SignalboxError('E12', details);
  warn('E12', titleOf(endpoint), details);
}

function describe(value: unknown): unknown {
  if (value instanceof Promise) return 'a promise';
  if (typeof value === 'string') return JSON.stringify(value);
  const names = endpointsIn(value).map(([name]) => name);
  return names.length === 0 ? value : `an object with the endpoints ${names.join(', ')}`;
}

function endpointsIn(value: unknown): [name: string, endpoint: EndpointInterface][] {
  const members: [string, unknown][] = isObject(value) ? Object.entries(value) : [];
  return members.filter((member): member is [string, EndpointInterface] => isEndpoint(member[1]));
}
