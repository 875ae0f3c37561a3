/** Merges waiting mutations of the same entity. */
import type { EndpointInterface } from '../endpoint/Endpoint.ts';
import { isPlainObject } from '../schema/fieldOf.ts';
import type { Args } from '../schema/schema.ts';
import { keysIn } from '../schema/toPk.ts';
import type { LogEntry } from './LogEntry.ts';
import { urlOf } from './queueIdOf.ts';

/** The rules of merging; both functions get entries that were never sent. */
export interface MergeRules {
  /** The arguments with which `later` replaces both; undefined: both are sent. */
  readonly merge: (earlier: LogEntry, later: LogEntry) => Args | undefined;
  /** `later`: all changes of the created entity. True if the last change is the deletion: then nothing is sent. */
  readonly cancels: (creation: LogEntry, later: readonly LogEntry[]) => boolean;
}

type EndpointOf = (name: string) => EndpointInterface | undefined;

/*
 *   PATCH, PATCH        a single PATCH with the fields of both, unless both write an object into the same field
 *   PATCH or PUT, PUT   the PUT, if no earlier field is missing: some servers keep the fields that a PUT leaves out
 *   PATCH or PUT, DELETE   the DELETE
 *   POST, …, DELETE of the created entity   nothing
 */
export function createMergeRules(endpointOf: EndpointOf): MergeRules {
  const methodOf = ({ name }: LogEntry) => {
    const { method = '' } = (endpointOf(name) ?? {}) as { readonly method?: string };
    return method.toUpperCase();
  };
  const addressOf = ({ name, args }: LogEntry) => {
    const endpoint = endpointOf(name);
    return endpoint && urlOf(endpoint, args);
  };
  return {
    merge(earlier, later) {
      const methods = `${methodOf(earlier)} ${methodOf(later)}`;
      const address = addressOf(earlier);
      if (address === undefined || address !== addressOf(later)) return undefined;
      if (/^(?:PATCH|PUT) DELETE$/.test(methods)) return later.args;
      if (methods === 'PATCH PATCH' && earlier.name === later.name)
        return mergeBodies(earlier.args, later.args);
      return /^(?:PATCH|PUT) PUT$/.test(methods) && covers(later.args, earlier.args)
        ? later.args
        : undefined;
    },
    cancels(creation, later) {
      const last = later.at(-1);
      if (last === undefined || methodOf(creation) !== 'POST' || methodOf(last) !== 'DELETE')
        return false;
      const changes = later.slice(0, -1);
      return (
        isFlat(creation.args.at(-1)) &&
        changes.every((entry) => ['PATCH', 'PUT'].includes(methodOf(entry))) &&
        later.every((entry) => isAbout(entry, creation.id))
      );
    },
  };
}

function mergeBodies(earlier: Args, later: Args): Args | undefined {
  const [, body] = earlier;
  const [params, next] = later;
  const isMergeable = isBody(earlier) && isBody(later) && !shareObject(body, next);
  return isMergeable ? [params, { ...(body as object), ...(next as object) }] : undefined;
}

/** True if the second body has all the fields of the first. */
function covers(later: Args, earlier: Args): boolean {
  const [, body] = earlier;
  const [, next] = later;
  if (!isBody(earlier) || !isBody(later) || shareObject(body, next)) return false;
  return Object.keys(body as object).every((name) => name in (next as object));
}

/** True for the arguments `(params, body)` of a plain body. */
const isBody = (args: Args) => args.length === 2 && isPlainObject(args[1]);

/** True if both bodies have a field that is an object in either: some servers merge objects, some replace them. */
function shareObject(body: unknown, next: unknown): boolean {
  const [a, b] = [body, next] as [Fields, Fields];
  return Object.keys(a).some((name) => name in b && (isObject(a[name]) || isObject(b[name])));
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/** True for a body that creates a single entity: objects in a body may be further entities. */
function isFlat(body: unknown): boolean {
  return isPlainObject(body) && !Object.values(body).some(isObject);
}

/** True for a change of the created entity that refers to no other entity without a key. */
function isAbout({ tempIds, args: [params, ...rest] }: LogEntry, creation: number): boolean {
  const [first, ...others] = tempIds;
  if (first === undefined || others.length > 0) return false;
  const [key, by] = first;
  return by === creation && keysIn([params]).includes(key) && !keysIn(rest).includes(key);
}
