// Conduit in a real browser, beside what its server says: lists are compared with the server's own.
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { startConduit, type ConduitSite } from '../../examples/conduit/startConduit.ts';
import type { Fault } from '../../examples/conduit/server/Faults.ts';
import type { Framework } from '../../examples/ssr/bundle.ts';
import { launchBrowser } from '../setup/browser.ts';
import { exampleSources } from './exampleSources.ts';
import { nameOf, PageWatch } from './PageWatch.ts';

interface Author {
  readonly username: string;
  readonly following: boolean;
}

export interface ServerArticle {
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

/** A page of one framework, and the server behind it. */
export class Visit extends PageWatch {
  /** Requests that the server does not know. */
  readonly missing: string[] = [];
  /** Statuses that the test brings about, each once. The browser writes each to the console. */
  readonly #refusals: number[];
  readonly #site: ConduitSite;

  constructor(page: Page, site: ConduitSite) {
    const refusals: number[] = [];
    super(page, (message) => {
      const text = message.text();
      if (text.includes('Download the React DevTools')) return true;
      const at = refusals.findIndex((status) => text.includes(`status of ${status} `));
      return at !== -1 && refusals.splice(at, 1).length === 1;
    });
    this.#refusals = refusals;
    this.#site = site;
    page.on('response', (response) => {
      if (response.status() === 404) this.missing.push(nameOf(response.request()));
    });
  }

  /** The server will refuse something with this status because of what it is sent. */
  expectRefusal(status: number): void {
    this.#refusals.push(status);
  }

  /** The next request of this kind is answered late, or with this status. */
  next(request: string, fault: Fault): void {
    this.#site.backend.faults.next(request, fault);
    if (fault.status !== undefined) this.expectRefusal(fault.status);
  }

  /** What `act` asks the server, in the order of the requests, once all of it has happened. */
  async asks(act: () => Promise<unknown>): Promise<string[]> {
    await this.settled();
    this.takeAsked();
    await act();
    await this.settled();
    return this.takeAsked();
  }

  /** Goes to an address of the app. */
  async open(address: string): Promise<void> {
    await this.page.evaluate((hash) => (location.hash = hash), address);
    await this.settled();
  }

  follow(name: string): Promise<void> {
    return this.page.getByRole('link', { name, exact: true }).first().click();
  }

  press(name: string | RegExp): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  async fill(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(fields)) {
      await this.page.getByLabel(label, { exact: true }).fill(text);
    }
  }

  async logIn(name: string, password = 'secret'): Promise<void> {
    await this.follow('Log in');
    await this.fill({ Email: `${name}@example.com`, Password: password });
    await this.press('Log in');
  }

  preview(slug: string) {
    return this.page.locator(`.preview[data-slug="${slug}"]`);
  }

  /** What the user is told that went wrong. */
  problems(): Promise<string[]> {
    return this.page.locator('[role=alert] li').allTextContents();
  }

  /** What the server says to the user of the page. */
  async server<T>(address: string): Promise<T> {
    const token = await this.page.evaluate(() => localStorage.getItem('token'));
    const headers = token ? { authorization: `Token ${token}` } : {};
    const response = await fetch(`${this.#site.url}/api${address}`, { headers });
    return (await response.json()) as T;
  }

  /** The list on the screen is the server's: rows, their order, all that they show, count and pages. */
  async expectList(address: string): Promise<void> {
    const { articles, articlesCount } = await this.server<ServerList>(address);
    const pages = Array.from({ length: Math.ceil(articlesCount / 10) }, (_, at) => String(at + 1));
    expect(await this.#list()).toEqual({
      rows: articles.map(lineOf),
      count: articlesCount === 1 ? '1 article' : `${articlesCount} articles`,
      pages,
    });
  }

  /** The same of the comments of an article. */
  async expectComments(slug: string): Promise<void> {
    const path = `/articles/${slug}/comments`;
    const { comments } = await this.server<{ comments: readonly ServerComment[] }>(path);
    const shown = await this.page.$$eval('.comment', (rows) =>
      rows.map((row) => {
        const text = (part: string) => row.querySelector(part)?.textContent;
        return `${(row as HTMLElement).dataset['id']} ${text('.author')}: ${text('p')}`;
      }),
    );
    expect(shown).toEqual(
      comments.map(({ id, author, body }) => `${id} ${author.username}: ${body}`),
    );
  }

  /** The article on the screen is the server's, with its text. */
  async expectArticle(slug: string): Promise<void> {
    const { article } = await this.server<{ article: ServerArticle }>(`/articles/${slug}`);
    const shown = await this.page.$eval('.text', (text) => ({
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
  async expectTags(): Promise<void> {
    const { tags } = await this.server<{ tags: readonly string[] }>('/tags');
    expect(await this.page.locator('aside .tags a').allTextContents()).toEqual(tags);
  }

  #list() {
    return this.page.$eval('.articles', (list) => {
      const rows = [...list.querySelectorAll<HTMLElement>('.preview')];
      const line = (row: HTMLElement) => {
        const text = (part: string) => row.querySelector(part)?.textContent;
        const link = row.querySelector('.title')?.getAttribute('href')?.replace('#/article/', '');
        const follows = row.querySelector('.following') === null ? '' : ' followed';
        const mine = row.querySelector('[aria-pressed=true]') === null ? '' : ' mine';
        const tags = [...row.querySelectorAll('.tags a')].map((tag) => tag.textContent);
        return `${link}: ${text('h2')} by ${text('.author')}${follows} ♥${text('output')}${mine} [${tags}]`;
      };
      return {
        rows: rows.map(line),
        count: list.querySelector('.count')?.textContent,
        pages: [...list.querySelectorAll('.pages a')].map((page) => page.textContent),
      };
    });
  }
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
  return `${slug}: ${title} by ${author.username}${follows} ♥${favoritesCount}${mine} [${tagList}]`;
}

/** One site and one browser for a file of tests. */
export function makeLab(): { visit(framework: Framework): Promise<Visit> } {
  let site: ConduitSite;
  let browser: Browser;
  beforeAll(async () => {
    [site, browser] = await Promise.all([startConduit(exampleSources), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });
  return {
    async visit(framework) {
      await site.renew();
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      context.setDefaultTimeout(5000);
      const visit = new Visit(await context.newPage(), site);
      await visit.page.goto(`${site.url}/${framework}`);
      await visit.settled();
      return visit;
    },
  };
}
