/** SQLite in WebAssembly: the tables of Conduit, and statements that give plain rows. */
// @ts-expect-error the package brings no types
import initSqlJs from 'sql.js';

export type Row = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, string | number | null>>;

interface Statement {
  bind(values: object): boolean;
  step(): boolean;
  getAsObject(): Row;
  free(): void;
}

interface Sqlite {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

const tables = `
  CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    username TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL UNIQUE,
    password TEXT NOT NULL,
    token TEXT NOT NULL UNIQUE,
    bio TEXT,
    image TEXT
  );
  CREATE TABLE articles (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    body TEXT NOT NULL,
    author INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL
  );
  CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE tagged (
    article INTEGER NOT NULL REFERENCES articles ON DELETE CASCADE,
    tag INTEGER NOT NULL REFERENCES tags,
    PRIMARY KEY (article, tag)
  );
  CREATE TABLE favorites (
    user INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    article INTEGER NOT NULL REFERENCES articles ON DELETE CASCADE,
    PRIMARY KEY (user, article)
  );
  CREATE TABLE follows (
    follower INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    followed INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    PRIMARY KEY (follower, followed)
  );
  CREATE TABLE comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    article INTEGER NOT NULL REFERENCES articles ON DELETE CASCADE,
    author INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    body TEXT NOT NULL,
    createdAt TEXT NOT NULL
  );
  PRAGMA foreign_keys = ON;`;

export class Database {
  readonly #sqlite: Sqlite;

  private constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
    sqlite.exec(tables);
  }

  /** `wasm`: the address of SQLite for a page; in Node it is found in the package. */
  static async open(wasm?: string): Promise<Database> {
    const options = wasm === undefined ? {} : { locateFile: () => wasm };
    const { Database: Sqlite } = (await initSqlJs(options)) as { Database: new () => Sqlite };
    return new Database(new Sqlite());
  }

  /** `:name` in the statement is the member `name`. */
  all(sql: string, values: Values = {}): Row[] {
    const statement = this.#sqlite.prepare(sql);
    try {
      const named = Object.entries(values).map(([name, value]) => [`:${name}`, value]);
      statement.bind(Object.fromEntries(named));
      const rows: Row[] = [];
      while (statement.step()) rows.push(statement.getAsObject());
      return rows;
    } finally {
      statement.free();
    }
  }

  get(sql: string, values: Values = {}): Row | undefined {
    return this.all(sql, values)[0];
  }

  close(): void {
    this.#sqlite.close();
  }
}
