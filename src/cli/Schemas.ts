/** Shapes as schemas of this library: which members of an answer are entities, lists of them, or dates. */
import { block, joined, property, quote } from './Code.ts';
import type { Code } from './Code.ts';
import type { Definition } from './Document.ts';
import { withoutNull } from './Shape.ts';
import type { Choice, Member, ObjectShape, Shape } from './Shape.ts';
import type { Basis, TypeTexts } from './TypeTexts.ts';

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

  /** An answer's schema: rows are lists that creations enter, and what stands beside them has its type. */
  ofAnswer(shape: Shape, listOf: (schema: Code) => Code): Code | undefined {
    const { shape: inner } = withoutNull(shape);
    const followed = this.#basis.shapes.follow(inner);
    const known = inner.is === 'name' && this.#basis.identities.entitiesOf(inner.of).length > 0;
    const schema = this.of(inner);
    if (schema === undefined || known) return schema;
    if (followed.is === 'list') return this.#rows(followed.of, listOf) ?? schema;
    if (followed.is !== 'object' || followed.rest !== undefined) return schema;
    const parts = followed.members.filter(({ writeOnly }) => !writeOnly);
    return block(parts.map((each) => property(each.name, this.#inEnvelope(each, listOf))));
  }

  #rows(of: Shape, listOf: (schema: Code) => Code): Code | undefined {
    const { identities, shapes } = this.#basis;
    const row = shapes.named(of);
    const stored = row !== undefined && identities.entitiesOf(row).length > 0;
    return stored ? listOf(this.#types.nameOf(row, 'read')) : undefined;
  }

  #inEnvelope({ shape, required }: Member, listOf: (schema: Code) => Code): Code {
    const { shapes } = this.#basis;
    const followed = shapes.follow(withoutNull(shape).shape);
    const rows = followed.is === 'list' ? this.#rows(followed.of, listOf) : undefined;
    const schema = rows ?? this.of(shape);
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
