/** Converts shapes to schemas of this library: the entities in a response, lists of entities, and dates. */
import { block, joinPieces, property, stringLiteral } from './CodePiece.ts';
import type { CodePiece } from './CodePiece.ts';
import type { DistinctMembers, Identities } from './Identities.ts';
import type { Definition } from './ApiDocument.ts';
import { withoutNull, childShapes } from './Shape.ts';
import type { ChoiceShape, Member, ObjectShape, Shape } from './Shape.ts';
import type { GeneratorContext, TypePrinter } from './TypePrinter.ts';
import type { Shapes } from './Shapes.ts';

/** How a response wraps entities: a single entity, and rows of an entity. */
export interface EntityWrappers {
  readonly record: (entity: string) => CodePiece;
  readonly rows: (entity: string) => CodePiece;
}

/** The objects that write code. */
export interface Writers extends GeneratorContext {
  readonly types: TypePrinter;
  readonly schemas: Schemas;
}

export class Schemas {
  readonly #basis: GeneratorContext;
  readonly #types: TypePrinter;

  constructor(basis: GeneratorContext, types: TypePrinter) {
    this.#basis = basis;
    this.#types = types;
  }

  /**
   * The schema of a value; undefined if there are neither entities nor values to decode. `dated` is true for fields
   * of entities, which have dates as Date objects.
   */
  of(shape: Shape, dated = false): CodePiece | undefined {
    const { shape: inner } = withoutNull(shape);
    switch (inner.is) {
      case 'name':
        return this.#ofName(inner.of, dated);
      case 'list': {
        const member = this.of(inner.of, dated);
        return member && ['[', member, ']'];
      }
      case 'object':
        return this.#ofObject(inner, dated);
      case 'choice':
        return this.union(inner);
      case 'date':
        return dated ? this.#basis.dates?.schema : undefined;
      default:
        return undefined;
    }
  }

  #ofName(definition: Definition, dated = false): CodePiece | undefined {
    const { identities, reach, shapes } = this.#basis;
    const named = shapes.named({ is: 'name', of: definition }) ?? definition;
    if (identities.entitiesOf(named).length > 0) return this.#types.nameOf(named, 'read');
    if (identities.isInPlace(named)) return this.of(shapes.of(named), dated);
    const found = reach.holds(named) && !reach.isLost(named);
    return found ? this.of(shapes.of(named)) : undefined;
  }

  #ofObject({ members, rest }: ObjectShape, dated: boolean): CodePiece | undefined {
    if (rest !== undefined && members.length === 0) {
      const value = this.of(rest, dated);
      return value && ['new Values(', value, ')'];
    }
    const found = members.flatMap(({ name, shape }): CodePiece[] => {
      const inner = this.of(shape, dated);
      return inner === undefined ? [] : [property(name, inner)];
    });
    return found.length === 0 ? undefined : block(found);
  }

  /** A union of the variants of a discriminator. */
  union(shape: ChoiceShape): CodePiece | undefined {
    const { identities } = this.#basis;
    const telling = identities.telling(shape);
    if (telling !== undefined) return this.#byMembers(telling);
    if (shape.by === undefined || !identities.isToldApart(shape)) return this.#entity(shape);
    const { names, field } = shape.by;
    const parts = [...names].flatMap(([name, of]): CodePiece[] => {
      const schema = this.#ofName(this.#variantOf(of, name, field));
      return schema === undefined ? [] : [property(name, schema)];
    });
    return ['new Union', block([block(parts), stringLiteral(field)], '(', ')')];
  }

  /** The record with this discriminator value: of a union in a union, the variant. */
  #variantOf(of: Definition, name: string, field: string): Definition {
    const { shape } = withoutNull(this.#basis.shapes.of(of));
    const by = shape.is === 'choice' && shape.by?.field === field ? shape.by : undefined;
    const inner = by?.names.get(name);
    return inner === undefined || inner === of ? of : this.#variantOf(inner, name, field);
  }

  /** A union with a function that looks for distinct members. */
  #byMembers(telling: DistinctMembers): CodePiece {
    const names = telling.map(([record]) => this.#types.nameOf(record, 'read'));
    const last = stringLiteral(names.at(-1) ?? '');
    const tests = telling.slice(0, -1).map(([, member], at): string => {
      const name = stringLiteral(names[at] as string);
      return `${stringLiteral(member ?? '')} in value ? ${name} : `;
    });
    const parts = [`return ${tests.join('')}${last}`];
    const choose: CodePiece = { open: '{', close: '}', parts, mark: ';', tall: true };
    return ['new Union(', block(names), ', (value: object) => ', choose, ')'];
  }

  /** The schema of a response: values beside the entities have their type. */
  ofResponse(shape: Shape, wraps: EntityWrappers): CodePiece | undefined {
    const { shape: inner } = withoutNull(shape);
    const whole = this.#wrapped(inner, wraps);
    if (whole !== undefined) return whole;
    if (this.of(inner) === undefined) return undefined;
    const followed = this.#follow(inner);
    if (followed.is === 'list') {
      // rows may contain many lists, and creations enter none of these
      const row = this.ofResponse(followed.of, PLAIN);
      return row && block([row], '[', ']');
    }
    if (followed.is !== 'object' || followed.members.length === 0) return this.of(inner);
    const parts = followed.members.filter(({ writeOnly }) => !writeOnly);
    return block(parts.map((each) => property(each.name, this.#inEnvelope(each, wraps))));
  }

  /** The target of a plain type's name; a type that contains itself stays a name. */
  #follow(shape: Shape): Shape {
    const { reach } = this.#basis;
    return shape.is === 'name' && reach.isLost(shape.of) ? shape : this.#types.follow(shape);
  }

  #entity(shape: Shape): string | undefined {
    const of = this.#basis.identities.oneIn(shape);
    return of && this.#types.nameOf(of, 'read');
  }

  /** The schema of an entity, or of rows. */
  #wrapped(shape: Shape, { rows, record }: EntityWrappers): CodePiece | undefined {
    const entity = this.#entity(shape);
    if (entity !== undefined) return record(entity);
    const followed = this.#basis.shapes.follow(withoutNull(shape).shape);
    const row = followed.is === 'list' ? this.#entity(followed.of) : undefined;
    return row && rows(row);
  }

  #inEnvelope({ shape, required }: Member, wraps: EntityWrappers): CodePiece {
    const schema = this.ofResponse(shape, wraps);
    if (schema !== undefined) return schema;
    const preset = shape.is === 'word' ? PRESETS[shape.keywordType] : undefined;
    if (preset !== undefined) return preset;
    const type = this.#types.text(shape, 'read');
    // a function decodes; this function only declares the type, and returns the value unchanged
    const given = required ? type : joinPieces([type, 'undefined'], ' | ');
    return ['(value: ', given, ') => value'];
  }
}

