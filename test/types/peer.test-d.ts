/** Code of users of Reactive Data Client compiles unchanged, and is still checked. */
import { expectTypeOf, test } from 'vitest';
import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  Resource,
  resource,
  RestEndpoint,
  schema,
  Values,
  transaction,
} from 'signalbox';
import type {
  All,
  Denormalized,
  EndpointInterface,
  FetchFunction,
  NetworkError,
  RestGenerics,
} from 'signalbox';
import type { PathValue } from '../../src/rest/path.ts';

class Article extends Entity {
  id = 0;
  title = '';
  votes = 0;
}

const ArticleResource = resource({ path: '/articles/:id', schema: Article });
const controller = new Controller();

test('[E3] errorPolicy may declare its parameter as any, as NetworkError or as an object with a status', () => {
  const policies = {
    path: '/articles/:id',
    schema: Article,
    // any: as users declare the value where no type is given
    errorPolicy: (error: any) => (error.status >= 500 ? ('soft' as const) : undefined),
  };
  resource(policies);
  resource({
    path: '/articles/:id',
    schema: Article,
    errorPolicy(error) {
      return error.status >= 500 ? 'soft' : undefined;
    },
  });
  const narrow = {
    errorPolicy: (error: NetworkError) => (error.body === null ? ('soft' as const) : undefined),
  };
  void new RestEndpoint({ path: '/articles/:id', ...narrow });
  void new Endpoint(async (id: number) => id, narrow);
  void new Controller(narrow);
  void ArticleResource.get.extend(narrow);
  void ArticleResource.extend('get', narrow);
  void ArticleResource.extend({ get: narrow });
  class Mine extends RestEndpoint {
    override errorPolicy(error: { readonly status: number }) {
      return error.status >= 500 ? ('soft' as const) : super.errorPolicy(error);
    }
  }
  expectTypeOf<ReturnType<Mine['errorPolicy']>>().toEqualTypeOf<'hard' | 'soft' | undefined>();
  // @ts-expect-error it is no policy
  void new Controller({ errorPolicy: () => 'loud' });
});

test('[E5] an Endpoint of FetchFunction<Args, Result> has these arguments', () => {
  const read: FetchFunction<[{ id: string }], Article> = async ({ id }) =>
    Article.fromJS({ title: id });
  const endpoint = new Endpoint(read);
  expectTypeOf<Parameters<typeof endpoint>>().toEqualTypeOf<[{ id: string }]>();
  const any: EndpointInterface<FetchFunction<[{ id: string }]>> = endpoint;
  void (() => any({ id: 'x' }));
  // @ts-expect-error id
  void (() => any({ name: 'x' }));
});

test('[M2] a subclass of Collection may declare a type parameter for the arguments of its lists', () => {
  class Ordered<
    S extends any[] = any,
    Parent extends any[] = [urlParams: any, body?: any],
  > extends Collection<S, Parent> {
    override nonFilterArgumentKeys(name: string) {
      return name === 'orderBy';
    }
  }
  const options = { path: '/articles/:id', schema: Article, Collection: Ordered } as const;
  expectTypeOf(resource(options).getList.push.method).toEqualTypeOf<'POST'>();
  const { getList } = ArticleResource.extend('getList', { schema: new Ordered([Article]) });
  expectTypeOf(getList.push.method).toEqualTypeOf<'POST'>();
});

test('[I1] setResponse and setError may omit optional arguments of the endpoint', () => {
  const { get, getList, create } = ArticleResource;
  expectTypeOf(controller.setResponse(getList, [{ id: 1 }])).toEqualTypeOf<Promise<void>>();
  void controller.setResponse(getList, { page: 1 }, [{ id: 1 }]);
  void controller.setError(getList, new Error('no'));
  void controller.setResponse(create, { title: 'x' }, { id: 1 });
  // @ts-expect-error the id is missing
  void controller.setResponse(get, { id: 1 });
  // @ts-expect-error it is no error
  void controller.setError(getList, 'no');
});

test('[I1] the function passed to `set` receives the type of the schema', () => {
  const { getList } = ArticleResource;
  void controller.set(Article, { id: 1 }, (article) => {
    expectTypeOf(article).toEqualTypeOf<Article>();
    return { votes: article.votes + 1 };
  });
  void controller.set(Article, 1, (article) => ({ votes: article.votes + 1 }));
  void controller.set(getList.schema, { page: 1 }, (articles) => {
    expectTypeOf(articles).toEqualTypeOf<Article[]>();
    return [...articles, { id: 5 }];
  });
  void controller.set(getList.schema, { page: 1 }, 'more', (articles) => articles.slice(1));
  void controller.set(getList.schema, (articles) => articles.slice(1));
  void controller.set(Article, { id: 1 }, ({ votes }: { votes: number }) => ({ votes }));
  void controller.set(Article, { id: 1, votes: 1 });
  void controller.set(Article, { id: 1 }, { votes: 1 });
  void controller.set(getList.schema.push, { page: 1 }, { id: 6 });
  void controller.set([Article], [{ id: 1 }]);
  void controller.set(Article, { id: 1 }, {} as unknown);
  void transaction(controller, ({ set }) =>
    set(Article, { id: 1 }, (article) => ({ votes: article.votes + 1 })),
  );
  // @ts-expect-error an article has no likes
  void controller.set(Article, { id: 1 }, (article) => ({ votes: article.likes }));
  // @ts-expect-error something is to be set
  void controller.set(Article);
});

