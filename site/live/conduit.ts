/** Conduit in React on its own API and database, both inside the page. */
import { http, HttpResponse } from 'msw';
import { Articles } from '../../examples/conduit/server/Articles.ts';
import { createRoutes, type Route } from '../../examples/conduit/server/createRoutes.ts';
import { Database } from '../../examples/conduit/server/Database.ts';
import type { HttpFailure } from '../../examples/conduit/server/HttpFailure.ts';
import { seed } from '../../examples/conduit/server/seed.ts';
import { Users, type Passwords } from '../../examples/conduit/server/Users.ts';
import { startServer } from './startServer.ts';

/** The database ends with the page, and its accounts are samples: their passwords need no hash. */
const plainPasswords: Passwords = {
  hash: (password) => password,
  matches: (password, stored) => password === stored,
};

const db = await Database.open(new URL('../../sql-wasm-browser.wasm', import.meta.url).pathname);
const users = new Users(db, plainPasswords);
const articles = new Articles(db);
seed(users, articles);

function serve({ method, path, handle, status = 200 }: Route) {
  return http[method](`/api${path}`, async ({ request, params }) => {
    const text = await request.text();
    try {
      const made = handle({
        params: params as Record<string, string>,
        query: Object.fromEntries(new URL(request.url).searchParams),
        body: text === '' ? {} : JSON.parse(text),
        authorization: request.headers.get('authorization') ?? undefined,
      });
      return made === undefined
        ? new HttpResponse(null, { status })
        : HttpResponse.json(made, { status });
    } catch (error) {
      const failure = error as Partial<HttpFailure> & Error;
      const errors = failure.errors ?? { server: [failure.message] };
      return HttpResponse.json({ errors }, { status: failure.status ?? 500 });
    }
  });
}

await startServer(...createRoutes(users, articles).map(serve));
await import('../../examples/conduit-react/main.tsx');
