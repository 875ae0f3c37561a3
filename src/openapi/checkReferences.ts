/** Checks that every $ref of a document has a target in it, so later code need not check. */
import { failure } from './CommandError.ts';
import { isFields, list, member, text } from './JsonObject.ts';
import type { JsonObject } from './JsonObject.ts';

/** Members with these names hold values, not parts of the description. */
const VALUES = new Set(['const', 'default', 'enum', 'example', 'examples', 'value']);
/** Members with these names hold objects with names from the author of the description. */
const NAMED = new Set(['properties', 'patternProperties', 'schemas', '$defs', 'definitions']);

interface Place {
  readonly value: unknown;
  readonly pointer: string;
  /** True if the members' names are from the author. */
  readonly named: boolean;
}

/** Throws a Failure with the place of the first $ref that is remote, has no target, or is circular. */
export function checkReferences(root: JsonObject): void {
  const open: Place[] = [{ value: root, pointer: '#', named: false }];
  const meanings = new Set<unknown>();
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, pointer, named } = place;
    if (!named && isFields(value) && Object.hasOwn(value, '$ref')) {
      checkReference(root, value['$ref'], pointer);
      checkMeaning(root, { value, pointer, trail: [], known: meanings });
    }
    for (const inner of inside(place).reverse()) open.push(inner);
  }
}

function inside({ value, pointer, named }: Place): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([name]) => named || Array.isArray(value) || !isOpaque(name))
    .map(([name, inner]: [string, unknown]) => ({
      value: inner,
      pointer: `${pointer}/${escape(name)}`,
      named: !named && NAMED.has(name),
    }));
}

/** Other documents, stored below `x-ext`, are a part of this document. */
const isOpaque = (name: string): boolean =>
  VALUES.has(name) || (name.startsWith('x-') && name !== 'x-ext');

/** True for a document with a $ref to another one. */
export function hasRemote(root: JsonObject): boolean {
  const open: Place[] = [{ value: root, pointer: '#', named: false }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const ref = place.named ? undefined : text(place.value, '$ref');
    if (ref !== undefined && !ref.startsWith('#')) return true;
    open.push(...inside(place));
  }
  return false;
}

function checkReference(root: JsonObject, ref: unknown, pointer: string): void {
  if (typeof ref !== 'string') throw failure('badRef', pointer);
  if (!ref.startsWith('#')) throw failure('remote', pointer, ref);
  if (targetOf(root, ref) === undefined) throw failure('unresolved', pointer, ref);
}

interface Meaning {
  readonly value: unknown;
  readonly pointer: string;
  readonly trail: readonly unknown[];
  /** Values that were followed before without finding a cycle. */
  readonly known: Set<unknown>;
}

/** Throws if a $ref leads back to itself: through other $refs, or as a part of a combination. */
function checkMeaning(root: JsonObject, { value, pointer, trail, known }: Meaning): void {
  if (!isFields(value) || known.has(value)) return;
  const ref = member(value, '$ref');
  const target = typeof ref === 'string' && ref.startsWith('#') ? targetOf(root, ref) : undefined;
  if (target !== undefined && trail.includes(target)) {
    throw failure('circular', pointer, String(ref));
  }
  const parts = target === undefined ? partsOf(value) : [target];
  for (const next of parts) {
    checkMeaning(root, { value: next, pointer, trail: [...trail, value], known });
  }
  known.add(value);
}

/** When a subtype extends a base via allOf, the base's oneOf/anyOf list of subtypes is ignored: it would lead back. */
function partsOf(value: JsonObject): readonly unknown[] {
  return isBase(value)
    ? list(value, 'allOf')
    : ['allOf', 'anyOf', 'oneOf'].flatMap((name) => list(value, name));
}

/** True for a schema with its own members, in addition to any combination. */
export function isBase(schema: unknown): boolean {
  return isFields(member(schema, 'properties'));
}

/** The part of the document that a local $ref names (RFC 6901); undefined without a target. */
export function targetOf(root: JsonObject, ref: string): unknown {
  let at: unknown = root;
  for (const step of stepsOf(ref)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as JsonObject)[step];
  }
  return at ?? undefined;
}

/** The names in the path of a local $ref. */
export function stepsOf(ref: string): string[] {
  const steps = ref.slice(1).split('/').slice(1);
  return steps.map((step) => decode(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

const escape = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
