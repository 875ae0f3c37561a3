/** Webhooks and comments on the module that is written from the description of Box, where lists have short rows. */
import { expect, test } from 'vitest';
import { world } from '../world.ts';
import type { World } from '../world.ts';
import type * as box from '../generated/box.ts';

/** Fetches the webhooks and reads them like a component. */
async function webhooks() {
  const here: World<typeof box> = await world('box');
  const { WebhookResource } = here.api;
  await here.controller.fetch(WebhookResource.getList);
  const read = () => here.controller.getResponse(WebhookResource.getList).data?.entries ?? [];
  return { ...here, read, WebhookResource, webhook_id: read()[0]?.id ?? '' };
}

test('[T3] Box: a webhook with a short row in the list is fetched as a detail with the same id and target', async () => {
  const { api, controller, read, webhook_id, WebhookResource, mock } = await webhooks();
  expect(read()).toHaveLength(4);
  expect(read()[0]).toBeInstanceOf(api.Webhook);
  const one = await controller.fetch(WebhookResource.get, { webhook_id });
  expect(one.id).toBe(webhook_id);
  expect(one.target).toEqual(read()[0]?.target);
  expect(mock.faults).toEqual([]);
});

test('[T3] Box: an edited webhook changes in its detail without a refetch of the list; a deleted webhook leaves the list', async () => {
  const { controller, read, webhook_id, server, WebhookResource, mock } = await webhooks();
  await controller.fetch(WebhookResource.get, { webhook_id });
  const { length } = server.asked;
  const address = 'https://edited.example/';
  await controller.fetch(WebhookResource.update, { webhook_id }, { address });
  expect(controller.getResponse(WebhookResource.get, { webhook_id }).data?.address).toBe(address);
  await controller.fetchIfStale(WebhookResource.getList);
  expect(server.asked).toHaveLength(length + 1);
  await controller.fetch(WebhookResource.delete, { webhook_id });
  expect(read().map(({ id }) => id)).not.toContain(webhook_id);
  expect(read()).toHaveLength(3);
  expect(mock.faults).toEqual([]);
});

test('[T3] Box: a comment listed under its file is edited and deleted at the address of the comment', async () => {
  const { api, controller, server, mock } = await world<typeof box>('box');
  const { CommentResource } = api;
  const file = { file_id: '7' };
  await controller.fetch(CommentResource.getList, file);
  const read = () => controller.getResponse(CommentResource.getList, file).data?.entries ?? [];
  const comment_id = read()[1]?.id ?? '';
  const { length } = server.asked;
  await controller.fetch(CommentResource.update, { comment_id }, { message: 'Edited' });
  expect(read()[1]).toMatchObject({ id: comment_id, message: 'Edited' });
  await controller.fetch(CommentResource.delete, { comment_id });
  expect(read().map(({ id }) => id)).not.toContain(comment_id);
  expect(server.asked).toHaveLength(length + 2);
  expect(mock.faults).toEqual([]);
});
