/** The RealWorld API on SQLite, as an express application to be served at `/api`. */
import express from 'express';
import type { Express, NextFunction, Request, Response } from 'express';
import { Articles } from './Articles.ts';
import { createRoutes, type Route } from './createRoutes.ts';
import { Database } from './Database.ts';
import { Faults } from './Faults.ts';
import type { HttpFailure } from './HttpFailure.ts';
import { scryptPasswords } from './scryptPasswords.ts';
import { seed } from './seed.ts';
import { Users } from './Users.ts';

export interface Backend {
  readonly app: Express;
  readonly faults: Faults;
  close(): void;
}

export async function createBackend(): Promise<Backend> {
  const db = await Database.open();
  const users = new Users(db, scryptPasswords);
  const articles = new Articles(db);
  seed(users, articles);
  const faults = new Faults();
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(faults.middleware);
  app.use(express.json());
  // by hand: `{"request": "GET /tags", "delay": 800}`
  app.post('/faults', ({ body }: Request, response) => {
    faults.next(body.request, body);
    response.status(204).end();
  });
  for (const route of createRoutes(users, articles)) app[route.method](route.path, serve(route));
  app.use((_: Request, response: Response) => void response.status(404).json({ errors: {} }));
  app.use(refuse);
  return { app, faults, close: () => db.close() };
}

function serve({ handle, status = 200 }: Route) {
  return ({ params, query, body, headers }: Request, response: Response): void => {
    const { authorization } = headers;
    const made = handle({
      params: params as Record<string, string>,
      query: query as Record<string, string>,
      body: body ?? {},
      authorization,
    });
    response.status(status);
    if (made === undefined) response.end();
    else response.json(made);
  };
}

function refuse(error: Error, _: Request, response: Response, _next: NextFunction): void {
  const { status, errors } = error as Partial<HttpFailure>;
  response.status(status ?? 500).json({ errors: errors ?? { server: [error.message] } });
}
