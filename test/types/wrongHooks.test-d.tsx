/** Wrong use of hooks does not compile if types can detect the mistake. */
import type { ReactElement } from 'react';
import {
  All,
  Collection,
  createResource,
  Endpoint,
  GQLEndpoint,
  Query,
  RestEndpoint,
} from 'signalbox';
import type { EndpointInterface, Schema, SchemaArgs } from 'signalbox';
import * as preact from 'signalbox/preact';
import * as react from 'signalbox/react';
import * as signals from 'signalbox/react/signals';
import * as solid from 'signalbox/solid';
import { expectTypeOf, test } from 'vitest';
import { Todo } from '../setup/samples.ts';

const Todos = createResource({ path: '/todos/:id', schema: Todo });
const { get, getList, create, update } = Todos;
const add = new RestEndpoint({ path: '/todos', method: 'POST', schema: Todo });
const call = new Endpoint(async (id: number) => id, { sideEffect: true }).extend({
  sideEffect: true,
});
const id = { id: 1 };

test('[H10] reading hooks reject mutations', () => {
  expectTypeOf(update.sideEffect).toEqualTypeOf<true>();
  // @ts-expect-error a mutation
  void (() => react.useSuspense(update, id, { title: '' }));
  void (() =>
    react.useSuspenseAll([
      [get, id],
      // @ts-expect-error a mutation
      [create, { title: '' }],
    ]));
  void (() =>
    preact.useDLEAll([
      [get, id],
      // @ts-expect-error a mutation
      [create, { title: '' }],
    ]));
  // @ts-expect-error a mutation
  void (() => react.useDLE(update, id, { title: '' }));
  // @ts-expect-error a mutation
  void (() => react.useCache(add, { title: '' }));
  // @ts-expect-error a mutation
  void (() => react.useLive(Todos.delete, id));
  // @ts-expect-error a mutation
  void (() => react.useFetch(create, { title: '' }));
  // @ts-expect-error a mutation
  void (() => react.useSubscription(create, { title: '' }));
  // @ts-expect-error a mutation
  void (() => react.useError(getList.push, { title: '' }));
  // @ts-expect-error a mutation
  void (() => preact.useSuspense(update, id, { title: '' }));
  // @ts-expect-error a mutation
  void (() => preact.useCache(create, { title: '' }));
  // @ts-expect-error a mutation
  void (() => solid.useSuspense(Todos.delete, () => id));
  // @ts-expect-error a mutation
  void (() => solid.useDLE(Todos.delete, () => id));
  // @ts-expect-error a mutation
  void (() => react.useSuspense(call, 5));
});

test('[H10] reading hooks accept endpoints that may be reads', () => {
  const post = new RestEndpoint({ path: '/search', method: 'POST', sideEffect: undefined });
  const named = (method: string) => new RestEndpoint({ path: '/todos', method });
  const loose: RestEndpoint = get;
  void (() => react.useSuspense(post, { q: '' }));
  void (() => react.useSuspense(named('GET')));
  void (() => react.useSuspense(loose, 1, 2));
  void (() => react.useSuspense(new Endpoint(async () => 5)));
  void (() => react.useSuspense(new GQLEndpoint('/g').query('query A', { user: Todo })));
  void (() => preact.useSuspense(get, id).title);
  const wrapped = <E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>) =>
    react.useSuspense(endpoint, ...args);
  void (() => expectTypeOf(wrapped(get, id)).toEqualTypeOf<Todo>());
});

test('[H10] useQuery rejects endpoints in React and Solid', () => {
  // @ts-expect-error an endpoint
  void (() => react.useQuery(get, id));
  // @ts-expect-error an endpoint
  void (() => react.useQuery(getList));
  // @ts-expect-error an endpoint
  void (() => solid.useQuery(get, () => id));
  void (() => expectTypeOf(react.useQuery(Todo, id)).toEqualTypeOf<Todo | undefined>());
  void (() => expectTypeOf(react.useQuery(getList.schema)).toEqualTypeOf<Todo[] | undefined>());
  void (() => react.useQuery({ todo: Todo, next: '' }, id)?.todo.title);
  void (() => solid.useQuery(new Query(new All(Todo), (todos) => todos.length))());
  // useQuery of Preact returns a signal, also for endpoints
  void (() => expectTypeOf(preact.useQuery(get, id).value.data).toEqualTypeOf<Todo | undefined>());
});

