/** @jsxImportSource solid-js */
/** The front page: everybody's articles, those of whom the user follows, or those with a tag. */
import { Show } from 'solid-js';
import { AsyncBoundary, useSuspense } from 'signalbox/solid';
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

export function Home(props: HomeProps) {
  const current = useSignal(token);
  const shown = (tab: string) => (tab === props.route.tab ? 'page' : undefined);
  return (
    <div class="home">
      <div>
        <nav class="tabs" aria-label="Lists">
          <Show when={current() !== ''}>
            <a href={to.feed} aria-current={shown('feed')}>
              Your feed
            </a>
          </Show>
          <a href={to.home} aria-current={shown('global')}>
            Global feed
          </a>
          <Show when={props.route.tag}>
            {(tag) => (
              <a href={to.tag(tag())} aria-current={shown('tag')}>
                #{tag()}
              </a>
            )}
          </Show>
        </nav>
        <AsyncBoundary fallback={<Waiting />} errorComponent={Failed} resetKeys={[props.route]}>
          <Show when={props.route.tab === 'feed'} fallback={<Global route={props.route} />}>
            <Feed route={props.route} />
          </Show>
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

function Global(props: HomeProps) {
  const found = useSuspense(ArticleResource.getList, () => {
    const { page, tag } = props.route;
    return { ...pageParams(page), ...(tag && { tag }) };
  });
  return <Articles route={props.route} found={found()} />;
}

function Feed(props: HomeProps) {
  const found = useSuspense(ArticleResource.feed, () => pageParams(props.route.page));
  return <Articles route={props.route} found={found()} />;
}

function AllTags() {
  const tags = useSuspense(getTags);
  return <Tags tags={tags()} />;
}
