/** Fields of an entity with values that depend on the arguments of the reader. */
import { checkObject, DEV } from '../errors.ts';
import type { SignalboxError } from '../errors.ts';
import { EntityMixin } from './Entity.ts';
import type { EntityKind } from './EntityKind.ts';
import { ReaderDependentValue, registerLens } from './ReaderDependentValue.ts';
import { badDataError } from './badDataError.ts';
import { fieldOf, isObject, setOwn } from './fieldOf.ts';
import { kindOf } from './kindOf.ts';
import { KIND } from './schema.ts';
import type {
  Args,
  EntityClass,
  Fields,
  Kind,
  NormalizeContext,
  NormalizedNode,
  Ref,
  Source,
} from './schema.ts';
import { toPk } from './toPk.ts';

/** The key and the storage of the values of a `Scalar`. */
export interface ScalarOptions {
  /** The key of the value, computed from the arguments: a portfolio, a currency, a language. */
  // any: a function of the user's own arguments must fit
  readonly lens: (args: any) => string | number | undefined;
  /** Names the storage of the values, which Scalars with the same key share. */
  readonly key: string;
  /** The entity class of the fields, if the Scalar is not in the class's own schema. */
  readonly entity?: EntityClass;
}

/*
 *   Company 1   {name: 'A'}      pct ──► Scalar(portfolio)  Company|1
 *                                          ["x","pct"] 0.5      read with {portfolio: 'x'}
 *                                          ["y","pct"] 0.3      read with {portfolio: 'y'}
 */

/**
 * `static schema = {pct: new Scalar({lens: ([params]) => params.portfolio, key: 'portfolio'})}`: each lens has a
 * separate value; readers get the value for their arguments, or undefined. `new Values(scalar)` and `[scalar]`, with
 * `entity`, are the schemas of responses that contain only these fields. Throws S15 for a response to arguments without
 * a lens.
 */
// any: columns have no declaration
export class Scalar implements Kind<any> {
  declare readonly denormalizedType?: any; // any: as above
  /** Type only: values depend on the arguments of the reader. */
  declare readonly readsArgs: true;
  /** @internal */ readonly dependsOnReader = true;
  /** @internal */ readonly alwaysComplete = true;
  readonly key: string;
  readonly entity: EntityClass | undefined;
  readonly #lens: ScalarOptions['lens'];

  constructor(options: ScalarOptions) {
    if (DEV) checkObject('new Scalar', options, 'an object with lens and key');
    const { lens, key, entity } = options;
    this.#lens = lens;
    this.key = key;
    this.entity = entity;
    registerLens((args) => this.lensOf(args));
    scalarsByKey.set(key, [this, ...(scalarsByKey.get(key) ?? [])]);
  }

  get title(): string {
    return `Scalar(${this.key})`;
  }

  /** @internal */ innerKinds(): readonly Kind[] {
    return [columnsKindOf(this)];
  }

  /** @internal */ bindToEntity(entity: EntityKind, name?: string): Kind | undefined {
    return name === undefined ? undefined : new ScalarField(this, entity, name);
  }

  /** The lens of a reader; undefined without a lens in the arguments. */
  lensOf(args: Args): string | undefined {
    try {
      return toPk(this.#lens(args));
    } catch {
      // arguments of another endpoint may have another shape
      return undefined;
    }
  }

  /** The entity of columns outside of an entity: their name in a map, else the result of the entity's pk(). */
  // any: overrides narrow the parameters
  entityPk(input: any, parent: any, key: string, args: any): string | number | undefined {
    if (!Array.isArray(parent) && fieldOf((parent ?? {}) as Fields, key) === input) return key;
    return (kindOf(this.entity, this.title) as EntityKind).pkIn(input as object, args as Args);
  }

  normalize(input: unknown, parent: unknown, key: string, walk: NormalizeContext): NormalizedNode {
    if (input === null || input === undefined) return input;
    if (walk.mayHavePks && typeof input === 'string')
      return walk.sink.ref(columnsKindOf(this), input);
    if (!isObject(input)) throw this.#invalidError(input, 'columns must be an object', walk);
    if (this.entity === undefined)
      throw this.#invalidError(input, 'it is not bound to an entity', walk);
    const pk = toPk(this.entityPk(input, parent, key, walk.args));
    if (pk === undefined)
      throw this.#invalidError(input, 'entityPk() returned no primary key', walk);
    const ref = this.columnsRef(kindOf(this.entity, this.title) as EntityKind, pk, walk);
    this.stageColumns(ref, Object.entries(input), walk);
    return ref;
  }

  /** The record with all columns of an entity, for all lenses. @internal */
  columnsRef(entity: EntityKind, pk: string, walk: NormalizeContext): Ref {
    return walk.sink.ref(columnsKindOf(this), `${tableNameOf(entity)}|${pk}`);
  }

  /** @internal */ stageColumns(
    ref: Ref,
    columns: readonly (readonly [string, unknown])[],
    walk: NormalizeContext,
  ): void {
    const lens = toPk(this.#lens(walk.args));
    if (lens === undefined) throw this.#invalidError(Object.fromEntries(columns), NO_LENS, walk);
    const fields: Fields = {};
    for (const [name, value] of columns) fields[columnFieldName(lens, name)] = value;
    walk.sink.put(ref, fields, [], columnsKindOf(this));
  }

  #invalidError(value: unknown, reason: string, { endpoint }: NormalizeContext): SignalboxError {
    return badDataError('S15', { scalar: this.key, value, reason }, endpoint);
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
    return node === null || node === undefined ? node : source.value(node as Ref);
  }
}

const NO_LENS = 'the lens of the arguments is undefined';

/** A Scalar as a field of an entity. */
class ScalarField implements Kind {
  readonly dependsOnReader = true;
  readonly alwaysComplete = true;
  readonly normalizesAbsent = true;
  readonly #scalar: Scalar;
  readonly #entity: EntityKind;
  readonly #name: string;

