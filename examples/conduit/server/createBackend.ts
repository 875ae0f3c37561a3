/** The RealWorld API on SQLite, as an express application to be served at `/api`. */
import express from 'express';
import type { Express, NextFunction, Request, Response } from 'express';
import { Articles } from './Articles.ts';
import { Database } from './Database.ts';
import { Faults } from './Faults.ts';
import { HttpFailure } from './HttpFailure.ts';
import { seed } from './seed.ts';
import { Users } from './Users.ts';
import type { Account } from './Users.ts';

export interface Backend {
  readonly app: Express;
  readonly faults: Faults;
  close(): void;
}

export async function createBackend(): Promise<Backend> {
  const db = await Database.open();
  const users = new Users(db);
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
  addUserRoutes(app, users);
  addArticleRoutes(app, users, articles);
  app.use((_: Request, response: Response) => void response.status(404).json({ errors: {} }));
  app.use(refuse);
  return { app, faults, close: () => db.close() };
}

/** The account whose token the request carries. */
function readerOf(users: Users, request: Request): Account | undefined {
  const [, token] = /^Token (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  return token === undefined ? undefined : users.byToken(token);
}

function userOf(users: Users, request: Request): Account {
  const me = readerOf(users, request);
  if (me === undefined) throw new HttpFailure(401, 'token', 'is missing or unknown');
  return me;
}

function addUserRoutes(app: Express, users: Users): void {
  app.post('/users', ({ body }: Request, response) => {
    response.status(201).json(users.register(body.user ?? {}));
  });
  app.post('/users/login', ({ body }: Request, response) => {
    response.json(users.logIn(body.user ?? {}));
  });
  app.get('/user', (request, response) => {
    const { username, email, token, bio, image } = userOf(users, request);
    response.json({ user: { username, email, token, bio, image } });
  });
  app.put('/user', (request: Request, response) => {
    response.json(users.update(userOf(users, request), request.body.user ?? {}));
  });
  app.get('/profiles/:username', (request, response) => {
    const profile = users.profile(request.params.username, readerOf(users, request));
    response.json({ profile });
  });
  const follow = (follows: boolean) => (request: Request, response: Response) => {
    const username = request.params['username'] as string;
    response.json({ profile: users.follow(username, userOf(users, request), follows) });
  };
  app.route('/profiles/:username/follow').post(follow(true)).delete(follow(false));
}

function addArticleRoutes(app: Express, users: Users, articles: Articles): void {
  const me = (request: Request) => userOf(users, request);
  app.get('/tags', (_, response) => void response.json(articles.tags()));
  app.get('/articles/feed', (request, response) => {
    response.json(articles.feed(request.query, me(request)));
  });
  app
    .route('/articles')
    .get((request, response) => {
      response.json(articles.list(request.query, readerOf(users, request)));
    })
    .post((request: Request, response) => {
      response.status(201).json(articles.create(request.body.article ?? {}, me(request)));
    });
  app
    .route('/articles/:slug')
    .get((request, response) => {
      response.json(articles.get(request.params.slug, readerOf(users, request)));
    })
    .put((request, response) => {
      response.json(articles.update(request.params.slug, request.body.article ?? {}, me(request)));
    })
    .delete((request, response) => {
      articles.remove(request.params.slug, me(request));
      response.status(204).end();
    });
  const favor = (favors: boolean) => (request: Request, response: Response) => {
    response.json(articles.favor(request.params['slug'] as string, me(request), favors));
  };
  app.route('/articles/:slug/favorite').post(favor(true)).delete(favor(false));
  app
    .route('/articles/:slug/comments')
    .get((request, response) => {
      response.json(articles.comments(request.params.slug, readerOf(users, request)));
    })
    .post((request, response) => {
      const { params, body } = request;
      response.status(201).json(articles.addComment(params.slug, body.comment ?? {}, me(request)));
    });
  app.delete('/articles/:slug/comments/:id', (request, response) => {
    articles.removeComment(Number(request.params.id), me(request));
    response.status(204).end();
  });
}

function refuse(error: Error, _: Request, response: Response, _next: NextFunction): void {
  const { status, errors } = error as Partial<HttpFailure>;
  response.status(status ?? 500).json({ errors: errors ?? { server: [error.message] } });
}
