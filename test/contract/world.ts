// A small world to read from: todos and their authors behind a server that the test controls.
import {
  All,
  Collection,
  Controller,
  Delete,
  Endpoint,
  Entity,
  Query,
  RestEndpoint,
  belongsTo,
  hasMany,
  leftJoin,
  optimistic,
  withRelated,
} from 'signalbox';
import type { Clock, Policies, Relations, Return } from 'signalbox';
import type { Scene } from './driver.ts';

export class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}

export class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  done = false;
  author: User | null = null;
  declare readonly notes: readonly Note[];
  static override key = 'Todo';
  static override schema = { author: User };
  static override relations: Relations<Todo> = {
    notes: hasMany(() => Note, 'todoId', { from: () => getNotes }),
  };
}

export class Note extends Entity {
  id = 0;
  todoId = 0;
  text = '';
  declare readonly todo?: Todo;
  static override key = 'Note';
  static override relations: Relations<Note> = { todo: belongsTo(Todo, 'todoId') };
}

/** The server of the last world. */
let lastServer: Server;

const getNotes = new Endpoint(
  ({ todoId }: { readonly todoId: number }) =>
    lastServer.ask(`GET /notes?todoId=${todoId}`, () => [
      { id: todoId, todoId, text: `n${todoId}` },
    ]),
  { name: 'getNotes', schema: new Collection([Note]) },
);

/** How `notes` renders a todo. */
export function notesLine(todo: Todo | undefined): string {
  return `${todo?.title}: ${todo?.notes.map(({ text }) => text).join()}`;
}

/** The text by which `joined` shows a todo and a note. */
export function joinedLine({
  title,
  note,
}: {
  readonly title: string;
  readonly note: Note | undefined;
}) {
  return `${title} with ${note?.text ?? 'nothing'}`;
}

/** How `noteRows` renders a note. */
export function noteLine({ text, todo }: Note): string {
  return `${text} of ${todo?.title}`;
}

/** How every scene renders a todo. */
export function line(todo: Pick<Todo, 'title' | 'author'> | undefined): string {
  return todo === undefined ? 'nothing' : `${todo.title} by ${todo.author?.name ?? 'nobody'}`;
}

/** How `severalStates` renders a read. */
export function stateLine(dle: {
  readonly data: Todo | undefined;
  readonly loading: boolean;
  readonly error: Error | undefined;
  readonly deleted?: boolean;
}): string {
  if (dle.loading) return 'wait';
  if (dle.error) return `failed: ${dle.error.message}`;
  return dle.deleted === true ? `${line(dle.data)}, deleted` : line(dle.data);
}

/** The reads of `several`: of `ids`, or of the single `id`. */
export function readsOf({ getTodo }: Pick<World, 'getTodo'>, params: Scene['params']) {
  const { id, ids = id === undefined ? [] : [id] } = params ?? {};
  return ids.map((each) => [getTodo, each === null ? null : { id: each }] as const);
}

/** The selection of `amount` and `chosen`. A title 'broken' makes both throw. */
export function chosen(todos: readonly Todo[]): readonly Todo[] {
  return todos.filter(({ title }) => {
    if (title === 'broken') throw new Error('cannot choose');
    return title.startsWith('t');
  });
}

export interface ListParams {
  readonly userId?: number;
}

export interface TodoParams {
  readonly id: number;
}

const BEGINNING = 1_000_000;

/** A clock that stops until `advance`; timers run when due. */
export class StoppedClock implements Clock {
  #now = BEGINNING;
  #timers = new Set<{ at: number; job: () => void }>();

  now(): number {
    return this.#now;
  }
  after(ms: number, job: () => void): unknown {
    const timer = { at: this.#now + ms, job };
    this.#timers.add(timer);
    return timer;
  }
  clear(timer: unknown): void {
    this.#timers.delete(timer as never);
  }
  advance(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.#now || !this.#timers.delete(timer)) continue;
      timer.job();
    }
  }
}

export interface Row {
  id: number;
  userId: number;
  title: string;
}

/** Rows in memory. Records requests, and responds at once unless `hold` was called. */
export class Server {
  readonly log: string[] = [];
  /** Lists have only a part of the fields that their rows have. */
  brief = false;
  readonly users = new Map([
    [1, { id: 1, name: 'ada' }],
    [2, { id: 2, name: 'bob' }],
  ]);
  rows: Row[];
  #failure: Error | undefined;
  #held: (() => void)[] | undefined;

  constructor(size: number) {
    // odd ids are ada's, even ones bob's
    const ids = Array.from({ length: size }, (_, at) => at + 1);
    this.rows = ids.map((id) => ({ id, userId: id % 2 === 1 ? 1 : 2, title: `t${id}` }));
  }