test('[H10] <For> accepts lists, envelopes with one list and `select`, and rejects other schemas', () => {
  const envelope = new RestEndpoint({
    path: '/todos',
    schema: { results: new Collection([Todo]), total: 0 },
  });
  const row = (todo: Todo) => todo.title;
  const rows = new Query(envelope.schema, ({ results }) => results);
  const { For } = react;
  expectTypeOf(For).returns.toEqualTypeOf<ReactElement>();
  void (() => For({ each: envelope, children: row }));
  void (<For each={envelope}>{(todo) => todo.title}</For>);
  const two = new RestEndpoint({ path: '/two', schema: { old: [Todo], young: [Todo], total: 0 } });
  // @ts-expect-error it holds two lists
  void (() => For({ each: two, children: row }));
  void (
    <For each={two} select={({ young }) => young}>
      {(todo) => todo.title}
    </For>
  );
  // @ts-expect-error it has no such list
  void (() => For({ each: two, select: ({ middle }) => middle, children: row }));
  const none = new RestEndpoint({ path: '/none', schema: { todo: Todo, total: 0 } });
  // @ts-expect-error it holds no list
  void (() => For({ each: none, children: row }));
  // @ts-expect-error one entity
  void (() => For({ each: get, params: id, children: row }));
  // @ts-expect-error one entity
  void (() => For({ each: Todo, children: row }));
  void (<For each={getList}>{row}</For>);
  void (<For each={rows}>{row}</For>);
  void (<For each={new All(Todo)}>{row}</For>);
  const loose: RestEndpoint = getList;
  void (<For each={loose}>{(todo) => String(todo)}</For>);
});

test('[C9] useCache of an object schema returns an object, also if nothing is stored', () => {
  const envelope = new RestEndpoint({
    path: '/todos',
    schema: { todo: Todo, rows: [Todo], next: '' },
  });
  void (() => {
    const { todo, rows, next } = react.useCache(envelope);
    expectTypeOf(todo).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(rows).toEqualTypeOf<Todo[]>();
    expectTypeOf(next).toEqualTypeOf<string>();
    expectTypeOf(react.useCache(get, id)).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(react.useCache(getList)).toEqualTypeOf<Todo[] | undefined>();
    expectTypeOf(solid.useCache(envelope)().next).toEqualTypeOf<string>();
    expectTypeOf(preact.useCache(envelope).next).toEqualTypeOf<string>();
  });
});

test('[H10] useQuery takes the arguments of its schema, or null', () => {
  const short = new Query(Todo, (todo, { length }: { length?: number }) =>
    todo.title.slice(0, length),
  );
  expectTypeOf(() => react.useQuery(Todo, id)).returns.toEqualTypeOf<Todo | undefined>();
  void (() => react.useQuery(Todo, null));
  void (() => react.useQuery(Todo, id.id > 0 ? id : null));
  void (() => react.useQuery(short, { id: 1, length: 5 }));
  void (() => preact.useQuery(Todo, id.id > 0 ? id : null));
  void (() => preact.useQuery(get, id));
  void (() => solid.useQuery(Todo, () => (id.id > 0 ? id : null)));
  void (() => solid.useQuery(short, () => ({ id: 1, length: 5 })));
  void (() => signals.useSignalQuery(Todo, id));
  const useStored = <S extends Schema>(
    schema: S & { testKey?: undefined },
    ...args: SchemaArgs<S>
  ) => [react.useController().get<S>(schema, ...args), react.useQuery<S>(schema, ...args)];
  void (() => useStored(Todo, id));
  // @ts-expect-error no such field
  void (() => useStored(Todo, { ident: 1 }));
  // @ts-expect-error no such field
  void (() => react.useQuery(Todo, { ident: 1 }));
  // @ts-expect-error no such type of key
  void (() => react.useQuery(Todo, { id: false }));
  // @ts-expect-error no such argument
  void (() => react.useQuery(short, { id: 1, size: 5 }));
  // @ts-expect-error no such field
  void (() => preact.useQuery(Todo, { ident: 1 }));
  // @ts-expect-error no such field
  void (() => solid.useQuery(Todo, () => ({ ident: { id: 1 } })));
  // @ts-expect-error arguments are functions
  void (() => solid.useQuery(Todo, id));
  // @ts-expect-error no such field
  void (() => signals.useSignalQuery(Todo, { ident: 1 }));
});
