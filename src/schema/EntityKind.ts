/** The kind of an entity class: normalizes into a draft, and describes the class to its records. */
import { DEV } from '../diagnostics.ts';
import type { SignalboxError } from '../diagnostics.ts';
import { copyAccessorState } from './accessors.ts';
import { badData } from './badData.ts';
import { assign } from './equal.ts';
import { isObject } from './isObject.ts';
import { kindOf } from './kindOf.ts';
import { validateEntity } from './validateEntity.ts';
import { toPk, indexText, makePlan, temporaryKey, withKey } from './EntityDescriptor.ts';
import type { EntityDescriptor, Nested } from './EntityDescriptor.ts';
import type { EntityStatics } from './EntityStatics.ts';
import { RecordShape } from './RecordShape.ts';
import { INVALID, KIND, Ref } from './schema.ts';
import type {
  Args,
  Fields,
  Kind,
  ListKind,
  Node,
  Source,
  StoredKind,
  NormalizeContext,
} from './schema.ts';

// limits the number of nested entities on the call stack
const DEEPEST = 100;
const SHALLOW = 6;
// the rows of a list have few forms: some rows omit a field
const MOST_FORMS = 8;

export class EntityKind implements StoredKind {
  readonly stores = 'entity';
  readonly needed = true;
  readonly Class: EntityStatics;
  /** The Collections of this entity that endpoints read. Replaced by a new array on each change. */
  listings: readonly ListKind[] = [];
  #table: string | object | undefined;
  #defaults: object | undefined;
  /** The forms of recent records, newest first. */
  readonly #forms: RecordShape[] = [];

  constructor(Class: EntityStatics) {
    this.Class = Class;
  }

  get table(): string | object {
    return (this.#table ??= this.Class.explicitKey ?? this.Class);
  }

  /** The kind of the base class, if this class extends it with its explicit key: both share a table. */
  get base(): EntityKind | undefined {
    const { explicitKey } = this.Class;
    const Above = Object.getPrototypeOf(this.Class) as EntityStatics;
    const isShared = explicitKey !== undefined && Above.explicitKey === explicitKey;
    return isShared ? (Above[KIND] as EntityKind) : undefined;
  }

  get root(): EntityKind {
    return this.base?.root ?? this;
  }

  /** True for the kind of this class, and of the classes it extends. */
  is(other: EntityKind): boolean {
    return this === other || this.Class.prototype instanceof other.Class;
  }

  get title(): string {
    return this.Class.key;
  }

  /** Computed at the first read, which replaces this accessor by a property: rows read the plan many times. */
  get plan(): EntityDescriptor {
    const value = makePlan(this.Class);
    Object.defineProperty(this, 'plan', { value });
    return value;
  }

  get projected(): boolean {
    return this.plan.depth !== undefined;
  }

  inner(): readonly Kind[] {
    return this.plan.nested.map(({ kind }) => kind);
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): Node {
    const known = walk.knownPks?.get(input);
    if (known !== undefined) return this.#stageEntity(input as Fields, known, input, walk);
    if (this.plan.normalizes) return this.#normalizeByClass(input, parent, key, walk);
    return this.#normalizeInput(input, parent, key, walk);
  }

  /** Uses the normalize() of the class. */
  #normalizeByClass(input: unknown, parent: unknown, key: string, walk: NormalizeContext): Node {
    if (walk.keyed && typeof input !== 'object') return this.#normalizeKey(input, walk);
    const next = (given: unknown) => this.#normalizeInput(given, parent, key, walk);
    const node = this.Class.normalize(input, parent, key, walk.args, next);
    if (node === null || node === undefined || node instanceof Ref) return node;
    throw this.#badValueError(node, walk);
  }

