/** Inference of resources, alone and through wrappers. */
import { RestEndpoint, createResource } from 'signalbox';
import type { Denormalized, ResourceGenerics, ResourceOptions, RestGenerics } from 'signalbox';
import { expectTypeOf, test } from 'vitest';
import type { PathValue } from '../../src/rest/path.ts';
import { Todo } from '../setup/samples.ts';

const Todos = createResource({ path: '/users/:user/todos/:id', schema: Todo });

test('[E5] members of a resource take the params of their paths', () => {
  void (() => Todos.get({ user: 1, id: 2 }));
  // @ts-expect-error id is missing
  void (() => Todos.get({ user: 1 }));
  void (() => Todos.getList({ user: 1 }));
  void (() => Todos.getList({ user: 1, search: 'free' }));
  // @ts-expect-error user is missing
  void (() => Todos.getList({}));
  void (() => Todos.create({ user: 1 }, { title: 'x' }));
  void (() => Todos.update({ user: 1, id: 2 }, { title: 'x' }));
  void (() => Todos.partialUpdate({ user: 1, id: 2 }, { title: 'x' }));
  void (() => Todos.delete({ user: 1, id: 2 }));
  // @ts-expect-error a delete has no body
  void (() => Todos.delete({ user: 1, id: 2 }, {}));
  expectTypeOf(Todos.getList.path).toEqualTypeOf<'/users/:user/todos'>();
});

test('[E5] `move` and `remove` of an extended list take the params of a row', () => {
  const own = createResource({ path: '/todos/:id', schema: Todo });
  const byName = own.extend('getList', { searchParams: {} as { done?: boolean } });
  const byNames = own.extend({ getList: { path: '/users/:user/todos' } });
  const byBase = own.extend((base) => ({
    getList: base.getList.extend({ path: '/users/:user/todos' }),
  }));
  void (() => byName.getList.move({ id: 1 }, { title: 'x' }));
  void (() => byNames.getList.move({ id: 1 }, { title: 'x' }));
  void (() => byBase.getList.remove({ id: 1 }, { title: 'x' }));
  // @ts-expect-error the path of a member has no user
  void (() => byBase.getList.move({ user: 1 }, { title: 'x' }));
  expectTypeOf(byBase.getList.remove.path).toEqualTypeOf<'/todos/:id'>();
});

test('[E5] the data of each member have the type of its schema', () => {
  expectTypeOf<Denormalized<typeof Todos.get.schema>>().toEqualTypeOf<Todo>();
  expectTypeOf<Denormalized<typeof Todos.getList.schema>>().toExtend<readonly Todo[]>();
  expectTypeOf<Denormalized<typeof Todos.create.schema>>().toEqualTypeOf<Todo>();
});

test('[E5] declared body and search params are checked in each member', () => {
  const typed = createResource({
    path: '/todos/:id',
    schema: Todo,
    body: {} as { title: string; done: boolean },
    searchParams: {} as { userId?: number },
  });
  void (() => typed.getList());
  void (() => typed.getList({ userId: 1 }));
  // @ts-expect-error userId is a number
  void (() => typed.getList({ userId: 'x' }));
  void (() => typed.create({ title: 'x', done: true }));
  void (() => typed.create({ userId: 1 }, { title: 'x', done: true }));
  // @ts-expect-error done is missing
  void (() => typed.create({ title: 'x' }));
  void (() => typed.partialUpdate({ id: 1 }, { title: 'x' }));
  // @ts-expect-error done is missing
  void (() => typed.update({ id: 1 }, { title: 'x' }));
  void (() => typed.getList.push({ title: 'x', done: true }));
  expectTypeOf(typed.update).parameter(1).toEqualTypeOf<{ title: string; done: boolean }>();
});

test('[M1] `extend` keeps the types of members and adds new ones', () => {
  const more = Todos.extend('promote', {
    path: '/todos/:id/promote',
    method: 'POST',
    body: undefined,
    process: (_value, { id }) => ({ id }),
  })
    .extend({ stats: { path: '/stats/:year' }, get: { dataExpiryLength: 5 } })
    .extend((base) => ({ again: base.get, count: 5 }));
  expectTypeOf(more.promote).returns.resolves.toEqualTypeOf<{ id: PathValue }>();
  void (() => more.promote({ id: 1 }));
  // @ts-expect-error id is missing
  void (() => more.promote({}));
  void (() => more.stats({ year: 1 }));
  // @ts-expect-error year is missing
  void (() => more.stats({ id: 1 }));
  void (() => more.get({ user: 1, id: 2 }));
  // @ts-expect-error id is missing
  void (() => more.again({ user: 1 }));
  expectTypeOf(more.count).toEqualTypeOf<number>();
  expectTypeOf<Denormalized<typeof more.get.schema>>().toEqualTypeOf<Todo>();
});

class Mine<O extends RestGenerics = any> extends RestEndpoint<O> {
  override urlPrefix = 'http://host';
}

test('[E5] a wrapper with parameters for path and schema keeps inference', () => {
  function wrap<const P extends string, const S>(options: { path: P; schema: S }) {
    const base = createResource({ ...options, Endpoint: Mine, optimistic: true });
    return { ...base, more: base.get.extend({ dataExpiryLength: 5 }) };
  }
  const wrapped = wrap({ path: '/todos/:id', schema: Todo });
  void (() => wrapped.get({ id: 1 }));
  void (() => wrapped.more({ id: 1 }));
  // @ts-expect-error id is missing
  void (() => wrapped.get({}));
  // @ts-expect-error id is missing
  void (() => wrapped.more({}));
  expectTypeOf(wrapped.getList.path).toEqualTypeOf<'/todos'>();
  expectTypeOf<Denormalized<typeof wrapped.get.schema>>().toEqualTypeOf<Todo>();
});

test('[E5] a wrapper generic over ResourceGenerics keeps inference', () => {
  function wrap<const O extends ResourceGenerics>(
    options: Readonly<O> & ResourceOptions,
  ): ReturnType<typeof createResource<O>> {
    return createResource<O>({ Endpoint: Mine, ...options });
  }
  const wrapped = wrap({ path: '/todos/:id', schema: Todo, body: {} as { title: string } });
  void (() => wrapped.get({ id: 1 }));
  // @ts-expect-error id is missing
  void (() => wrapped.get({}));
  void (() => wrapped.create({ title: 'x' }));
  // @ts-expect-error title is a string
  void (() => wrapped.create({ title: 1 }));
  expectTypeOf(wrapped.getList.path).toEqualTypeOf<'/todos'>();
});

test('[E5] other options of createResource do not affect inference', () => {
  const many = createResource({
    path: '/todos/:id',
    schema: Todo,
    urlPrefix: 'http://host',
    dataExpiryLength: 5,
    process(value, ...args) {
      return [value, args];
    },
    getHeaders(headers) {
      return { ...headers };
    },
  });
  void (() => many.get({ id: 1 }));
  expectTypeOf(many.get.path).toEqualTypeOf<'/todos/:id'>();
  // @ts-expect-error id is missing
  void (() => many.get({}));
});
