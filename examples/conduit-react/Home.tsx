/** @jsxImportSource react */
/** The front page: everybody's articles, those of whom the user follows, or those with a tag. */
import { AsyncBoundary, useSuspense } from 'signalbox/react';
import { ArticleResource, getTags } from '../conduit/api.ts';
import { pageParams, to } from '../conduit/route.ts';
import type { HomeRoute } from '../conduit/route.ts';
import { token } from '../conduit/session.ts';
import { Articles } from './Articles.tsx';
import { useSignal } from './hooks.ts';
import { Failed, Tags, Waiting } from './parts.tsx';

interface HomeProps {
  readonly route: HomeRoute;
}

export function Home({ route }: HomeProps) {
  const isLoggedIn = useSignal(token) !== '';
  const current = (tab: string) => (tab === route.tab ? 'page' : undefined);
  return (
    <div className="home">
      <div>
        <nav className="tabs" aria-label="Lists">
          {isLoggedIn && (
            <a href={to.feed} aria-current={current('feed')}>
              Your feed
            </a>
          )}
          <a href={to.home} aria-current={current('global')}>
            Global feed
          </a>
          {route.tag !== undefined && (
            <a href={to.tag(route.tag)} aria-current={current('tag')}>
              #{route.tag}
            </a>
          )}
        </nav>
        <AsyncBoundary fallback={<Waiting />} errorComponent={Failed} resetKeys={[route]}>
          {route.tab === 'feed' ? <Feed route={route} /> : <Global route={route} />}
        </AsyncBoundary>
      </div>
      <aside>
        <h2>Tags</h2>
        <AsyncBoundary fallback={<Waiting />} errorComponent={Failed}>
          <AllTags />
        </AsyncBoundary>
      </aside>
    </div>
  );
}

function Global({ route }: HomeProps) {
  const { page, tag } = route;
  const found = useSuspense(ArticleResource.getList, { ...pageParams(page), ...(tag && { tag }) });
  return <Articles route={route} found={found} />;
}

function Feed({ route }: HomeProps) {
  const found = useSuspense(ArticleResource.feed, pageParams(route.page));
  return <Articles route={route} found={found} />;
}

function AllTags() {
  return <Tags tags={useSuspense(getTags)} />;
}
