/** Validates a payload of `dehydrate`: a page may get the payload of another program or version, or a part of it. */
import { toShortText } from '../errors.ts';
import { isObject } from '../schema/isObject.ts';
import type { DehydratedEntity, DehydratedResult, ServerState } from './Dehydrator.ts';
import { VERSION } from '../schema/wire.ts';

/** The flaw in the outer form of a payload, or undefined. Its contents are decoded when they are read. */
export function flawIn(state: unknown): string | undefined {
  try {
    if (!isObject(state)) return 'it is not an object';
    const { version, entities, results } = state as Partial<ServerState>;
    if (version !== VERSION) return `its version is ${toShortText(version, 20)}, not ${VERSION}`;
    if (!isListOf(entities, isEntity)) return 'its entities are invalid';
    return isListOf(results, isResult) ? undefined : 'its results are invalid';
  } catch (error) {
    return toShortText(error, 80);
  }
}

function isListOf(list: unknown, fits: (member: unknown) => boolean): boolean {
  // a copy without holes, which `every` would pass over
  return Array.isArray(list) && Array.from(list).every(fits);
}

function isEntity(row: unknown): boolean {
  if (!Array.isArray(row)) return false;
  const [number, pk, fields] = row as unknown as DehydratedEntity;
  return typeof number === 'number' && typeof pk === 'string' && isObject(fields);
}

function isResult(row: unknown): boolean {
  if (!Array.isArray(row)) return false;
  const [key, result] = row as readonly unknown[];
  if (typeof key !== 'string' || !isObject(result)) return false;
  const { fetchedAt = 0, expiresAt = 0, failure, blanks = [] } = result as DehydratedResult;
  const isFailure = failure === undefined || (isObject(failure) && isTime(failure['expiresAt']));
  return isTime(fetchedAt) && isTime(expiresAt) && isFailure && Array.isArray(blanks);
}

// Infinity, which does not expire, is null in JSON
const isTime = (value: unknown): boolean => typeof value === 'number' || value === null;
