// Recorded responses of GitHub: the Link header has the address of the next page.
import { Collection, Controller, Entity, parseLink, RestEndpoint } from 'signalbox';
import { expect, test } from 'vitest';
import { serveGitHub } from '../servers/gitHub.ts';

class User extends Entity {
  id = 0;
  login = '';
}

class Issue extends Entity {
  id = 0;
  number = 0;
  title = '';
  user = User.fromJS();
  static override schema = { user: User };
}

const issuesAt = (urlPrefix: string) =>
  new RestEndpoint({
    path: '/repos/octokit-fixture-org/:repo/issues',
    urlPrefix,
    searchParams: {} as { per_page: number },
    schema: { link: '', results: new Collection([Issue]) },
    async fetch(...args) {
      const response = await this.fetchResponse(this.url(...args), await this.getRequestInit());
      return { link: response.headers.get('link'), results: await this.parseResponse(response) };
    },
  });

test('[M6] five pages fetched by the addresses of Link headers form one list', async () => {
  const { address, asked } = await serveGitHub('paginate-issues');
  const controller = new Controller();
  const issues = issuesAt(address);
  const params = { repo: 'paginate-issues', per_page: 3 };
  // GitHub names the next page by an address
  const nextPage = issues
    .paginated(({ next: _next, ...list }: typeof params & { next: string }) => [list])
    .extend({ url: ({ next }) => address + next });
  let { link } = await controller.fetch(issues, params);
  for (let page = parseLink(link)['next']; page !== undefined; page = parseLink(link)['next']) {
    const { pathname, search } = new URL(page);
    ({ link } = await controller.fetch(nextPage, { ...params, next: pathname + search }));
  }
  const shown = controller.getResponse(issues, params).data;
  expect(shown?.results.map(({ number }) => number)).toEqual([
    13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
  ]);
  expect(new Set(shown?.results.map(({ user }) => user)).size).toBe(1);
  expect(Object.keys(parseLink(shown?.link)).sort()).toEqual(['first', 'prev']);
  expect(asked).toHaveLength(5);
});