  /** From now on answers wait for `release`. */
  hold(): void {
    this.#held ??= [];
  }
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const answer of held) answer();
  }
  /** Answers the oldest waiting request; the other requests go on waiting. */
  releaseOne(): void {
    this.#held?.shift()?.();
  }
  /** From now on everything fails with this status; undefined: no more. */
  fail(status: number | undefined): void {
    if (status === undefined) this.#failure = undefined;
    else this.#failure = Object.assign(new Error(`status ${status}`), { status });
  }
  row(id: number): Row | undefined {
    return this.rows.find((row) => row.id === id);
  }
  show(row: Row): object {
    return { done: false, ...row, author: { ...this.users.get(row.userId) } };
  }
  /** The row as an item of a list. */
  list(row: Row): object {
    const { id, userId } = row;
    return this.brief ? { id, userId } : this.show(row);
  }
  async ask<T>(request: string, answer: () => T): Promise<T> {
    this.log.push(request);
    if (this.#held !== undefined) {
      await new Promise<void>((resolve) => this.#held?.push(resolve));
    }
    if (this.#failure !== undefined) throw this.#failure;
    return answer();
  }
}

/** How the view `status` renders the result of useStatus. */
export function statusLine(status: {
  readonly isFetching: boolean;
  readonly isStale: boolean;
  readonly fetchedAt: number | undefined;
  readonly error: Error | undefined;
}): string {
  const { isFetching, isStale, fetchedAt, error } = status;
  const arrived = fetchedAt === undefined ? 'never' : `at ${(fetchedAt - BEGINNING) / 1_000}`;
  return [
    isFetching ? 'fetching' : 'idle',
    isStale ? 'stale' : 'fresh',
    arrived,
    error?.message ?? 'fine',
  ].join(', ');
}

/** How the view `mutation` renders the result of useMutation. */
export function mutationLine(mutation: {
  readonly isPending: boolean;
  readonly error: Error | undefined;
  readonly data: Todo | undefined;
  readonly variables: readonly [TodoParams, ...unknown[]] | undefined;
}): string {
  const { isPending, error, data, variables } = mutation;
  if (isPending) return `pending ${variables?.[0].id}`;
  if (error !== undefined) return `failed: ${error.message}`;
  return data === undefined ? 'idle' : `${line(data)} of ${variables?.[0].id}`;
}

/** The options of the view `mutation`: each callback is noted. */
export function noting(called: string[]): {
  onSuccess(data: Pick<Todo, 'title'>, variables: readonly unknown[]): void;
  onError(error: Error, variables: readonly unknown[]): void;
  onSettled(data: unknown, error: Error | undefined, variables: readonly unknown[]): void;
} {
  const id = ([params]: readonly unknown[]) => (params as TodoParams).id;
  return {
    onSuccess: (data, variables) => void called.push(`success ${id(variables)} ${data.title}`),
    onError: (error, variables) => void called.push(`error ${id(variables)} ${error.message}`),
    onSettled: (data, error, variables) =>
      void called.push(`settled ${id(variables)} ${data ? 'data' : (error?.message ?? 'neither')}`),
  };
}

/** The callbacks of a call of the view `mutation`. */
export const notingCall = (called: string[]) => ({
  onSuccess: ({ title }: Pick<Todo, 'title'>) => void called.push(`this one ${title}`),
  onSettled: () => void called.push('this one settled'),
});

/** How the view `kept` renders the result of useDLE. */
export function keptLine(dle: {
  readonly data: Todo | readonly Todo[] | undefined;
  readonly loading: boolean;
  readonly error: Error | undefined;
  readonly isPreviousData?: boolean | undefined;
}): string {
  if (dle.loading) return 'wait';
  if (dle.error) return `failed: ${dle.error.message}`;
  const lines = [dle.data].flat().map(line).join('; ');
  return dle.isPreviousData ? `${lines}, previous` : lines;
}

/** How the view `pages` renders the result of useInfinite. */
export function pagesLine(pages: {
  readonly data: { readonly items: readonly Pick<Todo, 'title'>[] } | undefined;
  readonly loading: boolean;
  readonly error: Error | undefined;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
}): string {
  const { data, loading, error, hasNextPage, isFetchingNextPage } = pages;
  if (loading) return 'wait';
  const titles = data?.items.map(({ title }) => title) ?? ['nothing'];
  const more = hasNextPage ? 'more' : 'end';
  const failed = error === undefined ? [] : [`failed: ${error.message}`];
  return [...titles, isFetchingNextPage ? 'loading' : more, ...failed].join(', ');
}

/** Of the view `pages`. */
export const nextPage = ({ next }: { readonly next: string }): { cursor: string } | undefined =>
  next === '' ? undefined : { cursor: next };

/** Of the view `numbers`: full pages have a next page. */
export const numbered = {
  getNextPageParams: (
    last: readonly unknown[],
    _all: unknown,
    { page = 1 }: { readonly page?: PathNumber },
  ): { page: number } | undefined => (last.length < 2 ? undefined : { page: Number(page) + 1 }),
  getPreviousPageParams: (
    _first: unknown,
    _all: unknown,
    { page = 1 }: { readonly page?: PathNumber },
  ): { page: number } | undefined => (Number(page) > 1 ? { page: Number(page) - 1 } : undefined),
  maxPages: 3,
};

type PathNumber = string | number | null | undefined;

/** How the view `numbers` renders the result of useInfinite. */
export function numbersLine(pages: {
  readonly data: readonly Pick<Todo, 'title'>[] | undefined;
  readonly error: Error | undefined;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly isFetchingPreviousPage: boolean;
}): string {
  const { data, error, hasNextPage, hasPreviousPage, isFetchingPreviousPage } = pages;
  if (data === undefined) return error === undefined ? 'wait' : `failed: ${error.message}`;
  const back = isFetchingPreviousPage ? ['loading'] : [];
  const before = hasPreviousPage && !isFetchingPreviousPage ? ['before'] : back;
  const failed = error === undefined ? [] : [`failed: ${error.message}`];
  const titles = data.map(({ title }) => title);
  return [...before, ...titles, hasNextPage ? 'more' : 'end', ...failed].join(', ');
}

/** The server's requests as endpoints. */
export function endpointsOf(server: Server, policies: Policies = {}) {
  lastServer = server;
  const todos = new Collection([Todo]);
  const getTodo = new Endpoint(
    ({ id }: TodoParams) =>
      server.ask(`GET /todos/${id}`, () => {
        const row = server.row(id);
        if (row === undefined) throw Object.assign(new Error('not found'), { status: 404 });
        return server.show(row);
      }),
    { ...policies, name: 'getTodo', schema: Todo },
  );
  const getList = new Endpoint(
    ({ userId }: ListParams) =>
      server.ask(`GET /todos${userId === undefined ? '' : `?userId=${userId}`}`, () =>
        server.rows
          .filter((row) => userId === undefined || row.userId === userId)
          .map((row) => server.list(row)),
      ),
    { ...policies, name: 'getList', schema: todos },
  );
  return {
    Note,
    Todo,
    User,
    getList,
    getTodo,
    getNotes,
    todoWithNotes: withRelated(getTodo, { notes: true }),
    /** The last two, at another address. */
    getNewest: new Endpoint(
      (_params: ListParams) =>
        server.ask('GET /newest', () =>
          server.rows
            .slice(-2)
            .reverse()
            .map((row) => server.show(row)),
        ),
      { ...policies, name: 'getNewest', schema: new Collection([Todo]) },
    ),
    /** The stored todos, a row for each note. */
    joined: new Query(new All(Todo), { join: { note: leftJoin(hasMany(Note, 'todoId')) } }),
    /** How many of the stored todos are chosen. */
    picked: new Query(new All(Todo), (all) => chosen(all).length),
    /** A list in an envelope. */
    getPage: new Endpoint(
      ({ userId }: ListParams) =>
        server.ask(`GET /page/${userId}`, () => ({ items: server.rows.slice(0, 1), next: 'b' })),
      { ...policies, name: 'getPage', schema: { items: [Todo], first: Todo, next: '' } },
    ),
    /** Two lists in an envelope. */
    getHalves: new Endpoint(
      (_params: ListParams) =>
        server.ask('GET /halves', () => {
          const rows = server.rows.map((row) => server.show(row));
          const half = Math.ceil(rows.length / 2);
          return { earlier: rows.slice(0, half), later: rows.slice(half), count: rows.length };
        }),
      {
        ...policies,
        name: 'getHalves',
        schema: { earlier: new Collection([Todo]), later: new Collection([Todo]), count: 0 },
      },
    ),
    /** A list in pages of two, in an envelope. */
    getPages: new RestEndpoint({
      ...policies,
      path: '/pages',
      searchParams: undefined as ListParams | undefined,
      schema: { items: new Collection([Todo]), next: '' },
      paginationField: 'cursor',
      fetch: ({ userId, cursor = '0' }: ListParams & { readonly cursor?: string } = {}) =>
        server.ask(`GET /pages${userId === undefined ? '' : `/${userId}`}?cursor=${cursor}`, () => {
          const rows = server.rows.filter((row) => userId === undefined || row.userId === userId);
          const end = Number(cursor) + 2;
          const items = rows.slice(Number(cursor), end).map((row) => server.show(row));
          return { items, next: end < rows.length ? String(end) : '' };
        }),
    }),
    /** A list in numbered pages of two, without an envelope. */
    getNumbers: new RestEndpoint({
      ...policies,
      path: '/numbers',
      searchParams: undefined as ListParams | undefined,
      schema: new Collection([Todo]),
      paginationField: 'page',
      fetch: ({ page = 1 }: ListParams & { readonly page?: number } = {}) =>
        server.ask(`GET /numbers?page=${page}`, () =>
          server.rows.slice(page * 2 - 2, page * 2).map((row) => server.show(row)),
        ),
    }),
    /** The same request, repeated every second while there is a subscription. */
    pollTodo: getTodo.extend({ pollFrequency: 1_000 }),
    /** The same request, which keeps the data of former arguments while the data of new arguments load. */
    keptTodo: getTodo.extend({ keepPreviousData: true }),
    keptList: getList.extend({ keepPreviousData: true }),
    /** As update, but shown before the request is sent. */
    edit: new Endpoint(
      ({ id }: TodoParams, body: Partial<Row>) =>
        server.ask(`PATCH /todos/${id}`, () =>
          server.show(Object.assign(server.row(id) as Row, body)),
        ),
      {
        name: 'edit',
        schema: Todo,
        sideEffect: true,
        getOptimisticResponse: (_: unknown, { id }: TodoParams, body: Partial<Row>) => ({
          id,
          ...body,
        }),
      },
    ),
    /** As remove, but shown before the request is sent. */
    drop: new Endpoint(
      ({ id }: TodoParams) =>
        server.ask(`DELETE /todos/${id}`, () => {
          server.rows = server.rows.filter((row) => row.id !== id);
          return { id };
        }),
      {
        name: 'drop',
        schema: new Delete(Todo),
        sideEffect: true,
        getOptimisticResponse: (_: unknown, { id }: TodoParams) => ({ id }),
      },
    ),
    create: new Endpoint(
      (body: Partial<Row>) =>
        server.ask('POST /todos', () => {
          const id = 1 + Math.max(0, ...server.rows.map((row) => row.id));
          const row = { userId: 1, title: '', ...body, id };
          server.rows.push(row);
          return server.show(row);
        }),
      { name: 'create', schema: todos.push, sideEffect: true },
    ),
    update: new Endpoint(
      ({ id }: TodoParams, body: Partial<Row>) =>
        server.ask(`PATCH /todos/${id}`, () =>
          server.show(Object.assign(server.row(id) as Row, body)),
        ),
      { name: 'update', schema: Todo, sideEffect: true },
    ),
    remove: new Endpoint(
      ({ id }: TodoParams) =>
        server.ask(`DELETE /todos/${id}`, () => {
          server.rows = server.rows.filter((row) => row.id !== id);
          return { id };
        }),
      { name: 'remove', schema: new Delete(Todo), sideEffect: true },
    ),
  };
}

/** A source of events, as `history` of a router. */
export class EventSource {
  readonly listeners = new Set<() => void>();
  readonly listen = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };
  readonly emit = (): void => {
    // a listener that is added meanwhile receives the next event
    const present = Array.from(this.listeners);
    present.forEach((listener) => listener());
  };
}

