/** Responses by status: several successes are a union, and errors are typed. */
import { Controller, NetworkError, withStatus } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import type { Answer } from '../../setup/server.ts';
import { documentAt, load, run } from './command.ts';
import type * as statuses from './generated/statuses.ts';

/** The module, for a server that responds so to each request. */
async function api(answer: Answer) {
  const server = await serve(answer);
  const module = (await load('statuses.yaml', server.address)) as typeof statuses;
  return { ...module, controller: new Controller() };
}

test('[T3] successes with different bodies are a union discriminated by status', async () => {
  const known = await api({ body: [{ week: 1 }] });
  const stats = await known.controller.fetch(known.getStats);
  if (stats.status === 200) expectTypeOf(stats.body).toEqualTypeOf<statuses.Stat[]>();
  if (stats.status === 204) expectTypeOf(stats.body).toEqualTypeOf<null>();
  expect(stats).toEqual({ status: 200, body: [{ week: 1 }] });
  const later = await api({ status: 202, body: {} });
  expect(await later.controller.fetch(later.getStats)).toEqual({ status: 202, body: {} });
  const none = await api({ status: 204 });
  expect(await none.controller.fetch(none.getStats)).toEqual({ status: 204, body: null });
});

test('[T3] an entity in the body of one of several successes is stored as that entity', async () => {
  const done = await api({ body: { id: 1, title: 'moved' } });
  const { IssueResource, Issue, controller } = done;
  const moved = await controller.fetch(IssueResource.transfer, { id: 1 });
  expect(moved.status).toBe(200);
  if (moved.status === 200) expectTypeOf(moved.body).toEqualTypeOf<statuses.Issue>();
  expect(moved.body).toBeInstanceOf(Issue);
  expect(controller.get(Issue, { id: 1 })?.title).toBe('moved');
  const later = await api({ status: 202, body: { url: '/jobs/1' } });
  const job = await later.controller.fetch(later.IssueResource.transfer, { id: 1 });
  expect(job).toEqual({ status: 202, body: { url: '/jobs/1' } });
});

test('[T3] a success without a body beside a success with a body is null, also in the type', async () => {
  const { getLevel, IssueResource, controller } = await api({ status: 204 });
  const level = await controller.fetch(getLevel);
  expectTypeOf(level).toEqualTypeOf<{ level?: number } | null>();
  expect(level).toBeNull();
  const put = await controller.fetch(IssueResource.update, { id: 1 }, { title: 'same' });
  expectTypeOf(put).toEqualTypeOf<statuses.Issue | null>();
  expect(put).toBeNull();
});

test('[T3] a list answered with 204 is an empty array', async () => {
  const { IssueResource, controller } = await api({ status: 204 });
  const issues = await controller.fetch(IssueResource.getList);
  expectTypeOf(issues).toEqualTypeOf<statuses.Issue[]>();
  expect(issues).toEqual([]);
});

test('[T3] a list in an envelope or with links, answered with 204, has no rows and the defaults of the other members', async () => {
  const { TaskResource, listLinkedTasks, listLinkedPages, controller } = await api({
    status: 204,
  });
  const tasks = await controller.fetch(TaskResource.getList);
  expect(tasks).toEqual({ total: 0, rows: [], after: null, by: { name: '' } });
  expectTypeOf(tasks.rows).toEqualTypeOf<statuses.Task[]>();
  const linked = await controller.fetch(listLinkedTasks);
  expect(linked).toEqual({ rows: [], next: null });
  const pages = await controller.fetch(listLinkedPages);
  expect(pages).toEqual({ rows: { rows: [] }, next: null });
});

test('[T3] each success that the type of the response omits is reported in one line', async () => {
  const { said } = await run(['openapi', documentAt('statuses.yaml')]);
  const reason = 'the response is typed like the response with status 200';
  expect(said).toEqual([
    `dropped: #/paths/~1builds/post/responses/201: ${reason}`,
    `dropped: #/paths/~1builds/post/responses/2XX: ${reason}`,
    `dropped: #/paths/~1linked-tasks/get/responses/202: ${reason}`,
  ]);
});

test('[T3] withStatus reads the status of a written endpoint whose description has one success', async () => {
  const { IssueResource, Issue, controller } = await api({
    status: 202,
    body: { id: 4, title: 'later' },
  });
  const createIssue = IssueResource.create.extend({
    parseResponse: withStatus,
    schema: { status: 0, body: Issue },
  });
  const { status, body } = await controller.fetch(createIssue, { title: 'later' });
  expect(status).toBe(202);
  expect(body).toBe(controller.get(Issue, { id: 4 }));
  expectTypeOf(body).toEqualTypeOf<statuses.Issue>();
});

test('[T3] bodies of errors are typed by status', async () => {
  const { IssueResource, controller } = await api({ status: 422, body: { fields: ['title'] } });
  const error: unknown = await controller
    .fetch(IssueResource.create, { title: '' })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NetworkError);
  const { status, body } = error as NetworkError;
  expect(status).toBe(422);
  expect((body as statuses.IssueError[422]).fields).toEqual(['title']);
  expectTypeOf<statuses.IssueError>().toEqualTypeOf<{
    404: statuses.Problem;
    422: statuses.Invalid;
    '5XX': string;
    default: statuses.Problem;
  }>();
});
