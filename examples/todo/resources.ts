/** What the server has and what can be done with it, written once: the three apps only draw. */
import {
  All,
  count,
  createResource,
  Entity,
  Query,
  RestEndpoint,
  sum,
  transaction,
} from 'signalbox';
import type { Controller, Transaction } from 'signalbox';
import { server } from './server.ts';

export class User extends Entity {
  id = 0;
  name = '';
}

/** What the server sends: the user nested where it was asked to, else only as `userId`. */
interface TodoAnswer {
  readonly user?: object;
  readonly userId?: number;
}

export class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
  user: User | null = null;

  static override schema = { user: User };

  /** Either way it is the same user: an object is stored, a primary key is looked up. */
  static override process({ user, userId, ...todo }: TodoAnswer): object {
    return { ...todo, user: user ?? userId };
  }
}

/** Tells the server of this example how to behave: see `server.ts`. */
class ExampleEndpoint extends RestEndpoint {
  override getHeaders(headers: HeadersInit): HeadersInit {
    return { ...headers, 'x-mood': server.mood };
  }
}

const common = { urlPrefix: '/api', Endpoint: ExampleEndpoint } as const;

export const UserResource = createResource({ path: '/users/:id', schema: User, ...common });

const todos = createResource({
  path: '/todos/:id',
  schema: Todo,
  optimistic: true,
  // false: what is open, true: what is done, none: all
  searchParams: undefined as { done?: boolean } | undefined,
  ...common,
});

export const TodoResource = todos.extend({
  getList: { path: '/todos?_expand=user' },
  // a todo that is done leaves the list of those that are open, and enters that of those that are done
  partialUpdate: { schema: todos.getList.schema.move },
});

/** What can be shown: by the hash of the address, and what the server is asked for. */
export const shows = {
  all: { title: 'All', params: {} },
  open: { title: 'Open', params: { done: false } },
  done: { title: 'Done', params: { done: true } },
} as const;

export type Show = keyof typeof shows;

export function showOf(hash: string): Show {
  const name = hash.replace('#/', '');
  return name === 'open' || name === 'done' ? name : 'all';
}

/** How many there are and how many of them are done, kept up row by row. */
export const tally = new Query(new All(Todo), {
  aggregate: { all: count(), done: sum((todo) => Number(todo.done)) },
});

const todosThatAre = new Query(new All(Todo), {
  filter: (todo, { done }: { done: boolean }) => todo.done === done,
});

/*
 * What can be done. All of it is shown at once, and taken back when the server refuses: the promise rejects then.
 */

/** The row is there before the server has named it: it keeps its place, and what is asked of it meanwhile waits. */
export function add(controller: Controller, title: string, userId: number): Promise<Todo> {
  return controller.fetch(TodoResource.create, { title, userId, done: false });
}

export function toggle(controller: Controller, { id, done }: Todo): Promise<unknown> {
  return controller.fetch(TodoResource.partialUpdate, { id }, { done: !done });
}

export function rename(controller: Controller, { id }: Todo, title: string): Promise<unknown> {
  return controller.fetch(TodoResource.partialUpdate, { id }, { title });
}

export function remove(controller: Controller, { id }: Todo): Promise<unknown> {
  return controller.fetch(TodoResource.delete, { id });
}

/** One request for each, shown as one. */
export function toggleAll(controller: Controller, done: boolean): Promise<unknown> {
  const others = controller.get(todosThatAre, { done: !done }) ?? [];
  return together(controller, others, ({ id }, steps) =>
    steps.fetch(TodoResource.partialUpdate, { id }, { done }),
  );
}

export function clearDone(controller: Controller): Promise<unknown> {
  const done = controller.get(todosThatAre, { done: true }) ?? [];
  return together(controller, done, ({ id }, steps) => steps.fetch(TodoResource.delete, { id }));
}

/** All of them or none; the server may have done some before it refused one, so then the lists are asked again. */
async function together(
  controller: Controller,
  some: readonly Todo[],
  step: (todo: Todo, steps: Transaction) => Promise<unknown>,
): Promise<void> {
  try {
    await transaction(controller, (steps) => Promise.all(some.map((todo) => step(todo, steps))));
  } catch (error) {
    controller.expireAll(TodoResource.getList);
    throw error;
  }
}
