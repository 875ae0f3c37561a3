// Declared queries: the code of docs/queries.md, the inferred types, and declarations that do not compile.
import {
  All,
  avg,
  Collection,
  count,
  Entity,
  max,
  min,
  Query,
  resource,
  sum,
  Union,
} from 'signalbox';
import type { Controller, SchemaArgs } from 'signalbox';
import { expectTypeOf, test } from 'vitest';
import { User } from '../setup/samples.ts';

declare const controller: Controller;

class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
  points = 0;
  userId = 0;
  author: User | null = null;
  static override schema = { author: User };
}

const allTodos = new All(Todo);
const todoList = new Collection([Todo]);

// by a function: run again when one of the todos changes
const titles = new Query(allTodos, (todos) => todos.map(({ title }) => title));

// by a declaration: updated row by row
const openTodos = new Query(todoList, {
  filter: (todo, { text = '' }: { userId: number; text?: string }) =>
    !todo.done && todo.title.includes(text),
  sort: [{ points: 'desc' }, 'title'],
  limit: 20,
});
const byAuthor = new Query(allTodos, {
  groupBy: (todo) => todo.author?.name,
  sort: 'title',
});
const figures = new Query(allTodos, {
  groupBy: 'userId',
  aggregate: { todos: count(), points: sum('points'), best: max('points') },
});

const todos: Todo[] | undefined = controller.get(openTodos, { userId: 1, text: 'a' });
const ofAda: Todo[] | undefined = controller.get(byAuthor)?.['Ada'];
const best: number | undefined = controller.get(figures)?.['1']?.best;

test('[N17] the code of docs/queries.md has the types that the page states', () => {
  expectTypeOf(controller.get(titles)).toEqualTypeOf<string[] | undefined>();
  expectTypeOf(todos).toEqualTypeOf<Todo[] | undefined>();
  expectTypeOf(ofAda).toEqualTypeOf<Todo[] | undefined>();
  expectTypeOf(best).toEqualTypeOf<number | undefined>();
});

test('[N17] aggregates have the type of their values', () => {
  const all = new Query(allTodos, {
    filter: (todo) => todo.done,
    aggregate: {
      mean: avg((todo) => todo.points),
      first: min('title'),
      author: max((todo: Todo) => todo.author),
    },
  });
  expectTypeOf(controller.query(all).result.value.data).toEqualTypeOf<
    | {
        readonly mean: number | undefined;
        readonly first: string | undefined;
        readonly author: User | undefined;
      }
    | undefined
  >();
});

test('[N17] a Query with an unknown field, direction or option does not compile', () => {
  // @ts-expect-error no such field
  void new Query(allTodos, { sort: 'name' });
  // @ts-expect-error no such direction
  void new Query(allTodos, { sort: { title: 'up' } });
  // @ts-expect-error no such field
  void new Query(allTodos, { groupBy: 'name' });
  // @ts-expect-error a sum of texts
  void new Query(allTodos, { aggregate: { total: sum('title') } });
  // @ts-expect-error no such field
  void new Query(allTodos, { aggregate: { least: min('name') } });
  // @ts-expect-error no such word
  void new Query(allTodos, { where: () => true });
  expectTypeOf(new Query(allTodos, {})).not.toBeAny();
});

class Lesson extends Entity {
  school = '';
  room: number | null = null;
  startsAt = new Date(0);
  teacher: User | null = null;
  static override schema = { startsAt: Date, teacher: User };
  static override indexes = ['room'] as const;

  override pk() {
    return `${this.school},${this.room}`;
  }

  isLate() {
    return this.startsAt.getTime() < 0;
  }
}

test('[E5] an entity is queried by its fields, its primary key and its indexes, and by nothing else', () => {
  controller.get(User, { id: 1 });
  controller.get(User, { id: '1', name: 'Ada' });
  controller.get(User, 1);
  controller.get(User, '1');
  controller.get(User, {} as { id: number | undefined });
  controller.get(Lesson, { school: 'a', room: '7' });
  controller.get(Lesson, { room: 7 });
  controller.get(Lesson, { teacher: 5, startsAt: '2026-01-01' });
  controller.snapshot().get(User, { id: 1 });
  controller.query(User, null);
  // @ts-expect-error no such field
  controller.get(User, { ident: 1 });
  // @ts-expect-error no such type of key
  controller.get(User, { id: { value: 1 } });
  // @ts-expect-error no such type of key
  controller.get(User, { id: true });
  // @ts-expect-error a method is no field
  controller.get(Lesson, { isLate: true });
  // @ts-expect-error a key is missing
  controller.get(User);
  // @ts-expect-error one argument too many
  controller.query(User, { id: 1 }, { id: 2 });
  // @ts-expect-error no such field
  controller.snapshot().get(User, { ident: 1 });
  expectTypeOf<{ readonly id: number }>().toExtend<SchemaArgs<typeof User>[0]>();
  expectTypeOf<{ readonly id: boolean }>().not.toExtend<SchemaArgs<typeof User>[0]>();
});

