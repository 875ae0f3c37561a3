/** The server in the page: handlers made from the resources, in Mock Service Worker. */
import { setupWorker } from 'msw/browser';
import { createHandlers } from 'signalbox/testing/msw';
import type { MockRequestInfo } from 'signalbox/testing/msw';
import db from './db.json' with { type: 'json' };
import { TodoResource, UserResource } from './resources.ts';
import { delayIn, isRefused } from './server.ts';

const moodOf = ({ request }: MockRequestInfo): string | null => request.headers.get('x-mood');
const behaviour = {
  delay: (asked: MockRequestInfo) => delayIn(moodOf(asked)),
  fail: (asked: MockRequestInfo) => (isRefused(moodOf(asked), asked.method) ? 503 : undefined),
};

export async function startMock(): Promise<void> {
  const user = (userId: number) => db.users.find(({ id }) => id === userId);
  const todos = db.todos.map((todo) => ({ ...todo, user: user(todo.userId) }));
  const worker = setupWorker(
    ...createHandlers(UserResource, db.users, behaviour),
    ...createHandlers(TodoResource, todos, behaviour),
  );
  await worker.start({
    quiet: true,
    onUnhandledRequest: 'bypass',
    // beside the folder of this program
    serviceWorker: { url: new URL('../mockServiceWorker.js', import.meta.url).pathname },
  });
}
