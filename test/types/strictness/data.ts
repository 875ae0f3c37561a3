/** Definitions of an application, as the documentation writes them: each compiles with and without `strict`. */
import {
  All,
  avg,
  Collection,
  Controller,
  count,
  createResource,
  Delete,
  Endpoint,
  Entity,
  EntityMixin,
  GQLEndpoint,
  httpCache,
  Lazy,
  max,
  min,
  Query,
  Resource,
  resource,
  RestEndpoint,
  schema,
  sum,
  Union,
  Values,
} from 'signalbox';
import type { DataOf, RestGenerics } from 'signalbox';

export class User extends Entity {
  id = 0;
  name = '';
  email: string | null = null;
  posts: string[] = [];
}

export class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
  points = 0;
  userId = 0;
  due: Date | null = null;
  author: User | null = null;
  // `override` is for noImplicitOverride
  static override schema = { author: User, due: Date };

  get label(): string {
    return this.author === null ? this.title : `${this.title} (${this.author.name})`;
  }
}

export class Tag extends Entity {
  slug = '';
  todos: Todo[] = [];
  static override schema = { todos: [Todo] };
  override pk() {
    return this.slug;
  }
}

class PlainPost {
  id = 0;
  title = '';
}
export class Post extends EntityMixin(PlainPost, { key: 'Post' }) {}

export class Dog extends Entity {
  id = 0;
  type = 'dog' as const;
  bark = '';
}
export class Cat extends Entity {
  id = 0;
  type = 'cat' as const;
  meow = '';
}
export const Pet = new Union({ dog: Dog, cat: Cat }, 'type');

export const controller = new Controller({ dataExpiryLength: 1000, http: httpCache });

// resources

export const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true });

export const UserResource = resource({
  path: '/groups/:group/users/:id',
  schema: User,
  urlPrefix: 'https://example.com',
  searchParams: {} as { sort?: 'name' | 'id'; page?: number } | undefined,
  body: {} as { name: string; email?: string },
  paginationField: 'page',
  nonFilterArgumentKeys: ['sort'],
}).extend({
  invite: { path: '/groups/:group/users/:id/invite', method: 'POST', body: undefined },
  search: { path: '/users', method: 'POST', sideEffect: undefined, schema: [User] },
});

export const Extended = TodoResource.extend('archive', {
  path: '/todos/:id/archive',
  method: 'POST',
  body: undefined,
  getOptimisticResponse: (_snapshot, { id }) => ({ id, done: true }),
}).extend((base) => ({ again: base.get }));

// endpoints

export const getTotal = new RestEndpoint({
  path: '/todos/:id/total',
  process: (value: { cents: number }) => value.cents,
});
export const getFeed = new RestEndpoint({
  path: '/feed',
  searchParams: {} as { userId?: number } | undefined,
  schema: { results: new Collection([Post]), next: '', first: Todo },
  paginationField: 'cursor',
});
export const search = new RestEndpoint({
  path: '/search',
  method: 'POST',
  body: {} as { text: string },
  schema: [Todo],
  sideEffect: undefined,
});
export const searchAgain = TodoResource.getList.extend({
  path: '/search',
  method: 'POST',
  sideEffect: undefined,
});
export const rename = new RestEndpoint({
  path: '/todos/:id',
  method: 'PATCH',
  schema: Todo,
  body: {} as { title: string },
  getOptimisticResponse: (_snapshot, { id }, body) => ({ id, ...body }),
  update: (id: string) => ({ [TodoResource.getList.key()]: (ids: string[]) => [...ids, id] }),
});
export const save = new RestEndpoint({ path: '/todos/:id?', method: 'POST', schema: Todo });
export const logout = new RestEndpoint({ path: '/logout', method: 'POST', body: undefined });
export const getPets = new RestEndpoint({ path: '/pets', schema: [Pet] });
export const getPetsByName = new RestEndpoint({ path: '/named', schema: new Values(Pet) });
export const getBoard = new RestEndpoint({
  path: '/board/:id',
  schema: {
    lanes: new schema.Array(
      { todo: Todo, post: Post },
      (value: { kind: 'todo' | 'post' }) => value.kind,
    ),
    pinned: new Lazy([Todo]),
    byDay: new Values([Todo]),
    owner: User,
    total: 0,
  },
});
export const getTime = new Endpoint(async (zone?: string) => ({ zone, ms: 5 }), { name: 'time' });
export const getUser = new Endpoint(async ({ id }: { id: number }) => ({ id, name: '' }), {
  schema: User,
  name: 'user',
});
export const remove = new Endpoint(async (id: number) => ({ id }), {
  name: 'remove',
  sideEffect: true,
  schema: new Delete(Todo),
}).extend({ sideEffect: true });
const gql = new GQLEndpoint('/graphql');
export const getUserByName = gql.query<[{ name: string }], { user: typeof User }>(
  'query q($name: String!) { user(name: $name) { id name } }',
  { user: User },
);
export const setName = gql.mutation<[{ id: number; name: string }], { user: typeof User }>(
  'mutation m($id: ID!, $name: String!) { user(id: $id, name: $name) { id name } }',
  { user: User },
);

