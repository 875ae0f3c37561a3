/** What the types of the React adapter let through, and what they stop. */
import { expectTypeOf, test } from 'vitest';
import { For, useCache, useDLE, useEntity, useSuspense } from 'signalbox/react';
import type { DLE, ForProps } from 'signalbox/react';
import { Collection, Endpoint, Entity } from 'signalbox';

class Todo extends Entity {
  id = 0;
  title = '';
}

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

test('[H1] useSuspense gives what the schema describes', () => {
  expectTypeOf(useSuspense(getTodo, { id: 1 })).toEqualTypeOf<Todo>();
  expectTypeOf(useSuspense(getList, {})).toEqualTypeOf<Todo[]>();
  expectTypeOf(useSuspense(getPage, { page: 1 })).toEqualTypeOf<{
    rows: Todo[];
    first: Todo;
    next: string;
  }>();
  expectTypeOf(useSuspense(getTime)).toEqualTypeOf<number>();
});

test('[C9] arguments that may be null add the empty shape', () => {
  expectTypeOf(useSuspense(getTodo, maybe)).toEqualTypeOf<Todo | undefined>();
  expectTypeOf(useSuspense(getTodo, null)).toEqualTypeOf<Todo | undefined>();
  expectTypeOf(useSuspense(getList, null)).toEqualTypeOf<Todo[]>();
  expectTypeOf(useSuspense(getPage, null)).toEqualTypeOf<
    { rows: Todo[]; first: Todo; next: string } | { rows: Todo[]; first: undefined; next: string }
  >();
});

test('[H1] useDLE and useCache say when there may be nothing', () => {
  expectTypeOf(useDLE(getTodo, { id: 1 })).toEqualTypeOf<DLE<Todo>>();
  expectTypeOf(useCache(getTodo, { id: 1 })).toEqualTypeOf<Todo | undefined>();
  const { data, loading, error } = useDLE(getTodo, { id: 1 });
  if (!loading && error === undefined) expectTypeOf(data).toEqualTypeOf<Todo>();
});

test('[H1] wrong arguments are stopped', () => {
  // @ts-expect-error a number is asked
  useSuspense(getTodo, { id: 'one' });
  // @ts-expect-error the argument is missing
  useSuspense(getTodo);
  // @ts-expect-error undefined is not "not now"
  useSuspense(getTodo, undefined);
  // @ts-expect-error no member of this name
  expectTypeOf(useSuspense(getTodo, { id: 1 }).name).toBeAny();
});

test('[H3] For and useEntity give rows of the list', () => {
  expectTypeOf(useEntity(new Todo())).toEqualTypeOf<Todo>();
  type Row = Parameters<ForProps<typeof getList>['children']>[0];
  expectTypeOf<Row>().toEqualTypeOf<Todo>();
  expectTypeOf(For<typeof getList>).toBeCallableWith({
    each: getList,
    params: null,
    children: () => null,
  });
});
