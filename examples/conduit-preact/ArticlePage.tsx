/** @jsxImportSource preact */
/** One article with its comments. */
import { AsyncBoundary, useController, useLoading, useSuspense } from 'signalbox/preact';
import { ArticleResource } from '../conduit/api.ts';
import { go, to } from '../conduit/route.ts';
import { Comments } from './Comments.tsx';
import { useUser } from './hooks.ts';
import { Byline, Failed, Favorite, Follow, Problem, Tags, Waiting } from './parts.tsx';

interface ArticleProps {
  readonly slug: string;
}

export function ArticlePage({ slug }: ArticleProps) {
  return (
    <>
      <AsyncBoundary fallback={<Waiting />} errorComponent={Failed}>
        <Text slug={slug} />
      </AsyncBoundary>
      <AsyncBoundary fallback={<Waiting />} errorComponent={Failed}>
        <Comments slug={slug} />
      </AsyncBoundary>
    </>
  );
}

function Text({ slug }: ArticleProps) {
  const article = useSuspense(ArticleResource.get, { slug });
  const user = useUser();
  return (
    <article class="text">
      <h1>{article.title}</h1>
      <Byline author={article.author} date={article.createdAt}>
        {user?.username === article.author.username ? (
          <Tools slug={slug} />
        ) : (
          <Follow profile={article.author} />
        )}
        <Favorite article={article} />
      </Byline>
      <p class="description">{article.description}</p>
      <div class="body">{article.body}</div>
      <Tags tags={article.tagList} />
    </article>
  );
}

function Tools({ slug }: ArticleProps) {
  const controller = useController();
  const [remove, removing, error] = useLoading(async () => {
    await controller.fetch(ArticleResource.delete, { slug });
    go(to.home);
  });
  return (
    <span class="tools">
      <a href={to.edit(slug)}>Edit</a>
      <button type="button" disabled={removing} onClick={() => void remove()}>
        Delete article
      </button>
      <Problem error={error} />
    </span>
  );
}