test('[N10] static methods of an entity may declare their own parameter types and call super', () => {
  // any: the parameters as users declare them
  class User extends Entity {
    id = 0;
    username = '';

    static override process(value: any, parent: any, key: string | undefined, args: any[]) {
      const processed = super.process(value, parent, key, args);
      processed.username = args[0]?.username;
      return { ...processed };
    }
  }
  class Versioned extends Entity {
    id = 0;

    static override process(value: any, parent: any, key: string, args: readonly unknown[]) {
      return { ...super.process(value, parent, key, args), seen: true };
    }

    static override mergeWithStore(was: Age, is: Age, existing: any, incoming: any) {
      return { ...super.mergeWithStore(was, is, existing, incoming), since: was.date };
    }

    static override shouldUpdate(was: Age, is: Age, existing: any, incoming: any) {
      return super.shouldUpdate(was, is, existing, incoming) && existing.v !== incoming.v;
    }

    static override shouldReorder(was: Until, is: Until, existing: any, incoming: any) {
      return super.shouldReorder(was, is, existing, incoming) || is.expiresAt < was.expiresAt;
    }
  }
  // any end
  for (const schema of [User, Versioned]) void new RestEndpoint({ path: '/users/:id', schema });
  expectTypeOf(controller.get(User, { id: 1 })).toEqualTypeOf<User | undefined>();
  expectTypeOf(controller.entity(Versioned, 1).value).toEqualTypeOf<Versioned | undefined>();
});

interface Age {
  readonly date: number;
  readonly fetchedAt: number;
}
interface Until {
  readonly fetchedAt: number;
  readonly expiresAt: number;
}

test('[N16] `schema` is a namespace of values and of types', () => {
  const articles: schema.Collection<[typeof Article]> = new schema.Collection([Article]);
  const feed: schema.Union<{ article: typeof Article }> = new schema.Union(
    { article: Article },
    'type',
  );
  expectTypeOf<schema.Values<typeof Article>>().toEqualTypeOf<Values<typeof Article>>();
  expectTypeOf<schema.All<typeof Article>>().toEqualTypeOf<All<typeof Article>>();
  expectTypeOf<schema.Array<typeof Article>>().toEqualTypeOf<
    InstanceType<typeof schema.Array<typeof Article>>
  >();
  expectTypeOf(articles.push).toEqualTypeOf<schema.Collection<[typeof Article]>['push']>();
  expectTypeOf(feed.schema.article).toEqualTypeOf<typeof Article>();
  class Draft extends schema.Entity(
    class {
      id = '';
    },
  ) {}
  expectTypeOf(controller.get(Draft, { id: 'a' })).toEqualTypeOf<Draft | undefined>();
});

test('[M1] `extend` with several members infers the type of an example body, and no literal types', () => {
  const { getList, other, update } = ArticleResource.extend({
    getList: { body: { body: '' }, searchParams: { page: 1 }, paginationField: 'cursor' },
    other: { path: '/other/:x', method: 'POST', body: { a: [0], kind: {} as 'b' | 'c' } },
    update: { body: { body: '' } },
  });
  void (() => update({ id: 1 }, { body: 'hi' }));
  void (() => getList({ page: 7 }));
  void (() => getList.push({ page: 7 }, { body: 'hi' }));
  void (() => getList.getPage({ page: 7, cursor: 'x' }));
  void (() => other({ x: 1 }, { a: [1, 2], kind: 'c' }));
  expectTypeOf(other.method).toEqualTypeOf<'POST'>();
  expectTypeOf(other.path).toEqualTypeOf<'/other/:x'>();
  // @ts-expect-error it is a string
  void (() => update({ id: 1 }, { body: 5 }));
  // @ts-expect-error it is one of two
  void (() => other({ x: 1 }, { a: [], kind: 'd' }));
  const one = ArticleResource.extend('update', { body: { body: '' } });
  void (() => one.update({ id: 1 }, { body: 'hi' }));
});

