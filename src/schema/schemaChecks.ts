/** Development checks of classes, schemas and received values. */
import { checkArgument, checkOptions, warn } from '../errors.ts';
import { badDataError } from './badDataError.ts';
import type { EntityKind } from './EntityKind.ts';
import { defaultStatics } from './EntityStatics.ts';
import type { EntityStatics } from './EntityStatics.ts';
import { isPlainObject } from './fieldOf.ts';
import { equal } from './equal.ts';
import { KIND } from './schema.ts';
import type { Fields, Kind, ListKind, NormalizeContext, Ref } from './schema.ts';

declare const process: { env: { NODE_ENV?: string } };

/** Undefined in production builds, which drop these functions. */
export const schemaChecks: Checks | undefined =
  process.env.NODE_ENV === 'production'
    ? undefined
    : {
        refuseSecondClass,
        warnOfOtherSchema,
        enterEntity,
        leaveEntity,
        refuseInstance,
        warnOfStatics,
        warnOfSeveralLists,
        warnOfSharedList,
        warnOfUndecoded,
      };

interface Checks {
  refuseSecondClass: typeof refuseSecondClass;
  warnOfOtherSchema: typeof warnOfOtherSchema;
  enterEntity: typeof enterEntity;
  leaveEntity: typeof leaveEntity;
  refuseInstance: typeof refuseInstance;
  warnOfStatics: typeof warnOfStatics;
  warnOfSeveralLists: typeof warnOfSeveralLists;
  warnOfSharedList: typeof warnOfSharedList;
  warnOfUndecoded: typeof warnOfUndecoded;
}

/**
 * Throws S17 for an instance of an entity in the place of the class, and E10 for an endpoint: these would be read as an
 * object of literals and as a decoder.
 */
function refuseInstance(schema: object, owner: string | undefined, member: string): void {
  const { testKey, title: endpoint } = schema as { testKey?: unknown; title?: unknown };
  if (typeof testKey === 'function') throw badDataError('E10', { endpoint });
  const prototype = Object.getPrototypeOf(schema) as { constructor?: unknown } | null;
  const Class = prototype?.constructor;
  if (typeof Class === 'function' && KIND in Class)
    throw badDataError('S17', { owner, entity: (Class as { key?: string }).key, member });
}

// without short names, as in OPTIONS
const STATICS =
  'schema indexes relations process validate normalize denormalize createIfValid mergeWithStore mergeMetaWithStore ' +
  'shouldUpdate shouldReorder queryKey maxEntityDepth';

/** Throws E18 for a schema and a pk of another type, and warns (E11) of misspelt statics and members of the schema. */
function checkStatics(Class: EntityStatics, declaredFields: readonly string[]): void {
  const { key, schema } = Class;
  const pk: unknown = Reflect.get(Class, 'pk');
  const members = 'an object of members, as in { author: User }';
  checkArgument(isPlainObject(schema), `static schema of ${key}`, schema, members);
  for (const [member, value] of Object.entries(schema)) {
    // an empty text is the literal of an optional member
    const isName = typeof value === 'string' && value !== '';
    checkArgument(!isName, `static schema.${member} of ${key}`, value, 'a class, not its name');
  }
  const takes = 'a function; the name of a field is the option pk of EntityMixin';
  checkArgument(typeof pk === 'function', `static pk of ${key}`, pk, takes);
  const statics = Object.getOwnPropertyNames(Class).map((name) => [name, name]);
  checkOptions(
    Object.fromEntries(statics) as object,
    Object.getPrototypeOf(Class) as object,
    STATICS,
  );
  const fields = declaredFields.filter((name) => name.length > 3 && !(name in schema));
  checkOptions(schema, Class.defaults, fields.join(' '));
}

/**
 * Warns of a class without a name (S22), and of statics without effect: of older versions of Rest Hooks (E11), and a
 * depth without `depthLimit` (E12).
 */