export interface World extends ReturnType<typeof endpointsOf> {
  readonly controller: Controller;
  readonly clock: StoppedClock;
  readonly server: Server;
  /** The user comes back to the page, or the network does. */
  comeBack(what: Return): void;
  /** The source that boundaries listen to. */
  readonly events: readonly [EventSource, EventSource];
  /** The navigations of the view `routed`. */
  readonly history: EventSource;
  /** The callbacks of the view `mutation` that were called. */
  readonly called: string[];
  /** Counts a run of a part of the page. */
  count(name: string): void;
  /** How often each part ran since the last call; parts that did not run are absent. */
  ran(): Record<string, number>;
}

export interface WorldOptions extends Policies {
  /** How many todos the server has. Default 5. */
  readonly size?: number;
}

export function world({ size = 5, ...policies }: WorldOptions = {}): World {
  const server = new Server(size);
  const clock = new StoppedClock();
  let runs: Record<string, number> = {};
  const listeners = new Set<(what: Return) => void>();
  const surroundings = {
    hidden: false,
    offline: false,
    listen(back: (what: Return) => void) {
      listeners.add(back);
      return () => void listeners.delete(back);
    },
  };
  return {
    ...endpointsOf(server, policies),
    // tests with a failing server check the rendering, not the number of attempts
    controller: new Controller({ optimistic, clock, surroundings, retry: 0 }),
    comeBack: (what) => listeners.forEach((back) => back(what)),
    clock,
    server,
    events: [new EventSource(), new EventSource()],
    history: new EventSource(),
    called: [],
    count: (name) => {
      runs[name] = (runs[name] ?? 0) + 1;
    },
    ran: () => {
      const before = runs;
      runs = {};
      return before;
    },
  };
}
