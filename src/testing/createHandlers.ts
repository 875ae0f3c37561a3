/** A server for tests and demos: handlers of Mock Service Worker made from a resource's own definition. */
import { delay as pause, HttpHandler, HttpResponse } from 'msw';
import type { DefaultBodyType, StrictRequest } from 'msw';
import type { Fields } from '../schema/schema.ts';
import { MockServer } from './MockServer.ts';
import type { Reply } from './MockServer.ts';
import { routesOf } from './routesOf.ts';
import type { Route } from './routesOf.ts';
import type { Filter, RequestParams } from './ServerRows.ts';

/** Handlers to spread into `setupServer` or `setupWorker`, and the state of the server. */
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
 * the endpoints of the resource. Throws T4 for resources that cannot be served. If only a request reveals this, the
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
  // rows have the type that the caller declares, and are plain records inside
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
      // the request is processed at once; only the response is delayed
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

/** The type of a request in MSW. */
export type MswRequest = StrictRequest<DefaultBodyType>;

/** A request, parsed. */
export interface MockRequestInfo<Row extends object = Fields> {
  /** The member of the resource with this endpoint, as in `getList` or `getList.push`. */
  readonly member: string;
  readonly method: string;
  readonly url: string;
  /** Params of the path and of the part behind the `?`, as text. */
  readonly params: RequestParams;
  /** The request body: an object, an array, or a text; undefined without a body. */
  readonly body: unknown;
  /** The row that the path names. */
  readonly row: Row | undefined;
  /** All rows that are stored now. */
  readonly rows: Row[];
  readonly request: MswRequest;
}

/** The requests that fail, and their error response. */
export interface FailureRule {
  /** `PATCH`: only requests with this method. */
  readonly method?: string;
  /** `partialUpdate`: only requests of this member. */
  readonly member?: string;
  /** How many requests fail. Default: all. */
  readonly times?: number;
  /** 0: no response, as without a connection. Default 500. */
  readonly status?: number;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/**
 * Which requests fail: as data, or as a function of the request. A number is a status; undefined lets the request pass.
 */
export type FailureRules<Row extends object = Fields> =
  | FailureRule
  | readonly FailureRule[]
  | ((asked: MockRequestInfo<Row>) => FailureRule | number | undefined);

/** The delay of a response, ms. */
export type Delay<Row extends object = Fields> = number | ((asked: MockRequestInfo<Row>) => number);

/** Returns the JSON of a response (undefined: 204), or a complete `HttpResponse`. `usual()`: the default response. */
export type Responder<Row extends object = Fields> = (
  asked: MockRequestInfo<Row> & { readonly usual: () => unknown },
) => unknown;

/**
 * Options of `createHandlers`: the rules that a resource's definition does not contain, and the behavior of the server.
 */
export interface HandlerOptions<Row extends object = Fields, Member extends string = string> {
  /** Responses of custom members, or replacements of default responses. */
  readonly actions?: { readonly [M in Member]?: Responder<Row> };
  /** The meaning of params that are not field names: `{text: (row, value) => row.title.includes(value)}`. */
  readonly filters?: Readonly<Record<string, Filter<Row>>>;
  /** The order of rows if a param requests an order. */
  readonly sort?: (one: Row, other: Row, params: RequestParams) => number;
  /** Which rows belong to which list, by list name, if an envelope has several lists. */
  readonly lists?: Readonly<Record<string, (row: Row) => boolean>>;
  /** Rows per page. Default 10. */
  readonly pageSize?: number;
  /** The number of the first page, if pages have numbers. Default 1. */
  readonly firstPage?: number;
  /** The response of a deletion. Default `nothing`: 204; an envelope always has the row. */
  readonly deletion?: 'nothing' | 'row';
  readonly delay?: Delay<Row>;
  readonly fail?: FailureRules<Row>;
}

/** The present state of the server, which tests may read and change. */
export interface State<Row extends object = Fields> {
  /** The stored rows: copies of the given rows. */
  rows: Row[];
  delay: Delay<Row>;
  fail: FailureRules<Row> | undefined;
}
