/** An entity as a class: fields with their defaults, the primary key, and what is nested in it. */
import { block, docComment, flat, keyOf, lay, property, quote, valueKeyOf } from './Code.ts';
import type { Code } from './Code.ts';
import type { Definition } from './Document.ts';
import type { KeyPart } from './Keys.ts';
import { isReserved, paramName } from './Names.ts';
import type { Schemas } from './Schemas.ts';
import { docOf, literal, NULL, withoutNull } from './Shape.ts';
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
    const inner = writers.schemas.of(each.shape, true);
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

/*
 *   one entity                  User | null = null          it may be deleted
 *   a list, a map               Tag[] = []
 *   required, or with a default its default
 *   an object with entities     its default, where all forms of the record have it; else it is optional
 *   null allowed                string | null = null
 *   of another form alone       name?: string
 *   else                        name?: string
 */
function fieldText(each: Member, writers: Writers): Code {
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
  // a default would make it required in rows, too
  const due = each.required && !(nests && each.everywhere === false);
  const empty = due || plural ? () => emptyOf(inner, writers, { dated: true }) : () => undefined;
  // what other forms have may stay away for ever
  const preset = each.isExtra === true ? undefined : (presetOf(each, shapes) ?? empty());
  if (nests && due && preset === undefined) return [doc, `${key}: `, type, ' | null = null;'];
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

interface Depth {
  readonly depth?: number;
  /** True where dates are Dates. */
  readonly dated: boolean;
}

/** The least value of a shape; undefined where none can be told. */
function emptyOf(shape: Shape, writers: Writers, { depth = 0, dated }: Depth): string | undefined {
  const { shapes, types, identities, dates } = writers;
  if (depth > 3) return undefined;
  const entity = identities.oneIn(shape);
  if (entity !== undefined && withoutNull(shape).shape === shape) {
    const name = types.nameOf(entity, 'read');
    return depth > 0 && !nestsItself(entity, writers) ? `${name}.fromJS()` : undefined;
  }
  const isNamed = shape.is === 'name' && !types.isInPlace(shape.of);
  const inside = { depth: depth + 1, dated: dated && !isNamed };
  const followed = shapes.follow(shape);
  if (followed.is === 'date') return inside.dated && dates ? 'new Date(0)' : "''";
  if (followed.is === 'list') return '[]';
  if (followed.is === 'choice') {
    const isNullable = followed.of.some((each) => each === NULL);
    return isNullable
      ? 'null'
      : emptyOf(followed.of[0] as Shape, writers, { ...inside, depth, dated: false });
  }
  if (followed.is === 'word')
    return (
      EMPTY[followed.word] ??
      (/^['"\d\-tfn]/.test(followed.word) && followed.word !== 'never' ? followed.word : undefined)
    );
  if (followed.is !== 'object') return undefined;
  const due = followed.members.filter(({ required, writeOnly }) => required && !writeOnly);
  const parts = due.map((each) => [valueKeyOf(each.name), emptyOf(each.shape, writers, inside)]);
  if (parts.some(([, value]) => value === undefined)) return undefined;
  return flat(block(parts.map(([key, value]) => `${key}: ${value}`)));
}

/** True for an entity that would be in its own default: an object in it needs an entity which needs it again. */
function nestsItself(entity: Definition, writers: Writers): boolean {
  const seen = new Set<Definition>();
  const visit = (of: Definition): boolean =>
    entitiesInObjects(of, writers).some((each) => {
      if (each === entity) return true;
      if (seen.has(each)) return false;
      seen.add(each);
      return visit(each);
    });
  return visit(entity);
}

/** The entities in the defaults of an entity. */
function entitiesInObjects(of: Definition, { identities, shapes }: Writers): Definition[] {
  const collect = (shape: Shape, depth: number): Definition[] => {
    const entity = identities.oneIn(shape);
    if (entity !== undefined) return depth > 0 ? [entity] : [];
    const followed = shapes.follow(shape);
    if (followed.is !== 'object' || depth > 3) return [];
    return followed.members.flatMap((each) =>
      each.required ? collect(each.shape, depth + 1) : [],
    );
  };
  return identities
    .recordOf(of)
    .members.flatMap((each) => (each.required ? collect(each.shape, 0) : []));
}

const EMPTY: Readonly<Record<string, string | undefined>> = {
  string: "''",
  number: '0',
  boolean: 'false',
};

/*
 *   the field id, and its path says {id}        nothing
 *   sid, and the path says {Sid}                this.sid ?? paramsOf(call).Sid
 *   lang and slug, as the path says             `${this.lang}/${this.slug}`
 *   number, and the path says who owns it       keyOf(owner, repo, this.number ?? issue_number) ?? this.id
 */
/** `pk()`, where it is not the field `id`. */
function keyText(definition: Definition, { identities }: Writers): string {
  const identity = identities.of(definition);
  if (identity === undefined) return '';
  const { parts, otherwise, address } = identity;
  const params = parts.flatMap(({ member, param }) => {
    const name = param === undefined ? undefined : paramName(param);
    return name === undefined || (member.length === 1 && member[0] === name) ? [] : [name];
  });
  const values = parts.map((part) => partText(part, params));
  if (params.length === 0 && otherwise === undefined) return ownKeyText(values);
  const given = [...new Set(params)].map((name) =>
    localOf(name) === name ? name : `${name}: ${localOf(name)}`,
  );
  const own = address && `/${address.pattern}/.exec(${fieldOf([address.member])} ?? '')?.groups`;
  const lines = own === undefined ? [] : [`const own =\n      ${own};`];
  const from = own === undefined ? 'call' : 'call, own';
  if (given.length > 0) lines.push(`const { ${given.join(', ')} } = paramsOf(${from});`);
  const whole = values.length > 1 ? `keyOf(${values.join(', ')})` : (values[0] as string);
  const rest = otherwise === undefined ? '' : ` ?? ${fieldOf([otherwise])}`;
  lines.push(`return ${whole}${rest};`);
  return `\n\n  override pk(...call: PkArgs) {\n    ${lines.join('\n    ')}\n  }`;
}

function ownKeyText(values: readonly string[]): string {
  if (values.length === 1 && values[0] === 'this.id') return '';
  const composed = `\`${values.map((each) => `\${${each}}`).join('/')}\``;
  // without a field there is one record of this kind
  const value = values.length === 0 ? "'one'" : values.length === 1 ? values[0] : composed;
  return `\n\n  override pk() {\n    return ${value};\n  }`;
}

/** A part of a key: of the record, else of the request. */
function partText({ member, param }: KeyPart, params: readonly string[]): string {
  const name = param === undefined ? '' : paramName(param);
  if (member.length === 0) return localOf(name);
  return params.includes(name) ? `${fieldOf(member)} ?? ${localOf(name)}` : fieldOf(member);
}

/** What a param is called where its name is a word of the language, or one that the module uses. */
const localOf = (param: string): string => (isReserved(param) ? `${param}_` : param);

/** `this.number`, `this.owner?.login`. */
function fieldOf([name = '', inner]: readonly string[]): string {
  const field = keyOf(name) === name ? `this.${name}` : `this[${keyOf(name)}]`;
  if (inner === undefined) return field;
  return keyOf(inner) === inner ? `${field}?.${inner}` : `${field}?.[${keyOf(inner)}]`;
}

function indented(code: Code): string {
  return `  ${lay(code, 2)}`;
}