// any: as users declare the parameters
class Page extends Entity {
  slug = '';

  static override queryKey([path]: readonly [string, string?]) {
    return path.slice(1);
  }
}
class Cell extends Entity {
  row = 0;

  override pk(_parent?: unknown, _key?: string, args?: readonly unknown[]) {
    return `${this.row},${(args?.[0] as { column?: number } | undefined)?.column}`;
  }
}
class Priced extends Entity {
  cents = 0;

  static override pk(value: { slug?: string } | undefined) {
    return value?.slug;
  }
}
class Loose extends Entity {
  slug = '';

  static override queryKey(args: any, queryKey: any, getEntity: any, getIndex: any): any {
    return args[0]?.path ?? super.queryKey(args, queryKey, getEntity, getIndex);
  }
}
// any end

test('[E5] a queryKey or pk with its own arguments determines the arguments of `get`', () => {
  expectTypeOf(controller.get(Page, '/a')).toEqualTypeOf<Page | undefined>();
  controller.get(Page, '/a', 'en');
  controller.get(Cell, { row: 1, column: 2 });
  controller.get(Loose, { path: 'a' });
  controller.get(Priced, { slug: 'a' });
  controller.get({} as any, 'anything', 'goes'); // any: a schema of which nothing is known
  controller.get([Page] as unknown, 'anything', 'goes');
  // @ts-expect-error no such field
  controller.get(Priced, { slog: 'a' });
  // @ts-expect-error a path is a text
  controller.get(Page, { slug: 'a' });
});

test('[E5] a Query takes the arguments of its functions, and those of its schema', () => {
  const named = new Query(User, (user, { short }: { short?: boolean }) => (short ? '' : user.name));
  const untyped = new Query(allTodos, (all, options) => (options ? all : []));
  const page = new Query(allTodos, {
    limit: ({ size }: { size: number }) => size,
    groupBy: (todo, { by }: { by: 'title' | 'userId' }) => todo[by],
  });
  const counted = new Query(User, (user) => user.name.length);
  expectTypeOf(controller.get(named, { id: 1, short: true })).toEqualTypeOf<string | undefined>();
  controller.get(untyped);
  controller.get(untyped, 'all');
  controller.get(titles);
  controller.get(counted, { id: 1 });
  controller.get(page, { size: 1, by: 'title' });
  controller.query(page, null);
  // @ts-expect-error no such argument
  controller.get(named, { id: 1, long: true });
  // @ts-expect-error another type
  controller.get(openTodos, { userId: 'a' });
  // @ts-expect-error userId is missing
  controller.get(openTodos, { text: 'a' });
  // @ts-expect-error no such choice
  controller.get(page, { size: 1, by: 'done' });
  // @ts-expect-error no such field
  controller.get(counted, { ident: 1 });
});

test('[E5] lists and unions take the declared arguments, and untyped collections take any', () => {
  const feed = new Union({ user: User, todo: Todo }, 'type');
  const chosen = new Union({ user: User, todo: Todo }, (value: { kind: string }) => value.kind);
  const { getList } = resource({
    path: '/users/:userId/todos/:id',
    schema: Todo,
    searchParams: {} as { done?: boolean },
  });
  controller.get(allTodos);
  controller.get(todoList, { userId: 1 });
  controller.get(todoList);
  controller.get({ user: User }, { id: 1 });
  expectTypeOf(controller.get(feed, { id: 1, type: 'user' })).toEqualTypeOf<
    User | Todo | undefined
  >();
  controller.get(feed, { id: 1, type: 'todo', points: 3 });
  controller.get(chosen, { id: 1, kind: 'user' });
  controller.get(getList.schema, { userId: 1, done: true });
  // @ts-expect-error the type says which of both
  controller.get(feed, { id: 1 });
  // @ts-expect-error no such field
  controller.get(feed, { ident: 1, type: 'user' });
  // @ts-expect-error userId is missing
  controller.get(getList.schema, { done: true });
  // @ts-expect-error no such param
  controller.get(getList.schema, { userId: 1, open: true });
});
