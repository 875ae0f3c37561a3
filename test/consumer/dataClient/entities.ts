/** Entities, unions, queries and other schemas in the forms of Data Client's pages. */
import {
  All,
  Collection,
  Entity,
  EntityMixin,
  Invalidate,
  Lazy,
  Query,
  resource,
  RestEndpoint,
  Scalar,
  schema,
  Union,
  useQuery,
  useSuspense,
  validateRequired,
  Values,
} from 'signalbox/data-client';
import type {
  AbstractInstanceType,
  EntityInterface,
  IDenormalizeDelegate,
  INormalizeDelegate,
  Schema,
  Visit,
} from 'signalbox/data-client';

export function lifecyclePrograms() {
  class Station extends Entity {
    id = '';
    name = '';
    city = '';
    updatedAt = 0;
    static key = 'Station';
    static merge(existing: any, incoming: any) {
      return { ...existing, ...incoming };
    }
    static mergeWithStore(
      existingMeta: { date: number; fetchedAt: number },
      incomingMeta: { date: number; fetchedAt: number },
      existing: any,
      incoming: any,
    ) {
      if (!this.shouldUpdate(existingMeta, incomingMeta, existing, incoming)) return existing;
      if (typeof incoming !== typeof existing) return incoming;
      return this.shouldReorder(existingMeta, incomingMeta, existing, incoming)
        ? this.merge(incoming, existing)
        : this.merge(existing, incoming);
    }
    static shouldUpdate(
      existingMeta: { date: number; fetchedAt: number },
      incomingMeta: { date: number; fetchedAt: number },
      existing: any,
      incoming: any,
    ) {
      return existingMeta.fetchedAt <= incomingMeta.fetchedAt;
    }
    static shouldReorder(
      existingMeta: { date: number; fetchedAt: number },
      incomingMeta: { date: number; fetchedAt: number },
      existing: { updatedAt: number },
      incoming: { updatedAt: number },
    ) {
      return incoming.updatedAt < existing.updatedAt;
    }
    static mergeMetaWithStore(
      existingMeta: { expiresAt: number; date: number; fetchedAt: number },
      incomingMeta: { expiresAt: number; date: number; fetchedAt: number },
      existing: any,
      incoming: any,
    ) {
      return this.shouldReorder(existingMeta, incomingMeta, existing, incoming)
        ? existingMeta
        : incomingMeta;
    }
    static createIfValid(props): AbstractInstanceType<typeof Station> | undefined {
      if (this.validate(props)) return undefined as any;
      return this.fromJS(props) as any;
    }
    static validate(processedEntity): string | undefined {
      if (!Object.hasOwn(processedEntity, 'name')) return 'a station needs a name';
      return undefined;
    }
  }
  class Fresh extends Station {
    static merge(existing, incoming) {
      return { ...super.merge(existing, incoming), seen: true };
    }
    static process(input, parent, key, args) {
      return { ...super.process(input, parent, key, args), city: args[0]?.city };
    }
    static validate(value) {
      return super.validate(value) || validateRequired(value, this.defaults);
    }
  }
  class Typed extends Entity {
    id = '';
    at = new Date(0);
    static schema = { at: (iso: string) => new Date(iso) };
    static fromJS<T extends typeof Entity>(
      this: T,
      props: Partial<AbstractInstanceType<T>> = {},
    ): AbstractInstanceType<T> {
      return super.fromJS(props) as any;
    }
  }
  const typed = Typed.fromJS({ id: '5' });
  typed.at.getTime();
  const fresh = Fresh.fromJS({ id: '5' });
  fresh.city;
  class Keyed extends Entity {
    code = '';
    id: number | undefined = undefined;
    pk(parent?: any, key?: string, args?: readonly any[]) {
      return this.code ?? key ?? args?.[0]?.code;
    }
    static indexes = ['code' as const];
    static maxEntityDepth = 16;
    static queryKey(args: any[], queryKey: any, getEntity: any, getIndex: any) {
      if (!args[0]) return;
      const id = getIndex(this.key, 'code', args[0].code)[args[0].code];
      if (id) return id;
      return super.queryKey(args, queryKey, getEntity, getIndex);
    }
  }
  class KeyedNow extends Entity {
    id = '';
    name = '';
    static queryKey(args, unvisit, delegate) {
      const pk = super.queryKey(args, unvisit, delegate);
      if (pk && delegate.getEntity(this.key, pk)) return pk;
      return delegate.getIndex(this.key, 'name', args[0].name) ?? delegate.INVALID;
    }
  }
  class NoQuery extends Entity {
    id = '';
    static queryKey(): undefined {
      return undefined;
    }
  }
  class Issue extends Entity {
    number = 0;
    repositoryUrl = '';
    owner = '';
    pk() {
      return `${this.owner}/${this.number}`;
    }
    static process(input: any, parent: any, key: string, args: any[]) {
      const match = input.repositoryUrl?.match(/repos\/(\w+)/);
      return { ...input, owner: args[0]?.owner ?? match?.[1] };
    }
    static expiresAt(meta: { expiresAt: number }, input: any) {
      return meta.expiresAt + 500;
    }
  }
  class Only extends Entity {
    theme = '';
    pk() {
      return 'only';
    }
  }
  class WithExisting extends Entity {
    readonly id: string = '';
    readonly total: number = 0;
    readonly items: readonly string[] = [];
    get double() {
      return this.total * 2;
    }
    method(this: WithExisting) {
      return this.items.length;
    }
  }
  const partial = WithExisting.fromJS({ total: 5 });
  partial.double + partial.method();
  void [
    Fresh,
    Keyed,
    KeyedNow,
    NoQuery,
    Issue,
    Only,
    Station.defaults,
    Station.key,
    Station.schema,
  ];
  const getOnly = new RestEndpoint({ path: '/options', schema: Only });
  const OnlyResource = { getOnly, partialUpdate: getOnly.extend({ method: 'PATCH' }) };
  OnlyResource.partialUpdate({ theme: 'dark' }).then((value) => value.theme);
  return useSuspense(resource({ path: '/k/:id', schema: Keyed }).get, { code: 'bob' } as any);
}

