/** The checks of endpoints and schemas that callers pass, and the facts that messages and requests need of an endpoint. */
import type { EndpointInterface } from './Endpoint.ts';
import { checkArgument, checkObject, checkOptions, DEV, SignalboxError, warn } from '../errors.ts';
import { badDataError } from '../schema/badDataError.ts';
import { isObject } from '../schema/fieldOf.ts';
import type { Args } from '../schema/schema.ts';

declare const process: { env: { NODE_ENV?: string } };

/** True for an endpoint, false for a schema. */
export function isEndpoint(value: unknown): value is EndpointInterface {
  return typeof value === 'function' && 'key' in value && typeof value.key === 'function';
}

export function titleOf(endpoint: EndpointInterface): string {
  return endpoint.title ?? endpoint.name;
}

/** Undefined in production builds, which drop these functions. */
export const argumentChecks:
  | {
      schema(value: unknown): void;
      endpoint: typeof checkEndpoint;
      optimistic(endpoint: EndpointInterface): void;
      memberOptions: typeof checkMemberOptions;
      memberNames: typeof checkMemberNames;
    }
  | undefined =
  process.env.NODE_ENV === 'production'
    ? undefined
    : {
        schema: checkSchema,
        endpoint: checkEndpoint,
        optimistic: checkOptimistic,
        memberOptions: checkMemberOptions,
        memberNames: checkMemberNames,
      };

/** Throws S4 for undefined, and E10 for an endpoint or a resource: no arguments would find anything. */
function checkSchema(schema: unknown): void {
  if (schema === undefined) throw badDataError('S4', { owner: 'schema', member: '' });
  const endpoint = isEndpoint(schema) ? schema : endpointsIn(schema)[0]?.[1];
  if (endpoint !== undefined) throw new SignalboxError('E10', { endpoint: titleOf(endpoint) });
  checkArgument(Object(schema) === schema, 'a read of the store', schema, 'a schema');
}

/** Throws E18 for the members of `resource.extend`, or the options of a member, that are no object. */
function checkMemberOptions(members: object): void {
  const takes = 'a name and options, or an object of options by name';
  for (const given of [members, ...Object.values(Object(members) as object)] as unknown[])
    checkObject('resource.extend', given, takes);
}

/** Warns (E11) of new members of a resource with the misspelt name of a member. */
function checkMemberNames(resource: object, members: object): void {
  // similar names that say something else
  const others = { getLast: true, getLists: true, created: true, updated: true, deleted: true };
  // without get: too many other names are similar
  checkOptions(members, { ...resource, ...others }, 'getList create update partialUpdate delete');
}

/** Throws E14 for a value without the method that the caller needs. */
function checkEndpoint(value: unknown, method: 'key' | 'testKey' = 'key'): void {
  const members = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof members[method] !== 'function') throw badDataError('E14', { reason: describe(value) });
}

/** Throws E12 for a mutation that needs optimistic writes, where the feature is not installed; warns of a read. */
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

/** `endpoint.key(...args)`; throws E3 if the key is not a string: two requests could share such a key by accident. */
export function keyOf(endpoint: EndpointInterface, args: Args): string {
  if (DEV) argumentChecks?.endpoint(endpoint);
  const key: unknown = endpoint.key(...args);
  if (typeof key === 'string') return key;
  throw new SignalboxError('E3', { value: key }, { status: 400, endpoint: titleOf(endpoint) });
}

/** Throws E7 for a mutation: a reader would send the request repeatedly, and the response is not stored under a key. */
export function refuseMutation(endpoint: EndpointInterface): void {
  if (DEV) argumentChecks?.endpoint(endpoint);
  if (endpoint.sideEffect) throw new SignalboxError('E7', { endpoint: titleOf(endpoint) });
}

/** Throws E13 for a read and E14 for any other value, in development. */
export function refuseRead(endpoint: EndpointInterface): void {
  if (DEV) argumentChecks?.endpoint(endpoint);
  if (DEV && !endpoint.sideEffect) throw new SignalboxError('E13', { endpoint: titleOf(endpoint) });
}

/** True for PUT and PATCH with params, a body and a schema: the response may give the entity another primary key. */
export function isUpdate(endpoint: EndpointInterface, args: readonly unknown[]): boolean {
  const { method, schema } = endpoint as { readonly method?: unknown; readonly schema?: unknown };
  return schema !== undefined && args.length > 1 && (method === 'PUT' || method === 'PATCH');
}

/** The imported function. Throws E12 for any other value. */
export function importedOption<F>(option: string, value: unknown, expected: string): F {
  if (typeof value === 'function') return value as F;
  throw new SignalboxError('E12', { option, value, reason: `it takes ${expected}` });
}
