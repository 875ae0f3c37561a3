/** The code of an entity class: fields with their defaults, the primary key, and nested entities. */
import type { Definition } from './ApiDocument.ts';
import {
  block,
  docComment,
  flat,
  lay,
  property,
  propertyKey,
  stringLiteral,
  valueKeyOf,
} from './CodePiece.ts';
import type { CodePiece } from './CodePiece.ts';
import type { PathMember } from './Homes.ts';
import { isFields } from './JsonObject.ts';
import { OBJECT_MEMBERS, localsOf, paramName, paramVariable } from './ModuleNames.ts';
import type { Writers } from './Schemas.ts';
import { docOf, literal, withoutNull } from './Shape.ts';
import type { Member, Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';
import type { Identity, KeyPart } from './decideKey.ts';

/** Names that JSON may have, but no field of an entity class: called by the library, or members of each object. */
export const HIDDEN: ReadonlySet<string> = new Set(['pk', 'toJSON', ...OBJECT_MEMBERS]);

/** A class in three parts, since the schema may have to come after other classes. */
export interface EntityText {
  readonly name: string;
  readonly head: string;
  readonly tail: string;
  /** The nested entities; undefined without any. */
  readonly schema: CodePiece | undefined;
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
    schema: schema.length === 0 ? undefined : block(schema),
    tail: `${keyText(writers.identities.of(definition), writers.identities.recordOf(definition).members)}\n}`,
  };
}

function membersOf(definition: Definition, { types, identities }: Writers): readonly Member[] {
  const shape = types.ownShape(definition);
  const members = shape.is === 'object' ? shape.members : [];
  const key = identities.fieldsOf(definition);
  return (
    members
      .filter(({ name, writeOnly }) => !writeOnly && !HIDDEN.has(name))
      // no primary key is null: descriptions allow null where the server assigns the key
      .map((each) =>
        key.includes(each.name) ? { ...each, shape: withoutNull(each.shape).shape } : each,
      )
  );
}

/*
 *   a single entity             User | null = null          may be deleted
 *   a list, a map               Tag[] = []
 *   required, or with a default the default
 *   an object with entities     the default, if all forms of the record have the member; else optional
 *   null allowed                string | null = null, or the default
 *   only in another form        name?: string
 *   else                        name?: string
 */