export function relationsPrograms() {
  class Person extends Entity {
    id = '';
    name = '';
    posts: Post[] = [];
    friend: Person | null = null;
    static merge(existing, incoming) {
      return {
        ...existing,
        ...incoming,
        posts: [...(existing.posts || []), ...(incoming.posts || [])],
      };
    }
    static process(value, parent, key) {
      switch (key) {
        case 'author':
          return { ...value, posts: [parent.id] };
        default:
          return { ...value };
      }
    }
  }
  class Remark extends Entity {
    id = '';
    by = Person.fromJS();
    post = Post.fromJS();
    static schema: Record<string, Schema> = { by: Person };
    static process(value, parent, key) {
      return { ...value, post: parent.id };
    }
  }
  class Post extends Entity {
    id = '';
    title = '';
    author = Person.fromJS({});
    user? = Person.fromJS();
    remarks: Remark[] = [];
    bySlug: Record<string, Remark> = {};
    tree: { first?: Remark } = {};
    static schema = {
      author: Person,
      user: Person,
      remarks: new Collection([Remark], { nestKey: (parent, key) => ({ postId: parent.id }) }),
      bySlug: new Values(Remark),
      tree: new schema.Object({ first: Remark }),
    };
  }
  Person.schema = { posts: [Post] };
  Remark.schema = { ...Remark.schema, post: Post };
  const posts = useSuspense(
    resource({ path: '/posts/:id', schema: Post, dataExpiryLength: Infinity }).getList,
  );
  posts.map((post) => [post.author.name, post.remarks.map((one) => one.by.name), post.user?.name]);
  class Department extends Entity {
    id = '';
    buildings: string[] = [];
    static schema = { buildings: new Lazy([Person]) };
  }
  const department = useSuspense(resource({ path: '/d/:id', schema: Department }).get, { id: '1' });
  const buildings = useQuery(Department.schema.buildings.query, department.buildings);
  const entries = [] as { stats?: { volume: number } }[];
  entries.sort((a, b) => b?.stats?.volume! - a?.stats?.volume!);
  return buildings;
}

