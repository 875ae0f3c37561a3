/** Output for numbers within a parent, several forms of a record, and renamed params. */
import { Controller } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { contentOf, documentAt, load, run } from './command.ts';
import type * as tracker from './generated/tracker.ts';

type Tracker = typeof tracker;

const at = (owner: string, number: number) => `https://tracker/repos/${owner}/r/issues/${number}`;
const issue = (owner: string, number: number, id: number, title = `${owner} ${number}`) => ({
  id,
  number,
  title,
  url: at(owner, number),
});

async function world() {
  const server = await serve(({ method, url, text }) => {
    const [, , owner = '', , kind, number] = url.split('/');
    if (method === 'DELETE') return { status: 204 };
    if (method === 'PATCH') {
      const sent = JSON.parse(text) as object;
      return { body: { ...issue(owner, Number(number), 10), ...sent, suggestions: ['Close it'] } };
    }
    if (url === '/issues') return { body: [issue('a', 1, 10), issue('b', 1, 20)] };
    if (url === '/orgs/a/repos')
      return { body: [{ id: 1, name: 'r', owner: { login: 'a', id: 7 } }] };
    if (kind === 'milestones')
      return {
        body: [
          { id: 5, number: 1, title: 'First' },
          { id: 6, number: 2, title: 'Second' },
        ],
      };
    if (kind === 'issues') return { body: [issue(owner, 1, owner === 'a' ? 10 : 20)] };
    return {
      body: { id: 1, name: 'r', owner: { login: 'a', id: 7 }, private: true, topics: ['x'] },
    };
  });
  const api = (await load('tracker.json', server.address)) as Tracker;
  return { api, controller: new Controller(), server };
}

test('[T3] params keep the described names in every path', async () => {
  const description = JSON.parse(await contentOf(documentAt('tracker.json'))) as { paths: object };
  const { out } = await run(['openapi', documentAt('tracker.json')]);
  const paths = Object.keys(description.paths).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1'));
  const written = new Set([...out.matchAll(/path: '([^']+)'/g)].map(([, path]) => path));
  // createResource makes these two from the paths below
  const listed = ['/repos/:owner/:repo/issues', '/repos/:owner/:repo/milestones'];
  expect(written).toEqual(new Set(paths.filter((path) => !listed.includes(path))));
});

test('[T3] a record with a number unique only within its parents has a primary key of the parents and the number', async () => {
  const { api, controller } = await world();
  const { IssueResource, issuesList } = api;
  const [first] = await controller.fetch(IssueResource.getList, { owner: 'a', repo: 'r' });
  const [second] = await controller.fetch(IssueResource.getList, { owner: 'b', repo: 'r' });
  expect([first?.title, second?.title]).toEqual(['a 1', 'b 1']);
  // a record of a list is stored for a detail reader
  const known = controller.getResponse(IssueResource.get, {
    owner: 'b',
    repo: 'r',
    issue_number: 1,
  });
  expect(known.data).toBe(second);
  // the record's address in the list of all has the params that the request lacks
  const all = await controller.fetch(issuesList);
  expect([all[0], all[1]]).toEqual([first, second]);
  expect(controller.getResponse(IssueResource.getList, { owner: 'a', repo: 'r' }).data?.[0]).toBe(
    all[0],
  );
});

test('[T3] a deletion with an empty response removes the row from the list of its parent only', async () => {
  const { api, controller } = await world();
  const { MilestoneResource } = api;
  const place = { owner: 'a', repo: 'r' };
  await controller.fetch(MilestoneResource.getList, place);
  await controller.fetch(MilestoneResource.getList, { ...place, owner: 'b' });
  await controller.fetch(MilestoneResource.delete, { ...place, milestone_number: 1 });
  const titles = (owner: string) =>
    controller
      .getResponse(MilestoneResource.getList, { ...place, owner })
      .data?.map((each) => each.title);
  expect([titles('a'), titles('b')]).toEqual([['Second'], ['First', 'Second']]);
});

test('[T3] a change answered with the record and further members updates the record', async () => {
  const { api, controller } = await world();
  const { IssueResource } = api;
  await controller.fetch(IssueResource.getList, { owner: 'a', repo: 'r' });
  const args = { owner: 'a', repo: 'r', issue_number: 1 };
  const changed = await controller.fetch(IssueResource.partialUpdate, args, { title: 'New' });
  expectTypeOf(changed.suggestions).toEqualTypeOf<string[] | undefined>();
  expect(changed.suggestions).toEqual(['Close it']);
  const rows = controller.getResponse(IssueResource.getList, { owner: 'a', repo: 'r' }).data;
  expect(rows?.[0]?.title).toBe('New');
});

test('[T3] several schemas of a record are one entity: a detail updates the row, and a deletion removes the row', async () => {
  const { api, controller } = await world();
  const { RepositoryResource, Repository } = api;
  const [row] = await controller.fetch(RepositoryResource.getList, { org: 'a' });
  expect(row).toBeInstanceOf(Repository);
  await controller.fetch(RepositoryResource.get, { owner: 'a', repo: 'r' });
  const [again] = controller.getResponse(RepositoryResource.getList, { org: 'a' }).data ?? [];
  expect(again?.topics).toEqual(['x']);
  await controller.fetch(RepositoryResource.delete, { owner: 'a', repo: 'r' });
  expect(controller.getResponse(RepositoryResource.getList, { org: 'a' }).data).toEqual([]);
});

test('[T3] a required object with a nested entity has a default and keeps the entity', async () => {
  const { api, controller } = await world();
  const { PullRequest, Repository } = api;
  type Head = InstanceType<Tracker['PullRequest']>['head'];
  expectTypeOf<Head['repo']>().toEqualTypeOf<InstanceType<Tracker['Repository']>>();
  expect(PullRequest.fromJS().head.repo).toBeInstanceOf(Repository);
  const args = { owner: 'a', repo: 'r', pull_number: 3 };
  const head = {
    ref: 'main',
    repo: { id: 1, name: 'r', owner: { login: 'a', id: 7 } },
    at: '2026-01-01T00:00:00Z',
  };
  await controller.setResponse(api.PullRequestResource.get, args, {
    id: 9,
    number: 3,
    head,
  });
  const shown = controller.getResponse(api.PullRequestResource.get, args).data?.head;
  expect([shown?.repo.name, shown?.at]).toEqual(['r', new Date('2026-01-01T00:00:00Z')]);
});

test('[T3] a comment of the resource lists missing methods, and paths that do not return the rows of the resource', async () => {
  const { out } = await run(['openapi', documentAt('tracker.json')]);
  const [, said] = /\/\*\*\n([^]*?) \*\/\nexport const ActivityResource/.exec(
    out.slice(out.indexOf('const activityResource')),
  ) ?? [''];
  expect(said).toBe(
    ` * The description has no create, update, partialUpdate, delete.
 * There is no getList: GET /repos/{owner}/{repo}/activity does not answer the rows of this resource.
`,
  );
  expect(out).not.toContain('The server has no');
  expect(out).toContain("path: '/repos/:owner/:repo/activity', method: 'OPTIONS'");
});
