/** The strip of the home page: three columns on one store. It plays actions by itself, until the reader takes over. */
import { getResponse } from 'msw';
import { createHandlers } from 'signalbox/testing/msw';
import db from '../../examples/demo/db.json' with { type: 'json' };
import { makeResources } from '../../examples/demo/resources.ts';

const ROWS = 5;
const { users, todos } = makeResources(`${location.origin}/api`, () => {});
const behaviour = { delay: () => 60 };
const rows = db.todos.slice(0, ROWS).map((todo) => ({
  ...todo,
  user: db.users.find(({ id }) => id === todo.userId),
}));
const handlers = [
  ...createHandlers(users, db.users, behaviour),
  ...createHandlers(todos, rows, behaviour),
];

// without a service worker: the home page needs no installation
const send = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  return (await getResponse([...handlers], request)) ?? send(input, init);
};

document.documentElement.dataset['theme'] = location.hash.slice(1);
const { playStrip } = await import('../../examples/demo/page/strip.ts');
playStrip();
