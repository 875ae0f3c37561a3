/** Finds the schemas that are forms of one record. */
import { candidatesIn, rowsIn } from './candidatesIn.ts';
import type { Definition, Document } from './Document.ts';
import { list, text } from './JsonObject.ts';
import { Forms, isDeletedForm, membersOf, stemOf } from './Forms.ts';
import type { Detail, Homes } from './Homes.ts';
import { isIdentifying } from './keyParts.ts';
import type { Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';

/*
 *   two schemas are forms of one record if both have the members of its primary key, and
 *   one extends the other                 allOf: [{$ref: Issue}, {…}] in a response
 *   one path returns both                 anyOf: [Customer, DeletedCustomer]
 *   one path lists one, reads the other   /articles and /articles/{slug}; half of their members are the same
 *   their names differ only in size       SimpleUser, User: seven of ten
 *   one is inline, and they look alike    nine of ten, and eight at least
 */
const AT_ONE_PATH = 0.5;
const BY_NAME = 0.7;
const BY_LOOK = 0.9;
const MANY = 8;

export function uniteForms(document: Document, shapes: Shapes, homes: Homes): Forms {
  return new Uniting(document, shapes, homes).run();
}

class Uniting {
  readonly #document: Document;
  readonly #shapes: Shapes;
  readonly #homes: Homes;
  readonly #forms: Forms;

  constructor(document: Document, shapes: Shapes, homes: Homes) {
    this.#document = document;
    this.#shapes = shapes;
    this.#homes = homes;
    this.#forms = new Forms(shapes);
  }

  run(): Forms {
    this.#extended();
    for (const detail of this.#homes.details) this.#at(detail);
    this.#byName();
    return this.#forms;
  }

  #has(of: Definition, names: readonly string[]): boolean {
    const members = membersOf(of, this.#shapes);
    return names.every((name) =>
      members.some((each) => each.name === name && (each.required || isIdentifying(name))),
    );
  }

  #extended(): void {
    for (const definition of this.#document.definitions) {
      const ref = refOfExtended(definition);
      const base = ref === undefined ? undefined : this.#document.definitionAt(ref);
      if (base === undefined) continue;
      const isRecord = this.#homes.keysOf(base).length > 0 || this.#has(base, ['id']);
      if (isRecord) this.#forms.unite(base, definition, `it is ${base.name} with more members`);
    }
  }

  /** All records in the responses of one path, and of the list above it. */
  #at({ path, segments, at, above }: Detail): void {
    const main = this.#homes.all.find((each) => each.segments === segments);
    if (main === undefined) return;
    for (const { method, answer } of at) {
      for (const each of this.#recordsIn(answer.shape))
        this.#uniteIfAkin(main.of, each, `${method} ${path} answers it`);
    }
    for (const { method, answer, path: list } of above) {
      const { shape } = answer;
      const found = method === 'GET' ? rowsIn(shape, this.#shapes) : this.#recordsIn(shape);
      for (const each of found)
        this.#uniteIfAkin(main.of, each, `${method} ${list} answers it, above ${path}`);
    }
  }

  #uniteIfAkin(main: Definition, other: Definition, reason: string): void {
    if (other === main || !this.#has(other, this.#homes.keysOf(main))) return;
    const { share, common } = this.#forms.likeness(main, other);
    const isDeleted = common > 0 && isDeletedForm(other, this.#shapes);
    if (isDeleted || (share >= AT_ONE_PATH && areAkin(main, other)))
      this.#forms.unite(main, other, reason);
  }

  /** The records of a response; of an envelope, the records in it. */
  #recordsIn(shape: Shape | undefined): readonly Definition[] {
    const whole = candidatesIn(shape, this.#shapes, 0);
    const mains = new Set(this.#homes.all.map(({ of }) => this.#forms.mainOf(of)));
    const isRecord = whole.some((each) => mains.has(this.#forms.mainOf(each)));
    return isRecord ? whole : candidatesIn(shape, this.#shapes);
  }

  #byName(): void {
    const records = [...new Set(this.#homes.all.map(({ of }) => of))];
    for (const definition of this.#document.definitions) {
      const count = membersOf(definition, this.#shapes).length;
      const isForm = this.#forms.mainOf(definition) !== definition || records.includes(definition);
      if (count === 0 || (definition.inline && isForm)) continue;
      for (const record of records) this.#uniteIfAlike(record, definition, count);
    }
  }

  #uniteIfAlike(record: Definition, other: Definition, count: number): void {
    if (this.#forms.mainOf(record) === this.#forms.mainOf(other)) return;
    if (!this.#has(other, this.#homes.keysOf(record))) return;
    const { common, share } = this.#forms.likeness(record, other);
    if (stemOf(record.name) === stemOf(other.name) && share >= BY_NAME)
      this.#forms.unite(record, other, `its name and members are those of ${record.name}`);
    else if (other.inline && common >= MANY && common >= BY_LOOK * count)
      this.#forms.unite(record, other, `${common} of its members are those of ${record.name}`);
  }
}

/** The named record that an inline schema extends: `allOf: [{$ref}, {…}]`. */
function refOfExtended({ schema, inline }: Definition): string | undefined {
  const refs = list(schema, 'allOf').flatMap((part) => text(part, '$ref') ?? []);
  return inline && refs.length === 1 ? refs[0] : undefined;
}

/** False if both have a name in the document, and neither name is the beginning or the end of the other. */
function areAkin(one: Definition, other: Definition): boolean {
  if (one.inline || other.inline) return true;
  const [first, second] = [stemOf(one.name), stemOf(other.name)];
  const [short, long] = first.length < second.length ? [first, second] : [second, first];
  return long.startsWith(short) || long.endsWith(short);
}
