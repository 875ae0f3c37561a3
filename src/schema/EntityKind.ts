/** The kind of an entity class: normalizes into a draft, and describes the class to the records. */
import { DEV } from '../errors.ts';
import type { SignalboxError } from '../errors.ts';
import { isStandard, validateStandard } from './DecoderKind.ts';
import { copyAccessorState, createDescriptor } from './EntityDescriptor.ts';
import type { EntityDescriptor, NestedMember } from './EntityDescriptor.ts';
import type { EntityStatics } from './EntityStatics.ts';
import { badDataError } from './badDataError.ts';
import type { NamedEndpoint } from './badDataError.ts';
import { ObjectKind } from './containers.ts';
import { copyData, fieldOf, isPlainObject, setOwn } from './fieldOf.ts';
import { kindOf } from './kindOf.ts';
import { INVALID, KIND, Ref } from './schema.ts';
import type {
  Args,
  Fields,
  Kind,
  ListKind,
  NormalizeContext,
  NormalizedNode,
  Source,
  StoredKind,
} from './schema.ts';
import { schemaChecks } from './schemaChecks.ts';
import { toIndexKey, toPk, withPk } from './toPk.ts';

// limits the number of nested entities on the call stack
const MAX_CALL_DEPTH = 100;
const MAX_DEPTH_WITHOUT_CYCLE_CHECK = 6;
// the rows of a list have few shapes: some rows omit a field
const MAX_RECENT_SHAPES = 8;

/** The key for `pk` and `process`: undefined at the top level of a response, for `key ?? args[0].id`. */
export const keyInParent = (key: string): string | undefined => (key === '' ? undefined : key);

export class EntityKind implements StoredKind {
  readonly stores = 'entity';
  readonly mustExist = true;
  readonly Class: EntityStatics;
  /** The Collections of this entity that endpoints read. */
  listedIn: readonly ListKind[] = [];
  #tableKey: string | object | undefined;
  #defaults: object | undefined;
  /** The shapes of recent records, newest first. */
  readonly #recentShapes: RecordShape[] = [];

  constructor(Class: EntityStatics) {
    this.Class = Class;
  }

  get tableKey(): string | object {
    return (this.#tableKey ??= this.Class.explicitKey ?? this.Class);
  }

  /** The kind of the base class, if this class extends the base with the same explicit key: both share a table. */
  get base(): EntityKind | undefined {
    const above = (Object.getPrototypeOf(this.Class) as EntityStatics)[KIND] as
      | EntityKind
      | undefined;
    return above?.tableKey === this.tableKey ? above : undefined;
  }

  get rootKind(): EntityKind {
    return this.base?.rootKind ?? this;
  }

  /** True for the kind of this class, and of all base classes. */
  isOrExtends(other: EntityKind): boolean {
    return this === other || this.Class.prototype instanceof other.Class;
  }

  get title(): string {
    return this.Class.key;
  }

  /** Computed at the first read, which replaces this accessor by a property: rows read the descriptor many times. */
  get descriptor(): EntityDescriptor {
    const value = createDescriptor(this.Class);
    Object.defineProperties(this, { descriptor: { value } });
    return value;
  }

  innerKinds(): readonly Kind[] {
    return this.descriptor.nested.map(({ kind }) => kind);
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    let fields = input;
    let pk = walk.knownPks?.get(input);
    const { hasNormalize, hasProcess, pkField } = this.descriptor;
    const { isPassedByClass } = walk;
    walk.isPassedByClass = false;
    if (pk === undefined) {
      if (hasNormalize && !isPassedByClass) return this.#normalizeByClass(input, parent, key, walk);
      if (input === null || input === undefined) return input;
      if (typeof input !== 'object') return this.#normalizeKey(input, walk);
      if (hasProcess) fields = this.Class.process(input, parent, keyInParent(key), walk.args);
      if (fields === undefined) return this.#removeEntity(input, parent, key, walk);
      if (Array.isArray(fields) || typeof (fields ?? 0) !== 'object')
        throw this.#badValueError(fields, walk);
      fields = walk.sink.addTempPk?.(this, fields as Fields, walk.args) ?? fields;
      pk =
        pkField === undefined
          ? this.#readPk(fields as Fields, parent, key, walk.args)
          : toPk((fields as Fields)[pkField]);
      if (pk === undefined) {
        const value = this.Class.pk(fields, parent, keyInParent(key), walk.args);
        const about = { entity: this.title, value, members: Object.keys(fields as object) };
        throw badDataError('S1', about, walk.endpoint);
      }
    }
    return this.stageEntity(fields as Fields, pk, input, walk);
  }

  /** Uses the normalize() of the class. */
  #normalizeByClass(
    input: unknown,
    parent: unknown,
    key: string,
    walk: NormalizeContext,
  ): NormalizedNode {
    if (walk.mayHavePks && typeof input !== 'object') return this.#normalizeKey(input, walk);
    const next = (nextInput: unknown) => {
      walk.isPassedByClass = true;
      return this.normalize(nextInput, parent, key, walk);
    };
    const node = this.Class.normalize(input, parent, key, walk.args, next);
    if (node === null || node === undefined || node instanceof Ref) return node;
    throw this.#badValueError(node, walk);
  }

