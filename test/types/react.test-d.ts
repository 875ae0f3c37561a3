/** Types of the React adapter: calls that compile, and calls that do not. */
import { expectTypeOf, test } from 'vitest';
import {
  For,
  useCache,
  useCancelling,
  useDebounce,
  useDLE,
  useEntity,
  useError,
  useLoading,
  useSuspense,
} from 'signalbox/react';
import { $, useSignalQuery } from 'signalbox/react/signals';
import type { DLE, ErrorBoundaryProps, FallbackProps, ForProps } from 'signalbox/react';
import { Collection, Endpoint } from 'signalbox';
import { NetworkError } from 'signalbox';
import type { ErrorTypes, ReadonlySignal, UnknownError } from 'signalbox';
import { Todo } from '../setup/samples.ts';

const getTodo = new Endpoint(async (params: { id: number }) => ({ id: params.id }), {
  name: 'getTodo',
  schema: Todo,
});
const getList = new Endpoint(async ({ page = 1 }: { page?: number }) => [{ id: page }], {
  name: 'getList',
  schema: new Collection([Todo]),
});
const getPage = new Endpoint(
  async ({ page }: { page: number }) => ({ rows: [], next: String(page) }),
  {
    name: 'getPage',
    schema: { rows: new Collection([Todo]), first: Todo, next: '' },
  },
);
const getTime = new Endpoint(async () => 5, { name: 'getTime' });

declare const maybe: { id: number } | null;

test('[H1] useSuspense returns the type of the schema', () => {
  expectTypeOf(useSuspense(getTodo, { id: 1 })).toEqualTypeOf<Todo>();
  expectTypeOf(useSuspense(getList, {})).toEqualTypeOf<Todo[]>();
  expectTypeOf(useSuspense(getPage, { page: 1 })).toEqualTypeOf<{
    rows: Todo[];
    first: Todo;
    next: string;
  }>();
  expectTypeOf(useSuspense(getTime)).toEqualTypeOf<number>();
});

test('[C9] with nullable arguments the result includes the empty value of the schema', () => {
  expectTypeOf(useSuspense(getTodo, maybe)).toEqualTypeOf<Todo | undefined>();
  expectTypeOf(useSuspense(getTodo, null)).toEqualTypeOf<Todo | undefined>();
  expectTypeOf(useSuspense(getList, null)).toEqualTypeOf<Todo[]>();
  expectTypeOf(useSuspense(getPage, null)).toEqualTypeOf<
    { rows: Todo[]; first: Todo; next: string } | { rows: Todo[]; first: undefined; next: string }
  >();
});

test('[H1] useCache data may be undefined, and useDLE data are defined if neither `loading` nor `error`', () => {
  expectTypeOf(useDLE(getTodo, { id: 1 })).toEqualTypeOf<DLE<Todo>>();
  expectTypeOf(useCache(getTodo, { id: 1 })).toEqualTypeOf<Todo | undefined>();
  const { data, loading, error } = useDLE(getTodo, { id: 1 });
  if (!loading && error === undefined) expectTypeOf(data).toEqualTypeOf<Todo>();
});

test('[H1] wrong arguments of useSuspense do not compile', () => {
  // @ts-expect-error a number is required
  useSuspense(getTodo, { id: 'one' });
  // @ts-expect-error the argument is missing
  useSuspense(getTodo);
  // @ts-expect-error undefined is not "not now"
  useSuspense(getTodo, undefined);
  // @ts-expect-error no member of this name
  expectTypeOf(useSuspense(getTodo, { id: 1 }).name).toBeAny();
});

test('[H3] useEntity returns the entity, and the children of <For> receive rows of the list', () => {
  expectTypeOf(useEntity(new Todo())).toEqualTypeOf<Todo>();
  type Row = Parameters<ForProps<typeof getList>['children']>[0];
  expectTypeOf<Row>().toEqualTypeOf<Todo>();
  expectTypeOf(For<typeof getList>).toBeCallableWith({
    each: getList,
    params: null,
    children: () => null,
  });
  expectTypeOf(For<typeof getList>).toBeCallableWith({
    each: getList,
    from: 100,
    to: 200,
    children: (todo, at) => `${at} ${todo.title}`,
  });
  // @ts-expect-error -- a position is a number
  For({ each: getList, to: '200', children: () => null });
});

test('[H1] useLoading, useDebounce, useCancelling and useError keep the types of their arguments', () => {
  const save = async (id: number) => String(id);
  expectTypeOf(useLoading(save, [1])).toEqualTypeOf<
    [(id: number) => Promise<string>, boolean, UnknownError | undefined]
  >();
  expectTypeOf(useDebounce('text', 200)).toEqualTypeOf<[string, boolean]>();
  expectTypeOf(useCancelling(getTodo, { id: 1 })).toEqualTypeOf<typeof getTodo>();
  expectTypeOf(useError(getTodo, maybe)).toEqualTypeOf<UnknownError | undefined>();
  // @ts-expect-error -- a todo has an id
  useCancelling(getTodo, {});
  // @ts-expect-error -- a todo has an id
  useError(getTodo);
});

test('[H1] signals of an entity are typed by its fields, and have no methods', () => {
  expectTypeOf($(new Todo()).title).toEqualTypeOf<ReadonlySignal<string>>();
  // @ts-expect-error -- a method is no field
  void $(new Todo()).pk;
  expectTypeOf(useSignalQuery(getTodo, { id: 1 }).value.data).toEqualTypeOf<Todo | undefined>();
  expectTypeOf(useSignalQuery(Todo, { id: 1 }).value.data).toEqualTypeOf<Todo | undefined>();
  // @ts-expect-error -- a todo has an id
  useSignalQuery(getTodo, {});
});

const useStatusOf = () => {
  const { error } = useDLE(getTodo, { id: 1 });
  expectTypeOf(error?.status).toEqualTypeOf<number | undefined>();
  if (error instanceof NetworkError) {
    expectTypeOf(error.status).toEqualTypeOf<number>();
    expectTypeOf(error.response).toEqualTypeOf<Response | undefined>();
  }
  const known: ErrorTypes | undefined = error;
  return known?.status;
};

test('[H7] `status` of an error is typed without a cast', () => {
  expectTypeOf(useStatusOf).returns.toEqualTypeOf<number | undefined>();
  const Failed = ({ error }: FallbackProps) => (error.status === 404 ? 'none' : error.message);
  const Plain = ({ error }: { readonly error: Error }) => error.message;
  expectTypeOf(Failed).toExtend<ErrorBoundaryProps['fallbackComponent']>();
  expectTypeOf(Plain).toExtend<ErrorBoundaryProps['fallbackComponent']>();
});
