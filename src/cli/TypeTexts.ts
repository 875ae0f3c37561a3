/** Shapes as types of TypeScript, from three sides: what readers get, what is sent, and JSON as it comes. */
import { block, docComment, flat, inParentheses, joined, keyOf, lay, quote } from './Code.ts';
import type { Code } from './Code.ts';
import type { Definition } from './Document.ts';
import type { Identities } from './Identities.ts';
import { pascal } from './Names.ts';
import type { Names } from './Names.ts';
import type { Reach } from './Reach.ts';
import { choice, docOf, withoutNull } from './Shape.ts';
import type { Choice, Member, ObjectShape, Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';

/*
 *   read    entities are instances, dates of entities are Dates         Todo
 *   write   without what comes in answers only; dates may be Dates      TodoInput
 *   raw     where no schema can find the entities                       TodoJson
 */
export type View = 'read' | 'write' | 'raw';

const SUFFIX: Readonly<Record<View, string>> = { read: '', write: 'Input', raw: 'Json' };

/** What the writers of a module share. */
export interface Basis {
  readonly shapes: Shapes;
  readonly identities: Identities;
  readonly reach: Reach;
  readonly names: Names;
  /** What a member must say in each entity that it tells apart from others. */
  readonly marks: Marks;
  /** False: dates stay texts. */
  readonly dates: boolean;
}

export type Marks = ReadonlyMap<Definition, ReadonlyMap<string, readonly string[]>>;

export class TypeTexts {
  readonly #basis: Basis;
  /** What is only ever sent has one view, under its plain name. */
  readonly #sent: ReadonlySet<Definition>;
  readonly #names = new Map<string, string>();
  /** The schemas that the document calls so, with all or the last part of their name. */
  readonly #defined = new Map<string, Definition[]>();
  readonly #ids = new Map<Definition, string>();
  /** What was asked for and is to be declared. */
  readonly #asked = new Map<string, readonly [Definition, View]>();

  constructor(basis: Basis, sent: ReadonlySet<Definition>, definitions: readonly Definition[]) {
    this.#basis = basis;
    this.#sent = sent;
    for (const each of definitions) {
      if (each.inline) continue;
      const ends = new Set([pascal(each.name), pascal(each.name.split('.').at(-1) ?? '')]);
      for (const name of ends) this.#defined.set(name, [...(this.#defined.get(name) ?? []), each]);
    }
    const named = definitions.filter((each) => !this.#isForm(each) && !this.isInPlace(each));
    for (const each of named) this.nameOf(each, this.#mainView(each));
  }

  /** True for another form of an entity, which is read as that entity. */
  #isForm(definition: Definition): boolean {
    const { identities } = this.#basis;
    return (
      identities.of(definition) !== undefined && identities.forms.mainOf(definition) !== definition
    );
  }

  /** True for what the document describes in place, if it is no entity: its type is written in place as well. */
  isInPlace(definition: Definition): boolean {
    return definition.inline && this.#basis.identities.entitiesOf(definition).length === 0;
  }

  /** The side that has the plain name. */
  #mainView(definition: Definition): View {
    if (this.#sent.has(definition)) return 'write';
    return this.#basis.reach.isLost(definition) ? 'raw' : 'read';
  }

  /** How a schema with a name is called from one side. Whoever asks makes it be declared. */
  nameOf(given: Definition, asked: View): string {
    const view = asked === 'read' && this.#basis.reach.isLost(given) ? 'raw' : asked;
    const definition =
      view === 'read' && this.#isForm(given) ? this.#basis.identities.forms.mainOf(given) : given;
    const own =
      view === this.#mainView(definition) || !this.#basis.reach.differs(definition)
        ? ''
        : SUFFIX[view];
    let id = this.#ids.get(definition);
    if (id === undefined) this.#ids.set(definition, (id = String(this.#ids.size)));
    const key = `${id}${own}`;
    let name = this.#names.get(key);
    if (name === undefined) {
      const main = this.#mainView(definition);
      const isForm = this.#isForm(definition);
      const base = own === '' || isForm ? undefined : this.nameOf(definition, main);
      const wanted = base === undefined ? this.#wanted(definition) : [base];
      name = this.#basis.names.take(...wanted.map((each) => each + own));
      this.#names.set(key, name);
      this.#asked.set(key, [definition, own === '' ? main : view]);
    }
    return name;
  }

  /** What a schema is called best: an entity is called as no form of it is more than the others. */
  #wanted(definition: Definition): string[] {
    const { identities } = this.#basis;
    const own = definition.names.map((name) => this.#short(name));
    if (identities.of(definition) === undefined) return own;
    const forms = identities.forms.of(definition);
    const sizeless = unsized(own[0] as string);
    const isFree = (name: string) =>
      (this.#defined.get(name) ?? []).every((each) => forms.includes(each));
    return isFree(sizeless) ? [sizeless, ...own] : own;
  }

  /** The last part of `api.v2010.account.call`, if no other name ends so. */
  #short(name: string): string {
    const last = pascal(name.split('.').at(-1) ?? name);
    return name.includes('.') && this.#defined.get(last)?.length === 1 ? last : pascal(name);
  }

  /** The types that were asked for, but not the instances of entities; asking goes on while it is listed. */
  declarations(): string[] {
    const texts: string[] = [];
    for (const [definition, view] of this.#asked.values()) {
      const stored = this.#basis.identities.entitiesOf(definition).length > 0;
      if (
        stored &&
        view === 'read' &&
        this.#basis.shapes.named({ is: 'name', of: definition }) === definition
      )
        continue;
      texts.push(this.#declaration(definition, view));
    }
    return texts;
  }

  #declaration(definition: Definition, view: View): string {
    const { shapes, identities } = this.#basis;
    const name = this.nameOf(definition, view);
    const identity = identities.of(definition);
    const own = view === 'read' ? identities.recordOf(definition) : shapes.own(definition);
    const shape = identity === undefined ? shapes.of(definition) : this.ownShape(definition, own);
    const doc = docComment(docOf(definition.schema));
    const dates = view === 'write' && this.#isSeparate(definition) ? SENT : 'string';
    // the server may be the one that names a record
    const optional = view === 'write' ? identities.fieldsOf(definition) : [];
    if (shape.is !== 'object' || (shape.members.length === 0 && shape.rest === undefined)) {
      return `${doc}export type ${name} = ${alternatives(this.text(shape, view, dates))};`;
    }
    const parts = this.members(shape, { view, dates, optional, docs: true });
    return `${doc}export interface ${name} ${lay({ open: '{', close: '}', parts, mark: ';', tall: true })}`;
  }

  /** The members of an entity: its key is there always, what tells it apart from others says what it says. */
  ownShape(definition: Definition, given?: Shape): Shape {
    const { marks, identities } = this.#basis;
    const { shape } = withoutNull(given ?? identities.recordOf(definition));
    if (shape.is !== 'object') return shape;
    const key = identities.fieldsOf(definition);
    const named = new Map(
      shape.members.map((each) => [
        each.name,
        key.includes(each.name) ? { ...each, required: true } : each,
      ]),
    );
    for (const [name, values] of marks.get(definition) ?? []) {
      const words = values.map((value): Shape => ({ is: 'word', word: quote(value) }));
      const known = named.get(name) ?? { ...SILENT, name };
      named.set(name, { ...known, shape: choice(words), required: true, preset: undefined });
    }
    return { ...shape, members: [...named.values()] };
  }

  #isSeparate(definition: Definition): boolean {
    return this.#sent.has(definition) || this.#basis.reach.differs(definition);
  }

  text(shape: Shape, view: View, dates = 'string'): Code {
    switch (shape.is) {
      case 'word':
        return shape.word;
      case 'date':
        return this.#basis.dates ? dates : 'string';
      case 'bytes':
        return 'Blob';
      case 'name':
        return this.isInPlace(shape.of)
          ? this.text(this.#basis.shapes.of(shape.of), view, dates)
          : this.nameOf(shape.of, view);
      case 'list':
        return this.#list(shape.of, view, dates);
      case 'tuple': {
        const parts = shape.of.map((each) => this.text(each, rawOf(view), textual(dates)));
        const rest = shape.rest && ['...', this.#list(shape.rest, rawOf(view), textual(dates))];
        return block([...parts, ...(rest ? [rest] : [])], '[', ']');
      }
      case 'object':
        return this.#object(shape, view, dates);
      case 'choice':
        return this.#choice(shape, view, dates);
      default:
        return joined(
          shape.of.map((each) => inParentheses(this.text(each, rawOf(view), textual(dates)))),
          ' & ',
        );
    }
  }

  #list(of: Shape, view: View, dates: string): Code {
    return [inParentheses(this.text(of, view, dates)), '[]'];
  }

  #choice(shape: Choice, view: View, dates: string): Code {
    const { shape: inner } = withoutNull(shape);
    const { identities } = this.#basis;
    const known =
      inner.is !== 'choice' ||
      identities.isToldApart(inner) ||
      identities.oneIn(inner) !== undefined;
    const decoded = inner.is === 'choice' ? textual(dates) : dates;
    const texts = shape.of.map((each) => this.text(each, known ? view : rawOf(view), decoded));
    return joined([...new Map(texts.map((each) => [flat(each), each])).values()], ' | ');
  }

  #object(shape: ObjectShape, view: View, dates: string): Code {
    if (shape.members.length === 0 && shape.rest === undefined) return 'Record<string, never>';
    return block(this.members(shape, { view, dates }), '{', '}', ';');
  }

  /** The members of an object type, one a part. */
  members(
    shape: ObjectShape,
    {
      view,
      dates,
      optional = [],
      docs = false,
    }: {
      readonly view: View;
      readonly dates: string;
      readonly optional?: readonly string[];
      readonly docs?: boolean;
    },
  ): Code[] {
    const parts = shape.members
      .filter((each) => isSeen(each, view))
      .map((each): Code => {
        const mark = each.required && !optional.includes(each.name) ? '' : '?';
        const readonly = each.readOnly && view !== 'write' ? 'readonly ' : '';
        const isOpen = shape.rest !== undefined;
        const type = this.text(
          each.shape,
          isOpen ? rawOf(view) : view,
          isOpen ? textual(dates) : dates,
        );
        const text = [`${readonly}${keyOf(each.name)}${mark}: `, type];
        return docs ? [docComment(each.doc), ...text] : text;
      });
    if (shape.rest === undefined) return parts;
    const rest = shape.members.length > 0 ? 'unknown' : this.text(shape.rest, view, dates);
    return [...parts, ['[key: string]: ', rest]];
  }
}

