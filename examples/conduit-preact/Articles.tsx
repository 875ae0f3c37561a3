/** @jsxImportSource preact */
/** One page of a list of articles, with the numbers of all its pages. */
import type { Article } from '../conduit/api.ts';
import { pagesOf, to, toPage } from '../conduit/route.ts';
import type { HomeRoute, ProfileRoute } from '../conduit/route.ts';
import { countOf } from '../conduit/words.ts';
import { Byline, Favorite, Tags } from './parts.tsx';

interface ArticlesProps {
  readonly route: HomeRoute | ProfileRoute;
  readonly found: { readonly articles: readonly Article[]; readonly articlesCount: number };
}

export function Articles({ route, found: { articles, articlesCount } }: ArticlesProps) {
  return (
    <section class="articles" aria-label="Articles">
      <p class="count">{countOf(articlesCount)}</p>
      {articles.map((article) => (
        <Preview key={article.slug} article={article} />
      ))}
      <nav class="pages" aria-label="Pages">
        {pagesOf(articlesCount).map((page) => (
          <a
            key={page}
            href={toPage(route, page)}
            aria-current={page === route.page ? 'page' : undefined}
          >
            {page}
          </a>
        ))}
      </nav>
    </section>
  );
}

function Preview({ article }: { readonly article: Article }) {
  return (
    <article class="preview" data-slug={article.slug}>
      <Byline author={article.author} date={article.createdAt}>
        <Favorite article={article} />
      </Byline>
      <a class="title" href={to.article(article.slug)}>
        <h2>{article.title}</h2>
        <p>{article.description}</p>
      </a>
      <Tags tags={article.tagList} />
    </article>
  );
}
