// Declared queries: the code of docs/queries.md, what is inferred from declarations, and what must not compile.
import { All, avg, Collection, count, Entity, max, min, Query, sum } from 'signalbox';
import type { Controller } from 'signalbox';
import { expectTypeOf, test } from 'vitest';

declare const controller: Controller;

class User extends Entity {
  id = 0;
  name = '';
}

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

test('[N17] the code of the documentation has the types that it says', () => {
  expectTypeOf(controller.get(titles)).toEqualTypeOf<string[] | undefined>();
  expectTypeOf(todos).toEqualTypeOf<Todo[] | undefined>();
  expectTypeOf(ofAda).toEqualTypeOf<Todo[] | undefined>();
  expectTypeOf(best).toEqualTypeOf<number | undefined>();
});

test('[N17] figures have the type of what they are made of', () => {
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

test('[N17] a declaration that does not fit the rows does not compile', () => {
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
