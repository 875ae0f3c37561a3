/** Inference of the class Resource, of GraphQL endpoints and of resources of hooks. */
import { expectTypeOf, test } from 'vitest';
import { createResource, Entity, GQLEndpoint, hookifyResource, Resource } from 'signalbox';
import type { Controller, DataOf, ResourceEndpoint } from 'signalbox';

class User extends Entity {
  id = '';
  name = '';
}

class Article extends Resource {
  id: number | undefined = undefined;
  title = '';
  author = User.fromJS();
  static override urlRoot = 'http://x/article/';
  static override schema = { author: User };
}

class Wrapped extends Article {
  static override detail() {
    return super.detail().extend({ schema: { data: this } });
  }
  static override list() {
    return super.list().extend({ schema: { data: [this], next: '' } });
  }
  static current() {
    return super.detail().extend({ schema: this, url: () => '/current_user/' });
  }
  static promote() {
    const url = ({ id }: { id: number }) => `${this.urlRoot}${id}/promote`;
    return this.update().extend({ schema: this, method: 'POST', url });
  }
}

declare const controller: Controller;

test('[L1] endpoints of a Resource subclass return instances of the subclass', () => {
  void (async () => {
    const article = await controller.fetch(Article.detail(), { id: 5 });
    expectTypeOf(article).toEqualTypeOf<Article>();
    expectTypeOf(article.url).toEqualTypeOf<string>();
    const list = await controller.fetch(Article.list());
    expectTypeOf(list).toEqualTypeOf<Article[]>();
    expectTypeOf(await controller.fetch(Article.create(), { title: 'x' })).toEqualTypeOf<Article>();
    expectTypeOf(
      await controller.fetch(Article.partialUpdate(), { id: 5 }, { title: 'x' }),
    ).toEqualTypeOf<Article>();
    await controller.fetch(Article.delete(), { id: 5 });
  });
  // @ts-expect-error a detail needs params
  void (() => Article.detail()());
  // @ts-expect-error a create needs a body
  void (() => Article.create()());
  void (() => Article.list()({ page: 1 }));
});

test('[L1] an overridden static endpoint may have another schema', () => {
  const detail = Wrapped.detail();
  expectTypeOf<DataOf<typeof detail>>().toEqualTypeOf<{ data: Wrapped }>();
  const list = Wrapped.list();
  expectTypeOf<DataOf<typeof list>>().toEqualTypeOf<{ data: Wrapped[]; next: string }>();
  const generic = <T extends typeof Article>(Class: T) => Class.detail();
  expectTypeOf(generic(Article)).toEqualTypeOf<ReturnType<typeof Article.detail<typeof Article>>>();
});

/** A base class as users of Rest Hooks wrote it. */
abstract class Base extends Resource {
  static override detail<T extends typeof Resource>(this: T) {
    return super.detail().extend({ schema: { data: this } });
  }
}
class Post extends Base {
  id = 0;
  static override urlRoot = 'http://x/post/';
}

test('[L1] an endpoint overridden in an abstract base class returns instances of the subclass', () => {
  const detail = Post.detail();
  expectTypeOf<DataOf<typeof detail>>().toEqualTypeOf<{ data: Post }>();
});

test('[L1] arguments of an extended static endpoint are those of `url` or `fetch`', () => {
  void (() => Wrapped.current()());
  // @ts-expect-error it takes no arguments
  void (() => Wrapped.current()({ id: 5 }));
  void (() => Wrapped.promote()({ id: 5 }));
  // @ts-expect-error id is a number
  void (() => Wrapped.promote()({ id: 'x' }));
  const fetched = Article.detail().extend({ fetch: async (a: string, b: number) => a + b });
  expectTypeOf(fetched).parameters.toEqualTypeOf<[a: string, b: number]>();
});

test('[L1] the type Resource accepts the result of createResource', () => {
  const Users = createResource({ path: '/users/:id', schema: User });
  expectTypeOf(Users).toExtend<Resource<{ path: '/users/:id'; schema: typeof User }>>();
  expectTypeOf(Users).toExtend<Resource>();
  expectTypeOf(Article.detail()).toExtend<ResourceEndpoint>();
});

test('[E5] GraphQL operations are typed by their schema and their variables', () => {
  const gql = new GQLEndpoint('http://x');
  const detail = gql.query('query A { user { id } }', { user: User });
  expectTypeOf<DataOf<typeof detail>>().toEqualTypeOf<{ user: User }>();
  void (() => detail({ name: 'x' }));
  void (() => detail());
  const made = gql.mutation(({ id }: { id: string }) => `mutation { user(id: ${id}) }`, User);
  void (() => made({ id: 'x' }));
  // @ts-expect-error id is missing
  void (() => made({}));
  // @ts-expect-error variables are needed
  void (() => made());
  const none = gql.query(() => '{ users { id } }', { users: [User] });
  // @ts-expect-error it takes none
  void (() => none({}));
  const plain = gql.query('{ now }');
  expectTypeOf<DataOf<typeof plain>>().toBeAny();
});

test('[E5] hookifyResource gives hooks that return the endpoints of the resource', () => {
  const Users = createResource({ path: '/users/:id', schema: User });
  const Hooks = hookifyResource(Users, () => ({ headers: {} }));
  expectTypeOf(Hooks.useGet()).toEqualTypeOf(Users.get);
  expectTypeOf(Hooks.usePartialUpdate()).toEqualTypeOf(Users.partialUpdate);
  expectTypeOf<keyof typeof Hooks>().toEqualTypeOf<
    'useGet' | 'useGetList' | 'useCreate' | 'useUpdate' | 'usePartialUpdate' | 'useDelete'
  >();
});
