/** The types of several reads in one hook: of a tuple, and of a list of any length. */
import { createResource, Endpoint } from 'signalbox';
import type { DLE } from 'signalbox/react';
import * as preact from 'signalbox/preact';
import * as react from 'signalbox/react';
import * as solid from 'signalbox/solid';
import { expectTypeOf, test } from 'vitest';
import { Todo, User } from '../setup/samples.ts';

const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
const getUser = new Endpoint(async ({ id }: { id: number }) => ({ id }), { schema: User });
const { get, getList } = TodoResource;
declare const ids: readonly number[];
declare const maybe: { readonly id: number } | null;

test('[H1] useSuspenseAll and useDLEAll of a tuple return a tuple', () => {
  const all = () => react.useSuspenseAll([[get, { id: 1 }], [getList], [getUser, { id: 1 }]]);
  expectTypeOf<ReturnType<typeof all>>().toEqualTypeOf<[Todo, Todo[], User]>();
  const states = () =>
    react.useDLEAll([
      [get, { id: 1 }],
      [getUser, { id: 2 }],
    ]);
  expectTypeOf<ReturnType<typeof states>>().toEqualTypeOf<[DLE<Todo>, DLE<User>]>();
});

test('[H1] useSuspenseAll and useDLEAll of an array return an array', () => {
  const all = () => react.useSuspenseAll(ids.map((id) => [get, { id }]));
  expectTypeOf<ReturnType<typeof all>>().toEqualTypeOf<Todo[]>();
  const states = () => preact.useDLEAll(ids.map((id) => [get, { id }]));
  expectTypeOf<ReturnType<typeof states>>().toEqualTypeOf<DLE<Todo>[]>();
  const accessor = () => solid.useSuspenseAll(() => ids.map((id) => [get, { id }]));
  expectTypeOf<ReturnType<ReturnType<typeof accessor>>>().toEqualTypeOf<Todo[]>();
});

test('[C9] useSuspenseAll with nullable arguments adds the empty value for that read only', () => {
  const all = () =>
    react.useSuspenseAll([
      [get, maybe],
      [getList, null],
      [get, { id: 1 }],
    ]);
  expectTypeOf<ReturnType<typeof all>>().toEqualTypeOf<[Todo | undefined, Todo[], Todo]>();
});

test('[H10] useSuspenseAll and useDLEAll reject arguments that do not fit the endpoint', () => {
  expectTypeOf(react.useSuspenseAll).toBeFunction();
  // @ts-expect-error a param that the path needs
  void (() => react.useSuspenseAll([[get, {}]]));
  // @ts-expect-error no endpoint
  void (() => react.useSuspenseAll([[Todo, { id: 1 }]]));
  // @ts-expect-error the type of an argument
  void (() => react.useDLEAll([[getUser, { id: 'x' }]]));
  // @ts-expect-error no list
  void (() => preact.useSuspenseAll([get, { id: 1 }]));
  // @ts-expect-error a function in Solid
  void (() => solid.useSuspenseAll([[get, { id: 1 }]]));
});

test('[H1] useSelect takes a function directly after an endpoint with optional arguments', () => {
  const count = () => react.useSelect(getList, (todos) => todos.length);
  expectTypeOf<ReturnType<typeof count>>().toEqualTypeOf<number>();
  const first = () => preact.useSelect(getList, ([todo]) => todo?.title);
  expectTypeOf<ReturnType<typeof first>>().toEqualTypeOf<string | undefined>();
  const ids = () => solid.useSelect(getList, (todos) => todos.map((todo) => todo.id));
  expectTypeOf<ReturnType<ReturnType<typeof ids>>>().toEqualTypeOf<number[]>();
  // @ts-expect-error the params are missing
  void (() => react.useSelect(get, (todo) => todo));
});
