/** Rest Hooks 3 to 7 in their own forms. */
import {
  AsyncBoundary,
  CacheProvider,
  Entity,
  NetworkErrorBoundary,
  Resource,
  SimpleResource,
  actionTypes,
  schemas,
  useCache,
  useController,
  useError,
  useFetcher,
  useInvalidator,
  useMeta,
  useResetter,
  useResource,
  useRetrieve,
  useStatefulResource,
  useSubscription,
  useDLE,
  useSuspense,
  useFetch,
  SimpleRecord,
  Endpoint,
  getDefaultManagers,
  Index,
} from 'signalbox/data-client';
import type {
  AbstractInstanceType,
  DeleteShape,
  FetchShape,
  MutateShape,
  ReadShape,
  EndpointExtraOptions,
  FetchOptions,
  SchemaDetail,
  SchemaList,
  ParamsFromShape,
  Manager,
  ReceiveAction,
  EndpointInterface,
  SchemaList as List,
} from 'signalbox/data-client';
import {
  BaseResource,
  createResource,
  HookableResource,
  RestEndpoint,
} from 'signalbox/data-client';
import { makeCacheProvider, makeRenderRestHook, MockResolver } from 'signalbox/data-client/test';

class UserResource extends Resource {
  readonly id: number | undefined = undefined;
  readonly username: string = '';
  readonly email: string = '';
  pk() {
    return this.id?.toString();
  }
  static urlRoot = 'http://x/user/';
  static get key() {
    return 'UserResource';
  }
  static indexes = ['username'] as const;
}
export class ArticleResource extends Resource {
  readonly id: number | undefined = undefined;
  readonly title: string = '';
  readonly author: number | null = null;
  readonly tags: string[] = [];
  pk() {
    return `${this.id}`;
  }
  static urlRoot = 'http://x/article/';
  static schema = { author: UserResource };
  static getFetchInit = (init: RequestInit): RequestInit => ({
    ...init,
    credentials: 'same-origin',
  });
  static getEndpointExtra(): EndpointExtraOptions {
    return { ...super.getEndpointExtra(), dataExpiryLength: 5 * 60 * 1000 };
  }
  static detail<T extends typeof Resource>(this: T) {
    return super.detail().extend({ schema: this, dataExpiryLength: 5 }) as any;
  }
  static list<T extends typeof Resource>(this: T) {
    return super.list().extend({ schema: { results: [this], prevPage: '', nextPage: '' } }) as any;
  }
  static listPage<T extends typeof Resource>(this: T) {
    const list = this.list();
    return list.extend({ key: () => 'x' } as any) as any;
  }
  static url(urlParams: Readonly<Record<string, any>>): string {
    if (urlParams.slug) return `${this.urlRoot}${urlParams.slug}`;
    return super.url(urlParams);
  }
  static listUrl(searchParams: Readonly<Record<string, string | number>> = {}) {
    return super.listUrl(searchParams) + '?x';
  }
  static current<T extends typeof Resource>(this: T) {
    const endpoint = this.detail();
    return endpoint.extend({
      fetch: async function (this: any) {
        return await endpoint.fetch.call(this, { id: 5 });
      } as any,
      url: () => '/current',
    } as any);
  }
  static async fetch(input: RequestInfo, init: RequestInit) {
    const response = await super.fetch(input, init);
    return response;
  }
}
export abstract class AuthdResource extends Resource {
  static getFetchInit = (init: RequestInit): RequestInit => ({
    ...init,
    headers: { ...init.headers, 'Access-Token': 'x' },
  });
  static async fetchResponse(input: RequestInfo, init: RequestInit) {
    return super.fetchResponse(input, init);
  }
}
export abstract class ShapeResource extends Resource {
  static detailShape<T extends typeof Resource>(this: T) {
    return { ...super.detailShape(), options: { dataExpiryLength: 5 } } as any;
  }
  static listShape<T extends typeof Resource>(this: T) {
    return { ...super.listShape(), schema: { results: [this] } } as any;
  }
}
export abstract class CustomResource extends Resource {
  static upload<T extends typeof CustomResource>(this: T) {
    const init = this.getFetchInit({ method: 'POST' });
    return new Endpoint(
      async (params: { id: number }, body: FormData) => {
        const response = await this.fetchResponse(this.url(params), { ...init, body });
        return (await response.json()) as { id: number };
      },
      { ...this.getEndpointExtra(), sideEffect: true, name: 'upload' },
    );
  }
  static raw(address: string) {
    return this.fetchResponse(address, this.getFetchInit({ method: 'GET' }));
  }
  static partialUpdate<T extends typeof Resource>(this: T) {
    return super.partialUpdate().extend({
      optimisticUpdate: (params: any, body: any) => ({ id: params.id, ...body }),
      schema: this,
    });
  }
}
export abstract class Hookable extends HookableResource {
  static useFetchInit = (init: RequestInit) => ({ ...init });
}
export abstract class MyBase extends BaseResource {}
class PaginatedPage extends SimpleRecord {
  readonly nextPage: string = '';
  readonly results: ArticleResource[] = [];
  static schema = { results: [ArticleResource] };
}
export function Page({ id }: { id: number }) {
  const article = useResource(ArticleResource.detailShape(), { id }) as any;
  const [one, many] = useResource([UserResource.detail(), { id }], [UserResource.list(), {}]);
  const cached = useCache(UserResource.detail(), { id });
  const { data, loading, error } = useStatefulResource(UserResource.detail(), { id });
  const dle = useDLE(UserResource.list(), {});
  const err = useError(UserResource.detail(), { id });
  const meta = useMeta(UserResource.detail(), { id });
  const create = useFetcher(UserResource.create(), true);
  const update = useFetcher(UserResource.partialUpdate());
  const remove = useFetcher(UserResource.delete());
  const invalidate = useInvalidator(UserResource.list());
  const reset = useResetter();
  const { fetch, invalidate: inv, resetEntireStore, receive } = useController();
  useRetrieve(UserResource.list(), {});
  useRetrieve(UserResource.list(), id ? {} : null);
  useSubscription(UserResource.list(), {});
  useFetch(UserResource.detail(), { id });
  const user = useSuspense(UserResource.detail(), { id });
  const onClick = async () => {
    await create({}, { username: 'x' }, [
      [
        UserResource.list(),
        {},
        (newId: string, ids: string[] | undefined) => [...(ids || []), newId],
      ],
    ]);
    await update({ id }, { username: 'x' });
    await remove({ id });
    invalidate({});
    reset();
    await fetch(UserResource.update(), { id }, { username: 'y' });
    await inv(UserResource.detail(), { id });
    await receive(UserResource.detail(), { id }, { id, username: 'x' });
    resetEntireStore();
  };
  return (
    <p onClick={onClick}>
      {article.title} {one.username} {many.map((each) => each.username)} {cached?.username}{' '}
      {loading ? '' : error ? error.message : data.username}
      {dle.data?.length} {err?.message} {meta?.date} {user.username}
    </p>
  );
}
const userIndex = new Index(UserResource);
export function ByName() {
  const user = useCache(userIndex, { username: 'x' }) as any;
  return <b>{user?.username}</b>;
}
type Shapes = [
  ReadShape<SchemaDetail<AbstractInstanceType<typeof UserResource>>>,
  FetchShape<any, any>,
  MutateShape<any, any>,
  DeleteShape<any, any>,
  FetchOptions,
  SchemaList<UserResource>,
  ParamsFromShape<any>,
  Manager,
  ReceiveAction,
  EndpointInterface,
  List<UserResource>,
];
export const shapes = {} as Shapes;
export const App = () => (
  <CacheProvider managers={[...CacheProvider.defaultProps.managers, ...getDefaultManagers()]}>
    <NetworkErrorBoundary>
      <AsyncBoundary fallback="x">
        <MockResolver
          fixtures={[
            { request: UserResource.detailShape(), params: { id: 5 }, result: { id: 5 } } as any,
          ]}
        >
          <Page id={5} />
        </MockResolver>
      </AsyncBoundary>
    </NetworkErrorBoundary>
  </CacheProvider>
);
const renderRestHook = makeRenderRestHook(makeCacheProvider);
export const rendered = renderRestHook(() => useResource(UserResource.list(), {}), {
  results: [{ request: UserResource.listShape(), params: {}, result: [{ id: 5 }] }],
}).result.current.length;
const CR = createResource({ path: '/a/:id', schema: UserResource, Endpoint: RestEndpoint });
export const seven = () => useSuspense(CR.get, { id: 5 }).username;
export const ep = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
  schema: UserResource,
});