function warnOfStatics(Class: EntityStatics, declaredFields: readonly string[]): void {
  checkStatics(Class, declaredFields);
  const { key, maxEntityDepth: value } = Class;
  const fields = declaredFields.join(', ');
  if (key === '') warn('S22', fields, { fields });
  // signalbox/data-client calls the older static like the present static, and has the same default for both
  const older: unknown = Reflect.get(Class, 'useIncoming') ?? defaultStatics.shouldUpdate;
  if (older !== defaultStatics.shouldUpdate && older !== Reflect.get(Class, 'shouldUpdate'))
    warn('E11', `${key}.useIncoming`, { option: 'useIncoming', known: 'shouldUpdate' });
  if (!Number.isFinite(value)) return;
  const reason = `it takes depthLimit(${String(value)})`;
  warn('E12', key, { option: 'maxEntityDepth', value, reason });
}

/** Throws S5 for two classes with the same key, neither of which extends the other. */
function refuseSecondClass(key: unknown, first: EntityKind, second: EntityKind): never {
  throw badDataError('S5', { key, entity: first.Class.name, other: second.Class.name });
}

/** Warns (E2) of two schemas with the same key: the second reader would get data by the schema of the first. */
function warnOfOtherSchema(key: string, { title: first }: Kind, { title: second }: Kind): void {
  if (first !== second) warn('E2', key, { key, first, second });
}

/** Warns (S20) of the nested list `name`, which several endpoints read. */
function warnOfSeveralLists(
  entity: { readonly title: string },
  name: string | undefined,
  lists: readonly ListKind[],
): void {
  const paths = lists.map(
    ({ listOrigin: { urlAndResponsePath, listEndpoint } }) =>
      urlAndResponsePath?.trim() ?? listEndpoint?.name,
  );
  const member = `${entity.title}.${name}`;
  warn('S20', member, { member, paths: paths.join(', ') });
}

/** Warns (S18) of received text or a number where the default is an object of a class: nothing decodes the member. */
function warnOfUndecoded({ Class: { key, schema }, defaults }: EntityKind, fields: Fields): void {
  for (const [member, value] of Object.entries(defaults)) {
    const received = Object.hasOwn(fields, member) ? fields[member] : undefined;
    if (typeof received !== 'string' && typeof received !== 'number') continue;
    if (member in schema || !isOfClass(value)) continue;
    const type = value.constructor.name;
    warn('S18', `${key}.${member}`, { member, entity: key, value: received, type });
  }
}

/** True for an object that JSON cannot contain. */
function isOfClass(value: unknown): value is object {
  const isNamed = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isNamed && !isPlainObject(value);
}

interface Occurrence {
  readonly input: unknown;
  /** The fields of the entity around the list. */
  readonly fields: object | undefined;
}

/** The lists and entities that a normalization has met so far. */
interface WalkState {
  /** The fields of the entities around the current value. */
  readonly enclosing: object[];
  /** The last occurrence of each list. */
  readonly lists: Map<Ref, Occurrence>;
}

const walkStates: WeakMap<NormalizeContext, WalkState> = new WeakMap();

function walkStateOf(walk: NormalizeContext): WalkState {
  const known = walkStates.get(walk) ?? { enclosing: [], lists: new Map<Ref, Occurrence>() };
  walkStates.set(walk, known);
  return known;
}

/** Called before the members of an entity are normalized. */
function enterEntity(walk: NormalizeContext, fields: object): void {
  walkStateOf(walk).enclosing.push(fields);
}

/** Called after the members of an entity are normalized. */
function leaveEntity(walk: NormalizeContext): void {
  walkStateOf(walk).enclosing.pop();
}

/**
 * Warns (S21) if `list` has occurred with another input in the response, or in the same entity, unless the identity
 * comes from `nestKey`. A response may contain an entity twice, with other lists.
 */
function warnOfSharedList(
  kind: ListKind,
  list: Ref,
  place: { readonly input: unknown; readonly parent: unknown; readonly walk: NormalizeContext },
): void {
  const { input, parent, walk } = place;
  const { nestKey, argsKey } = kind.listOrigin.options;
  const { enclosing, lists } = walkStateOf(walk);
  if (nestKey && parent && (walk.enclosingEntity ?? !argsKey)) return;
  const last = lists.get(list);
  const fields = enclosing.at(-1);
  const { title, name = 'set' } = walk.endpoint ?? {};
  const about = { endpoint: title ?? name, list: kind.title };
  if (last && last.fields === fields && !equal(last.input, input))
    warn('S21', `${about.endpoint} ${kind.title}`, about);
  lists.set(list, { input, fields });
}
