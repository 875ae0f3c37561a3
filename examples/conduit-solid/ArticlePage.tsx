/** @jsxImportSource solid-js */
/** One article with its comments. */
import { Show } from 'solid-js';
import { AsyncBoundary, useController, useLoading, useSuspense } from 'signalbox/solid';
import { ArticleResource } from '../conduit/api.ts';
import { go, to } from '../conduit/route.ts';
import { Comments } from './Comments.tsx';
import { useUser } from './hooks.ts';
import { Byline, Failed, Favorite, Follow, Problem, Tags, Waiting } from './parts.tsx';

interface ArticleProps {
  readonly slug: string;
}

export function ArticlePage(props: ArticleProps) {
  return (
    <>
      <AsyncBoundary fallback={<Waiting />} errorComponent={Failed}>
        <Text slug={props.slug} />
      </AsyncBoundary>
      <AsyncBoundary fallback={<Waiting />} errorComponent={Failed}>
        <Comments slug={props.slug} />
      </AsyncBoundary>
    </>
  );
}

function Text(props: ArticleProps) {
  const article = useSuspense(ArticleResource.get, () => ({ slug: props.slug }));
  const user = useUser();
  return (
    <article class="text">
      <h1>{article().title}</h1>
      <Byline author={article().author} date={article().createdAt}>
        <Show
          when={user()?.username === article().author.username}
          fallback={<Follow profile={article().author} />}
        >
          <Tools slug={props.slug} />
        </Show>
        <Favorite article={article()} />
      </Byline>
      <p class="description">{article().description}</p>
      <div class="body">{article().body}</div>
      <Tags tags={article().tagList} />
    </article>
  );
}

function Tools(props: ArticleProps) {
  const controller = useController();
  const [remove, removing, error] = useLoading(async () => {
    await controller.fetch(ArticleResource.delete, { slug: props.slug });
    go(to.home);
  });
  return (
    <span class="tools">
      <a href={to.edit(props.slug)}>Edit</a>
      <button type="button" disabled={removing()} onClick={() => void remove()}>
        Delete article
      </button>
      <Problem error={error()} />
    </span>
  );
}