  /** A record that `process` deletes. Without a primary key before `process` there is no entity to delete. */
  #removeEntity(
    input: object,
    parent: unknown,
    key: string,
    walk: NormalizeContext,
  ): NormalizedNode {
    const pk = this.#readPk(input as Fields, parent, key, walk.args);
    if (pk === undefined) return undefined;
    const gone = walk.sink.ref(this, pk);
    walk.sink.remove(gone);
    return gone;
  }

  /** Stages an entity with a known key. */
  stageEntity(fields: Fields, pk: string, input: unknown, walk: NormalizeContext): Ref {
    const { nested, undefinedNodes, hasValidate } = this.descriptor;
    const ref = walk.sink.ref(this, pk, !walk.enclosingEntity);
    // the entity has another key by now
    if (ref.pk !== pk) fields = withPk(this.descriptor, { ...fields }, ref.pk);
    if (walk.callDepth > MAX_DEPTH_WITHOUT_CYCLE_CHECK || walk.knownPks !== undefined) {
      // beyond this depth a repeated input adds nothing: inputs may be cyclic
      if ((walk.seenInputs ??= new Set()).has(input)) return ref;
      walk.seenInputs.add(input);
    }
    if (DEV) schemaChecks?.warnOfUndecoded(this, fields);
    if (hasValidate) validateEntity(this.Class, pk, fields, walk.endpoint);
    if (nested.length === 0) walk.sink.put(ref, fields, undefinedNodes, this);
    else if (walk.callDepth < MAX_CALL_DEPTH) this.#stageWithNested(ref, fields, walk);
    else this.#stageWithNestedLater(ref, fields, walk);
    return ref;
  }

  // a closure in `stageEntity` would cost each entity a context
  #stageWithNestedLater(ref: Ref, fields: Fields, walk: NormalizeContext): void {
    (walk.deferred ??= []).push(() => this.#stageWithNested(ref, fields, walk));
  }

  #stageWithNested(ref: Ref, input: Fields, walk: NormalizeContext): void {
    const { nested, undefinedNodes } = this.descriptor;
    let fields = input;
    const nodes = undefinedNodes.slice();
    walk.callDepth++;
    const { enclosingEntity } = walk;
    walk.enclosingEntity = ref;
    if (DEV) schemaChecks?.enterEntity(walk, fields);
    const isNew = walk.creates && !enclosingEntity && !walk.sink.exists(ref);
    for (let at = 0; at < nested.length; at++) {
      const { name, kind, absentValue } = nested[at] as NestedMember;
      let value = Object.hasOwn(fields, name) ? fields[name] : undefined;
      // a copy of an entity without this member: an empty list would replace the stored list
      if (value === absentValue && Object(value) === value) {
        value = undefined;
        fields = { ...fields, [name]: value };
      }
      const isBegun = isNew && (kind as Partial<ListKind>).listOrigin;
      if (value !== undefined || isBegun || kind.normalizesAbsent)
        nodes[at] = kind.normalize(value, fields, name, walk);
    }
    walk.callDepth--;
    walk.enclosingEntity = enclosingEntity;
    if (DEV) schemaChecks?.leaveEntity(walk);
    walk.sink.put(ref, fields, nodes, this);
  }

  /** A primary key in the place of a nested entity. */
  #normalizeKey(input: unknown, walk: NormalizeContext): NormalizedNode {
    if (walk.callDepth === 0 || typeof input === 'boolean') throw this.#badValueError(input, walk);
    const pk = toPk(input);
    return pk === undefined ? undefined : walk.sink.ref(this, pk);
  }

  #badValueError(value: unknown, walk: NormalizeContext): SignalboxError {
    return badDataError('S2', { entity: this.title, value }, walk.endpoint);
  }

  /** The primary key as text, or undefined. */
  #readPk(fields: Fields, parent: unknown, key: string, args: Args): string | undefined {
    const { pkField, blankPk } = this.descriptor;
    const pk = toPk(
      pkField === undefined
        ? this.Class.pk(fields, parent, keyInParent(key), args)
        : fields[pkField],
    );
    return pk === blankPk ? undefined : pk;
  }

  /** The primary key in the arguments, or undefined. */
  pkInArgs(args: Args): string | undefined {
    const [first] = args;
    return typeof first === 'object' && first !== null ? this.pkIn(first, args) : toPk(first);
  }

  /** The primary key in a record, or undefined. */
  pkIn(fields: object, args: Args): string | undefined {
    try {
      return this.#readPk(fields as Fields, undefined, '', args);
    } catch {
      // a pk() that reads nested members throws for incomplete records
      return undefined;
    }
  }

  /** The shape that a record shares with other records of the same fields. */
  shapeOf(fields: Fields): RecordShape {
    const shapes = this.#recentShapes;
    for (const shape of shapes) if (hasRecordShape(fields, shape)) return shape;
    const made = createRecordShape(fields, this.descriptor);
    if (hasRecordShape(fields, made) && shapes.unshift(made) > MAX_RECENT_SHAPES) shapes.pop();
    return made;
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
    return node === null || node === undefined ? node : source.value(node as Ref);
  }

  hasIncomplete(node: NormalizedNode, since: number): boolean {
    return node instanceof Ref && node.lacksRequiredField?.(since, this) === true;
  }

  queryKey(args: Args, source: Source): NormalizedNode | undefined {
    const found = this.Class.queryKey(
      args,
      (schema, keyArgs = args) => {
        const node = kindOf(schema, this.title).queryKey?.(keyArgs, source);
        return node instanceof Ref ? node : undefined;
      },
      (schema, pk) => {
        const node = kindOf(schema, this.title).fromPks?.(pk, source);
        const value = node instanceof Ref ? source.value(node) : INVALID;
        return value === INVALID ? undefined : value;
      },
      (field, value) => {
        const text = toIndexKey(value);
        return (text === undefined ? text : source.findByField(this, field, text)) as object;
      },
    );
    return found instanceof Ref ? found : this.fromPks(found, source);
  }

  fromPks(key: unknown, source: Source): NormalizedNode | undefined {
    const pk = toPk(key);
    return pk === undefined ? undefined : source.ref(this, pk);
  }

  storedKindOf(): this {
    return this;
  }

  get defaults(): object {
    return (this.#defaults ??= DEV ? Object.freeze(new this.Class()) : new this.Class());
  }

  /** True if an entity without the field is incomplete: no Scalar, and the default is neither null nor a function. */
  requiresField(name: string): boolean {
    const initial = fieldOf(this.defaults as Fields, name);
    if (initial === undefined || initial === null || typeof initial === 'function') return false;
    const { nested, nestedIndexes } = this.descriptor;
    return nested[nestedIndexes.get(name) ?? -1]?.kind.normalizesAbsent !== true;
  }

  /** An instance with defaults only. */
  createDefault(): Fields {
    return copyData(this.descriptor.unstableDefaults ?? {}, new this.Class() as Fields);
  }

  /** Selects fields staged for another class of this table: fields that are nested, or not, in both classes. */
  fieldsNestedAlike(fields: Fields, { descriptor }: EntityKind): Fields {
    const [ownIndexes, otherIndexes] = [this.descriptor.nestedIndexes, descriptor.nestedIndexes];
    const isNestedAlike = ([name]: [string, unknown]) =>
      ownIndexes.has(name) === otherIndexes.has(name);
    return Object.fromEntries(Object.entries(fields).filter(isNestedAlike));
  }

  /** An instance with these fields; nested members have the class's defaults, without their raw form. */
  createInstance(fields: Fields, { isAssignable, plainNames }: RecordShape): Fields {
    const { nested, unstableDefaults } = this.descriptor;
    const instance = unstableDefaults ? this.createDefault() : (new this.Class() as Fields);
    if (isAssignable) Object.assign(instance, fields);
    else for (const name of plainNames) setOwn(instance, name, fields[name]);
    // all instances share the default of a nested member
    for (const { name, absentValue } of nested) setOwn(instance, name, absentValue);
    return instance;
  }

  copyInstance(instance: Fields): Fields {
    let fresh: Fields;
    try {
      fresh = new this.Class() as Fields;
    } catch {
      // all fields are copied anyway
      fresh = Object.create(this.Class.prototype) as Fields;
    }
    const { settableAccessors, unstableDefaults } = this.descriptor;
    // takes half the time of `copyData`
    if (!unstableDefaults && !Object.hasOwn(instance, '__proto__')) Object.assign(fresh, instance);
    else copyData(instance, fresh);
    if (settableAccessors.length > 0) copyAccessorState(settableAccessors, instance, fresh);
    return fresh;
  }
}

