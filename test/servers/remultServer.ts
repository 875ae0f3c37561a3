// A server with a database: remult on express, with SQLite in WebAssembly, in this process.
import type { AddressInfo } from 'node:net';
import express from 'express';
import { describeEntity, Fields, Remult, SqlDatabase, Validators } from 'remult';
import { remultApi } from 'remult/remult-express';
import { SqlJsDataProvider } from 'remult/remult-sql-js';
// @ts-expect-error the package has no types
import initSqlJs from 'sql.js';

class TodoTable {
  id = 0;
  title = '';
  done = false;
  userId = 0;
}
describeEntity(
  TodoTable,
  'todos',
  {
    id: Fields.autoIncrement(),
    title: Fields.string({ validate: [Validators.required, Validators.maxLength(40)] }),
    done: Fields.boolean(),
    userId: Fields.integer(),
  },
  { allowApiCrud: true },
);

class CommentTable {
  id = 0;
  postId = 0;
  name = '';
  body = '';
}
describeEntity(
  CommentTable,
  'comments',
  {
    id: Fields.autoIncrement(),
    postId: Fields.integer(),
    name: Fields.string(),
    body: Fields.string(),
  },
  { allowApiCrud: true },
);

class BirthdayTable {
  id = 0;
  name = '';
  date = new Date(0);
}
describeEntity(
  BirthdayTable,
  'birthdays',
  { id: Fields.autoIncrement(), name: Fields.string(), date: Fields.date() },
  { allowApiCrud: true },
);

const entities = { todos: TodoTable, comments: CommentTable, birthdays: BirthdayTable };

export interface RemultServer {
  readonly url: string;
  fill(table: keyof typeof entities, rows: readonly object[]): Promise<void>;
  /** The rows of a table, read without HTTP. */
  stored(table: keyof typeof entities): Promise<unknown[]>;
  close(): Promise<void>;
}

/** A new, empty database for each. */
export async function startRemultServer(): Promise<RemultServer> {
  const sqlite = (initSqlJs as () => Promise<{ Database: new () => never }>)();
  const dataProvider = new SqlDatabase(
    new SqlJsDataProvider(sqlite.then(({ Database }) => new Database())),
  );
  const app = express();
  const api = remultApi({
    entities: Object.values(entities),
    dataProvider,
    logApiEndPoints: false,
  });
  app.use(api);
  await api.withRemultAsync(undefined, async () => {});
  const remult = new Remult(dataProvider);
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const of = (table: keyof typeof entities) => remult.repo(entities[table] as typeof TodoTable);
  return {
    url: `http://127.0.0.1:${port}/api`,
    async fill(table, rows) {
      await of(table).insert(rows as Partial<TodoTable>[]);
    },
    async stored(table) {
      return of(table).toJson(of(table).find());
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
