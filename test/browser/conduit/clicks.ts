// Random clicks in Conduit, and the comparison of each of its pages with the server.
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { expectArticle, expectComments, expectList } from './expectations.ts';
import { slice } from './requests.ts';
import type { Visit } from './Visit.ts';

const verbs = {
  follow: 14,
  favorite: 10,
  'follow author': 4,
  comment: 3,
  'delete comment': 2,
  publish: 6,
  'delete article': 1,
  back: 2,
  wait: 6,
  look: 5,
};

type Verb = keyof typeof verbs;

export interface Click {
  readonly verb: Verb;
  readonly at: number;
}

export const click: fc.Arbitrary<Click> = fc.record({
  verb: fc.oneof(
    ...Object.entries(verbs).map(([verb, weight]) => ({
      weight,
      arbitrary: fc.constant(verb as Verb),
    })),
  ),
  at: fc.noBias(fc.nat(999)),
});

/** One click: on a link, where the element is not there. */
export function clickIn({ page }: Visit, click: Click): Promise<void> {
  return page.evaluate(actInPage, click);
}

/** Runs in the page. */
function actInPage({ verb, at }: Click): void {
  const press = (selector: string): boolean => {
    const all = document.querySelectorAll<HTMLElement>(selector);
    all[at % all.length]?.click();
    return all.length > 0;
  };
  const write = (selector: string): boolean => {
    const form = document.querySelector<HTMLFormElement>(selector);
    if (form === null || form.querySelector('button[disabled]') !== null) return false;
    const fields = form.querySelectorAll<HTMLInputElement>('input, textarea');
    for (const field of fields) field.value = field.name === 'tags' ? 'data' : `${verb} ${at}`;
    form.requestSubmit();
    return true;
  };
  const acts: Partial<Record<Verb, () => boolean | void>> = {
    favorite: () => press('.favorite button'),
    'follow author': () => press('.follow button'),
    comment: () => write('form[aria-label="New comment"]'),
    'delete comment': () => press('.comment .tools button'),
    publish: () => write('form[aria-label=Article]') || void (location.hash = '#/editor'),
    'delete article': () => press('.text .tools button'),
    back: () => history.back(),
  };
  const act = acts[verb];
  if (act === undefined || act() === false)
    press('main a[href^="#/"]:not([href="#/settings"]), .brand');
}

/** The page at the present address equals the server. */
export async function expectPage(visit: Visit): Promise<void> {
  await visit.settled();
  const hash = await visit.page.evaluate(() => location.hash);
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [name, value = '', third] = path.split('/');
  const pages = slice(Number(new URLSearchParams(search).get('page') ?? 1));
  if (name === 'article') return expectArticlePage(visit, value);
  if (name === 'editor' || name === 'settings') return undefined;
  if (name === 'feed') return expectList(visit, `/articles/feed?${pages}`);
  const filter = third === 'favorites' ? 'favorited' : name === 'profile' ? 'author' : name;
  return expectList(visit, `/articles?${pages}${filter && `&${filter}=${value}`}`);
}

async function expectArticlePage(visit: Visit, slug: string): Promise<void> {
  const { article } = await visit.server<{ article?: object }>(`/articles/${slug}`);
  if (article === undefined) expect(await visit.page.locator('.failed').count()).not.toBe(0);
  else {
    await expectArticle(visit, slug);
    await expectComments(visit, slug);
  }
}
