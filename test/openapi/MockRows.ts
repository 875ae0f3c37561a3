/** The records of the mock server: random at first, changed by requests, and equal in all responses. */
import { isObject } from './Description.ts';
import type { Description, Json } from './Description.ts';
import type { Sampler } from './Sampler.ts';

/** A record. Each member is created when a response first contains the member. */
export class MockRow {
  readonly seed: string;
  /** A member's value, and the schema that the value obeys as far as is known. */
  readonly fields = new Map<string, { readonly value: unknown; readonly schema: unknown }>();

  constructor(seed: string) {
    this.seed = seed;
  }

  get(name: string): unknown {
    return this.fields.get(name)?.value;
  }
}

export class MockRows {
  readonly #description: Description;
  readonly #sampler: Sampler;
  readonly #seed: string;
  readonly #lists = new Map<string, MockRow[]>();
  readonly #documents = new Map<string, MockRow>();
  #created = 0;

  constructor(description: Description, sampler: Sampler, seed: string) {
    this.#description = description;
    this.#sampler = sampler;
    this.#seed = seed;
  }

  /** The rows at an address; undefined where there is no list yet. */
  list(address: string): MockRow[] | undefined {
    return this.#lists.get(address);
  }

  /** Creates a list of rows. Of rows with equal keys the list contains the first. */
  setList(address: string, rows: readonly MockRow[], key: string | undefined): MockRow[] {
    const keys = rows.map((row) => String(key === undefined ? row.seed : row.get(key)));
    const made = rows.filter((_, at) => keys.indexOf(keys[at] as string) === at);
    this.#lists.set(address, made);
    return made;
  }

  /** A new record that is in no list; the key exists even if the schema does not require the key. */
  create(address: string, schema: unknown, key: string | undefined): MockRow {
    const row = new MockRow(`${this.#seed} ${address} ${this.#created++}`);
    if (key !== undefined) this.#makeKey(row, schema, key);
    return row;
  }

  #makeKey(row: MockRow, schema: unknown, key: string): void {
    const member = this.#members(schema, row.seed)[key];
    if (member === undefined) return;
    for (let attempt = 0; attempt < 20; attempt++) {
      const value = this.#sampler.sample(member, `${row.seed} ${key} ${attempt}`);
      if (value === null) continue;
      row.fields.set(key, { value, schema: member });
      return;
    }
  }

  /** The record with this key in a list with the same last word in the address: in this list, else in another list. */
  find(address: string, key: string, value: string): MockRow | undefined {
    const word = (path: string) => path.split('/').at(-1);
    const lists = [...this.#lists].filter(([path]) => word(path) === word(address));
    const own = lists.filter(([path]) => path === address);
    const rows = [...own, ...lists].flatMap(([, list]) => list);
    return rows.find((row) => String(row.get(key)) === value);
  }

  /** The single record at an address that is in no list. */
  document(address: string): MockRow {
    const row = this.#documents.get(address) ?? new MockRow(`${this.#seed} ${address}`);
    this.#documents.set(address, row);
    return row;
  }

  delete(row: MockRow): void {
    for (const [address, list] of this.#lists) {
      this.#lists.set(
        address,
        list.filter((each) => each !== row),
      );
    }
    for (const [address, each] of this.#documents)
      if (each === row) this.#documents.delete(address);
  }

  /** A record as a response of this schema contains the record. */
  render(row: MockRow, schema: unknown): unknown {
    const sampled = this.#sampler.sample(schema, row.seed);
    if (!isObject(sampled)) return sampled;
    const shown: Record<string, unknown> = { ...sampled };
    for (const [name, member] of Object.entries(this.#members(schema, row.seed))) {
      const known = row.fields.get(name);
      if (known !== undefined && this.#fits(known, member)) shown[name] = known.value;
      else if (known === undefined && name in shown)
        row.fields.set(name, { value: shown[name], schema: member });
    }
    return shown;
  }

  /** Sets the members that the schema has, if the schema allows the values. Returns the names of the others. */
  change(row: MockRow, changes: Json, schema: unknown): string[] {
    const members = this.#members(schema, row.seed);
    return Object.entries(changes)
      .filter(([name, value]) => {
        const target = Object.keys(members).find((each) => plain(each) === plain(name)) ?? '';
        const member = members[target];
        const typed = typeof value === 'string' ? this.#typed(value, member) : value;
        const fits =
          member !== undefined && this.#fits({ value: typed, schema: undefined }, member);
        if (fits) row.fields.set(target, { value: typed, schema: member });
        return !fits;
      })
      .map(([name]) => name);
  }

  /** A text of a form or an address as a value of the schema. */
  #typed(text: string, schema: unknown): unknown {
    const { type } = this.#sampler.flat(schema, '');
    const types = Array.isArray(type) ? type : [type];
    if (types.includes('string')) return text;
    if (types.includes('boolean')) return text === 'true';
    return types.includes('integer') || types.includes('number') ? Number(text) : text;
  }

  #fits(
    { value, schema }: { readonly value: unknown; readonly schema: unknown },
    member: unknown,
  ): boolean {
    return schema === member || this.#description.complaint(member, value) === undefined;
  }

  #members(schema: unknown, seed: string): Json {
    return (this.#sampler.flat(schema, seed)['properties'] ?? {}) as Json;
  }
}

/** Names that differ only in case and punctuation are equal. */
export const plain = (name: string): string => name.replace(/[^a-z\d]/gi, '').toLowerCase();
