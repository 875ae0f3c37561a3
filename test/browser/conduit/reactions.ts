// Favourites, follows and comments, on a server that is slow or refuses.
import { expect } from 'vitest';
import { expectList, expectComments, expectArticle } from './expectations.ts';
import type { Play } from './Play.ts';
import { expectRequests, favor, favorites, feed, list, slice } from './requests.ts';

export function reactions(play: Play): void {
  play(
    '[O5] a favorite is shown before the response, and a rejected change is rolled back',
    async (visit) => {
      await visit.open('#/');
      const row = visit.preview('after-races');
      const heart = row.getByRole('button');
      const post = 'POST /articles/after-races/favorite';
      // a favourite may have changed which articles a page holds
      const page = [`GET ${list()}`];
      const accept = visit.hold(favor);
      const slow = await visit.asks(async () => {
        await heart.click();
        await row.locator('[aria-pressed=true]', { hasText: '2' }).waitFor();
        expect(visit.underWay).toBe(1);
        accept();
      });
      expectRequests(slow, [post], page);
      await expectList(visit, list());

      const refuse = visit.hold('DELETE /articles/:slug/favorite', { status: 500 });
      const refused = await visit.asks(async () => {
        await heart.click();
        await row.locator('[aria-pressed=false]', { hasText: '1' }).waitFor();
        expect(visit.underWay).toBe(1);
        refuse();
      });
      expect(refused).toEqual(['DELETE /articles/after-races/favorite']);
      expect(await visit.problems()).toEqual(['server was told to answer 500']);
      await expectList(visit, list());
    },
  );

  play(
    '[O3] of two clicks on a favorite the second decides, even if the first request is answered last',
    async (visit) => {
      await visit.open('#/');
      const heart = visit.preview('against-maps').getByRole('button');
      const answerFirst = visit.hold(favor);
      const asked = await visit.asks(async () => {
        const second = visit.page.waitForResponse((each) => each.request().method() === 'DELETE');
        await heart.dblclick();
        await second;
        answerFirst();
      });
      const path = '/articles/against-maps/favorite';
      // each of the two mutations may refetch the page
      expectRequests(asked, [`POST ${path}`, `DELETE ${path}`], [`GET ${list()}`, `GET ${list()}`]);
      expect(await heart.getAttribute('aria-pressed')).toBe('false');
      await expectList(visit, list());
    },
  );

  play(
    '[N18] an article that is no longer a favorite leaves the list of favorites and its count',
    async (visit) => {
      await visit.follow('ada');
      const asked = await visit.asks(() => visit.follow('Favorites'));
      expect(asked).toEqual([`GET ${favorites}`]);
      await expectList(visit, favorites);
      const heart = visit.preview('after-races').getByRole('button');
      const left = await visit.asks(() => heart.click());
      expectRequests(left, ['DELETE /articles/after-races/favorite', `GET ${favorites}`]);
      await expectList(visit, favorites);
      await visit.follow('conduit');
      await visit.asks(() => visit.preview('after-races').getByRole('button').click());
      await expectList(visit, list());
      await visit.follow('ada');
      expect(await visit.asks(() => visit.follow('Favorites'))).toEqual([`GET ${favorites}`]);
      await expectList(visit, favorites);
    },
  );

  play('[C6] an article without its body in the list is fetched when opened', async (visit) => {
    await visit.open('#/');
    const path = '/articles/after-forms';
    const asked = await visit.asks(() => visit.preview('after-forms').locator('.title').click());
    expectRequests(asked, [`GET ${path}`, `GET ${path}/comments`]);
    await expectArticle(visit, 'after-forms');
    await expectComments(visit, 'after-forms');
  });

  play(
    '[V3] a followed author is shown as followed in the article, the lists and the profile',
    async (visit) => {
      await visit.open('#/article/after-forms');
      visit.next('POST /profiles/:username/follow', { status: 500 });
      const follow = 'POST /profiles/joan/follow';
      expect(await visit.asks(() => visit.press('Follow joan'))).toEqual([follow]);
      expect(await visit.problems()).toEqual(['server was told to answer 500']);
      await expectArticle(visit, 'after-forms');
      expect(await visit.asks(() => visit.press('Follow joan'))).toEqual([follow]);
      await expectArticle(visit, 'after-forms');
      // the favourite before this may have let this page expire
      expectRequests(await visit.asks(() => visit.follow('conduit')), [], [`GET ${list()}`]);
      await expectList(visit, list());
      expect(await visit.asks(() => visit.follow('Your feed'))).toEqual([`GET ${feed}`]);
      await expectList(visit, feed);
      const profile = await visit.asks(() => visit.follow('joan'));
      expect(profile).toEqual([`GET /articles?author=joan&${slice(1)}`]);
      await expectList(visit, `/articles?author=joan&${slice(1)}`);
    },
  );

  play(
    '[N15] a created comment joins the comments of its article, and leaves when deleted',
    async (visit) => {
      await visit.open('#/article/after-forms');
      const path = '/articles/after-forms/comments';
      visit.expectRefusal(422);
      expect(await visit.asks(() => visit.press('Post comment'))).toEqual([`POST ${path}`]);
      expect(await visit.problems()).toEqual(["body can't be blank"]);
      for (const text of ['The first of two.', 'The second.']) {
        await visit.write({ 'Your comment': text });
        expect(await visit.asks(() => visit.press('Post comment'))).toEqual([`POST ${path}`]);
        await expectComments(visit, 'after-forms');
      }
      const first = visit.page.locator('.comment', { hasText: 'first of two' });
      const asked = await visit.asks(() => first.getByRole('button').click());
      expect(asked).toEqual([expect.stringMatching(/^DELETE .*\/comments\/\d+$/)]);
      await expectComments(visit, 'after-forms');
    },
  );
}
