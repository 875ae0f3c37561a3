/** @jsxImportSource solid-js */
/** One page of a list of articles, with the numbers of all its pages. */
import { For } from 'solid-js';
import type { Article } from '../conduit/api.ts';
import { pagesOf, to, toPage } from '../conduit/route.ts';
import type { HomeRoute, ProfileRoute } from '../conduit/route.ts';
import { countOf } from '../conduit/words.ts';
import { Byline, Favorite, Tags } from './parts.tsx';

interface ArticlesProps {
  readonly route: HomeRoute | ProfileRoute;
  readonly found: { readonly articles: readonly Article[]; readonly articlesCount: number };
}

export function Articles(props: ArticlesProps) {
  return (
    <section class="articles" aria-label="Articles">
      <p class="count">{countOf(props.found.articlesCount)}</p>
      <For each={props.found.articles}>{(article) => <Preview article={article} />}</For>
      <nav class="pages" aria-label="Pages">
        <For each={pagesOf(props.found.articlesCount)}>
          {(page) => (
            <a
              href={toPage(props.route, page)}
              aria-current={page === props.route.page ? 'page' : undefined}
            >
              {page}
            </a>
          )}
        </For>
      </nav>
    </section>
  );
}

function Preview(props: { readonly article: Article }) {
  return (
    <article class="preview" data-slug={props.article.slug}>
      <Byline author={props.article.author} date={props.article.createdAt}>
        <Favorite article={props.article} />
      </Byline>
      <a class="title" href={to.article(props.article.slug)}>
        <h2>{props.article.title}</h2>
        <p>{props.article.description}</p>
      </a>
      <Tags tags={props.article.tagList} />
    </article>
  );
}
