/** What a store must show, in plain maps and by the words of the rules alone: rows, lists, times, nothing shared with it. */

export type Fields = Readonly<Record<string, unknown>>;

interface Row {
  exists: boolean;
  /** Of the last deletion: what is older does not count. */
  deleted: number;
  readonly fields: Map<string, { value: unknown; time: number }>;
  /** When the own write of a field was issued that was confirmed last. */
  readonly issued: Map<string, number>;
}

interface List {
  readonly matches: (row: Fields) => boolean;
  ids: number[] | undefined;
  /** When the read was issued that filled it. */
  time: number;
  /** Confirmed creations and deletions. */
  readonly moves: Map<number, { time: number; side: 'start' | 'end' | 'out' }>;
}

interface Request {
  answered: number;
  invalidated: number | undefined;
}

/** A mutation's own fields carry another time than the rest of its answer. */
interface Own {
  readonly names: readonly string[];
  readonly time: number;
}

export class Model {
  #time = 0;
  #rows = new Map<number, Row>();
  #lists: Map<string, List>;
  #requests = new Map<string, Request>();
  readonly #defaults: Fields;
  readonly #filters: Readonly<Record<string, List['matches']>>;

  constructor(defaults: Fields, filters: Readonly<Record<string, List['matches']>>) {
    this.#defaults = defaults;
    this.#filters = filters;
    this.#lists = this.#empty();
  }

  #empty(): Map<string, List> {
    const entries = Object.entries(this.#filters).map(([key, matches]) => {
      const list: List = { matches, ids: undefined, time: 0, moves: new Map() };
      return [key, list] as const;
    });
    return new Map(entries);
  }

  tick(): number {
    return ++this.#time;
  }

  #row(id: number): Row {
    let row = this.#rows.get(id);
    if (row === undefined) {
      row = { exists: false, deleted: 0, fields: new Map(), issued: new Map() };
      this.#rows.set(id, row);
    }
    return row;
  }

  #request(key: string): Request {
    let request = this.#requests.get(key);
    if (request === undefined)
      this.#requests.set(key, (request = { answered: 0, invalidated: undefined }));
    return request;
  }

  /** O4: a field gives way only to something later; so does existence. */
  write(fields: Fields, time: number, own?: Own): void {
    const row = this.#row(fields['id'] as number);
    if (!row.exists && time < row.deleted) return;
    row.exists = true;
    for (const [name, value] of Object.entries(fields)) {
      const mine = own?.names.includes(name) ?? false;
      const at = mine ? (own as Own).time : time;
      // O3: of two own writes the one issued later stands
      if (mine && time < (row.issued.get(name) ?? 0)) continue;
      if (at < (row.fields.get(name)?.time ?? row.deleted)) continue;
      row.fields.set(name, { value, time: at });
      if (mine) row.issued.set(name, time);
    }
  }

  remove(id: number, time: number): void {
    this.#rows.set(id, { exists: false, deleted: time, fields: new Map(), issued: new Map() });
    for (const list of this.#lists.values()) {
      list.moves.set(id, { time, side: 'out' });
      list.ids = list.ids?.filter((other) => other !== id);
    }
  }

  /** N15: a creation enters the lists that it matches, once. */
  enter(row: Fields, time: number): void {
    const id = row['id'] as number;
    for (const list of this.#lists.values()) {
      if (!list.matches(row)) continue;
      list.moves.set(id, { time, side: 'end' });
      if (list.ids?.includes(id) === false) list.ids.push(id);
    }
  }

  /** O4: a list read is believed but for creations and deletions confirmed after it was issued. */
  fill(key: string, ids: readonly number[], time: number): void {
    const list = this.#lists.get(key) as List;
    if (time < list.time) return;
    list.time = time;
    list.ids = [...ids];
    for (const [id, move] of list.moves) {
      if (move.time <= time) list.moves.delete(id);
      else if (move.side === 'out') list.ids = list.ids.filter((other) => other !== id);
      else if (!list.ids.includes(id)) list.ids.push(id);
    }
  }

  /** O7: only an answer to a request issued later makes an invalidated key readable. */
  answer(key: string, time: number): void {
    const request = this.#request(key);
    if (time < request.answered) return;
    request.answered = time;
    if (time > (request.invalidated ?? Infinity)) request.invalidated = undefined;
  }

  invalidate(key: string, time: number): void {
    this.#request(key).invalidated = time;
  }

  reset(): void {
    this.#rows = new Map();
    this.#lists = this.#empty();
    this.#requests = new Map();
  }

  row(id: number): Fields | undefined {
    const row = this.#rows.get(id);
    if (row === undefined || !row.exists) return undefined;
    const written = [...row.fields].map(([name, { value }]) => [name, value]);
    return { ...this.#defaults, ...(Object.fromEntries(written) as Fields) };
  }

  list(key: string): readonly Fields[] | undefined {
    const ids = this.#lists.get(key)?.ids;
    return ids?.map((id) => this.row(id)).filter((row) => row !== undefined);
  }

  hidden(key: string): boolean {
    return this.#requests.get(key)?.invalidated !== undefined;
  }
}
