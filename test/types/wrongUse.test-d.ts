/** Wrong use does not compile if types can detect the mistake: options that do not exist, schemas and endpoints in each other's place. */
import { expectTypeOf, test } from 'vitest';
import {
  Controller,
  createResource,
  Endpoint,
  httpCache,
  live,
  resource,
  RestEndpoint,
  subscribe,
  transaction,
} from 'signalbox';
import type { ResourceGenerics, ResourceOptions, RestGenerics } from 'signalbox';
import { Todo } from '../setup/samples.ts';

const path = '/todos/:id';
const TodoResource = resource({ path, schema: Todo });
const controller = new Controller();

// any: as users declare it
class Authd<O extends RestGenerics = any> extends RestEndpoint<O> {
  token = '';
  override getHeaders(headers: HeadersInit) {
    return { ...headers, authorization: this.token };
  }
}

test('[H10] `http: true` and feature functions without their controller do not compile', () => {
  expectTypeOf(live(controller, Todo, 1)).toEqualTypeOf<Todo>();
  expectTypeOf(transaction(controller, () => 1)).toEqualTypeOf<Promise<number>>();
  expectTypeOf(subscribe(controller, TodoResource.get, { id: 1 })).toEqualTypeOf<() => void>();
  createResource({ path, schema: Todo, http: httpCache });
  // @ts-expect-error httpCache
  createResource({ path, schema: Todo, http: true });
  // @ts-expect-error a transaction needs its controller
  void transaction(() => 1);
  // @ts-expect-error the arguments of the endpoint
  subscribe(controller, TodoResource.get, 1);
});

test('[H10] an unknown option does not compile', () => {
  expectTypeOf(TodoResource.get.path).toEqualTypeOf<'/todos/:id'>();
  // @ts-expect-error paginationField
  createResource({ path, schema: Todo, paginationFeld: 'cursor' });
  // @ts-expect-error dataExpiryLength
  createResource({ path, schema: Todo, dataExpiryLenght: 5 });
  // @ts-expect-error optimistic
  resource({ path, schema: Todo, body: {} as { title: string }, optimistik: true });
  // @ts-expect-error method
  void new RestEndpoint({ path, methd: 'POST' });
  // @ts-expect-error schema
  void new RestEndpoint({ path: '/todos', method: 'POST', shema: Todo });
  // @ts-expect-error schema
  void new Endpoint(async (id: number) => id, { shema: Todo });
  // @ts-expect-error method
  TodoResource.get.extend({ methd: 'POST' });
  // @ts-expect-error dataExpiryLength
  new Endpoint(async (id: number) => id).extend({ dataExpiryLenght: 5 });
  // @ts-expect-error schema
  TodoResource.extend('getList', { shema: [Todo] });
  // @ts-expect-error schema
  TodoResource.extend({ getList: { shema: [Todo] } });
});

test('[H10] fields of an endpoint class are options of createResource and `extend`, and other names are rejected', () => {
  const authd = createResource({ path, schema: Todo, Endpoint: Authd, token: 'x' });
  expectTypeOf(authd.get.path).toEqualTypeOf<'/todos/:id'>();
  // @ts-expect-error token
  createResource({ path, schema: Todo, Endpoint: Authd, tokn: 'x' });
  void new Authd({ path, token: 'x' });
  const other = authd.get.extend({ token: 'y' });
  expectTypeOf(other.path).toEqualTypeOf<'/todos/:id'>();
  void (() => other.extend({ token: 'z' })({ id: 1 }));
  // @ts-expect-error token
  authd.get.extend({ tokn: 'y' });
  expectTypeOf(authd.extend('publish', { method: 'POST' }).publish.method).toEqualTypeOf<'POST'>();
  // @ts-expect-error no class declares it
  TodoResource.get.extend({ token: 'y' });
  class Mine extends RestEndpoint<{ path: '/mine/:id' } & RestGenerics> {}
  void new Mine({ path: '/mine/:id' });
});

test('[E5] a wrapper around the options of createResource keeps their types', () => {
  const authd = <O extends ResourceGenerics>(options: Readonly<O> & ResourceOptions) =>
    createResource({ Endpoint: Authd, ...options });
  const later = <O extends ResourceGenerics>(options: Readonly<O> & ResourceOptions) =>
    createResource({ ...options, Endpoint: Authd });
  const said = <O extends ResourceGenerics>(options: Readonly<O> & ResourceOptions) => {
    const E: typeof RestEndpoint = Authd;
    return createResource<O>({ ...options, Endpoint: E });
  };
  for (const make of [authd, later, said]) {
    const { getList, get } = make({ path, schema: Todo });
    expectTypeOf(get.path).toEqualTypeOf<'/todos/:id'>();
    void (() => get({ id: 1 }));
    void (() => getList());
    // @ts-expect-error id
    void (() => get());
  }
  const mine = <O extends RestGenerics>(options: Readonly<O> & RestGenerics) =>
    new Authd<O>(options);
  void (() => mine({ path })({ id: 1 }));
});

test('[M2] `create` does not require the search params that getList requires', () => {
  const Issues = resource({
    path: '/issues/:id',
    schema: Todo,
    searchParams: {} as { project: string; page?: number },
    body: {} as { title: string },
  });
  expectTypeOf(Issues.create.path).toEqualTypeOf<'/issues'>();
  void (() => Issues.getList({ project: 'x' }));
  // @ts-expect-error project
  void (() => Issues.getList());
  void (() => Issues.create({ title: 'x' }));
  void (() => Issues.create({ project: 'x' }, { title: 'x' }));
  void (() => Issues.getList.push({ project: 'x' }, { title: 'x' }));
  // @ts-expect-error title
  void (() => Issues.create({ project: 'x' }));
  // @ts-expect-error title is text
  void (() => Issues.create({ title: 1 }));
  // @ts-expect-error project is text
  void (() => Issues.create({ project: 1 }, { title: 'x' }));
  const Nested = resource({
    path: '/users/:user/issues/:id',
    schema: Todo,
    searchParams: {} as { project: string },
  });
  void (() => Nested.create({ user: 1 }, { title: 'x' }));
  // @ts-expect-error user
  void (() => Nested.create({ title: 'x' }));
  void (() => controller.fetch(Issues.create, { title: 'x' }));
});

test('[M2] a list that is no Collection has no push, move, remove and getPage', () => {
  const plain = new RestEndpoint({ path: '/todos', schema: [Todo] });
  const envelope = TodoResource.getList.extend({ schema: { results: [Todo], total: 0 } });
  expectTypeOf(plain.push).toEqualTypeOf<undefined>();
  expectTypeOf(envelope.remove).toEqualTypeOf<undefined>();
  expectTypeOf(envelope.move).toEqualTypeOf<undefined>();
  expectTypeOf(envelope.getPage).toEqualTypeOf<undefined>();
  // @ts-expect-error it has none
  void (() => plain.push({ title: 'x' }));
  void (() => TodoResource.getList.push({ title: 'x' }));
  void (() => TodoResource.getList.move({ id: 1 }, { title: 'x' }));
});