// any: a subclass for every endpoint
export class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  token = '';
  override getHeaders(headers: HeadersInit): HeadersInit {
    return { ...headers, authorization: this.token };
  }
  override fetchResponse(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    return super.fetchResponse(input, init);
  }
}
export const WithToken = createResource({
  path: '/tags/:slug',
  schema: Tag,
  Endpoint: ApiEndpoint,
  token: 'x',
});

export class Article extends Resource {
  id = 0;
  title = '';
  static override urlRoot = '/articles';
}

// queries

export const todos = new Collection([Todo]);
export const allTodos = new All(Todo);
export const titles = new Query(allTodos, (rows) => rows.map(({ title }) => title));
export const titlesOf = new Query(allTodos, (rows, { user }: { user: number }) =>
  rows.filter(({ userId }) => userId === user).map(({ title }) => title),
);
export const open = new Query(todos, {
  filter: (todo, { text = '' }: { userId: number; text?: string }) =>
    !todo.done && todo.title.includes(text),
  sort: [{ points: 'desc' }, 'title'],
  limit: 20,
});
export const byAuthor = new Query(allTodos, { groupBy: (todo) => todo.userId, sort: 'title' });
export const figures = new Query(allTodos, {
  groupBy: 'userId',
  aggregate: {
    rows: count(),
    points: sum('points'),
    best: max('points'),
    first: min((todo: Todo) => todo.title),
    mean: avg('points'),
  },
});

// what is inferred

type Row = DataOf<typeof TodoResource.getList>[number];
export const labelOf = (row: Row): string => row.label;

export async function write(): Promise<string[]> {
  const todo = await controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'x' });
  const made = await controller.fetch(TodoResource.create, { title: 'x' });
  await controller.fetch(TodoResource.getList.push, { title: 'x' });
  await controller.fetch(TodoResource.update, { id: 1 }, new FormData());
  await controller.fetch(TodoResource.delete, { id: 1 });
  await controller.fetch(UserResource.create, { group: 1 }, { name: 'x' });
  await controller.fetch(UserResource.invite, { group: 1, id: 1 });
  await controller.fetch(UserResource.getList.getPage, { group: 1, page: 2 });
  await controller.fetch(Extended.archive, { id: 1 });
  await controller.fetch(logout);
  await controller.fetch(save, { title: 'x' });
  await controller.fetch(save, { id: 1 }, { title: 'x' });
  await controller.fetch(remove, 5);
  await controller.fetch(rename, { id: 1 }, { title: 'x' });
  await controller.fetch(setName, { id: 1, name: 'x' });
  await controller.fetch(TodoResource.get, null);
  const found = await controller.fetch(search, { text: 'x' });
  const users = await controller.fetch(UserResource.search, { text: 'x' });
  const article = await controller.fetch(Article.detail(), { id: 1 });
  const cents = (await controller.fetch(getTotal, { id: 1 })).toFixed();
  await controller.set(Todo, { id: 1 }, { title: 'x' });
  await controller.set(Todo, { id: 1 }, (before) => ({ points: before.points + 1 }));
  await controller.setResponse(TodoResource.get, { id: 1 }, { id: 1 });
  controller.invalidate(TodoResource.get, { id: 1 });
  controller.expireAll(TodoResource.getList);
  const off = controller.on('error', ({ endpoint, error }) => `${endpoint.name} ${error.message}`);
  off();
  return [
    todo.label,
    made.title,
    ...found.map(labelOf),
    users[0]?.name ?? '',
    article.title,
    cents,
  ];
}

export function read(): unknown[] {
  const todo = controller.get(Todo, { id: 1 });
  const best: number | undefined = controller.get(figures)?.['1']?.best;
  const grouped: Todo[] | undefined = controller.get(byAuthor)?.['1'];
  const names: string[] | undefined = controller.get(titles);
  const { data, error, expiresAt } = controller.getResponse(TodoResource.getList);
  const signal = controller.entity(Todo, 1);
  const pets = controller
    .getResponse(getPets)
    .data?.map((pet) => (pet.type === 'dog' ? pet.bark : pet.meow));
  return [
    todo?.author?.name,
    todo?.due?.getTime(),
    best?.toFixed(),
    grouped?.map(labelOf),
    names?.join(),
    controller.get(titlesOf, { user: 1 })?.join(),
    controller.get(open, { userId: 1 })?.map(labelOf),
    data?.map(labelOf),
    error?.message,
    expiresAt.toFixed(),
    signal.value?.title,
    pets,
  ];
}
