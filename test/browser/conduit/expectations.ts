// The page shows the server's data.
import { expect } from 'vitest';
import type { Visit } from './Visit.ts';

interface Author {
  readonly username: string;
  readonly following: boolean;
}

interface ServerArticle {
  readonly slug: string;
  readonly title: string;
  readonly body?: string;
  readonly tagList: readonly string[];
  readonly favorited: boolean;
  readonly favoritesCount: number;
  readonly author: Author;
}

interface ServerList {
  readonly articles: readonly ServerArticle[];
  readonly articlesCount: number;
}

interface ServerComment {
  readonly id: number;
  readonly body: string;
  readonly author: Author;
}

/** The list in the page equals the server's: rows, order, texts, count and pages. */
export async function expectList(visit: Visit, address: string): Promise<void> {
  const { articles, articlesCount } = await visit.server<ServerList>(address);
  const pages = Array.from({ length: Math.ceil(articlesCount / 10) }, (_, at) => String(at + 1));
  expect(await listOn(visit)).toEqual({
    rows: articles.map(lineOf),
    count: articlesCount === 1 ? '1 article' : `${articlesCount} articles`,
    pages,
  });
}

/** The same of the comments of an article. */
export async function expectComments(visit: Visit, slug: string): Promise<void> {
  const path = `/articles/${slug}/comments`;
  const { comments } = await visit.server<{ comments: readonly ServerComment[] }>(path);
  const shown = await visit.page.$$eval('.comment', (rows) =>
    rows.map((row) => {
      const text = (part: string) => row.querySelector(part)?.textContent;
      return `${(row as HTMLElement).dataset['id']} ${text('.author')}: ${text('p')}`;
    }),
  );
  expect(shown).toEqual(
    comments.map(({ id, author, body }) => `${id} ${author.username}: ${body}`),
  );
}

/** The article in the page equals the server's, with the text. */
export async function expectArticle(visit: Visit, slug: string): Promise<void> {
  const { article } = await visit.server<{ article: ServerArticle }>(`/articles/${slug}`);
  const shown = await visit.page.$eval('.text', (text) => ({
    title: text.querySelector('h1')?.textContent,
    body: text.querySelector('.body')?.textContent,
    author: text.querySelector('.author')?.textContent,
    following: text.querySelector('.following') !== null,
    favorites: Number(text.querySelector('output')?.textContent),
    tags: [...text.querySelectorAll('.tags a')].map((tag) => tag.textContent),
  }));
  expect(shown).toEqual({
    title: article.title,
    body: article.body,
    author: article.author.username,
    following: article.author.following,
    favorites: article.favoritesCount,
    tags: article.tagList,
  });
}

/** The tags beside the lists are the server's. */
export async function expectTags(visit: Visit): Promise<void> {
  const { tags } = await visit.server<{ tags: readonly string[] }>('/tags');
  expect(await visit.page.locator('aside .tags a').allTextContents()).toEqual(tags);
}

function listOn({ page }: Visit) {
  return page.$eval('.articles', (list) => {
    const rows = [...list.querySelectorAll<HTMLElement>('.preview')];
    const line = (row: HTMLElement) => {
      const text = (part: string) => row.querySelector(part)?.textContent;
      const link = row.querySelector('.title')?.getAttribute('href')?.replace('#/article/', '');
      const follows = row.querySelector('.following') === null ? '' : ' followed';
      const mine = row.querySelector('[aria-pressed=true]') === null ? '' : ' mine';
      const tags = [...row.querySelectorAll('.tags a')].map((tag) => tag.textContent).join();
      return `${link}: ${text('h2')} by ${text('.author')}${follows} ♥${text('output')}${mine} [${tags}]`;
    };
    return {
      rows: rows.map(line),
      count: list.querySelector('.count')?.textContent,
      pages: [...list.querySelectorAll('.pages a')].map((page) => page.textContent),
    };
  });
}

/** `after-maps: After Maps by ada followed ♥1 mine [data,essay]` */
function lineOf({
  slug,
  title,
  author,
  favorited,
  favoritesCount,
  tagList,
}: ServerArticle): string {
  const follows = author.following ? ' followed' : '';
  const mine = favorited ? ' mine' : '';
  return `${slug}: ${title} by ${author.username}${follows} ♥${favoritesCount}${mine} [${tagList.join()}]`;
}
