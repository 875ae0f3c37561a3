/** An entity as a class: fields with their defaults, the primary key, and what is nested in it. */
import { block, docComment, flat, keyOf, lay, property, quote, valueKeyOf } from './Code.ts';
import type { Code } from './Code.ts';
import type { Definition } from './Document.ts';
import type { Schemas } from './Schemas.ts';
import { docOf, literal, withoutNull } from './Shape.ts';
import type { Member, Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';
import type { Basis, TypeTexts } from './TypeTexts.ts';

export interface Writers extends Basis {
  readonly types: TypeTexts;
  readonly schemas: Schemas;
}

/** Names that JSON may have, and a class that the library calls must not. */
const HIDDEN = new Set(['pk', 'constructor', '__proto__', 'toJSON']);

/** A class in three parts: its schema may have to wait for other classes. */
export interface EntityText {
  readonly name: string;
  readonly head: string;
  readonly tail: string;
  /** What is nested in it; undefined where it is nothing. */
  readonly schema: string | undefined;
}

export function entityText(definition: Definition, writers: Writers): EntityText {
  const name = writers.types.nameOf(definition, 'read');
  const members = membersOf(definition, writers);
  const schema = members.flatMap((each): Code[] => {
    const inner = schemaOf(each, writers);
    return inner === undefined ? [] : [property(each.name, inner)];
  });
  const fields = members.map((each) => indented(fieldText(each, writers)));
  const lines = [...fields, '', `  static override key = ${quote(name)};`];
  const open = `${docComment(docOf(definition.schema))}export class ${name} extends Entity {`;
  return {
    name,
    head: `${open}\n${lines.join('\n')}`,
    schema: schema.length === 0 ? undefined : lay(block(schema), 2),
    tail: `${keyText(definition, writers)}\n}`,
  };
}

function membersOf(definition: Definition, { types }: Writers): readonly Member[] {
  const shape = types.ownShape(definition);
  const members = shape.is === 'object' ? shape.members : [];
  return members.filter(({ name, writeOnly }) => !writeOnly && !HIDDEN.has(name));
}

/** A field's schema; of plain values only dates have one. */
function schemaOf({ shape }: Member, { schemas, dates }: Writers): Code | undefined {
  return isDate(shape) && dates ? 'Date' : schemas.of(shape);
}

function isDate(shape: Shape): boolean {
  return withoutNull(shape).shape.is === 'date';
}

/*
 *   one entity                  User | null = null          it may be deleted
 *   a list, a map               Tag[] = []
 *   required, or with a default its default
 *   null allowed                string | null = null
 *   else                        name?: string
 */
function fieldText(each: Member, writers: Writers): Code {
  const { types, shapes, dates } = writers;
  const { shape: inner, nullable } = withoutNull(each.shape);
  const key = valueKeyOf(each.name);
  const doc = docComment(each.doc);
  const date = inner.is === 'date' && dates;
  const type = types.text(each.shape, 'read', 'Date');
  if (each.required && !nullable && date) return [doc, `${key} = new Date(0);`];
  const single = writers.schemas.of(inner) !== undefined && !isPlural(inner, shapes);
  if (single) return [doc, `${key}: `, nullable ? type : [type, ' | null'], ' = null;'];
  if (nullable) return [doc, `${key}: `, type, ' = null;'];
  const preset =
    presetOf(each, shapes) ??
    (each.required || isPlural(inner, shapes) ? emptyOf(inner, shapes) : undefined);
  if (preset === undefined || (date && !each.required)) return [doc, `${key}?: `, type, ';'];
  const word = flat(type);
  if (['string', 'number', 'boolean'].includes(word)) return [doc, `${key} = ${preset};`];
  if (word === preset && /^['"]/.test(word)) return [doc, `${key} = ${preset} as const;`];
  return [doc, `${key}: `, type, ` = ${preset};`];
}

/** Lists, and maps of anything. */
function isPlural(shape: Shape, shapes: Shapes): boolean {
  const followed = shapes.follow(shape);
  return followed.is === 'list' || (followed.is === 'object' && followed.members.length === 0);
}

function presetOf({ preset, shape }: Member, shapes: Shapes): string | undefined {
  const word = preset === undefined ? undefined : literal(preset);
  const followed = shapes.follow(shape);
  const options = followed.is === 'choice' ? followed.of : [followed];
  const fits = options.some(
    (each) => each.is === 'word' && (each.word === typeof preset || each.word === word),
  );
  return fits ? word : undefined;
}

/** The least value of a shape; undefined where none can be told. */
function emptyOf(shape: Shape, shapes: Shapes, depth = 0): string | undefined {
  const followed = shapes.follow(shape);
  if (depth > 3) return undefined;
  if (followed.is === 'date') return "''";
  if (followed.is === 'list') return '[]';
  if (followed.is === 'choice') return emptyOf(followed.of[0] as Shape, shapes, depth);
  if (followed.is === 'word')
    return (
      EMPTY[followed.word] ??
      (/^['"\d\-tfn]/.test(followed.word) && followed.word !== 'never' ? followed.word : undefined)
    );
  if (followed.is !== 'object') return undefined;
  const due = followed.members.filter(({ required, writeOnly }) => required && !writeOnly);
  const parts = due.map((each) => [valueKeyOf(each.name), emptyOf(each.shape, shapes, depth + 1)]);
  if (parts.some(([, value]) => value === undefined)) return undefined;
  return flat(block(parts.map(([key, value]) => `${key}: ${value}`)));
}

const EMPTY: Readonly<Record<string, string | undefined>> = {
  string: "''",
  number: '0',
  boolean: 'false',
};

/** `pk()`, where it is not the field `id`. */
function keyText(definition: Definition, { identities }: Writers): string {
  const names = identities.of(definition)?.fields ?? [];
  if (names.length === 1 && names[0] === 'id') return '';
  const fields = names.map((name) =>
    keyOf(name) === name ? `this.${name}` : `this[${keyOf(name)}]`,
  );
  const composed = `\`${fields.map((field) => `\${${field}}`).join('/')}\``;
  // without a field there is one record of this kind
  const value = names.length === 0 ? "'one'" : names.length === 1 ? fields[0] : composed;
  return `\n\n  override pk() {\n    return ${value};\n  }`;
}

function indented(code: Code): string {
  return `  ${lay(code, 2)}`;
}
