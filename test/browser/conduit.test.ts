// The RealWorld application in three frameworks, end to end: what is shown is the server's, by the requests that it takes.
import { beforeAll, describe, expect, test } from 'vitest';
import { frameworks } from '../../examples/ssr/bundle.ts';
import { makeLab, type Visit } from './conduitSite.ts';

const lab = makeLab();
const slice = (page: number) => `limit=10&offset=${(page - 1) * 10}`;
const list = (page = 1) => `/articles?${slice(page)}`;
const feed = `/articles/feed?${slice(1)}`;
const home = [`GET ${list()}`, 'GET /tags'];
const favorites = `/articles?favorited=ada&${slice(1)}`;
const favor = 'POST /articles/:slug/favorite';

/** Exactly these requests, in any order; beside them those that are `possible`, each once at most. */
function expectRequests(
  asked: readonly string[],
  certain: readonly string[],
  possible: readonly string[] = [],
) {
  const others = [...possible];
  const left = asked.filter((request) => {
    const at = certain.includes(request) ? -1 : others.indexOf(request);
    return at === -1 || others.splice(at, 1).length === 0;
  });
  expect(left.sort()).toEqual([...certain].sort());
}

describe.each(frameworks)('%s', (framework) => {
  let visit: Visit;
  beforeAll(async () => {
    visit = await lab.visit(framework);
  });

  /** A part of the story, after which nobody has complained and nothing was missing. */
  const play = (title: string, act: () => Promise<void>) =>
    test(title, async () => {
      await act();
      await visit.settled();
      expect(visit.complaints.splice(0)).toEqual([]);
      expect(visit.missing.splice(0)).toEqual([]);
    });

  play('[F1] registers: the front page is asked for once, for the new user', async () => {
    expectRequests(visit.takeAsked(), home);
    await visit.expectList(list());
    await visit.follow('Register');
    await visit.fill({ Name: 'ada', Email: 'mira@example.com', Password: 'secret' });
    visit.expectRefusal(422);
    expect(await visit.asks(() => visit.press('Register'))).toEqual(['POST /users']);
    expect(await visit.problems()).toEqual(['username has already been taken']);
    await visit.fill({ Name: 'mira' });
    expectRequests(await visit.asks(() => visit.press('Register')), ['POST /users', ...home]);
    await visit.expectList(list());
  });

  play('[O8] logs out and in: everything is asked for anew, as another user', async () => {
    expectRequests(await visit.asks(() => visit.press('Log out')), home);
    visit.expectRefusal(401);
    expect(await visit.asks(() => visit.logIn('ada', 'wrong'))).toEqual(['POST /users/login']);
    expect(await visit.problems()).toEqual(['credentials are invalid']);
    await visit.follow('conduit');
    const asked = await visit.asks(() => visit.logIn('ada'));
    expectRequests(asked, ['POST /users/login', ...home]);
    await visit.expectList(list());
    await visit.expectTags();
  });

  play('[N14] the feed, all articles and a tag are three lists, each with its pages', async () => {
    expect(await visit.asks(() => visit.follow('Your feed'))).toEqual([`GET ${feed}`]);
    await visit.expectList(feed);
    expect(await visit.asks(() => visit.follow('Global feed'))).toEqual([]);
    await visit.expectList(list());
    for (const page of [2, 3]) {
      const asked = await visit.asks(() => visit.follow(String(page)));
      expect(asked).toEqual([`GET ${list(page)}`]);
      await visit.expectList(list(page));
    }
    expect(await visit.asks(() => visit.follow('1'))).toEqual([]);
    await visit.expectList(list());
    expect(await visit.asks(() => visit.follow('data'))).toEqual([`GET ${list()}&tag=data`]);
    await visit.expectList(`${list()}&tag=data`);
    // what others write enters the feed at any time: it is asked for at each visit
    expect(await visit.asks(() => visit.follow('Your feed'))).toEqual([`GET ${feed}`]);
    await visit.expectList(feed);
  });

  play('[F4] a list that fails is asked for again, and one that is refused says why', async () => {
    visit.next('GET /articles', { status: 503 });
    const asked = await visit.asks(() => visit.follow('web'));
    expect(asked).toEqual([`GET ${list()}&tag=web`, `GET ${list()}&tag=web`]);
    await visit.expectList(`${list()}&tag=web`);
    visit.next('GET /articles', { status: 403 });
    await visit.asks(() => visit.follow('network'));
    expect(await visit.problems()).toEqual(['server was told to answer 403']);
    const again = await visit.asks(() => visit.press('Try again'));
    expect(again).toEqual([`GET ${list()}&tag=network`]);
    await visit.expectList(`${list()}&tag=network`);
  });

  play('[O5] a favourite is shown at once, and taken back where it is refused', async () => {
    await visit.open('#/');
    const row = visit.preview('after-races');
    const heart = row.getByRole('button');
    const post = 'POST /articles/after-races/favorite';
    // a favourite may have changed which articles a page holds
    const page = [`GET ${list()}`];
    visit.next(favor, { delay: 800 });
    const slow = await visit.asks(async () => {
      await heart.click();
      await row.locator('[aria-pressed=true]', { hasText: '2' }).waitFor({ timeout: 700 });
      expect(visit.underWay).toBe(1);
    });
    expectRequests(slow, [post], page);
    await visit.expectList(list());

    visit.next('DELETE /articles/:slug/favorite', { status: 500, delay: 300 });
    const refused = await visit.asks(async () => {
      await heart.click();
      await row.locator('[aria-pressed=false]', { hasText: '1' }).waitFor({ timeout: 250 });
    });
    expect(refused).toEqual(['DELETE /articles/after-races/favorite']);
    expect(await visit.problems()).toEqual(['server was told to answer 500']);
    await visit.expectList(list());
  });

  play('[O3] of two clicks the second counts, though the first is answered last', async () => {
    await visit.open('#/');
    const heart = visit.preview('against-maps').getByRole('button');
    visit.next(favor, { delay: 400 });
    const asked = await visit.asks(() => heart.dblclick());
    const path = '/articles/against-maps/favorite';
    // the page may be asked for behind each of the two
    expectRequests(asked, [`POST ${path}`, `DELETE ${path}`], [`GET ${list()}`, `GET ${list()}`]);
    expect(await heart.getAttribute('aria-pressed')).toBe('false');
    await visit.expectList(list());
  });

  play(
    '[N18] what is no favourite any more leaves the list of favourites and its count',
    async () => {
      await visit.follow('ada');
      const asked = await visit.asks(() => visit.follow('Favorites'));
      expect(asked).toEqual([`GET ${favorites}`]);
      await visit.expectList(favorites);
      const heart = visit.preview('after-races').getByRole('button');
      const left = await visit.asks(() => heart.click());
      expectRequests(left, ['DELETE /articles/after-races/favorite', `GET ${favorites}`]);
      await visit.expectList(favorites);
      await visit.follow('conduit');
      await visit.asks(() => visit.preview('after-races').getByRole('button').click());
      await visit.expectList(list());
      await visit.follow('ada');
      expect(await visit.asks(() => visit.follow('Favorites'))).toEqual([`GET ${favorites}`]);
      await visit.expectList(favorites);
    },
  );

  play('[C6] a row without its text is asked for when it is opened', async () => {
    await visit.open('#/');
    const path = '/articles/after-forms';
    const asked = await visit.asks(() => visit.preview('after-forms').locator('.title').click());
    expectRequests(asked, [`GET ${path}`, `GET ${path}/comments`]);
    await visit.expectArticle('after-forms');
    await visit.expectComments('after-forms');
  });

  play('[V3] who is followed is followed wherever they are shown', async () => {
    await visit.open('#/article/after-forms');
    visit.next('POST /profiles/:username/follow', { status: 500 });
    const follow = 'POST /profiles/joan/follow';
    expect(await visit.asks(() => visit.press('Follow joan'))).toEqual([follow]);
    expect(await visit.problems()).toEqual(['server was told to answer 500']);
    await visit.expectArticle('after-forms');
    expect(await visit.asks(() => visit.press('Follow joan'))).toEqual([follow]);
    await visit.expectArticle('after-forms');
    // the favourite before this may have let this page expire
    expectRequests(await visit.asks(() => visit.follow('conduit')), [], [`GET ${list()}`]);
    await visit.expectList(list());
    expect(await visit.asks(() => visit.follow('Your feed'))).toEqual([`GET ${feed}`]);
    await visit.expectList(feed);
    const profile = await visit.asks(() => visit.follow('joan'));
    expect(profile).toEqual([`GET /articles?author=joan&${slice(1)}`]);
    await visit.expectList(`/articles?author=joan&${slice(1)}`);
  });

  play('[N15] a comment stands below its article, until it is deleted', async () => {
    await visit.open('#/article/after-forms');
    const path = '/articles/after-forms/comments';
    visit.expectRefusal(422);
    expect(await visit.asks(() => visit.press('Post comment'))).toEqual([`POST ${path}`]);
    expect(await visit.problems()).toEqual(["body can't be blank"]);
    for (const text of ['The first of two.', 'The second.']) {
      await visit.fill({ 'Your comment': text });
      expect(await visit.asks(() => visit.press('Post comment'))).toEqual([`POST ${path}`]);
      await visit.expectComments('after-forms');
    }
    const first = visit.page.locator('.comment', { hasText: 'first of two' });
    const asked = await visit.asks(() => first.getByRole('button').click());
    expect(asked).toEqual([expect.stringMatching(/^DELETE .*\/comments\/\d+$/)]);
    await visit.expectComments('after-forms');
  });

  play(
    '[N18] what is published stands in every list that it belongs to, and in its count',
    async () => {
      const mine = `/articles?author=ada&${slice(1)}`;
      const essays = `${list()}&tag=essay`;
      await visit.asks(() => visit.follow('ada'));
      await visit.expectList(mine);
      await visit.follow('conduit');
      await visit.asks(() => visit.follow('essay'));
      await visit.follow('New article');
      visit.expectRefusal(422);
      await visit.asks(() => visit.press('Publish'));
      expect(await visit.problems()).toEqual(["title can't be blank"]);
      await visit.fill({
        Title: 'On Looms',
        Description: 'Of cards.',
        Text: 'Holes.',
        Tags: 'essay looms',
      });
      const asked = await visit.asks(() => visit.press('Publish'));
      // the response holds all of the article: only its comments are not known
      expect(asked).toEqual(['POST /articles', 'GET /articles/on-looms/comments']);
      await visit.expectArticle('on-looms');
      expect(await visit.asks(() => visit.follow('conduit'))).toEqual([`GET ${list()}`]);
      await visit.expectList(list());
      await visit.expectTags();
      expect(await visit.asks(() => visit.follow('3'))).toEqual([`GET ${list(3)}`]);
      await visit.expectList(list(3));
      expect(await visit.asks(() => visit.follow('essay'))).toEqual([`GET ${essays}`]);
      await visit.expectList(essays);
      expect(await visit.asks(() => visit.follow('ada'))).toEqual([`GET ${mine}`]);
      await visit.expectList(mine);
    },
  );

  play('[N19] an article with another title has another address, in every list', async () => {
    await visit.open('#/article/on-looms');
    await visit.fill({ 'Your comment': 'And of threads.' });
    await visit.asks(() => visit.press('Post comment'));
    expect(await visit.asks(() => visit.follow('Edit'))).toEqual([]);
    await visit.fill({ Title: 'On Punched Cards' });
    // its comments go with it
    expect(await visit.asks(() => visit.press('Publish'))).toEqual(['PUT /articles/on-looms']);
    expect(new URL(visit.page.url()).hash).toBe('#/article/on-punched-cards');
    await visit.expectArticle('on-punched-cards');
    await visit.expectComments('on-punched-cards');
    expect(await visit.asks(() => visit.follow('ada'))).toEqual([]);
    await visit.expectList(`/articles?author=ada&${slice(1)}`);
    expect(await visit.asks(() => visit.follow('conduit'))).toEqual([]);
    await visit.expectList(list());
    const title = visit.preview('on-punched-cards').locator('.title');
    expect(await visit.asks(() => title.click())).toEqual([]);
    await visit.expectArticle('on-punched-cards');
  });

  play(
    '[C10] an article that is deleted while it is shown stays until the page changes',
    async () => {
      await visit.open('#/article/on-punched-cards');
      const path = 'DELETE /articles/on-punched-cards';
      visit.next('DELETE /articles/:slug', { status: 500, delay: 200 });
      expect(await visit.asks(() => visit.press('Delete article'))).toEqual([path]);
      expect(await visit.problems()).toEqual(['server was told to answer 500']);
      await visit.expectArticle('on-punched-cards');
      visit.next('DELETE /articles/:slug', { delay: 300 });
      const asked = await visit.asks(async () => {
        await visit.press('Delete article');
        await visit.page.getByRole('button', { name: 'Delete article', disabled: true }).waitFor();
        expect(await visit.page.textContent('h1')).toBe('On Punched Cards');
      });
      expect(asked).toEqual([path, `GET ${list()}`]);
      await visit.expectList(list());
      expect(await visit.asks(() => visit.follow('3'))).toEqual([`GET ${list(3)}`]);
      await visit.expectList(list(3));
      await visit.asks(() => visit.follow('ada'));
      await visit.expectList(`/articles?author=ada&${slice(1)}`);
    },
  );

  play('[O8] nothing that was asked before a log out reaches the next user', async () => {
    await visit.open('#/');
    visit.next(favor, { delay: 900 });
    visit.next('GET /articles', { delay: 700 });
    await visit.preview('against-maps').getByRole('button').click();
    await visit.follow('data');
    await visit.press('Log out');
    await visit.logIn('grace');
    await visit.preview('against-maps').waitFor();
    await visit.settled();
    expect(await visit.problems()).toEqual([]);
    await visit.expectList(list());
    await visit.asks(() => visit.follow('data'));
    await visit.expectList(`${list()}&tag=data`);
    expect(await visit.asks(() => visit.follow('Your feed'))).toEqual([`GET ${feed}`]);
    await visit.expectList(feed);
    await visit.expectTags();
  });
});
