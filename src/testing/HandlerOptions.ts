/** What a mocked server may be told: what is refused, how long answers take, what its definition does not say. */
import type { DefaultBodyType, StrictRequest } from 'msw';
import type { Fields } from '../schema/schema.ts';
import type { Filter, Params } from './ServerRows.ts';

/** A request as MSW has it. */
export type Sent = StrictRequest<DefaultBodyType>;

/** What a request asks for. */
export interface Asked<Row extends object = Fields> {
  /** The member of the resource that this is a request of, as in `getList` or `getList.push`. */
  readonly member: string;
  readonly method: string;
  readonly url: string;
  /** Of the path and behind the `?`, as text. */
  readonly params: Params;
  /** What was sent: an object, an array, a text; undefined where nothing was. */
  readonly body: unknown;
  /** The row that the path names. */
  readonly row: Row | undefined;
  /** What is stored now. */
  readonly rows: Row[];
  readonly request: Sent;
}

/** A request that is refused. */
export interface Fail {
  /** `PATCH`: only these. */
  readonly method?: string;
  /** `partialUpdate`: only those of this member. */
  readonly member?: string;
  /** How often. Default: always. */
  readonly times?: number;
  /** 0: no answer at all, as without a connection. Default 500. */
  readonly status?: number;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Which requests are refused: as data, or decided for each; a number is a status, undefined lets it pass. */
export type Failing<Row extends object = Fields> =
  | Fail
  | readonly Fail[]
  | ((asked: Asked<Row>) => Fail | number | undefined);

/** How long an answer takes, ms. */
export type Delay<Row extends object = Fields> = number | ((asked: Asked<Row>) => number);

/** Gives the JSON of an answer (undefined: 204), or a whole `HttpResponse`. `usual()`: what would be sent without it. */
export type Responder<Row extends object = Fields> = (
  asked: Asked<Row> & { readonly usual: () => unknown },
) => unknown;

/** Options of `createHandlers`: what its server cannot know from the resource, and how it behaves. */
export interface HandlerOptions<Row extends object = Fields, Member extends string = string> {
  /** Answers of members that are none of the usual ones, or in place of the usual answer. */
  readonly actions?: { readonly [M in Member]?: Responder<Row> };
  /** What params mean that are not the name of a field: `{text: (row, value) => row.title.includes(value)}`. */
  readonly filters?: Readonly<Record<string, Filter<Row>>>;
  /** How rows are ordered where a param asks for an order. */
  readonly sort?: (one: Row, other: Row, params: Params) => number;
  /** Which rows are in which list, by its name, where an envelope has several. */
  readonly lists?: Readonly<Record<string, (row: Row) => boolean>>;
  /** Rows of a page. Default 10. */
  readonly pageSize?: number;
  /** The number of the first page, where pages have numbers. Default 1. */
  readonly firstPage?: number;
  /** What a deletion answers. Default `nothing`: 204; an envelope always has the row. */
  readonly deletion?: 'nothing' | 'row';
  readonly delay?: Delay<Row>;
  readonly fail?: Failing<Row>;
}

/** What is there now: to look at, and to change. */
export interface State<Row extends object = Fields> {
  /** What is stored: copies of the rows given. */
  rows: Row[];
  delay: Delay<Row>;
  fail: Failing<Row>;
}
