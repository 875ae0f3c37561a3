/** A tracker of issues on the module that is written from the description of GitHub. */
import { expect, expectTypeOf, test } from 'vitest';
import { world } from '../world.ts';
import type { World } from '../world.ts';
import type * as github from '../generated/github.ts';

const repo = { owner: 'ada', repo: 'notes' };

/** Fetches the issues and milestones of a repository and reads them like a component. */
async function tracker() {
  const here: World<typeof github> = await world('github', {
    // GitHub numbers issues from 1 in each repository
    members: (_, at) => ({ number: at + 1 }),
  });
  const { controller, api } = here;
  const { IssueResource, MilestoneResource } = api;
  await controller.fetch(IssueResource.getList, repo);
  await controller.fetch(MilestoneResource.getList, repo);
  const issues = () => controller.getResponse(IssueResource.getList, repo).data ?? [];
  const milestones = () => controller.getResponse(MilestoneResource.getList, repo).data ?? [];
  return { ...here, issues, milestones, IssueResource, MilestoneResource };
}

test('[T3] GitHub: an issue fetched by its number is the same object as its row in the list', async () => {
  const { api, controller, issues, IssueResource, mock } = await tracker();
  expect(issues()).toHaveLength(4);
  const row = issues()[0];
  if (row === undefined) throw new Error('The list is empty.');
  expect(row).toBeInstanceOf(api.Issue);
  expectTypeOf(row.title).toEqualTypeOf<string>();
  const one = await controller.fetch(IssueResource.get, { ...repo, issue_number: row.number });
  expect([one.id, one.number, one.title]).toEqual([row.id, row.number, row.title]);
  expect(one).toBe(issues()[0]);
  expect(mock.faults).toEqual([]);
});

test('[T3] GitHub: an edited issue changes in the list, and nothing is refetched', async () => {
  const { controller, issues, IssueResource, server, mock } = await tracker();
  const number = issues()[1]?.number ?? 0;
  const { length } = server.asked;
  const at = { ...repo, issue_number: number };
  const edited = await controller.fetch(IssueResource.partialUpdate, at, { title: 'Edited' });
  expect(edited.title).toBe('Edited');
  expect(issues()[1]).toMatchObject({ number, title: 'Edited' });
  await controller.fetchIfStale(IssueResource.getList, repo);
  expect(server.asked).toHaveLength(length + 1);
  expect(mock.faults).toEqual([]);
});

test('[T3] GitHub: a created issue joins the list of its repository, and not the list of another repository', async () => {
  const { controller, issues, IssueResource, mock } = await tracker();
  const other = { owner: 'ada', repo: 'letters' };
  await controller.fetch(IssueResource.getList, other);
  const made = await controller.fetch(IssueResource.create, repo, { title: 'New' });
  expect(issues().filter(({ number }) => number === made.number)).toHaveLength(1);
  const others = controller.getResponse(IssueResource.getList, other).data ?? [];
  expect(others.map(({ number }) => number)).not.toContain(made.number);
  expect(others).toHaveLength(4);
  expect(mock.faults).toEqual([]);
});

test('[T3] GitHub: an edited milestone changes in the list, and a deleted milestone leaves the list without a refetch', async () => {
  const { api, controller, milestones, MilestoneResource, server, mock } = await tracker();
  const row = milestones()[2];
  if (row === undefined) throw new Error('The list is empty.');
  expect(row).toBeInstanceOf(api.Milestone);
  const at = { ...repo, milestone_number: row.number };
  await controller.fetch(MilestoneResource.partialUpdate, at, { title: 'Edited' });
  expect(milestones()[2]).toMatchObject({ number: row.number, title: 'Edited' });
  const { length } = server.asked;
  await controller.fetch(MilestoneResource.delete, at);
  expect(milestones()).toHaveLength(3);
  expect(milestones().map(({ number }) => number)).not.toContain(row.number);
  expect(server.asked).toHaveLength(length + 1);
  expect(mock.faults).toEqual([]);
});

test('[T3] GitHub: issues with the same number in two repositories are separate entities', async () => {
  const { controller, issues, IssueResource, mock } = await tracker();
  const other = { owner: 'ada', repo: 'letters' };
  await controller.fetch(IssueResource.getList, other);
  const elsewhere = () => controller.getResponse(IssueResource.getList, other).data ?? [];
  expect(elsewhere().map(({ number }) => number)).toEqual(issues().map(({ number }) => number));
  const titles = issues().map(({ title }) => title);
  expect(elsewhere().map(({ title }) => title)).not.toEqual(titles);
  const at = { ...other, issue_number: 1 };
  await controller.fetch(IssueResource.partialUpdate, at, { title: 'Elsewhere' });
  expect(elsewhere()[0]?.title).toBe('Elsewhere');
  expect(issues().map(({ title }) => title)).toEqual(titles);
  expect(mock.faults).toEqual([]);
});
