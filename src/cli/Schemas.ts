/** Shapes as schemas of this library: which members of an answer are entities, lists of them, or dates. */
import { block, joined, property, quote } from './Code.ts';
import type { Code } from './Code.ts';
import type { Definition } from './Document.ts';
import { withoutNull } from './Shape.ts';
import type { Choice, Member, ObjectShape, Shape } from './Shape.ts';
import type { Basis, TypeTexts } from './TypeTexts.ts';

/** What an answer does with entities: what becomes of the name of one, and of rows of one. */
export interface Wraps {
  readonly record: (entity: string) => Code;
  readonly rows: (entity: string) => Code;
}

export class Schemas {
  readonly #basis: Basis;
  readonly #types: TypeTexts;

  constructor(basis: Basis, types: TypeTexts) {
    this.#basis = basis;
    this.#types = types;
  }

  /** The schema of a value; undefined where there is nothing in it to be stored by itself. */
  of(shape: Shape): Code | undefined {
    const { shape: inner } = withoutNull(shape);
    switch (inner.is) {
      case 'name':
        return this.#ofName(inner.of);
      case 'list': {
        const member = this.of(inner.of);
        return member && ['[', member, ']'];
      }
      case 'object':
        return this.#ofObject(inner);
      case 'choice':
        return this.union(inner);
      default:
        return undefined;
    }
  }

  #ofName(definition: Definition): Code | undefined {
    const { identities, reach, shapes } = this.#basis;
    const named = shapes.named({ is: 'name', of: definition }) ?? definition;
    if (identities.entitiesOf(named).length > 0) return this.#types.nameOf(named, 'read');
    const found = reach.holds(named) && !reach.isLost(named);
    return found ? this.of(shapes.of(named)) : undefined;
  }

  #ofObject({ members, rest }: ObjectShape): Code | undefined {
    if (rest !== undefined) {
      const value = members.length > 0 ? undefined : this.of(rest);
      return value && ['new Values(', value, ')'];
    }
    const found = members.flatMap(({ name, shape }): Code[] => {
      const inner = this.of(shape);
      return inner === undefined ? [] : [property(name, inner)];
    });
    return found.length === 0 ? undefined : block(found);
  }

  /** What a member tells apart. */
  union(shape: Choice): Code | undefined {
    const { identities } = this.#basis;
    if (shape.by === undefined || !identities.isToldApart(shape)) return undefined;
    const { names, field } = shape.by;
    const parts = [...names].flatMap(([name, of]): Code[] => {
      const schema = this.#ofName(of);
      return schema === undefined ? [] : [property(name, schema)];
    });
    return ['new Union(', block(parts), `, ${quote(field)})`];
  }

  /** An answer's schema: what stands beside the entities in it has its type. */
  ofAnswer(shape: Shape, wraps: Wraps): Code | undefined {
    const { shape: inner } = withoutNull(shape);
    const followed = this.#basis.shapes.follow(inner);
    const whole = this.#wrapped(inner, wraps) ?? this.of(inner);
    if (whole === undefined || this.#entity(inner) !== undefined) return whole;
    if (followed.is !== 'object' || followed.rest !== undefined) return whole;
    const parts = followed.members.filter(({ writeOnly }) => !writeOnly);
    return block(parts.map((each) => property(each.name, this.#inEnvelope(each, wraps))));
  }

  #entity(shape: Shape): string | undefined {
    const { identities, shapes } = this.#basis;
    const named = shapes.named(shape);
    const stored = named !== undefined && identities.entitiesOf(named).length > 0;
    return stored ? this.#types.nameOf(named, 'read') : undefined;
  }

  /** The schema of one entity, or of rows. */
  #wrapped(shape: Shape, { rows, record }: Wraps): Code | undefined {
    const entity = this.#entity(shape);
    if (entity !== undefined) return record(entity);
    const followed = this.#basis.shapes.follow(withoutNull(shape).shape);
    const row = followed.is === 'list' ? this.#entity(followed.of) : undefined;
    return row && rows(row);
  }

  #inEnvelope({ shape, required }: Member, wraps: Wraps): Code {
    const schema = this.#wrapped(shape, wraps) ?? this.of(shape);
    if (schema !== undefined) return schema;
    const preset = shape.is === 'word' ? PRESETS[shape.word] : undefined;
    if (preset !== undefined) return preset;
    const type = this.#types.text(shape, 'read');
    // a function decodes; this one says what there is, and leaves it
    const given = required ? type : joined([type, 'undefined'], ' | ');
    return ['(value: ', given, ') => value'];
  }
}

const PRESETS: Readonly<Record<string, string | undefined>> = {
  string: "''",
  number: '0',
  boolean: 'false',
};
