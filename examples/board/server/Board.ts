/** The rows of the server, and everybody who is told of their changes. */
import type { Change } from '../api.ts';

export interface Row {
  readonly id: number;
  readonly [field: string]: unknown;
}

export type Table = 'projects' | 'users' | 'issues' | 'comments';

type Fields = Readonly<Record<string, unknown>>;

const kinds = { issues: 'issue', comments: 'comment' } as const;

export class Board {
  readonly #tables: Readonly<Record<Table, Map<number, Row>>> = {
    projects: rowsOf('Website', 'App'),
    users: rowsOf('Ada', 'Grace', 'Joan'),
    issues: new Map(),
    comments: new Map(),
  };
  readonly #listeners = new Set<(change: Change) => void>();
  #lastId = 0;

  /** Calls the function with each change; returns what ends that. */
  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get(table: Table, id: number): Row | undefined {
    return this.#tables[table].get(id);
  }

  /** Rows that have one of the given values in each field, in the order of their ranks; newest first for `sort=-id`. */
  list(table: Table, search: URLSearchParams): Row[] {
    const found = [...this.#tables[table].values()].filter((row) => matches(row, search));
    if (search.get('sort') === '-id') found.reverse();
    else found.sort((one, other) => Number(one['rank'] ?? 0) - Number(other['rank'] ?? 0));
    const limit = Number(search.get('limit') ?? found.length);
    const from = (Number(search.get('page') ?? 1) - 1) * limit;
    return found.slice(from, from + limit);
  }

  create(table: keyof typeof kinds, fields: Fields): Row {
    const row = { ...fields, id: ++this.#lastId };
    this.#tables[table].set(row.id, row);
    this.#tell(kinds[table], 'created', row);
    return row;
  }

  update(table: keyof typeof kinds, id: number, fields: Fields): Row | undefined {
    const existing = this.get(table, id);
    if (existing === undefined) return undefined;
    const row = { ...existing, ...fields, id };
    this.#tables[table].set(id, row);
    this.#tell(kinds[table], 'changed', row);
    return row;
  }

  /** An issue goes with its comments. */
  delete(table: keyof typeof kinds, id: number): Row | undefined {
    const row = this.get(table, id);
    if (row === undefined) return undefined;
    if (table === 'issues') {
      const search = new URLSearchParams({ issueId: String(id) });
      for (const comment of this.list('comments', search)) this.delete('comments', comment.id);
    }
    this.#tables[table].delete(id);
    this.#tell(kinds[table], 'deleted', row);
    return row;
  }

  #tell(kind: Change['kind'], type: Change['type'], row: Row): void {
    for (const listener of this.#listeners) listener({ kind, type, row });
  }
}

function rowsOf(...names: readonly string[]): Map<number, Row> {
  return new Map(names.map((name, at) => [at + 1, { id: at + 1, name }]));
}

const paging = ['sort', 'limit', 'page'];

function matches(row: Row, search: URLSearchParams): boolean {
  return [...new Set(search.keys())]
    .filter((field) => !paging.includes(field))
    .every((field) => {
      const wanted = search.getAll(field);
      return [row[field]].flat().some((value) => wanted.includes(String(value)));
    });
}
