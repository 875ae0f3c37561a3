/** A server for tests and demos: handlers of Mock Service Worker made from a resource's own definition. */
import { delay as pause, HttpHandler, HttpResponse } from 'msw';
import type { Fields } from '../schema/schema.ts';
import type { HandlerOptions, MswRequest, State } from './HandlerOptions.ts';
import { MockServer } from './MockServer.ts';
import type { Reply } from './MockServer.ts';
import { routesOf } from './routesOf.ts';
import type { Route } from './routesOf.ts';

/** Handlers to spread into `setupServer` or `setupWorker`, and the server behind them. */
export interface Handlers<Row extends object = Fields> extends Array<HttpHandler>, State<Row> {
  /** Restores the initial rows, delay and failures. */
  reset(): void;
}

/** The names of a resource's endpoints. */
type MemberOf<R> = {
  [Name in keyof R]: R[Name] extends { readonly path: string } ? Name : never;
}[keyof R];

/**
 * `setupServer(...createHandlers(TodoResource, [{id: 1, title: 'read'}]))`: a server with these rows that implements
 * the endpoints of the resource. Throws T4 for resources that it cannot serve. If only a request reveals this, the
 * response has status 501 and a body with the reason.
 */
export function createHandlers<R extends object, Row extends object>(
  resource: R,
  rows: readonly Row[],
  options: HandlerOptions<Row, MemberOf<R> & string> = {},
): Handlers<Row> {
  const { delay = 0, fail = [] } = options;
  const begin = (): State<Row> => ({ rows: structuredClone(rows) as Row[], delay, fail });
  const { kind, routes } = routesOf(resource);
  const state = Object.assign([] as HttpHandler[], begin());
  // rows have the type that the caller declares: inside they are plain records
  const start = () => new MockServer(kind, state as never, options as never);
  let server = start();
  server.check(routes);
  state.push(...routes.map((route) => handlerOf(route, (sent) => server.reply(route, sent))));
  return Object.assign(state, {
    reset() {
      Object.assign(state, begin());
      server = start();
    },
  });
}

function handlerOf(route: Route, answer: (request: MswRequest) => Promise<Reply>): HttpHandler {
  return new HttpHandler(
    route.method,
    ({ request }) => route.read(request.url) !== undefined,
    async ({ request }) => {
      // the request is processed at once; only its response is delayed
      const { status, body, headers = {}, after } = await answer(request);
      if (after > 0) await pause(after);
      if (status === 0) return HttpResponse.error();
      if (body instanceof HttpResponse) return body;
      return body === undefined
        ? new HttpResponse(null, { status, headers })
        : HttpResponse.json(body as object, { status, headers });
    },
  );
}
