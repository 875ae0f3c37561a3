/** @jsxImportSource solid-js */
/** Somebody's profile, with the articles that they wrote or favoured. */
import { Show } from 'solid-js';
import { AsyncBoundary, useSuspense } from 'signalbox/solid';
import { ArticleResource, ProfileResource } from '../conduit/api.ts';
import { pageParams, to } from '../conduit/route.ts';
import type { ProfileRoute } from '../conduit/route.ts';
import { Articles } from './Articles.tsx';
import { useUser } from './hooks.ts';
import { Failed, Follow, Portrait, Waiting } from './parts.tsx';

interface ProfileProps {
  readonly route: ProfileRoute;
}

export function ProfilePage(props: ProfileProps) {
  const shown = (name: string) => (name === props.route.tab ? 'page' : undefined);
  return (
    <>
      <AsyncBoundary fallback={<Waiting />} errorComponent={Failed} resetKeys={[props.route]}>
        <Person username={props.route.username} />
      </AsyncBoundary>
      <nav class="tabs" aria-label="Lists">
        <a href={to.profile(props.route.username)} aria-current={shown('author')}>
          Articles
        </a>
        <a href={to.favorites(props.route.username)} aria-current={shown('favorited')}>
          Favorites
        </a>
      </nav>
      <AsyncBoundary fallback={<Waiting />} errorComponent={Failed} resetKeys={[props.route]}>
        <List route={props.route} />
      </AsyncBoundary>
    </>
  );
}

function Person(props: { readonly username: string }) {
  const profile = useSuspense(ProfileResource.get, () => ({ username: props.username }));
  const user = useUser();
  return (
    <section class="profile">
      <Portrait profile={profile()} />
      <h1>{profile().username}</h1>
      <p>{profile().bio}</p>
      <Show when={user()?.username === props.username} fallback={<Follow profile={profile()} />}>
        <a href={to.settings}>Edit your profile</a>
      </Show>
    </section>
  );
}

function List(props: ProfileProps) {
  const found = useSuspense(ArticleResource.getList, () => {
    const { username, tab, page } = props.route;
    return { ...pageParams(page), [tab]: username };
  });
  return <Articles route={props.route} found={found()} />;
}
