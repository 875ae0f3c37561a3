// Login, lists, pages of lists, and failures of lists.
import { expect } from 'vitest';
import { expectList, expectTags } from './expectations.ts';
import type { Play } from './Play.ts';
import { expectRequests, feed, home, list } from './requests.ts';

export function lists(play: Play): void {
  play(
    '[F1] after a registration the front page is fetched once, for the new user',
    async (visit) => {
      expectRequests(visit.takeAsked(), home);
      await expectList(visit, list());
      await visit.follow('Register');
      await visit.write({ Name: 'ada', Email: 'mira@example.com', Password: 'secret' });
      visit.expectRefusal(422);
      expect(await visit.asks(() => visit.press('Register'))).toEqual(['POST /users']);
      expect(await visit.problems()).toEqual(['username has already been taken']);
      await visit.write({ Name: 'mira' });
      expectRequests(await visit.asks(() => visit.press('Register')), ['POST /users', ...home]);
      await expectList(visit, list());
    },
  );

  play(
    '[O8] after a log out, an unknown token and a log in, the front page is fetched again',
    async (visit) => {
      expectRequests(await visit.asks(() => visit.press('Log out')), home);
      // a token that the server does not know ends the session
      visit.expectRefusal(401);
      const unknown = await visit.asks(async () => {
        await visit.page.evaluate(() => localStorage.setItem('token', 'unknown'));
        await visit.page.reload();
      });
      expectRequests(unknown, ['GET /user', ...home, ...home]);
      await expectList(visit, list());
      visit.expectRefusal(401);
      expect(await visit.asks(() => visit.logIn('ada', 'wrong'))).toEqual(['POST /users/login']);
      expect(await visit.problems()).toEqual(['credentials are invalid']);
      await visit.follow('conduit');
      const asked = await visit.asks(() => visit.logIn('ada'));
      expectRequests(asked, ['POST /users/login', ...home]);
      await expectList(visit, list());
      await expectTags(visit);
    },
  );

  play(
    '[N14] the feed, all articles and a tag are separate lists with separate pages',
    async (visit) => {
      expect(await visit.asks(() => visit.follow('Your feed'))).toEqual([`GET ${feed}`]);
      await expectList(visit, feed);
      expect(await visit.asks(() => visit.follow('Global feed'))).toEqual([]);
      await expectList(visit, list());
      for (const page of [2, 3]) {
        const asked = await visit.asks(() => visit.follow(String(page)));
        expect(asked).toEqual([`GET ${list(page)}`]);
        await expectList(visit, list(page));
      }
      expect(await visit.asks(() => visit.follow('1'))).toEqual([]);
      await expectList(visit, list());
      expect(await visit.asks(() => visit.follow('data'))).toEqual([`GET ${list()}&tag=data`]);
      await expectList(visit, `${list()}&tag=data`);
      // other users write to the feed at any time: each visit refetches the feed
      expect(await visit.asks(() => visit.follow('Your feed'))).toEqual([`GET ${feed}`]);
      await expectList(visit, feed);
    },
  );

  play(
    '[F4] a list request answered with 503 is retried, and a 403 shows its message until the user retries',
    async (visit) => {
      visit.next('GET /articles', { status: 503 });
      const asked = await visit.asks(() => visit.follow('web'));
      expect(asked).toEqual([`GET ${list()}&tag=web`, `GET ${list()}&tag=web`]);
      await expectList(visit, `${list()}&tag=web`);
      visit.next('GET /articles', { status: 403 });
      await visit.asks(() => visit.follow('network'));
      expect(await visit.problems()).toEqual(['server was told to answer 403']);
      const again = await visit.asks(() => visit.press('Try again'));
      expect(again).toEqual([`GET ${list()}&tag=network`]);
      await expectList(visit, `${list()}&tag=network`);
    },
  );
}