const SILENT = { readOnly: false, writeOnly: false, doc: undefined };

/** How a date may be sent. */
export const SENT = 'Date | string';

function isSeen(member: Member, view: View): boolean {
  return view === 'write' ? !member.readOnly : !member.writeOnly;
}

/** The name of a form without the word that says how much of its record it is. */
function unsized(name: string): string {
  const short = name.replace(SIZED, '');
  return short === '' ? name : short;
}

const SIZED =
  /^(?:Nullable|Simple|Minimal|Mini|Full|Base|Basic|Public|Private|Short|Extended|Complete|Detailed)+(?=\p{Lu})|(?:Simple|Minimal|Full|Base|Basic|Summary|Short|Extended|Details?)+$/gu;

/** Where no schema leads on, entities are what they came as. */
const rawOf = (view: View): View => (view === 'read' ? 'raw' : view);

/** Dates that no schema leads to are what they came as. */
const textual = (dates: string): string => (dates === 'Date' ? 'string' : dates);

/** A long choice has a line for each. */
function alternatives(code: Code): string {
  const line = flat(code);
  if (line.length < 80 || typeof code === 'string' || !('filter' in code)) return lay(code);
  const parts = code.filter((each) => each !== ' | ');
  return code.includes(' | ') ? parts.map((each) => `\n  | ${lay(each, 4)}`).join('') : lay(code);
}
