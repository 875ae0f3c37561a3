/** The paths at which records are read one by one, and which schemas these paths show to be forms of one record. */
import type { Definition, Document } from './Document.ts';
import { member } from './Fields.ts';
import { Forms, refOfExtended, stemOf } from './Forms.ts';
import { keyParts, trailing, withoutEnd } from './Keys.ts';
import type { KeyPart } from './Keys.ts';
import { paramName } from './Names.ts';
import type { Operation } from './Operation.ts';
import { withoutNull } from './Shape.ts';
import type { Shape } from './Shape.ts';
import type { Shapes } from './Shapes.ts';

type Segments = Operation['segments'];

/** A record at the path that identifies it. */
export interface Home {
  readonly of: Definition;
  readonly segments: Segments;
  readonly parts: readonly KeyPart[];
  /** A member that holds the address of the record, as examples show; and the params in it. */
  readonly address: Address | undefined;
  /** How much is done there: of several the one with the most is that of the record. */
  readonly weight: number;
}

/** A member of a record whose value ends with the path of the record. */
export interface Address {
  readonly member: string;
  readonly pattern: string;
}

/** A path at whose end there are params, and what is done there, and at the path of its list. */
interface Detail {
  readonly path: string;
  readonly segments: Segments;
  readonly at: readonly Operation[];
  readonly above: readonly Operation[];
}

const WEIGHTS: Readonly<Record<string, number>> = { GET: 3, PUT: 2, PATCH: 2, DELETE: 2 };

export class Homes {
  readonly forms: Forms;
  readonly #document: Document;
  readonly #shapes: Shapes;
  readonly #operations: readonly Operation[];
  readonly #found: Home[] = [];
  readonly #byMain = new Map<Definition, Home[]>();
  /** Records that a path reads, but nothing in them is what it identifies them by. */
  readonly unclear = new Map<Definition, string>();
  /** The forms that a path reads by themselves. */
  readonly whole = new Set<Definition>();

  constructor(document: Document, shapes: Shapes, operations: readonly Operation[]) {
    this.forms = new Forms(shapes);
    this.#document = document;
    this.#shapes = shapes;
    this.#operations = operations;
    const details = this.#details();
    for (const detail of details) this.#find(detail);
    this.#uniteExtended();
    for (const detail of details) this.#uniteAt(detail);
    this.#uniteByName();
    for (const home of this.#found) {
      const main = this.forms.mainOf(home.of);
      this.#byMain.set(main, [...(this.#byMain.get(main) ?? []), home]);
    }
  }

  /** The homes of a record in all of its forms, those with the most weight first. */
  of(main: Definition): readonly Home[] {
    return (this.#byMain.get(main) ?? []).sort((a, b) => b.weight - a.weight);
  }

  get records(): readonly Definition[] {
    return [...this.#byMain.keys()];
  }

  #details(): Detail[] {
    const paths = new Map<string, Operation[]>();
    for (const operation of this.#operations) {
      if (trailing(operation.segments).length === 0) continue;
      paths.set(operation.path, [...(paths.get(operation.path) ?? []), operation]);
    }
    return [...paths].map(([path, at]) => {
      const { segments } = at[0] as Operation;
      return {
        path,
        segments,
        at,
        above: this.#operations.filter((each) => isAbove(each.segments, segments)),
      };
    });
  }

  #find({ path, segments, at, above }: Detail): void {
    const fresh = at.some(({ isDeprecated }) => !isDeprecated) ? 1 : 0.01;
    const below = this.#operations.filter((each) =>
      begins(each.segments, withoutEnd(segments)),
    ).length;
    const weights = at.map(({ method }) => WEIGHTS[method] ?? 0);
    const weight =
      fresh * (weights.reduce((sum, each) => sum + each, 2 * above.length) + below / 10);
    for (const operation of at) {
      if (operation.answer.form !== 'json' || !isUsual(operation)) continue;
      const [first, ...others] = candidatesIn(operation.answer.shape, this.#shapes);
      for (const of of first === undefined ? [] : [first, ...others]) {
        const parts = this.#partsOf(of, operation);
        if (parts === undefined) {
          if (of === first && others.length === 0) this.unclear.set(of, path);
          continue;
        }
        if (operation.method === 'GET' && !this.#isDeleted(of)) this.whole.add(of);
        const isNew = !this.#found.some((each) => each.of === of && each.segments === segments);
        if (isNew) {
          const address = this.#addressIn(of, operation);
          this.#found.push({ of, segments, parts, weight, address });
        }
        // an envelope around a record is none itself
        const { shape } = operation.answer;
        if (of === first && shape?.is === 'name' && shape.of === first) break;
      }
    }
  }

  #partsOf(of: Definition, operation: Operation): readonly KeyPart[] | undefined {
    const record = withoutNull(this.#shapes.own(of)).shape;
    return record.is === 'object' ? keyParts(record, operation, this.#shapes) : undefined;
  }

  /** The member that says where a record is: it does in an example. */
  #addressIn(of: Definition, { segments, answer }: Operation): Address | undefined {
    const pattern = patternOf(segments);
    const isAddress = (value: unknown) =>
      typeof value === 'string' && new RegExp(pattern).test(value);
    const shown = answer.examples.flatMap((each) => [
      each,
      ...Object.values(Object(each) as object),
    ]);
    const found = this.forms
      .membersOf(of)
      .find(
        ({ name, example }) =>
          isAddress(example) || shown.some((each) => isAddress(member(each, name))),
      );
    return found && { member: found.name, pattern };
  }

  /** Members that identify a record at its homes, where it has them itself. */
  #keysOf(of: Definition): string[] {
    const homes = this.#found.filter((each) => each.of === of);
    return homes.flatMap(({ parts }) => parts.flatMap(({ member }) => member[0] ?? []));
  }