  #normalizeInput(input: unknown, parent: unknown, key: string, walk: NormalizeContext): Node {
    if (input === null || input === undefined) return input;
    if (typeof input !== 'object') return this.#normalizeKey(input, walk);
    const { plan } = this;
    let fields: unknown = input;
    if (plan.processes) fields = this.Class.process(input, parent, key, walk.args);
    if (fields === undefined) return this.#removeEntity(input, parent, key, walk);
    if (!isObject(fields)) throw this.#badValueError(fields, walk);
    if (walk.sink.nextTempId !== undefined) fields = this.#withTempId(fields, walk);
    const pk = this.#keyOf(fields, parent, key, walk.args);
    if (pk === undefined) {
      const value = this.Class.pk(fields, parent, key, walk.args);
      const members = Object.keys(fields as object);
      throw badData('S1', { entity: this.title, value, members }, walk.endpoint);
    }
    return this.#stageEntity(fields as Fields, pk, input, walk);
  }

  /** A record that `process` deletes. Without a primary key before `process` there is no entity to delete. */
  #removeEntity(input: object, parent: unknown, key: string, walk: NormalizeContext): Node {
    const pk = this.#keyOf(input, parent, key, walk.args);
    if (pk === undefined) return undefined;
    const gone = walk.sink.ref(this, pk);
    walk.sink.remove(gone);
    return gone;
  }

  #stageEntity(fields: Fields, pk: string, input: unknown, walk: NormalizeContext): Ref {
    const ref = walk.sink.ref(this, pk, walk.within === 0);
    // the entity has another key by now
    if (ref.pk !== pk) fields = withKey(this.plan, { ...fields }, ref.pk);
    if (walk.depth > SHALLOW || walk.knownPks !== undefined) {
      // beyond this depth a repeated input adds nothing: inputs may be cyclic
      if ((walk.seen ??= new Set()).has(input)) return ref;
      walk.seen.add(input);
    }
    if (walk.depth < DEEPEST) this.#stageFields(ref, pk, fields, walk);
    else this.#stageFieldsLater(ref, pk, fields, walk);
    return ref;
  }

  #stageFieldsLater(ref: Ref, pk: string, fields: Fields, walk: NormalizeContext): void {
    (walk.later ??= []).push(() => this.#stageFields(ref, pk, fields, walk));
  }

  #stageFields(ref: Ref, pk: string, fields: Fields, walk: NormalizeContext): void {
    const { nested, absent, validates } = this.plan;
    if (validates) validateEntity(this.Class, pk, fields, walk.endpoint);
    if (nested.length === 0) return walk.sink.put(ref, fields, absent, this);
    const nodes = absent.slice();
    walk.depth++;
    walk.within++;
    for (let at = 0; at < nested.length; at++) {
      const { name, kind } = nested[at] as Nested;
      const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (value !== undefined || kind.always === true)
        nodes[at] = kind.normalize(value, fields, name, walk);
    }
    walk.depth--;
    walk.within--;
    walk.sink.put(ref, fields, nodes, this);
  }

  /** Adds a temporary primary key to an entity that has no key yet, if one field is the primary key. */
  #withTempId(fields: Fields, { sink, args }: NormalizeContext): Fields {
    const { pkFieldInfo } = this.plan;
    if (pkFieldInfo === undefined || this.pkIn(fields, args) !== undefined) return fields;
    return { ...fields, [pkFieldInfo.field]: temporaryKey(this.plan, sink.nextTempId?.() ?? 0) };
  }

  /** A primary key in the place of a nested entity. */
  #normalizeKey(input: unknown, walk: NormalizeContext): Node {
    if (walk.depth === 0 || typeof input === 'boolean') throw this.#badValueError(input, walk);
    const pk = toPk(input);
    return pk === undefined ? undefined : walk.sink.ref(this, pk);
  }

  #badValueError(value: unknown, walk: NormalizeContext): SignalboxError {
    return badData('S2', { entity: this.title, value }, walk.endpoint);
  }

  /** The primary key as text, or undefined. */
  #keyOf(fields: unknown, parent: unknown, key: string, args: Args): string | undefined {
    const { pkField, blank } = this.plan;
    const pk = toPk(
      pkField === undefined
        ? this.Class.pk(fields, parent, key, args)
        : (fields as Fields)[pkField],
    );
    return pk === blank ? undefined : pk;
  }

  /** The primary key in the arguments, or undefined. */
  pkOf(args: Args): string | undefined {
    const [first] = args;
    if (first === null || first === undefined) return undefined;
    return typeof first === 'object' ? this.pkIn(first, args) : toPk(first);
  }

  /** The primary key in a record, or undefined. */
  pkIn(fields: object, args: Args): string | undefined {
    try {
      return this.#keyOf(fields, undefined, '', args);
    } catch {
      // a pk() that reads nested members throws for incomplete records
      return undefined;
    }
  }

  /** The form that a record shares with other records of the same fields. */
  formOf(fields: Fields): RecordShape {
    const forms = this.#forms;
    for (const form of forms) if (form.matches(fields)) return form;
    const made = new RecordShape(fields, this.plan);
    if (made.matches(fields) && forms.unshift(made) > MOST_FORMS) forms.pop();
    return made;
  }

  denormalize(node: Node, source: Source): unknown {
    return node === null || node === undefined ? node : source.value(node as Ref);
  }

  lacks(node: Node, since: number): boolean {
    return node instanceof Ref && node.isIncompleteFor?.(since, this) === true;
  }

  queryKey(args: Args, source: Source): Node | undefined {
    const found = this.Class.queryKey(
      args,
      (schema, given = args) => {
        const node = kindOf(schema, this.title).queryKey?.(given, source);
        return node instanceof Ref ? node : undefined;
      },
      (schema, pk) => {
        const node = kindOf(schema, this.title).fromKeys?.(pk, source);
        const value = node instanceof Ref ? source.value(node) : INVALID;
        return value === INVALID ? undefined : value;
      },
      (field, value) => {
        const text = indexText(value);
        return (text === undefined ? text : source.find(this, field, text)) as object;
      },
    );
    return found instanceof Ref ? found : this.fromKeys(found, source);
  }

  fromKeys(key: unknown, source: Source): Node | undefined {
    const pk = toPk(key);
    return pk === undefined ? undefined : source.ref(this, pk);
  }

  target(): this {
    return this;
  }

  emptyValue(): unknown {
    return undefined;
  }

  get defaults(): object {
    return (this.#defaults ??= DEV ? Object.freeze(new this.Class()) : new this.Class());
  }

  /** An instance with defaults only. */
  createDefault(): Fields {
    const { defaults } = this.plan;
    const instance = new this.Class() as Fields;
    if (defaults !== undefined) for (const name in defaults) assign(instance, name, defaults[name]);
    return instance;
  }

  /** An instance to copy to. If the constructor throws, use a bare object: all fields are copied anyway. */
  #blank(): Fields {
    try {
      return new this.Class() as Fields;
    } catch {
      return Object.create(this.Class.prototype) as Fields;
    }
  }

  /** Selects fields staged for another class of this table: fields that are nested, or not, in both classes. */
  commonFields(fields: Fields, { plan }: EntityKind): Fields {
    const { positions } = this.plan;
    const fits = ([name]: [string, unknown]) => positions.has(name) === plan.positions.has(name);
    return Object.fromEntries(Object.entries(fields).filter(fits));
  }

  /** An instance with these fields; nested members have the class's defaults, without their raw form. */
  instance(fields: Fields, { plain, own }: RecordShape): Fields {
    const instance = this.createDefault();
    if (plain) Object.assign(instance, fields);
    else for (const name of own) assign(instance, name, fields[name]);
    // all instances share one default of a nested member
    for (const { name, fallback } of this.plan.nested) assign(instance, name, fallback);
    return instance;
  }

  copy(instance: Fields): Fields {
    const fresh = this.#blank();
    // takes half the time of `assign` by name
    if (!Object.hasOwn(instance, '__proto__')) Object.assign(fresh, instance);
    else for (const name of Object.keys(instance)) assign(fresh, name, instance[name]);
    const { accessors } = this.plan;
    if (accessors.length > 0) copyAccessorState(accessors, instance, fresh);
    return fresh;
  }
}
