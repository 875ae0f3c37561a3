/** The page of `npm run demo`, on a server inside the page. */
import { createHandlers } from 'signalbox/testing/msw';
import db from '../../examples/demo/db.json' with { type: 'json' };
import { makeResources } from '../../examples/demo/resources.ts';
import { startServer } from './startServer.ts';

const { users, todos } = makeResources(`${location.origin}/api`, () => {});
const behaviour = { delay: () => 60 };
const rows = db.todos.map((todo) => ({
  ...todo,
  user: db.users.find(({ id }) => id === todo.userId),
}));

await startServer(
  ...createHandlers(users, db.users, behaviour),
  ...createHandlers(todos, rows, behaviour),
);
await import('../../examples/demo/page/page.ts');
