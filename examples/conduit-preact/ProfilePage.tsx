/** @jsxImportSource preact */
/** Somebody's profile, with the articles that they wrote or favoured. */
import { AsyncBoundary, useSuspense } from 'signalbox/preact';
import { ArticleResource, ProfileResource } from '../conduit/api.ts';
import { pageParams, to } from '../conduit/route.ts';
import type { ProfileRoute } from '../conduit/route.ts';
import { Articles } from './Articles.tsx';
import { useUser } from './hooks.ts';
import { Failed, Follow, Portrait, Waiting } from './parts.tsx';

interface ProfileProps {
  readonly route: ProfileRoute;
}

export function ProfilePage({ route }: ProfileProps) {
  const { username, tab } = route;
  const current = (name: string) => (name === tab ? 'page' : undefined);
  return (
    <>
      <AsyncBoundary fallback={<Waiting />} errorComponent={Failed} resetKeys={[route]}>
        <Person username={username} />
      </AsyncBoundary>
      <nav class="tabs" aria-label="Lists">
        <a href={to.profile(username)} aria-current={current('author')}>
          Articles
        </a>
        <a href={to.favorites(username)} aria-current={current('favorited')}>
          Favorites
        </a>
      </nav>
      <AsyncBoundary fallback={<Waiting />} errorComponent={Failed} resetKeys={[route]}>
        <List route={route} />
      </AsyncBoundary>
    </>
  );
}

function Person({ username }: { readonly username: string }) {
  const profile = useSuspense(ProfileResource.get, { username });
  const user = useUser();
  return (
    <section class="profile">
      <Portrait profile={profile} />
      <h1>{profile.username}</h1>
      <p>{profile.bio}</p>
      {user?.username === username ? (
        <a href={to.settings}>Edit your profile</a>
      ) : (
        <Follow profile={profile} />
      )}
    </section>
  );
}

function List({ route }: ProfileProps) {
  const { username, tab, page } = route;
  const found = useSuspense(ArticleResource.getList, { ...pageParams(page), [tab]: username });
  return <Articles route={route} found={found} />;
}
