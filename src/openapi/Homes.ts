/** The paths that read a single record, and the members that identify the record there. */
import { candidatesIn, withoutNull } from './Shape.ts';
import type { Definition } from './ApiDocument.ts';
import { member } from './JsonObject.ts';
import { areAkin, isDeletedForm, membersOf } from './Forms.ts';
import { keyParts } from './decideKey.ts';
import type { KeyPart } from './decideKey.ts';
import type { DescribedOperation } from './operationsOf.ts';
import { begins, isAbove, isSame, patternOf, trailing, withoutEnd } from './Path.ts';
import type { Path } from './Path.ts';
import type { Shapes } from './Shapes.ts';

/** A record at the identifying path. */
export interface RecordHome {
  readonly of: Definition;
  /** The schema of the response, if the record is a part of that schema. */
  readonly within: Definition | undefined;
  readonly segments: Path;
  readonly parts: readonly KeyPart[];
  /** A member with the address of the record, as the examples show, and the params of the address. */
  readonly address: PathMember | undefined;
  /** How many operations the path has: of several paths, the path with the most identifies the record. */
  readonly weight: number;
}

/** A member with a value that ends with the path of the record. */
export interface PathMember {
  readonly member: string;
  readonly pattern: string;
}

/** A path with params at the end, and the operations there and at the path of the list. */
export interface Detail {
  readonly path: string;
  readonly segments: Path;
  readonly at: readonly DescribedOperation[];
  readonly above: readonly DescribedOperation[];
}

const WEIGHTS: Readonly<Record<string, number>> = { GET: 3, PUT: 2, PATCH: 2, DELETE: 2 };

export class Homes {
  readonly details: readonly Detail[];
  readonly all: RecordHome[] = [];
  /** Records that a path reads, but without the members by which the path identifies records. */
  readonly unclear: Map<Definition, string> = new Map();
  /** The forms that are the complete response of a path. */
  readonly whole: Set<Definition> = new Set();
  readonly #shapes: Shapes;
  readonly #operations: readonly DescribedOperation[];

  constructor(shapes: Shapes, operations: readonly DescribedOperation[]) {
    this.#shapes = shapes;
    this.#operations = operations;
    this.details = this.#details();
    for (const detail of this.details) this.#find(detail);
  }

  #details(): Detail[] {
    const paths = new Map<string, DescribedOperation[]>();
    for (const operation of this.#operations) {
      if (trailing(operation.segments).length === 0) continue;
      paths.set(operation.path, [...(paths.get(operation.path) ?? []), operation]);
    }
    return [...paths].map(([path, at]) => {
      const { segments } = at[0] as DescribedOperation;
      const above = this.#operations.filter((each) => isAbove(each.segments, segments));
      return { path, segments, at, above };
    });
  }

  #find(detail: Detail): void {
    const weight = this.#weightOf(detail);
    for (const operation of detail.at) {
      // a POST may do anything
      if (operation.response.form !== 'json' || !Object.hasOwn(WEIGHTS, operation.method)) continue;
      const whole = candidatesIn(operation.response.shape, this.#shapes, 0);
      if (this.#isAnother(whole, operation)) continue;
      if (this.#add(whole, operation, weight)) continue;
      const all = candidatesIn(operation.response.shape, this.#shapes);
      const inner = all.filter((each) => !whole.includes(each));
      const [only, another] = whole.length > 0 ? whole : inner;
      const isAdded = this.#add(inner, operation, weight, whole[0]);
      if (!isAdded && only !== undefined && another === undefined)
        this.unclear.set(only, detail.path);
    }
  }

  /** True for records that a change is answered by in the place of the record of the path, as the job that changes it. */
  #isAnother(records: readonly Definition[], { method, segments }: DescribedOperation): boolean {
    const known = this.all.find((each) => isSame(each.segments, segments));
    if (known === undefined || method === 'GET' || records.length === 0) return false;
    return records.every((each) => !areAkin(known.of, each) && !isDeletedForm(each, this.#shapes));
  }

  #weightOf({ segments, at, above }: Detail): number {
    const start = withoutEnd(segments);
    const below = this.#operations.filter((each) => begins(each.segments, start)).length;
    const weights = at.map(({ method }) => WEIGHTS[method] ?? 0);
    const whole = weights.reduce((sum, each) => sum + each, 2 * above.length) + below / 10;
    return at.every(({ isDeprecated }) => isDeprecated) ? whole / 100 : whole;
  }

  /** False if none of these records has the members that the path names. */
  #add(
    records: readonly Definition[],
    operation: DescribedOperation,
    weight: number,
    within?: Definition,
  ): boolean {
    const added = records.map((of) => this.#addOne({ of, within, weight }, operation));
    return added.includes(true);
  }

  #addOne(
    found: Pick<RecordHome, 'of' | 'within' | 'weight'>,
    operation: DescribedOperation,
  ): boolean {
    const { of } = found;
    const { segments, method } = operation;
    const record = withoutNull(this.#shapes.own(of)).shape;
    const parts = record.is === 'object' ? keyParts(record, operation, this.#shapes) : undefined;
    if (parts === undefined) return false;
    if (method === 'GET' && !isDeletedForm(of, this.#shapes)) this.whole.add(of);
    if (this.all.some((each) => each.of === of && each.segments === segments)) return true;
    this.all.push({ ...found, segments, parts, address: this.#addressIn(of, operation) });
    return true;
  }

  /** The member with the address of the record, if an example shows an address. */
  #addressIn(of: Definition, { segments, response }: DescribedOperation): PathMember | undefined {
    const pattern = patternOf(segments);
    // the groups of the pattern have the names of the params
    if (pattern === undefined) return undefined;
    const isAddress = (value: unknown) =>
      typeof value === 'string' && new RegExp(pattern).test(value);
    const shown = response.examples.flatMap((each) => [
      each,
      ...Object.values(Object(each) as object),
    ]);
    const found = membersOf(of, this.#shapes).find(
      ({ name, example }) =>
        isAddress(example) || shown.some((each) => isAddress(member(each, name))),
    );
    return found && { member: found.name, pattern };
  }

  /** True if the key of a record has parts that only the path of a request has. */
  needsParents(of: Definition): boolean {
    const homes = this.all.filter((each) => each.of === of);
    return homes.some(({ parts }) => parts.some((part) => part.member.length === 0));
  }

  /** Members of the record itself that identify the record at any home. */
  keysOf(of: Definition): string[] {
    const homes = this.all.filter((each) => each.of === of);
    return homes.flatMap(({ parts }) => parts.flatMap(({ member: [name] }) => name ?? []));
  }
}