test('[E5] functions of an endpoint with two call signatures may take the parameters of either, or fewer', () => {
  const { create, getList, partialUpdate } = ArticleResource;
  const lists = { [getList.key()]: (ids: string[] = []) => ids };
  const made = create.extend({ update: (_id: string) => lists });
  expectTypeOf(made.path).toEqualTypeOf<'/articles'>();
  void (() => made({ title: '' }));
  void (() => made({ page: 1 }, { title: '' }));
  void create.extend({ update: (_id: string, _params, _body) => lists });
  void create.extend({
    getOptimisticResponse(_snapshot, body) {
      return { ...body };
    },
    process(value, _body) {
      return { kept: value as string };
    },
  });
  void create.extend({ getOptimisticResponse: (_snapshot, _params, body) => ({ ...body }) });
  void create.extend({ getOptimisticResponse: () => ({ id: 1 }) });
  void getList.push.extend({ getOptimisticResponse: (_snapshot, { title }) => ({ title }) });
  void ArticleResource.extend('create', { getOptimisticResponse: (_snapshot, body) => body });
  void ArticleResource.extend({
    create: { getOptimisticResponse: (_snapshot, body) => body, update: (_id: string) => lists },
  });
  void new RestEndpoint({
    path: '/articles',
    method: 'POST',
    schema: Article,
    getOptimisticResponse: (_snapshot, body) => body,
    update: (_id: string) => lists,
  });
  // with an own type, the arguments are still inferred
  void partialUpdate.extend({
    getOptimisticResponse(_snapshot, params, body) {
      expectTypeOf(params.id).toEqualTypeOf<PathValue>();
      return { ...body };
    },
    // @ts-expect-error the params have no name
    process: (_value, { name }) => name as string,
  });
});

test('[L2] extend of a detail takes the arguments of `url`, and not those of `process`', () => {
  class Old extends Resource {
    id = 0;
    title = '';
    static override urlRoot = '/old';
  }
  const create = Old.create().extend({ getOptimisticResponse: (_snapshot, body) => body });
  void (() => create({ title: '' }));
  void (() => create({ group: 1 }, { title: '' }));
  const detail = Old.detail().extend({
    process(value) {
      return value;
    },
  });
  void (() => detail({ id: 1 }));
  const other = Old.detail().extend({
    url: (slug: string) => `/old/${slug}`,
    process: (value, slug) => ({ ...value, slug: slug.trim() }),
  });
  expectTypeOf(other).parameters.toEqualTypeOf<[slug: string]>();
  // @ts-expect-error it takes a slug
  void (() => other({ id: 1 }));
});

test('[E5] `extend` takes the fields of an endpoint class, and later extends keep these fields', () => {
  // any: as the class itself
  class Authorized<O extends RestGenerics = any> extends RestEndpoint<O> {
    accessToken = '';
    override getHeaders(headers: HeadersInit) {
      return { ...headers, authorization: this.accessToken };
    }
  }
  const plain = new Authorized({ path: '/articles/:id', schema: Article });
  const known = plain.extend({ accessToken: 'x' });
  expectTypeOf(known.accessToken).toEqualTypeOf<string>();
  expectTypeOf(controller.get(known.schema, 1)).toEqualTypeOf<Article | undefined>();
  void (() => known({ id: 1 }));
  const other = known.extend({
    path: '/others/:name',
    process(value, { name }) {
      expectTypeOf(this.accessToken).toEqualTypeOf<string>();
      return { value: value as string, name };
    },
  });
  void (() => other.extend({ accessToken: 'y' })({ name: 'x' }));
  // @ts-expect-error it is a string
  plain.extend({ accessToken: 5 });
  // @ts-expect-error no such field
  plain.extend({ token: 'x' });
  // @ts-expect-error the class adds none
  ArticleResource.get.extend({ accessToken: 'x' });
  class Counted extends Endpoint<(id: number) => Promise<number>> {
    count = 0;
  }
  const counted = new Counted(async (id) => id).extend({ count: 1 });
  expectTypeOf(counted.count).toEqualTypeOf<number>();
  // @ts-expect-error the class adds none
  new Endpoint(async (id: number) => id).extend({ count: 1 });
});

test('[N5] the function that selects a schema receives parent and key', () => {
  const kinds = { article: Article };
  const choose = (_input: unknown, _parent: unknown, key: string) => key;
  void new Values(kinds, choose);
  const values = new Values(kinds, (input, _parent: unknown, key: string) => `${input.type}${key}`);
  expectTypeOf<Denormalized<typeof values>>().toEqualTypeOf<Record<string, Article>>();
  const array = new schema.Array(kinds, (input) => input.type as string);
  expectTypeOf<Denormalized<typeof array>>().toEqualTypeOf<Article[]>();
  void new schema.Array(kinds, choose);
  void new schema.Union(kinds, ({ type }: { type: string }) => type);
});