/** Throws S6 if `validate`, a function or a Standard Schema, rejects a record. */
function validateEntity(
  Class: EntityStatics,
  pk: string,
  fields: Fields,
  endpoint: NamedEndpoint | undefined,
): void {
  const { validate } = Class;
  const reason = isStandard(validate)
    ? validateStandard(validate, fields).reason
    : validate.call(Class, fields);
  if (typeof reason !== 'string' || reason === '') return;
  throw badDataError('S6', { entity: Class.key, pk, reason }, endpoint);
}

/*
 *   class Todo { id = 0; title = ''; note = ''; author = User.fromJS(); get short() {…} }
 *
 *   {id: 5, title: 'x', short: 'y', author: {…}}    names            id title short author
 *                                                   plainNames         id title   copied to an instance as given
 *                                                   nestedIndexes    [0]        indexes of nested members: author
 *                                                   absentNames      note       fields that older data may still have
 */
export interface RecordShape {
  /** The names of the fields that have a value. */
  readonly names: readonly string[];
  readonly plainNames: readonly string[];
  readonly nestedIndexes: readonly number[];
  readonly absentNames: readonly string[];
  /** Time 0 for each field in `absentNames`. */
  readonly absentTimes: Readonly<Record<string, number>> | undefined;
  /** All fields are own or nested members, so that a single Object.assign copies all to an instance. */
  readonly isAssignable: boolean;
  /** A value that the store computes for a record of this shape, and reuses for the next record. */
  writeMemo: object | undefined;
}

