// Articles that are published, renamed and deleted; users that change and leave.
import { expect } from 'vitest';
import { expectList, expectComments, expectArticle, expectTags } from './expectations.ts';
import type { Play } from './Play.ts';
import { favor, feed, list, slice } from './requests.ts';

export function articles(play: Play): void {
  play(
    '[N18] after a publication, each list that may contain the article is refetched when opened',
    async (visit) => {
      const mine = `/articles?author=ada&${slice(1)}`;
      const essays = `${list()}&tag=essay`;
      await visit.asks(() => visit.follow('ada'));
      await expectList(visit, mine);
      await visit.follow('conduit');
      await visit.asks(() => visit.follow('essay'));
      await visit.follow('New article');
      visit.expectRefusal(422);
      await visit.asks(() => visit.press('Publish'));
      expect(await visit.problems()).toEqual(["title can't be blank"]);
      await visit.write({
        Title: 'On Looms',
        Description: 'Of cards.',
        Text: 'Holes.',
        Tags: 'essay looms',
      });
      const asked = await visit.asks(() => visit.press('Publish'));
      // the response contains the whole article: only the comments are unknown
      expect(asked).toEqual(['POST /articles', 'GET /articles/on-looms/comments']);
      await expectArticle(visit, 'on-looms');
      expect(await visit.asks(() => visit.follow('conduit'))).toEqual([`GET ${list()}`]);
      await expectList(visit, list());
      await expectTags(visit);
      expect(await visit.asks(() => visit.follow('3'))).toEqual([`GET ${list(3)}`]);
      await expectList(visit, list(3));
      expect(await visit.asks(() => visit.follow('essay'))).toEqual([`GET ${essays}`]);
      await expectList(visit, essays);
      expect(await visit.asks(() => visit.follow('ada'))).toEqual([`GET ${mine}`]);
      await expectList(visit, mine);
    },
  );

  play(
    '[N19] a changed title changes the key of the article: both addresses show the article, and no list is refetched',
    async (visit) => {
      await visit.open('#/article/on-looms');
      await visit.write({ 'Your comment': 'And of threads.' });
      await visit.asks(() => visit.press('Post comment'));
      expect(await visit.asks(() => visit.follow('Edit'))).toEqual([]);
      await visit.write({ Title: 'On Threads' });
      // the comments are deleted with the article
      expect(await visit.asks(() => visit.press('Publish'))).toEqual(['PUT /articles/on-looms']);
      expect(new URL(visit.page.url()).hash).toBe('#/article/on-threads');
      await expectArticle(visit, 'on-threads');
      await expectComments(visit, 'on-threads');
      // the old address leads to the article, also while the title changes
      expect(await visit.asks(() => visit.open('#/article/on-looms'))).toEqual([]);
      await expectArticle(visit, 'on-threads');
      await expectComments(visit, 'on-threads');
      await visit.open('#/editor/on-threads');
      await visit.write({ Title: 'On Punched Cards' });
      const accept = visit.hold('PUT /articles/:slug');
      const again = await visit.asks(async () => {
        await visit.press('Publish');
        await visit.page.evaluate(() => (location.hash = '#/article/on-threads'));
        accept();
      });
      expect(again).toEqual(['PUT /articles/on-threads']);
      expect(new URL(visit.page.url()).hash).toBe('#/article/on-punched-cards');
      await expectArticle(visit, 'on-punched-cards');
      await expectComments(visit, 'on-punched-cards');
      expect(await visit.asks(() => visit.follow('ada'))).toEqual([]);
      await expectList(visit, `/articles?author=ada&${slice(1)}`);
      expect(await visit.asks(() => visit.follow('conduit'))).toEqual([]);
      await expectList(visit, list());
      const title = visit.preview('on-punched-cards').locator('.title');
      expect(await visit.asks(() => title.click())).toEqual([]);
      await expectArticle(visit, 'on-punched-cards');
    },
  );

  play(
    "[N4] saved settings of the user change the user's profile without a request",
    async (visit) => {
      await visit.open('#/profile/ada');
      await visit.follow('Settings');
      await visit.write({ 'About you': 'Weaves algebraic patterns.' });
      // the front page, where the change leads, is known
      expect(await visit.asks(() => visit.press('Save settings'))).toEqual(['PUT /user']);
      expect(await visit.asks(() => visit.follow('ada'))).toEqual([]);
      expect(await visit.page.textContent('.profile p')).toBe('Weaves algebraic patterns.');
    },
  );

  play(
    '[C10] a deleted article stays on the open page until the confirmation, and lists omit the article meanwhile',
    async (visit) => {
      await visit.open('#/article/on-punched-cards');
      const path = 'DELETE /articles/on-punched-cards';
      visit.next('DELETE /articles/:slug', { status: 500 });
      expect(await visit.asks(() => visit.press('Delete article'))).toEqual([path]);
      expect(await visit.problems()).toEqual(['server was told to answer 500']);
      await expectArticle(visit, 'on-punched-cards');
      const confirm = visit.hold('DELETE /articles/:slug');
      const asked = await visit.asks(async () => {
        await visit.press('Delete article');
        await visit.page.getByRole('button', { name: 'Delete article', disabled: true }).waitFor();
        expect(await visit.page.textContent('h1')).toBe('On Punched Cards');
        confirm();
      });
      expect(asked).toEqual([path, `GET ${list()}`]);
      await expectList(visit, list());
      expect(await visit.asks(() => visit.follow('3'))).toEqual([`GET ${list(3)}`]);
      await expectList(visit, list(3));
      // no list contains an article whose deletion is in flight
      await visit.open('#/article/after-tables');
      const confirmNext = visit.hold('DELETE /articles/:slug');
      await visit.asks(async () => {
        await visit.press('Delete article');
        await visit.follow('ada');
        await visit.page.waitForSelector('.preview');
        expect(await visit.preview('after-tables').count()).toBe(0);
        expect(visit.underWay).toBeGreaterThan(0);
        confirmNext();
      });
      await expectList(visit, list());
      await visit.asks(() => visit.follow('ada'));
      await expectList(visit, `/articles?author=ada&${slice(1)}`);
    },
  );

  play(
    '[O8] responses to requests sent before a log out do not reach the next user',
    async (visit) => {
      await visit.open('#/');
      const answers = [visit.hold(favor), visit.hold('GET /articles')];
      await visit.preview('against-maps').getByRole('button').click();
      await visit.follow('data');
      await visit.press('Log out');
      await visit.logIn('grace');
      await visit.preview('against-maps').waitFor();
      for (const answer of answers) answer();
      await visit.settled();
      expect(await visit.problems()).toEqual([]);
      await expectList(visit, list());
      await visit.asks(() => visit.follow('data'));
      await expectList(visit, `${list()}&tag=data`);
      expect(await visit.asks(() => visit.follow('Your feed'))).toEqual([`GET ${feed}`]);
      await expectList(visit, feed);
      await expectTags(visit);
      // no other user's feed is requested
      expect(await visit.asks(() => visit.press('Log out'))).toEqual([]);
      await visit.page.getByRole('form', { name: 'Log in' }).waitFor();
    },
  );
}