  constructor(scalar: Scalar, entity: EntityKind, name: string) {
    this.#scalar = scalar;
    this.#entity = entity;
    this.#name = name;
  }

  get title(): string {
    return this.#scalar.title;
  }

  innerKinds(): readonly Kind[] {
    return [this.#scalar];
  }

  /** Runs for an entity without the field, too: another response may contain the field. */
  normalize(
    input: unknown,
    _parent: unknown,
    _key: string,
    walk: NormalizeContext,
  ): NormalizedNode {
    const { pk } = walk.enclosingEntity as Ref;
    const ref = this.#scalar.columnsRef(this.#entity, pk, walk);
    if (input !== undefined) this.#scalar.stageColumns(ref, [[this.#name, input]], walk);
    return ref;
  }

  denormalize(node: NormalizedNode, source: Source): unknown {
    // a live object is shared by readers with different arguments
    return source.hasImmutableValues
      ? new ScalarValue(this.#scalar, this.#name, source.value(node as Ref))
      : undefined;
  }
}

/** The values of a field for all lenses. */
class ScalarValue extends ReaderDependentValue {
  readonly #scalar: Scalar;
  readonly #name: string;
  readonly #columns: unknown;

  constructor(scalar: Scalar, name: string, columns: unknown) {
    super();
    this.#scalar = scalar;
    this.#name = name;
    this.#columns = columns;
  }

  valueFor(args: Args): unknown {
    const lens = this.#scalar.lensOf(args);
    if (lens === undefined || typeof this.#columns !== 'object') return undefined;
    return (this.#columns as Fields)[columnFieldName(lens, this.#name)];
  }
}

function columnFieldName(lens: string, name: string): string {
  return JSON.stringify([lens, name]);
}

/** Scalars by key, the latest first. */
const scalarsByKey = new Map<string, readonly Scalar[]>();
const columnsKinds = new Map<string, EntityKind>();

/** The hidden entity with the columns of other entities: a field per lens and name, each with a separate version. */
function columnsKindOf(scalar: Scalar): EntityKind {
  let kind = columnsKinds.get(scalar.key);
  if (kind === undefined) {
    class ScalarColumns extends ReaderDependentValue {
      /** All columns of a lens. */
      valueFor(args: Args): unknown {
        const scalars = scalarsByKey.get(scalar.key) ?? [];
        const lens = scalars
          .map((each) => each.lensOf(args))
          .find((candidate) => candidate !== undefined);
        const columns: Fields = {};
        for (const [cell, value] of Object.entries(this)) {
          const [cellLens, name] = JSON.parse(cell) as [string, string];
          if (cellLens === lens) setOwn(columns, name, value);
        }
        return Object.freeze(columns);
      }
    }
    kind = EntityMixin(ScalarColumns, { key: scalar.title })[KIND] as EntityKind;
    columnsKinds.set(scalar.key, kind);
  }
  return kind;
}

const tableNames = new WeakMap<object, string>();
let lastTableNumber = 0;

/** Text for a class. Two classes without an explicit key may have the same name, so these get a number. */
function tableNameOf({ tableKey, title }: EntityKind): string {
  if (typeof tableKey === 'string') return tableKey;
  let name = tableNames.get(tableKey);
  if (name === undefined) tableNames.set(tableKey, (name = `${title} ${++lastTableNumber}`));
  return name;
}