export function mixinPrograms() {
  class ArticleData {
    id = '';
    title = '';
    author = { name: '' };
    at = new Date(0);
    constructor(data: Partial<ArticleData> = {}) {
      Object.assign(this, data);
    }
  }
  class Author extends Entity {
    id = '';
    name = '';
  }
  class ArticleEntity extends EntityMixin(ArticleData, {
    schema: { author: Author, at: (iso: string) => new Date(iso) },
    key: 'Article',
    pk: 'title',
  }) {}
  class ByFunction extends schema.Entity(ArticleData, {
    pk(value, parent, key) {
      return `${value.id}-${key}`;
    },
    merge: (a, b) => ({ ...a, ...b }),
    validate: (value) => undefined,
  }) {}
  class ById extends EntityMixin(ArticleData) {
    static key = 'ById';
    static schema = { author: Author };
    static process(input, parent, key, args) {
      return { ...input };
    }
  }
  class Slugged {
    slug = '';
    pk() {
      return this.slug;
    }
  }
  class SluggedEntity extends EntityMixin(Slugged, { key: 'Slugged' }) {}
  const getArticle = new RestEndpoint({ path: '/article/:id', schema: ArticleEntity });
  const article = useSuspense(getArticle, { id: '5' });
  article.title.length;
  article.at.getTime();
  article.pk();
  void [ByFunction.fromJS({ id: '5' }).title, ById, SluggedEntity];
}

export function unionsPrograms() {
  abstract class FeedItem extends Entity {
    id = 0;
    abstract type: string;
  }
  class Link extends FeedItem {
    type = 'link' as const;
    url = '';
  }
  class Note extends FeedItem {
    type = 'note' as const;
    content = '';
  }
  const FeedUnion = new Union({ link: Link, note: Note }, 'type');
  const byFunction = new schema.Union(
    { links: Link, notes: Note },
    (input: Link | Note, parent, key) => `${input.type}s`,
  );
  const getFeed = new RestEndpoint({
    path: '/feed',
    schema: new Collection([FeedUnion]),
    searchParams: {} as { type?: string },
  });
  const getOne = new RestEndpoint({ path: '/feed/:id', schema: FeedUnion });
  const FeedResource = resource({ path: '/feed/:id', schema: FeedUnion });
  const deleteOne = new RestEndpoint({
    path: '/feed/:id',
    method: 'DELETE',
    schema: new Invalidate(FeedUnion),
  });
  const deleteTyped = new RestEndpoint({
    path: '/feed/:id',
    method: 'DELETE',
    schema: new Invalidate({ links: Link, notes: Note }, 'type'),
  });
  const deleteBy = new RestEndpoint({
    path: '/feed/:id',
    method: 'DELETE',
    schema: new Invalidate({ links: Link, notes: Note }, (input, parent, key) =>
      input.memberType === 'user' ? 'links' : 'notes',
    ),
  });
  const arrays = new RestEndpoint({
    path: '/a',
    schema: new schema.Array({ link: Link, note: Note }, 'type'),
  });
  const arraysBy = new RestEndpoint({
    path: '/a',
    schema: new schema.Array({ link: Link, note: Note }, (input: Link | Note) => input.type),
  });
  const values = new RestEndpoint({
    path: '/v',
    schema: new Values({ link: Link, note: Note }, (input) => `${input.type}`),
  });
  const plain = new RestEndpoint({ path: '/v', schema: new Values(Link) });
  const all = useQuery(new All(FeedUnion));
  const allOf = useQuery(new schema.All({ link: Link, note: Note }, 'type'));
  const items = useSuspense(getFeed);
  for (const item of items) {
    if (item.type === 'link') item.url.length;
    else item.content.length;
    if (item instanceof Note) item.content;
    item.pk();
  }
  const one = useSuspense(getOne, { id: 5 });
  if (one.type === 'note') one.content;
  Object.values(useSuspense(plain)).map((link) => link.url);
  Object.values(useSuspense(values)).map((item) => item.type);
  useSuspense(arrays).map((item) => item.type);
  const queried = useQuery(FeedUnion, { id: '5', type: 'link' });
  void [
    byFunction,
    FeedResource.get({ id: 5 }),
    deleteOne({ id: 5 }),
    deleteTyped({ id: 5 }),
    deleteBy({ id: '1' }),
    arraysBy,
    all,
    allOf,
    queried,
  ];
}

