/** Finds the forms of the same record: the row of a list, the complete record, the rest of a deleted record. */
import type { Definition, ApiDocument } from './ApiDocument.ts';
import { plainName, singular, wordsIn } from './ModuleNames.ts';
import { choice, NULL, withoutNull, candidatesIn, rowsIn } from './Shape.ts';
import type { Member, ObjectShape, Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';
import { list, text } from './JsonObject.ts';
import type { Detail, Homes } from './Homes.ts';
import { isIdentifying } from './decideKey.ts';

/** Words that distinguish the name of a form from the name of the record. */
const SIZES = new Set(
  `simple minimal mini full base basic public private nullable detail detailed details summary short extended complete
  brief compact partial deleted response output read view model dto get search`.split(/\s+/),
);

const stems = new Map<string, string>();

/** The name of a record without the words for the size; `SearchOrders_Order` is an order, too. */
function stemOf(name: string): string {
  const known = stems.get(name) ?? readStem(name);
  stems.set(name, known);
  return known;
}

function readStem(name: string): string {
  const words = wordsIn(name).flatMap((word) => (SIZES.has(word) ? [] : singular(word)));
  const once = words.filter((word, at) => word !== words[at - 1]);
  return once.length === 0 ? plainName(name) : once.join('');
}

/** True if a value of the second shape can be read as the first. */
export type Fits = (first: Shape, second: Shape) => boolean;

export class Forms {
  readonly #shapes: Shapes;
  /** Schemas of the same record, with the first schema that each was united with. */
  readonly #same = new Map<Definition, Definition>();
  readonly #reasons = new Map<Definition, string>();
  readonly #groups = new Map<Definition, Definition[]>();

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  /** The form with the most members, which represents the record. */
  mainOf(definition: Definition): Definition {
    let at = definition;
    for (let next = this.#same.get(at); next !== undefined; next = this.#same.get(at)) at = next;
    return at;
  }

  /** All forms of a record, first the form with the most members. */
  of(main: Definition): readonly Definition[] {
    return this.#groups.get(main) ?? [main];
  }

  /** The reason why this form belongs to the record. */
  reasonOf(form: Definition): string | undefined {
    return this.#reasons.get(form);
  }

  /** Treats two schemas as forms of the same record; `reason` gets the schema that the other form is like. */
  unite(first: Definition, second: Definition, reason: (like: Definition) => string): void {
    const [firstMain, secondMain] = [this.mainOf(first), this.mainOf(second)];
    if (firstMain === secondMain) return;
    const [rich, poor] = this.#isRicher(secondMain, firstMain)
      ? [secondMain, firstMain]
      : [firstMain, secondMain];
    this.#same.set(poor, rich);
    this.#groups.set(rich, [...this.of(rich), ...this.of(poor)]);
    this.#groups.delete(poor);
    const [changed, like] = this.mainOf(first) === firstMain ? [second, first] : [first, second];
    if (!this.#reasons.has(changed)) this.#reasons.set(changed, reason(like));
  }

  /** A name in the document counts first, then the number of members. */
  #isRicher(first: Definition, second: Definition): boolean {
    if (first.inline !== second.inline) return second.inline;
    return this.#membersOf(first).length > this.#membersOf(second).length;
  }

  #membersOf(definition: Definition): readonly Member[] {
    return membersOf(definition, this.#shapes);
  }

  /** The share of the smaller schema's members that the larger has as well; 0 if any member contradicts. */
  likeness(
    first: Definition,
    second: Definition,
  ): { readonly common: number; readonly share: number } {
    const [firstMembers, secondMembers] = [this.#membersOf(first), this.#membersOf(second)];
    const known = new Map(secondMembers.map((each) => [each.name, each]));
    let common = 0;
    for (const each of firstMembers) {
      const same = known.get(each.name);
      if (same === undefined) continue;
      if (this.#isOther(each.shape, same.shape)) return { common: 0, share: 0 };
      if (this.#isLike(each.shape, same.shape)) common++;
    }
    return {
      common,
      share: common / Math.max(1, Math.min(firstMembers.length, secondMembers.length)),
    };
  }

  /** True if both shapes are literals with different values: `'cat'` and `'dog'`. */
  #isOther(first: Shape, second: Shape): boolean {
    const [firstLiteral, secondLiteral] = [first, second].map((each) =>
      literalIn(this.#shapes.follow(each)),
    );
    return (
      firstLiteral !== undefined && secondLiteral !== undefined && firstLiteral !== secondLiteral
    );
  }

  #isLike(first: Shape, second: Shape): boolean {
    const [firstKinds, secondKinds] = [this.#kindsIn(first), this.#kindsIn(second)];
    if (firstKinds.has('unknown') || secondKinds.has('unknown')) return true;
    return [...firstKinds].some((kind) => secondKinds.has(kind));
  }

  #kindsIn(shape: Shape): Set<string> {
    const followed = this.#shapes.follow(withoutNull(shape).shape);
    if (followed.is === 'choice')
      return new Set(followed.of.flatMap((each) => [...this.#kindsIn(each)]));
    if (followed.is !== 'word') return new Set([followed.is === 'date' ? 'string' : followed.is]);
    if (/^['"]/.test(followed.keywordType)) return new Set(['string']);
    return new Set([
      /^(?:true|false)$/.test(followed.keywordType) ? 'boolean' : followed.keywordType,
    ]);
  }

  /** The members of all forms; required are the members that all forms in `whole` require. */
  merged(main: Definition, whole: readonly Definition[], fits: Fits): ObjectShape {
    const forms = this.of(main);
    const members = new Map<string, Member>();
    for (const form of forms) {
      for (const each of this.#membersOf(form)) {
        const known = members.get(each.name);
        members.set(each.name, known === undefined ? each : this.#both(known, each, fits));
      }
    }
    const member = (form: Definition, name: string) =>
      this.#membersOf(form).find((each) => each.name === name);
    const has = (form: Definition, name: string) => member(form, name)?.required === true;
    const due = whole.length > 0 ? whole : [main];
    const all = [...members.values()].map((each) => ({
      ...each,
      required: due.every((form) => has(form, each.name)),
      everywhere: forms.every((form) => has(form, each.name)),
      isExtra: due.every((form) => member(form, each.name) === undefined),
    }));
    const own = withoutNull(this.#shapes.own(main)).shape;
    return { is: 'object', members: all, rest: own.is === 'object' ? own.rest : undefined };
  }

  /** The first member's type, unless the second has another type, or null. */
  #both(known: Member, other: Member, fits: Fits): Member {
    const doc = known.doc ?? other.doc;
    const preset = known.preset ?? other.preset;
    const [first, second] = [withoutNull(known.shape), withoutNull(other.shape)];
    const same = this.#isLike(known.shape, other.shape) && fits(known.shape, other.shape);
    const shapes = same ? [known.shape] : [first.shape, second.shape];
    const nullable = first.nullable || second.nullable ? [NULL] : [];
    const readOnly = known.readOnly && other.readOnly;
    const writeOnly = known.writeOnly && other.writeOnly;
    return { ...known, doc, preset, readOnly, writeOnly, shape: choice([...shapes, ...nullable]) };
  }
}

function literalIn(shape: Shape): string | undefined {
  return shape.is === 'word' && /^['"]/.test(shape.keywordType) ? shape.keywordType : undefined;
}

/** The members of a form. */
export function membersOf(definition: Definition, shapes: Shapes): readonly Member[] {
  const { shape } = withoutNull(shapes.own(definition));
  return shape.is === 'object' ? shape.members : [];
}

/** True for the rest of a deleted record, marked by a member. */
export function isDeletedForm(definition: Definition, shapes: Shapes): boolean {
  const members = membersOf(definition, shapes);
  return members.length <= 5 && members.some(({ name }) => /^(?:is_?)?deleted$/i.test(name));
}

/*
 *   two schemas are forms of the same record if both have the members of the primary key, and
 *   either extends the other              allOf: [{$ref: Issue}, {…}] in a response
 *   the same path returns both            anyOf: [Customer, DeletedCustomer]
 *   a path and the list above have both   /articles and /articles/{slug}; half of the members are the same
 *   the names differ only in size         SimpleUser, User: seven of ten
 *   either is inline, both look alike     nine of ten, and eight at least
 */
const AT_ONE_PATH = 0.5;
const BY_NAME = 0.7;
const BY_LOOK = 0.9;
const MANY = 8;

export function uniteForms(document: ApiDocument, shapes: Shapes, homes: Homes): Forms {
  return new Uniting(document, shapes, homes).run();
}

class Uniting {
  readonly #document: ApiDocument;
  readonly #shapes: Shapes;
  readonly #homes: Homes;
  readonly #forms: Forms;

  constructor(document: ApiDocument, shapes: Shapes, homes: Homes) {
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

  /** True for a form with the key of a record, required or not, and no members that the record lacks. */
  #isPart(of: Definition, record: Definition): boolean {
    const [members, whole] = [of, record].map((each) => membersOf(each, this.#shapes));
    const keys = this.#homes.keysOf(record);
    const known = new Map(whole?.map((each) => [each.name, each.shape]));
    // a text that is not said to be a date may be none
    const isSame = ({ name, shape }: Member) => {
      const same = known.get(name);
      return same !== undefined && this.#isDate(same) === this.#isDate(shape);
    };
    const own = members ?? [];
    // a request that does not name the parents needs the id of the record itself
    const needsId = this.#homes.needsParents(record) && !own.some(({ name }) => name === 'id');
    return (
      !needsId &&
      own.length > 1 &&
      own.every(isSame) &&
      keys.length > 0 &&
      keys.every((key) => own.some(({ name }) => name === key))
    );
  }

  #isDate(shape: Shape): boolean {
    return this.#shapes.follow(withoutNull(shape).shape).is === 'date';
  }

  #fits(record: Definition, other: Definition): boolean {
    // a kind beside heirs, which have all members of the kind
    if (record.kindOf !== undefined || other.kindOf !== undefined) return false;
    return this.#has(other, this.#homes.keysOf(record)) || this.#isPart(other, record);
  }

  #extended(): void {
    for (const definition of this.#document.definitions) {
      const ref = refOfExtended(definition);
      const base = ref === undefined ? undefined : this.#document.definitionAt(ref);
      if (base === undefined) continue;
      const isRecord = this.#homes.keysOf(base).length > 0 || this.#has(base, ['id']);
      const reason = () => `it is ${base.name} with more members`;
      if (isRecord) this.#forms.unite(base, definition, reason);
    }
  }

  /** All records in the responses of a path, and of the list above. */
  #at({ path, segments, at, above }: Detail): void {
    const main = this.#homes.all.find((each) => each.segments === segments);
    if (main === undefined) return;
    for (const { method, response } of at) {
      for (const each of this.#recordsIn(response.shape))
        this.#uniteIfAkin(main.of, each, `a response of ${method} ${path}`);
    }
    for (const { method, response, path: list } of above) {
      const { shape } = response;
      const records = method === 'GET' ? [] : this.#recordsIn(shape);
      const isRows = method === 'GET' || method === 'DELETE';
      for (const each of [...records, ...(isRows ? rowsIn(shape, this.#shapes) : [])])
        this.#uniteIfAkin(main.of, each, `a row of ${method} ${list}, the list above ${path}`);
    }
  }

  #uniteIfAkin(main: Definition, other: Definition, reason: string): void {
    if (other === main || !this.#fits(main, other)) return;
    const { share, common } = this.#forms.likeness(main, other);
    const isDeleted = common > 0 && isDeletedForm(other, this.#shapes);
    if (isDeleted || (share >= AT_ONE_PATH && areAkin(main, other)))
      this.#forms.unite(main, other, () => reason);
  }

  /** The records of a response; of an envelope, the records inside. */
  #recordsIn(shape: Shape | undefined): readonly Definition[] {
    const whole = candidatesIn(shape, this.#shapes, 0);
    const mains = new Set(this.#homes.all.map(({ of }) => this.#forms.mainOf(of)));
    const isRecord = whole.some((each) => mains.has(this.#forms.mainOf(each)));
    return isRecord ? whole : candidatesIn(shape, this.#shapes);
  }

  /** True if the names are akin, and no other record could be meant. */
  #isOnly(record: Definition, other: Definition): boolean {
    const records = new Set(this.#homes.all.map(({ of }) => this.#forms.mainOf(of)));
    const isOther = (each: Definition) => each.inline || !areAkin(each, other);
    if (other.inline || records.has(this.#forms.mainOf(other)) || isOther(record)) return false;
    const found = [...records].filter((each) => !isOther(each) && this.#isPart(other, each));
    return found.length === 1 && found[0] === this.#forms.mainOf(record);
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
    // names first: there are many pairs of schemas, and few with names alike
    if (!areAkin(record, other)) return;
    if (this.#forms.mainOf(record) === this.#forms.mainOf(other)) return;
    if (!this.#fits(record, other)) return;
    const { common, share } = this.#forms.likeness(record, other);
    const isSame = stemOf(record.name) === stemOf(other.name);
    if (isSame && share >= BY_NAME)
      this.#forms.unite(record, other, ({ name }) => `the names and members match ${name}`);
    else if (common === count && this.#isOnly(record, other))
      this.#forms.unite(
        record,
        other,
        ({ name }) => `all members, including the key, are members of ${name}`,
      );
    else if (other.inline && common >= MANY && common >= BY_LOOK * count)
      this.#forms.unite(
        record,
        other,
        ({ name }) => `${common} of its members are those of ${name}`,
      );
  }
}

/** The named record that an inline schema extends: `allOf: [{$ref}, {…}]`. */
function refOfExtended({ schema, inline }: Definition): string | undefined {
  const refs = list(schema, 'allOf').flatMap((part) => text(part, '$ref') ?? []);
  return inline && refs.length === 1 ? refs[0] : undefined;
}

/** False if both have a name in the document, and neither name is the beginning or the end of the other. */
export function areAkin(first: Definition, second: Definition): boolean {
  if (first.inline || second.inline) return true;
  const [firstStem, secondStem] = [stemOf(first.name), stemOf(second.name)];
  const [short, long] =
    firstStem.length < secondStem.length ? [firstStem, secondStem] : [secondStem, firstStem];
  return long.startsWith(short) || long.endsWith(short);
}
