/** Shapes as types of TypeScript, for three sides: read values, sent values, and raw JSON. */
import type { Definition } from './ApiDocument.ts';
import {
  block,
  docComment,
  flat,
  inParentheses,
  joinPieces,
  lay,
  propertyKey,
} from './CodePiece.ts';
import type { CodePiece } from './CodePiece.ts';
import type { DateForm, DateKind } from './DateKind.ts';
import type { Identities } from './Identities.ts';
import type { ModuleNames } from './ModuleNames.ts';
import type { SchemaAnalysis } from './Schemas.ts';
import { choice, docOf, withoutNull, word } from './Shape.ts';
import type { ChoiceShape, Member, ObjectShape, Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';
import type { TypeNames, TypeSide } from './TypeNames.ts';
import { enumText } from './enumText.ts';

/** Shared data of the writers of a module. */
export interface GeneratorContext {
  readonly shapes: Shapes;
  readonly identities: Identities;
  readonly reach: SchemaAnalysis;
  readonly names: ModuleNames;
  /** The discriminator values of each kind in a union, as code. */
  readonly marks: DocMarks;
  /** Undefined: dates stay texts. */
  readonly dates: DateKind | undefined;
  /** True: enums with a name are objects, too. */
  readonly enums: boolean;
}

export type DocMarks = ReadonlyMap<Definition, ReadonlyMap<string, readonly string[]>>;

export class TypePrinter {
  readonly #basis: GeneratorContext;
  readonly #typeNames: TypeNames;
  readonly #forms: string[] = [];

  constructor(basis: GeneratorContext, typeNames: TypeNames) {
    this.#basis = basis;
    this.#typeNames = typeNames;
  }

  /** The type name of a schema for a side. Each requested name is declared. */
  nameOf(definition: Definition, view: TypeSide): string {
    return this.#typeNames.of(definition, view);
  }

  /** The name of a type, which is declared here. */
  alias(wanted: string, code: CodePiece): string {
    const name = this.#basis.names.take(wanted);
    this.#forms.push(`export type ${name} =${separated(alternatives(code))};`);
    return name;
  }

  /** The name of a type for the fields of a form, which is declared here. */
  form(wanted: string, shape: ObjectShape): string {
    const name = this.#basis.names.take(wanted);
    const parts = this.members(shape, { view: 'write', dates: 'sent', docs: true });
    const members = lay({ open: '{', close: '}', parts, mark: ';', tall: true });
    this.#forms.push(`export interface ${name} ${members}`);
    return name;
  }

  /** The requested types, without the classes of entities. Requests during the iteration are included. */
  declarations(): string[] {
    const texts: string[] = [];
    for (const [definition, view] of this.#typeNames.asked) {
      const stored = this.#basis.identities.entitiesOf(definition).length > 0;
      if (
        stored &&
        view === 'read' &&
        this.#basis.shapes.named({ is: 'name', of: definition }) === definition
      )
        continue;
      texts.push(this.#declaration(definition, view));
    }
    return [...texts, ...this.#forms];
  }

  #declaration(definition: Definition, view: TypeSide): string {
    const { shapes, identities } = this.#basis;
    const name = this.nameOf(definition, view);
    const identity = identities.of(definition);
    const own = view === 'read' ? identities.recordOf(definition) : shapes.own(definition);
    const shape =
      identity === undefined
        ? this.#marked(definition, shapes.of(definition))
        : this.ownShape(definition, own);
    const doc = docComment(docOf(definition.schema));
    const dates = view === 'write' && this.#typeNames.isSeparate(definition) ? 'sent' : 'text';
    // the server may assign the primary key
    const optional = view === 'write' ? identities.fieldsOf(definition) : [];
    const asObject = this.#basis.enums ? enumText(name, definition.schema) : undefined;
    if (asObject !== undefined) return doc + asObject;
    if (shape.is !== 'object' || (shape.members.length === 0 && shape.rest === undefined)) {
      return `${doc}export type ${name} = ${alternatives(this.text(shape, view, dates))};`;
    }
    const parts = this.members(shape, { view, dates, optional, docs: true });
    return `${doc}export interface ${name} ${lay({ open: '{', close: '}', parts, mark: ';', tall: true })}`;
  }

  /** The members of an entity: the key is always present, the discriminator has the literal type. */
  ownShape(definition: Definition, given?: Shape): Shape {
    const { identities } = this.#basis;
    const { shape } = withoutNull(given ?? identities.recordOf(definition));
    if (shape.is !== 'object') return shape;
    const key = identities.fieldsOf(definition);
    const members = shape.members.map((each) =>
      key.includes(each.name) ? { ...each, required: true } : each,
    );
    return this.#marked(definition, { ...shape, members });
  }

  /** Resolves names as `shapes.follow`, with the literal types of discriminators. */
  follow(shape: Shape): Shape {
    if (shape.is !== 'name') return shape;
    return this.#marked(shape.of, this.follow(this.#basis.shapes.of(shape.of)));
  }

  /** An object with the literal types of discriminators. */
  #marked(definition: Definition, shape: Shape): Shape {
    const marks = this.#basis.marks.get(definition);
    if (shape.is !== 'object' || marks === undefined) return shape;
    const named = new Map(shape.members.map((each) => [each.name, each]));
    for (const [name, values] of marks) {
      const words = values.map(word);
      const known = named.get(name) ?? { ...SILENT, name };
      named.set(name, { ...known, shape: choice(words), required: true, preset: undefined });
    }
    return { ...shape, members: [...named.values()] };
  }

  text(shape: Shape, view: TypeSide, dates: DateForm = 'text'): CodePiece {
    switch (shape.is) {
      case 'word':
        return shape.keywordType;
      case 'date':
        return this.#basis.dates?.type(dates) ?? 'string';
      case 'bytes':
        // inside of JSON, where bytes are a text
        return 'string';
      case 'name':
        return this.#basis.identities.isInPlace(shape.of)
          ? this.text(this.#basis.shapes.of(shape.of), view, dates)
          : this.nameOf(shape.of, view);
      case 'list':
        return this.#list(shape.of, view, dates);
      case 'tuple': {
        const parts = shape.of.map((each, at): CodePiece => {
          const part = this.text(each, rawOf(view), textual(dates));
          return at < shape.required ? part : [inParentheses(part), '?'];
        });
        const rest = shape.rest && ['...', this.#list(shape.rest, rawOf(view), textual(dates))];
        return block([...parts, ...(rest ? [rest] : [])], '[', ']');
      }
      case 'object':
        return this.#object(shape, view, dates);
      case 'choice':
        return this.#choice(shape, view, dates);
      default:
        return joinPieces(
          shape.of.map((each) => inParentheses(this.text(each, rawOf(view), textual(dates)))),
          ' & ',
        );
    }
  }

  #list(of: Shape, view: TypeSide, dates: DateForm): CodePiece {
    return [inParentheses(this.text(of, view, dates)), '[]'];
  }

  #choice(shape: ChoiceShape, view: TypeSide, dates: DateForm): CodePiece {
    const { shape: inner } = withoutNull(shape);
    const { identities } = this.#basis;
    const known =
      inner.is !== 'choice' ||
      identities.isToldApart(inner) ||
      identities.oneIn(inner) !== undefined;
    const decoded = inner.is === 'choice' ? textual(dates) : dates;
    const texts = shape.of.map((each) => this.text(each, known ? view : rawOf(view), decoded));
    return joinPieces([...new Map(texts.map((each) => [flat(each), each])).values()], ' | ');
  }

  #object(shape: ObjectShape, view: TypeSide, dates: DateForm): CodePiece {
    if (shape.members.length === 0 && shape.rest === undefined) return 'Record<string, never>';
    return block(this.members(shape, { view, dates }), '{', '}', ';');
  }

  /** The members of an object type, a part for each. */
  members(
    shape: ObjectShape,
    {
      view,
      dates,
      optional = [],
      docs = false,
    }: {
      readonly view: TypeSide;
      readonly dates: DateForm;
      readonly optional?: readonly string[];
      readonly docs?: boolean;
    },
  ): CodePiece[] {
    const parts = shape.members
      .filter((each) => isSeen(each, view))
      .map((each): CodePiece => {
        const mark = each.required && !optional.includes(each.name) ? '' : '?';
        const readonly = each.readOnly && view !== 'write' ? 'readonly ' : '';
        const type = this.text(each.shape, view, dates);
        const text = [`${readonly}${propertyKey(each.name)}${mark}: `, type];
        return docs ? [docComment(each.doc), ...text] : text;
      });
    if (shape.rest === undefined) return parts;
    const rest = shape.members.length > 0 ? 'unknown' : this.text(shape.rest, view, dates);
    return [...parts, ['[key: string]: ', rest]];
  }
}

const SILENT = { readOnly: false, writeOnly: false, doc: undefined };

function isSeen(member: Member, view: TypeSide): boolean {
  return view === 'write' ? !member.readOnly : !member.writeOnly;
}

/** Entities that no schema reaches keep their JSON type. */
const rawOf = (view: TypeSide): TypeSide => (view === 'read' ? 'raw' : view);

/** Dates that no schema reaches stay texts. */
const textual = (dates: DateForm): DateForm => (dates === 'read' ? 'text' : dates);

const separated = (text: string): string => (text.startsWith('\n') ? text : ` ${text}`);

/** A long union has a line per member. */
function alternatives(code: CodePiece): string {
  const line = flat(code);
  if (line.length < 80 || typeof code === 'string' || !('filter' in code)) return lay(code);
  const parts = code.filter((each) => each !== ' | ');
  return code.includes(' | ') ? parts.map((each) => `\n  | ${lay(each, 4)}`).join('') : lay(code);
}
