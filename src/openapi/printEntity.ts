/** The code of an entity class: fields with their defaults, the primary key, and nested entities. */
import { block, docComment, flat, lay, property, stringLiteral, valueKeyOf } from './CodePiece.ts';
import type { CodePiece } from './CodePiece.ts';
import type { Definition } from './Document.ts';
import { emptyOf } from './emptyOf.ts';
import { keyText } from './keyText.ts';
import type { Writers } from './Schemas.ts';
import { docOf, literal, withoutNull } from './Shape.ts';
import type { Member, Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';

/** Names that JSON may have, but a field of an entity class must not, since the library calls them. */
const HIDDEN = new Set(['pk', 'constructor', '__proto__', 'toJSON']);

/** A class in three parts, since its schema may have to come after other classes. */
export interface EntityText {
  readonly name: string;
  readonly head: string;
  readonly tail: string;
  /** The nested entities; undefined without any. */
  readonly schema: string | undefined;
}

export function printEntity(definition: Definition, writers: Writers): EntityText {
  const name = writers.types.nameOf(definition, 'read');
  const members = membersOf(definition, writers);
  const schema = members.flatMap((each): CodePiece[] => {
    const inner = writers.schemas.of(each.shape, true);
    return inner === undefined ? [] : [property(each.name, inner)];
  });
  const fields = members.map((each) => indented(fieldText(each, writers)));
  const lines = [...fields, '', `  static override key = ${stringLiteral(name)};`];
  const open = `${docComment(docOf(definition.schema))}export class ${name} extends Entity {`;
  return {
    name,
    head: `${open}\n${lines.join('\n')}`,
    schema: schema.length === 0 ? undefined : lay(block(schema), 2),
    tail: `${keyText(writers.identities.of(definition))}\n}`,
  };
}

function membersOf(definition: Definition, { types }: Writers): readonly Member[] {
  const shape = types.ownShape(definition);
  const members = shape.is === 'object' ? shape.members : [];
  return members.filter(({ name, writeOnly }) => !writeOnly && !HIDDEN.has(name));
}

/*
 *   one entity                  User | null = null          may be deleted
 *   a list, a map               Tag[] = []
 *   required, or with a default its default
 *   an object with entities     its default, if all forms of the record have it; else optional
 *   null allowed                string | null = null
 *   only in another form        name?: string
 *   else                        name?: string
 */
function fieldText(each: Member, writers: Writers): CodePiece {
  const { types, shapes, dates, identities } = writers;
  const { shape: inner, nullable } = withoutNull(each.shape);
  const key = valueKeyOf(each.name);
  const doc = docComment(each.doc);
  const date = inner.is === 'date' && dates;
  const type = types.text(each.shape, 'read', 'Date');
  if (each.required && !nullable && date) return [doc, `${key} = new Date(0);`];
  const plural = isPlural(inner, shapes);
  const nests = !plural && !date && writers.schemas.of(inner, true) !== undefined;
  const isOne = identities.oneIn(inner) !== undefined || shapes.follow(inner).is === 'choice';
  if (nests && isOne) return [doc, `${key}: `, nullable ? type : [type, ' | null'], ' = null;'];
  if (nullable) return [doc, `${key}: `, type, ' = null;'];
  // a default would make the field required in rows, too
  const due = each.required && !(nests && each.everywhere === false);
  const empty = due || plural ? () => emptyOf(inner, writers, { dated: true }) : () => undefined;
  // members of other forms may never arrive
  const preset = each.isExtra === true ? undefined : (presetOf(each, shapes) ?? empty());
  if (nests && due && preset === undefined) return [doc, `${key}: `, type, ' | null = null;'];
  if (preset === undefined || (date && !each.required)) return [doc, `${key}?: `, type, ';'];
  const word = flat(type);
  if (['string', 'number', 'boolean'].includes(word)) return [doc, `${key} = ${preset};`];
  if (word === preset && /^['"]/.test(word)) return [doc, `${key} = ${preset} as const;`];
  return [doc, `${key}: `, type, ` = ${preset};`];
}

/** True for lists and maps. */
function isPlural(shape: Shape, shapes: Shapes): boolean {
  const followed = shapes.follow(shape);
  return followed.is === 'list' || (followed.is === 'object' && followed.members.length === 0);
}

function presetOf({ preset, shape }: Member, shapes: Shapes): string | undefined {
  const word = preset === undefined ? undefined : literal(preset);
  const followed = shapes.follow(shape);
  const options = followed.is === 'choice' ? followed.of : [followed];
  const fits = options.some(
    (each) =>
      each.is === 'word' && (each.keywordType === typeof preset || each.keywordType === word),
  );
  return fits ? word : undefined;
}

function indented(code: CodePiece): string {
  return `  ${lay(code, 2)}`;
}