  #has(of: Definition, names: readonly string[]): boolean {
    const members = this.forms.membersOf(of);
    return names.every((name) => members.some((each) => each.name === name));
  }

  /** `allOf: [{$ref: Issue}, {…}]`: an issue, and what else the response says. */
  #uniteExtended(): void {
    for (const definition of this.#document.definitions) {
      const ref = refOfExtended(definition);
      const base = ref === undefined ? undefined : this.#document.definitionAt(ref);
      if (base !== undefined && this.#isRecord(base))
        this.forms.unite(base, definition, `it is a ${base.name} with more members`);
    }
  }

  #isRecord(of: Definition): boolean {
    return (
      this.#keysOf(of).length > 0 || this.forms.membersOf(of).some(({ name }) => name === 'id')
    );
  }

  /** All that one path, and the list above it, answers. */
  #uniteAt({ path, segments, at, above }: Detail): void {
    const homes = this.#found.filter((each) => each.segments === segments);
    const [main] = homes;
    if (main === undefined) return;
    const keys = this.#keysOf(main.of);
    const unite = (other: Definition, least: number, reason: string) => {
      if (other === main.of || !this.#has(other, keys)) return;
      const { share, common } = this.forms.likeness(main.of, other);
      const isDeleted = this.#isDeleted(other) && common > 0;
      if ((share >= least && areAkin(main.of, other)) || isDeleted)
        this.forms.unite(main.of, other, reason);
    };
    for (const { method, answer } of at) {
      for (const each of this.#recordsIn(answer.shape))
        unite(each, 0.5, `${method} ${path} answers both`);
    }
    for (const { method, answer, path: list } of above) {
      const { shape } = answer;
      const found = method === 'GET' ? rowsIn(shape, this.#shapes) : this.#recordsIn(shape);
      for (const each of found)
        unite(each, 0.5, `${method} ${list} is where ${path} is one of the rows`);
    }
  }

  /** The records that a response is; of an envelope, those in it. */
  #recordsIn(shape: Shape | undefined): readonly Definition[] {
    const whole = candidatesIn(shape, this.#shapes, 0);
    const isRecord = whole.some((each) =>
      this.#found.some(({ of }) => this.forms.mainOf(of) === this.forms.mainOf(each)),
    );
    return isRecord ? whole : candidatesIn(shape, this.#shapes);
  }

  /** What is left of a deleted record: it says so. */
  #isDeleted(of: Definition): boolean {
    const members = this.forms.membersOf(of);
    return members.length <= 5 && members.some(({ name }) => plainly(name) === 'deleted');
  }

  #uniteByName(): void {
    const records = [...new Set(this.#found.map(({ of }) => of))];
    for (const definition of this.#document.definitions) {
      const count = this.forms.membersOf(definition).length;
      const isForm = this.forms.mainOf(definition) !== definition || records.includes(definition);
      if (count === 0 || (definition.inline && isForm)) continue;
      for (const record of records) this.#uniteIfAlike(record, definition, count);
    }
  }

  #uniteIfAlike(record: Definition, other: Definition, count: number): void {
    if (this.forms.mainOf(record) === this.forms.mainOf(other)) return;
    if (!this.#has(other, this.#keysOf(record))) return;
    const { common, share } = this.forms.likeness(record, other);
    if (stemOf(record.name) === stemOf(other.name) && share >= 0.7)
      this.forms.unite(record, other, `its name and members are those of ${record.name}`);
    else if (other.inline && common >= 8 && common >= 0.9 * count)
      this.forms.unite(record, other, `${common} of its members are those of ${record.name}`);
  }
}

/** A path as a regular expression, whose groups are its params. */
function patternOf(segments: Segments): string {
  const named = new Set<string>();
  const group = (param: string) => {
    const name = paramName(param);
    const isNew = !named.has(name);
    named.add(name);
    return isNew ? `(?<${name}>[^/]+)` : '[^/]+';
  };
  const steps = withoutEnd(segments).map((segment) =>
    segment.map((step) => ('text' in step ? escaped(step.text) : group(step.param))).join(''),
  );
  return `${steps.map((step) => `\\/${step}`).join('')}$`;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** True unless both have a name in the document, and one is not the beginning or the end of the other. */
function areAkin(one: Definition, other: Definition): boolean {
  if (one.inline || other.inline) return true;
  const [first, second] = [stemOf(one.name), stemOf(other.name)];
  const [short, long] = first.length < second.length ? [first, second] : [second, first];
  return long.startsWith(short) || long.endsWith(short);
}

const plainly = (name: string): string => name.replace(/^is_?/i, '').toLowerCase();

/** What is done with a record at its path; a POST may do anything. */
const isUsual = ({ method }: Operation): boolean => Object.hasOwn(WEIGHTS, method);

/** Names in a shape that may be records: itself, each of several, or what an envelope holds. */
export function candidatesIn(
  shape: Shape | undefined,
  shapes: Shapes,
  depth = 1,
): readonly Definition[] {
  if (shape === undefined) return [];
  const { shape: inner } = withoutNull(shape);
  if (inner.is === 'choice') return inner.of.flatMap((each) => candidatesIn(each, shapes, depth));
  const own = inner.is === 'name' ? variantsOf(inner.of, shapes) : [];
  const followed = shapes.follow(inner);
  const held =
    depth > 0 && followed.is === 'object'
      ? followed.members.flatMap((each) => candidatesIn(each.shape, shapes, depth - 1))
      : [];
  return [...own, ...held];
}

function variantsOf(definition: Definition, shapes: Shapes): readonly Definition[] {
  const shape = shapes.of(definition);
  return shape.is === 'object' ? [definition] : candidatesIn(shape, shapes, 0);
}

/** Names of rows: in a list, or in the lists of an envelope. */
export function rowsIn(shape: Shape | undefined, shapes: Shapes): readonly Definition[] {
  if (shape === undefined) return [];
  const followed = shapes.follow(withoutNull(shape).shape);
  const lists = followed.is === 'object' ? followed.members.map((each) => each.shape) : [followed];
  return lists.flatMap((each) => {
    const inner = shapes.follow(withoutNull(each).shape);
    return inner.is === 'list' ? candidatesIn(inner.of, shapes, 0) : [];
  });
}

/** True for `/todos` and `/todos/` above `/todos/{id}`, and for `/todos.json` above `/todos/{id}.json`. */
export function isAbove(segments: Segments, detail: Segments): boolean {
  const [list, one] = [withoutEnd(segments), withoutEnd(detail)];
  return list.length === one.length - 1 && begins(one, list);
}

/** True where a path goes on from another one; what their params are called does not matter. */
export function begins(path: Segments, start: Segments): boolean {
  return start.every((segment, at) => {
    const other = path[at];
    return (
      other !== undefined &&
      other.length === segment.length &&
      segment.every((step, index) => {
        const its = other[index];
        return (
          its !== undefined &&
          ('text' in step ? 'text' in its && its.text === step.text : 'param' in its)
        );
      })
    );
  });
}