function fieldText(each: Member, writers: Writers): CodePiece {
  const { types, shapes, dates, identities } = writers;
  const { shape: inner, nullable } = withoutNull(each.shape);
  const key = valueKeyOf(each.name);
  const doc = docComment(each.doc);
  const date = inner.is === 'date' ? dates : undefined;
  const type = types.text(each.shape, 'read', 'read');
  // members of other forms may never arrive
  const isPlain = date !== undefined || writers.schemas.of(inner, true) === undefined;
  const said =
    each.isExtra !== true && isPlain ? presetText(each.preset, each.shape, shapes) : undefined;
  const given = typeof each.preset === 'string' ? each.preset : undefined;
  if (date && !nullable && (each.required || said !== undefined))
    return [doc, `${key} = ${date.value(given)};`];
  const plural = isPlural(inner, shapes);
  const nests = !plural && date === undefined && writers.schemas.of(inner, true) !== undefined;
  const isOne = identities.oneIn(inner) !== undefined || shapes.follow(inner).is === 'choice';
  if (nests && isOne) return [doc, `${key}: `, nullable ? type : [type, ' | null'], ' = null;'];
  if (nullable) {
    const value = date && given !== undefined && said !== undefined ? date.value(given) : said;
    return [doc, `${key}: `, type, ` = ${value ?? 'null'};`];
  }
  // a default would make the field required in rows, too
  const due = each.required && !(nests && each.everywhere === false);
  const empty = due || plural ? () => emptyOf(inner, writers, { dated: true }) : () => undefined;
  const preset = each.isExtra === true ? undefined : (said ?? empty());
  if (nests && due && preset === undefined) return [doc, `${key}: `, type, ' | null = null;'];
  if (preset === undefined || date !== undefined) return [doc, `${key}?: `, type, ';'];
  const word = flat(type);
  if (['string', 'number', 'boolean'].includes(word)) return [doc, `${key} = ${preset};`];
  if (word === preset && /^['"\d-]/.test(word)) return [doc, `${key} = ${preset} as const;`];
  return [doc, `${key}: `, type, ` = ${preset};`];
}

/** True for lists and maps. */
function isPlural(shape: Shape, shapes: Shapes): boolean {
  const followed = shapes.follow(shape);
  return followed.is === 'list' || (followed.is === 'object' && followed.members.length === 0);
}

/** The described default as code, if the value has the described type: also a list, or an object, of such values. */
function presetText(preset: unknown, shape: Shape, shapes: Shapes): string | undefined {
  const followed = shapes.follow(shape);
  const inside = (value: unknown, of: Shape) =>
    shapes.follow(of).is === 'date' ? undefined : presetText(value, of, shapes);
  if (followed.is === 'choice')
    return followed.of
      .map((each) => presetText(preset, each, shapes))
      .find((text) => text !== undefined);
  if (followed.is === 'date') return typeof preset === 'string' ? literal(preset) : undefined;
  if (followed.is === 'list' && Array.isArray(preset)) {
    const texts = preset.map((each) => inside(each, followed.of));
    return texts.includes(undefined) ? undefined : `[${texts.join(', ')}]`;
  }
  if (followed.is === 'object' && isFields(preset)) {
    const { members, rest } = followed;
    if (members.some(({ name, required }) => required && !Object.hasOwn(preset, name)))
      return undefined;
    const entries = Object.entries(preset).map(([name, value]) => {
      const of = members.find((each) => each.name === name)?.shape ?? rest;
      const text = of && inside(value, of);
      return text && `${valueKeyOf(name)}: ${text}`;
    });
    if (entries.includes(undefined)) return undefined;
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  const word = preset === undefined ? undefined : literal(preset);
  const fits =
    followed.is === 'word' &&
    (followed.keywordType === typeof preset || followed.keywordType === word);
  return fits ? word : undefined;
}

function indented(code: CodePiece): string {
  return `  ${lay(code, 2)}`;
}

/*
 *   the field id, and the path has {id}         nothing
 *   sid, and the path has {Sid}                 this.sid ?? paramsOf(call).Sid
 *   lang and slug, as in the path               `${this.lang}/${this.slug}`
 *   number, and the path has the owner          keyOf(owner, repo, this.number ?? issue_number) ?? this.id
 */
/** `pk()`, unless the primary key is the field `id`. */
function keyText(identity: Identity | undefined, members: readonly Member[]): string {
  if (identity === undefined) return '';
  const { parts, otherwise, address } = identity;
  // a record may leave out what the path says above the record
  const isOptional = (name: string | undefined) =>
    otherwise === undefined && members.some((each) => each.name === name && !each.required);
  const params = parts.flatMap(({ member, param }, at) => {
    const name = param === undefined ? undefined : paramName(param);
    const isAbove = at < parts.length - 1;
    const isField = member.length === 1 && member[0] === name && !(isAbove && isOptional(name));
    return name === undefined || isField ? [] : [name];
  });
  const locals = localsOf(params, paramVariable, PK_LOCALS);
  const values = parts.map((part) => partText(part, locals));
  if (params.length === 0 && otherwise === undefined) return ownKeyText(values);
  const given = [...locals].map(([name, local]) =>
    local === name ? name : `${propertyKey(name)}: ${local}`,
  );
  const lines = address === undefined ? [] : [ownText(address)];
  const from = address === undefined ? 'call' : 'call, own';
  if (given.length > 0) lines.push(`const { ${given.join(', ')} } = paramsOf(${from});`);
  const whole = values.length > 1 ? `keyOf(${values.join(', ')})` : (values[0] as string);
  const rest = otherwise === undefined ? '' : ` ?? ${fieldOf([otherwise])}`;
  lines.push(`return ${whole}${rest};`);
  return `\n\n  override pk(...call: PkArgs) {\n    ${lines.join('\n    ')}\n  }`;
}

/** The params in the address of a record. */
function ownText({ member, pattern }: PathMember): string {
  const value = block([`${fieldOf([member])} ?? ''`], '(', ')');
  return lay([`const own = /${pattern}/.exec`, value, '?.groups;'], 4);
}

function ownKeyText(values: readonly string[]): string {
  if (values.length === 1 && values[0] === 'this.id') return '';
  const composed = `\`${values.map((each) => `\${${each}}`).join('/')}\``;
  // without a field there is a single record of this kind
  const value = values.length === 0 ? "'one'" : values.length === 1 ? values[0] : composed;
  return `\n\n  override pk() {\n    return ${value};\n  }`;
}

/** A part of a key: from the record, else from the request. */
function partText({ member, param }: KeyPart, locals: ReadonlyMap<string, string>): string {
  const local = param === undefined ? undefined : locals.get(paramName(param));
  if (member.length === 0) return local as string;
  return local === undefined ? fieldOf(member) : `${fieldOf(member)} ?? ${local}`;
}

/** Variables of the generated `pk` itself. */
const PK_LOCALS = ['call', 'own'];

/** `this.number`, `this.owner?.login`. */
function fieldOf([name = '', inner]: readonly string[]): string {
  const field = propertyKey(name) === name ? `this.${name}` : `this[${propertyKey(name)}]`;
  if (inner === undefined) return field;
  return propertyKey(inner) === inner ? `${field}?.${inner}` : `${field}?.[${propertyKey(inner)}]`;
}

interface Depth {
  readonly depth?: number;
  /** True if dates are Date objects. */
  readonly dated: boolean;
}

/** The smallest value of a shape; undefined if there is none. */
function emptyOf(shape: Shape, writers: Writers, { depth = 0, dated }: Depth): string | undefined {
  const { types, identities, dates } = writers;
  if (depth > 3) return undefined;
  const entity = identities.oneIn(shape);
  if (entity !== undefined && withoutNull(shape).shape === shape) {
    const name = types.nameOf(entity, 'read');
    return depth > 0 && !nestsItself(entity, writers) ? `${name}.fromJS()` : undefined;
  }
  const isNamed = shape.is === 'name' && !identities.isInPlace(shape.of);
  const inside = { depth: depth + 1, dated: dated && !isNamed };
  const followed = types.follow(shape);
  if (followed.is === 'date') return (inside.dated ? dates?.value() : undefined) ?? "''";
  if (followed.is === 'list') return '[]';
  if (followed.is === 'choice') {
    return withoutNull(followed).nullable
      ? 'null'
      : emptyOf(followed.of[0] as Shape, writers, { ...inside, depth, dated: false });
  }
  if (followed.is === 'word')
    return (
      EMPTY[followed.keywordType] ??
      (/^['"\d\-tfn]/.test(followed.keywordType) && followed.keywordType !== 'never'
        ? followed.keywordType
        : undefined)
    );
  if (followed.is === 'tuple') {
    const values = followed.of
      .slice(0, followed.required)
      .map((each) => emptyOf(each, writers, { ...inside, dated: false }));
    return values.includes(undefined) ? undefined : `[${values.join(', ')}]`;
  }
  if (followed.is !== 'object') return undefined;
  const due = followed.members.filter(({ required, writeOnly }) => required && !writeOnly);
  const parts = due.map((each) => [valueKeyOf(each.name), emptyOf(each.shape, writers, inside)]);
  if (parts.some(([, value]) => value === undefined)) return undefined;
  return flat(block(parts.map(([key, value]) => `${key}: ${value}`)));
}

/** The smallest value in JSON; undefined if there is none, or if an entity is needed. */
export function emptyJson(shape: Shape, writers: Writers): string | undefined {
  const value = emptyOf(shape, writers, { dated: false });
  return value?.includes('.fromJS()') === true ? undefined : value;
}

/** True for an entity with a circular default: an object inside needs an entity which needs the object again. */
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