abstract class Paged extends Resource {
  static listPage<T extends typeof Paged>(this: T) {
    return this.list().extend({ schema: { results: [this], next: '' } } as any);
  }
  static search<T extends typeof Paged>(this: T) {
    const endpoint = this.endpoint();
    return this.memo('#search', () =>
      endpoint.extend({
        url: ({ q }: { q: string }) => `${this.urlRoot}search?q=${q}`,
        schema: [this],
      }),
    );
  }
  static publish<T extends typeof Paged>(this: T) {
    return this.endpointMutate().extend({ schema: this, method: 'PUT' });
  }
}
class Post extends Paged {
  readonly id: number = 0;
  pk() {
    return `${this.id}`;
  }
  static urlRoot = '/posts/';
}
class Note extends SimpleResource {
  readonly id: number = 0;
  pk() {
    return `${this.id}`;
  }
  static urlRoot = '/notes/';
}
class Listed extends Resource {
  readonly id: number = 0;
  pk() {
    return `${this.id}`;
  }
  static urlRoot = '/listed/';
  static create<T extends typeof Resource>(this: T) {
    const all = this.list();
    return super.create().extend({
      schema: this,
      update: (added: string) => ({
        [all.key({})]: (pks: string[] = []) => [added, ...pks],
      }),
    });
  }
  static list<T extends typeof Resource>(this: T): any {
    return super.list().extend({
      schema: { results: [this], cursor: '' },
      update: (page: any, { cursor, ...rest }: { cursor: string; [param: string]: any }) => ({
        [this.list().key({ ...rest })]: (first: any) => (cursor ? first : page),
      }),
    });
  }
}
export const listed = [Listed.create(), Listed.list()];
export const pages = [Post.listPage(), Post.search(), Post.publish(), Note.list()];
export const isReceived = (type: string) => type === actionTypes.RECEIVE_TYPE;
void [PaginatedPage, schemas, Entity];