const PRESETS: Readonly<Record<string, string | undefined>> = {
  string: "''",
  number: '0',
  boolean: 'false',
};

/** Entities without a wrapper. */
const PLAIN: EntityWrappers = { record: (entity) => entity, rows: (entity) => `[${entity}]` };

export class SchemaAnalysis {
  readonly #identities: Identities;
  readonly #shapes: Shapes;
  readonly #differing = new Map<Definition, boolean>();
  readonly #lost = new Map<Definition, boolean>();

  constructor(identities: Identities, shapes: Shapes) {
    this.#identities = identities;
    this.#shapes = shapes;
  }

  /** True if the sides differ: the type contains entities, or members that are only read or only sent. */
  differs(definition: Definition): boolean {
    return once(this.#differing, definition, () => this.#differs(definition));
  }

  #differs(definition: Definition): boolean {
    const oneWay = (shape: Shape) =>
      shape.is === 'object' && shape.members.some((each) => each.readOnly || each.writeOnly);
    const shape: Shape = { is: 'name', of: definition };
    return this.#reaches(shape, new Set(), (each) => this.#isEntity(each) || oneWay(each));
  }

  /** True for a plain type that contains itself and entities: no schema can express this. */
  isLost(definition: Definition): boolean {
    return once(this.#lost, definition, () => this.#isLost(definition));
  }

  #isLost(definition: Definition): boolean {
    if (this.#identities.entitiesOf(definition).length > 0) return false;
    const itself = (each: Shape) => each.is === 'name' && each.of === definition;
    return this.#reaches(this.#shapes.of(definition), new Set(), itself) && this.holds(definition);
  }

  /** True if the type contains entities. */
  holds(definition: Definition): boolean {
    return this.holdsIn({ is: 'name', of: definition });
  }

  /** True for an entity, and for a shape that contains entities. */
  holdsIn(shape: Shape): boolean {
    return this.#reaches(shape, new Set(), (each) => this.#isEntity(each));
  }

  #isEntity(shape: Shape): boolean {
    return shape.is === 'name' && this.#identities.entitiesOf(shape.of).length > 0;
  }

  /** Searches through plain types, and stops at entities. */
  #reaches(shape: Shape, seen: Set<Definition>, test: (shape: Shape) => boolean): boolean {
    if (test(shape)) return true;
    if (shape.is === 'name') {
      const { of } = shape;
      if (seen.has(of) || this.#isEntity(shape)) return false;
      seen.add(of);
      return this.#reaches(this.#shapes.of(of), seen, test);
    }
    return childShapes(shape).some((each) => this.#reaches(each, seen, test));
  }
}

/** The cached result, or the result of `find`, cached from now on. */
function once(known: Map<Definition, boolean>, of: Definition, find: () => boolean): boolean {
  let result = known.get(of);
  if (result === undefined) known.set(of, (result = find()));
  return result;
}