export function queriesPrograms() {
  class User extends Entity {
    id = '';
    name = '';
    isAdmin = false;
    age = 0;
  }
  class Task extends Entity {
    id = 0;
    userId = 0;
    title = '';
    votes = 0;
  }
  const TaskResource = resource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { userId?: number; orderBy?: string } | undefined,
  });
  const sorted = new Query(new All(User), (entries, { asc } = { asc: false }) => {
    const result = [...entries].sort((a, b) => a.name.localeCompare(b.name));
    return asc ? result : result.reverse();
  });
  const count = new schema.Query(
    new schema.All(User),
    (entries, { isAdmin }: { isAdmin?: boolean } = {}) => {
      if (isAdmin !== undefined) return entries.filter((user) => user.isAdmin === isAdmin).length;
      return entries.length;
    },
  );
  const untyped = new Query(
    new All(User),
    (entries, { isAdmin } = {}) =>
      entries.filter((user) => isAdmin === undefined || user.isAdmin === isAdmin).length,
  );
  const remaining = new Query(TaskResource.getList.schema, (entries) =>
    entries.filter((task) => task.votes > 5),
  );
  const grouped = new Query(TaskResource.getList.schema, (tasks) =>
    Object.groupBy(tasks, (task) => task.userId),
  );
  const ordered = new RestEndpoint({
    path: '/:group/posts',
    searchParams: {} as { orderBy?: string; author?: string },
    schema: new Query(
      new Collection([Task], { nonFilterArgumentKeys: /orderBy/ }),
      (posts, { orderBy } = {}) => {
        if (orderBy) return [...posts].sort((a, b) => a[orderBy].localeCompare(b[orderBy]));
        return posts;
      },
    ),
  });
  const nested = new Query(
    { total: remaining, users: new All(User) } as any,
    (value: any) => value,
  );
  const total = new Query(new All(Task), (tasks, { userId } = {}) => {
    if (userId !== undefined) tasks = tasks.filter((task) => task.userId === userId);
    return tasks.reduce((sum, task) => sum + task.votes, 0);
  });
  useQuery(sorted)?.map((user) => user.name);
  useQuery(sorted, { asc: true });
  useQuery(count, { isAdmin: true })?.toFixed();
  useQuery(untyped, { isAdmin: true });
  useQuery(untyped);
  useQuery(remaining, { userId: 5 })?.map((task) => task.title);
  const groups = useQuery(grouped);
  groups?.[5]?.map((task) => task.title);
  useSuspense(ordered, { group: 'five', orderBy: 'title' }).map((task) => task.title);
  void ordered.push({ group: 'five' }, { title: 'x' });
  useQuery(total)?.toFixed();
  useQuery(total, { userId: 5 });
  useQuery(User, { id: '5' })?.name;
  useQuery(TaskResource.getList.schema, { userId: 5 })?.length;
  void nested;
}

export function scalarsPrograms() {
  class Company extends Entity {
    id = '';
    price = 0;
    shares = 0;
  }
  const Portfolio = new Scalar({
    lens: (args) => args[0]?.portfolio,
    key: 'portfolio',
    entity: Company,
  });
  Company.schema = { shares: Portfolio };
  const getCompanies = new RestEndpoint({
    path: '/companies',
    searchParams: {} as { portfolio: string },
    schema: new Collection([Company], { argsKey: () => ({}) }),
  });
  const getColumns = new RestEndpoint({
    path: '/companies/columns',
    searchParams: {} as { portfolio: string },
    schema: new Values(Portfolio),
  });
  useSuspense(getCompanies, { portfolio: 'A' }).map((company) => company.shares.toFixed());
  useSuspense(getColumns, { portfolio: 'A' });
  void new Collection([Company], { argsKey: ({ portfolio, ...filters }) => filters });
}

export function isEntity(value: Schema): value is EntityInterface {
  return value !== null && (value as any).pk !== undefined;
}

/** A schema class of the application, in the forms of versions before and after 0.18. */
export abstract class Envelope {
  abstract inner: Schema;
  abstract select: (args: readonly any[]) => string | undefined;
  normalize(input: any, parent: any, key: string, delegate: INormalizeDelegate) {
    const { args, visit } = delegate;
    delegate.mergeEntity(
      this,
      `${key}${args.length}`,
      visit(this.inner, input.value, input, 'value'),
    );
    return parent[key];
  }
  denormalize(input: {}, delegate: IDenormalizeDelegate) {
    return [delegate.argsKey(this.select), delegate.unvisit(this.inner, input)];
  }
}
export const visitValue = (visit: Visit, inner: Schema, input: any, args: readonly any[]) =>
  visit(inner, input.value, input, 'value', args);