function createRecordShape(
  fields: Fields,
  { nestedIndexes, computedFields, declaredFields }: EntityDescriptor,
): RecordShape {
  const names: string[] = [];
  const plainNames: string[] = [];
  const nestedPlaces: number[] = [];
  let count = 0;
  for (const name of Object.keys(fields)) {
    count++;
    if (fields[name] === undefined) continue;
    names.push(name);
    const place = nestedIndexes.get(name);
    if (place !== undefined) nestedPlaces.push(place);
    else if (!computedFields.has(name)) plainNames.push(name);
  }
  const absentNames: string[] = [];
  let absentTimes: Record<string, number> | undefined;
  for (const name of declaredFields)
    if (!names.includes(name)) {
      absentNames.push(name);
      setOwn((absentTimes ??= {}), name, 0);
    }
  return {
    names,
    plainNames,
    nestedIndexes: nestedPlaces,
    absentNames,
    absentTimes,
    isAssignable: plainNames.length + nestedPlaces.length === count && !names.includes('__proto__'),
    writeMemo: undefined,
  };
}

/** True if other fields have this shape, each with a value. */
function hasRecordShape(fields: Fields, { names }: RecordShape): boolean {
  if (!isPlainObject(fields)) return false;
  let at = 0;
  for (const name in fields) {
    if (name !== names[at++] || fields[name] === undefined) return false;
  }
  return at === names.length;
}

/** The class of the only top-level entity outside of lists; undefined if there is none, or several. */
export function onlyTopEntityIn(kind: Kind): EntityKind | undefined {
  const [first, ...others] = topEntitiesOutsideLists(kind);
  return others.length === 0 ? first : undefined;
}

function topEntitiesOutsideLists(kind: Kind): readonly EntityKind[] {
  return kind instanceof EntityKind || kind instanceof ObjectKind
    ? collectTopEntities(kind, topEntitiesOutsideLists)
    : [];
}

/** The classes of all entities that no other entity contains, an entry per occurrence. */
export function collectTopEntities(
  kind: Kind,
  inside: (kind: Kind) => readonly EntityKind[] = collectTopEntities,
): readonly EntityKind[] {
  if (kind instanceof EntityKind) return [kind];
  return (kind.innerKinds?.() ?? []).flatMap((inner) => inside(inner));
}
