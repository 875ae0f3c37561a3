/** Posts with changing keys, in plain maps according to N19: each former slug leads to the post. */
import type { Fields } from './confirmed.ts';

interface Timed {
  readonly value: unknown;
  readonly time: number;
}

interface Entry {
  readonly fields: Map<string, Timed>;
  /** When that own write of a field was issued that stands. */
  readonly owned: Map<string, number>;
}

/** An own write: the named fields, and the times. */
export interface OwnPost {
  readonly names: readonly string[];
  readonly issued: number;
  readonly confirmed: number;
}

interface Expected {
  readonly slug: string;
  readonly title: string;
  readonly issued: number;
}

export class Renamed {
  #entries = new Map<string, Entry>();
  #list: { readonly time: number; readonly entries: readonly Entry[] } | undefined;
  #expected: readonly Expected[] = [];

  reset(): void {
    this.#entries = new Map();
    this.#list = undefined;
    this.#expected = [];
  }

  get slugs(): string[] {
    return [...this.#entries.keys()];
  }

  /** The arguments of the request. */
  slug(slug: string): unknown {
    return this.#entries.get(slug)?.fields.get('slug')?.value;
  }

  post(slug: string): Fields | undefined {
    const entry = this.#entries.get(slug);
    return entry && this.#shown(entry);
  }

  list(): readonly Fields[] | undefined {
    return this.#list?.entries.map((entry) => this.#shown(entry));
  }

  #shown(entry: Entry): Fields {
    const fields = Object.fromEntries([...entry.fields].map(([name, { value }]) => [name, value]));
    for (const { slug, title, issued } of this.#expected) {
      const outdone = issued < (entry.owned.get('title') ?? 0);
      if (this.#entries.get(slug) === entry && !outdone) fields['title'] = title;
    }
    return fields;
  }

  expect(expected: Expected): void {
    this.#expected = [...this.#expected, expected];
  }

  drop(issued: number): void {
    this.#expected = this.#expected.filter((one) => one.issued !== issued);
  }

  read(rows: readonly Fields[], time: number): void {
    const entries = rows.map((row) => this.#write(row, time));
    if (time >= (this.#list?.time ?? 0)) this.#list = { time, entries };
  }

  /** The answer to a change of the post that `slug` leads to. */
  confirm(slug: string, answer: Fields, own: OwnPost): void {
    this.drop(own.issued);
    const to = answer['slug'] as string;
    const [entry, twin] = [this.#entries.get(slug), this.#entries.get(to)];
    if (entry !== undefined && twin === undefined) this.#entries.set(to, entry);
    if (entry !== undefined && twin !== undefined && entry !== twin) this.#unite(entry, twin);
    this.#write(answer, own.issued, own);
  }

  /** Two entries turn out to be the same post. */
  #unite(from: Entry, to: Entry): void {
    for (const [name, field] of from.fields)
      if (field.time > (to.fields.get(name)?.time ?? 0)) to.fields.set(name, field);
    for (const [name, issued] of from.owned)
      to.owned.set(name, Math.max(issued, to.owned.get(name) ?? 0));
    for (const [slug, entry] of this.#entries) if (entry === from) this.#entries.set(slug, to);
    const { time = 0, entries = [] } = this.#list ?? {};
    const united = entries.map((entry) => (entry === from ? to : entry));
    if (this.#list !== undefined) this.#list = { time, entries: [...new Set(united)] };
  }

  #write(row: Fields, time: number, own?: OwnPost): Entry {
    const slug = row['slug'] as string;
    const entry = this.#entries.get(slug) ?? { fields: new Map(), owned: new Map() };
    this.#entries.set(slug, entry);
    for (const [name, value] of Object.entries(row)) {
      const claims = own?.names.includes(name) === true;
      const at = claims ? own.confirmed : time;
      const stands = !claims || own.issued >= (entry.owned.get(name) ?? 0);
      const isOlder = at < (entry.fields.get(name)?.time ?? 0);
      if (claims && stands) entry.owned.set(name, own.issued);
      if (stands && (claims || !isOlder)) entry.fields.set(name, { value, time: at });
    }
    return entry;
  }
}
