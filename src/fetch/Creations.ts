/** Entities shown before their server has named them: requests that name them wait for its name. */
import { SignalboxError } from '../diagnostics.ts';
import { isPlain } from '../schema/equal.ts';
import type { Args, Node } from '../schema/schema.ts';
import { EntityRecord } from '../store/EntityRecord.ts';
import { confirmed } from '../store/Layered.ts';
import { eachRecord } from '../store/eachRecord.ts';
import { NONE } from '../store/more.ts';

/** One entity that its server has not named yet. */
export interface Creation {
  readonly table: object | string;
  /** The primary key from the server. */
  readonly named: Promise<unknown>;
  name(pk: unknown): void;
  fail(reason: unknown): void;
}

// temporary keys that are remembered, for links to rows that were just made
const MOST = 1_000;

export class Creations {
  readonly #known = new Map<string, Creation>();

  /** `made` are shown under keys of our own, in the order in which the answer is going to name them. */
  begin(made: readonly EntityRecord[], args: Args): readonly Creation[] {
    if (made.length === 0) return NONE;
    // a key that the caller gave is the server's, too
    const given = new Set<string>();
    eachValue(args, (value) => void given.add(String(value)));
    const begun = made
      .filter(({ pk }) => !given.has(pk))
      .map((record) => {
        const creation = creationOf(record);
        this.#known.set(record.pk, creation);
        return creation;
      });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST) break;
      this.#known.delete(oldest);
    }
    return begun;
  }

  /** The same arguments with the server's keys in the place of ours; undefined where there are none of ours. */
  real(args: Args): Promise<Args> | undefined {
    if (this.#known.size === 0) return undefined;
    const real = new Map<string, unknown>();
    const waits: Promise<unknown>[] = [];
    eachValue(args, (value) => {
      const pk = String(value);
      const creation = this.#known.get(pk);
      if (creation !== undefined) waits.push(creation.named.then((name) => real.set(pk, name)));
    });
    if (waits.length === 0) return undefined;
    return Promise.all(waits).then(() => {
      const swap = (value: unknown): unknown =>
        isKey(value) ? (real.get(String(value)) ?? value) : value;
      return args.map((arg) =>
        isPlain(arg)
          ? Object.fromEntries(Object.entries(arg).map(([name, value]) => [name, swap(value)]))
          : swap(arg),
      );
    });
  }
}

function creationOf(record: EntityRecord): Creation {
  let name!: Creation['name'];
  let fail!: Creation['fail'];
  const named = new Promise<unknown>((resolve, reject) => {
    name = resolve;
    fail = (reason) =>
      reject(new SignalboxError('E6', { pk: record.pk, reason }, { status: 400, cause: reason }));
  });
  // who does not wait need not hear of it
  named.catch(() => {});
  return { table: record.kind.table, named, name, fail };
}

/** An answer names what was begun: the first of a table that was made is the first of it in the answer. */
export function nameAll(begun: readonly Creation[], node: Node): void {
  if (begun.length === 0) return;
  const records: EntityRecord[] = [];
  eachRecord(node, (record) => record instanceof EntityRecord && records.push(record));
  for (const creation of begun) {
    const at = records.findIndex(({ kind }) => kind.table === creation.table);
    const [record] = at < 0 ? [] : records.splice(at, 1);
    if (record === undefined) creation.fail('the answer does not name it');
    else creation.name(keyIn(record));
  }
}

/** The primary key as the entity has it: a number stays one. */
function keyIn(record: EntityRecord): unknown {
  const { kind, pk, instance } = confirmed(record);
  const { namedBy } = kind.plan;
  return namedBy === undefined ? pk : (instance?.[namedBy.field] ?? pk);
}

function isKey(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** The keys that arguments may name: themselves, and the members of plain objects. */
function eachValue(args: Args, visit: (value: string | number) => void): void {
  for (const arg of args) {
    for (const value of isPlain(arg) ? Object.values(arg) : [arg]) if (isKey(value)) visit(value);
  }
}
