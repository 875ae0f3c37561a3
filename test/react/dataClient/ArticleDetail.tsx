// A detail in the style of Rest Hooks 5: classes with endpoints, and hooks for each verb.
import { Suspense } from 'react';
import {
  CacheProvider,
  NetworkErrorBoundary,
  Resource,
  useFetcher,
  useInvalidator,
  useResetter,
  useResource,
  useStatefulResource,
} from 'signalbox/data-client';

export class UserResource extends Resource {
  readonly id: number | undefined = undefined;
  readonly username: string = '';

  override pk() {
    return `${this.id}`;
  }

  static override urlRoot = 'http://api.test/user/';
}

export class ArticleResource extends Resource {
  readonly id: number | undefined = undefined;
  readonly title: string = '';
  readonly content: string = '';
  readonly author: UserResource | undefined = undefined;

  override pk() {
    return `${this.id}`;
  }

  static override urlRoot = 'http://api.test/article/';
  static override schema = { author: UserResource };

  static override getFetchInit = (init: RequestInit): RequestInit => ({
    ...init,
    headers: { ...init.headers, 'X-Token': 'secret' },
  });
}

function Article({ id }: { id: number }) {
  const [article, users] = useResource(
    [ArticleResource.detail(), { id }],
    [UserResource.list(), {}],
  );
  const update = useFetcher(ArticleResource.partialUpdate());
  const create = useFetcher(UserResource.create());
  const invalidate = useInvalidator(ArticleResource.detail());
  const reset = useResetter();
  const addUser = () =>
    create({}, { username: 'linus' }, [
      [UserResource.list(), {}, (newUser: any, pks: any[] = []) => [...pks, newUser]],
    ]);
  return (
    <article>
      <h1>{article.title}</h1>
      <h2>{article.author?.username}</h2>
      <p>{users.map((user) => user.username).join(', ')}</p>
      <button onClick={() => update({ id }, { title: 'Changed' })}>change</button>
      <button onClick={addUser}>add</button>
      <button onClick={() => invalidate({ id })}>invalidate</button>
      <button onClick={reset}>reset</button>
    </article>
  );
}

function Status({ id }: { id: number }) {
  const { data, loading, error } = useStatefulResource(ArticleResource.detail(), { id });
  return <output>{loading ? 'loading' : error ? error.message : data.title}</output>;
}

function Failed({ error }: { error: Error & { status?: number } }) {
  return <p>failed {error.status}</p>;
}

export function Page({ id }: { id: number }) {
  return (
    <CacheProvider devButton={null}>
      <NetworkErrorBoundary fallbackComponent={Failed}>
        <Suspense fallback={<p>loading</p>}>
          <Article id={id} />
        </Suspense>
      </NetworkErrorBoundary>
      <Status id={id} />
    </CacheProvider>
  );
}
