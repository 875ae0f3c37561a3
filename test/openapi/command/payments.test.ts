/** The output for records that may be deleted in a response, changes by POST, and paths that end in `.json`. */
import { join } from 'node:path';
import { Controller } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { folder, load, run } from './command.ts';
import type * as calls from './generated/calls.ts';
import type * as payments from './generated/payments.ts';

const customer = (id: string, email = 'ada@host') => ({
  id,
  object: 'customer',
  created: 1,
  email,
});

test('[T3] a record and the response to its deletion are one entity with one resource', async () => {
  const server = await serve(({ method, url, text }) => {
    const [, , , id = ''] = url.split('?')[0]?.split('/') ?? [];
    if (method === 'DELETE') return { body: { id, object: 'customer', deleted: true } };
    if (method === 'POST')
      return { body: customer(id || 'c', new URLSearchParams(text).get('email') ?? '') };
    if (id !== '') return { body: customer(id) };
    const data = [customer('a'), customer('b')];
    return { body: { data, has_more: false, object: 'list', url: '/v1/customers' } };
  });
  const { CustomerResource, Customer } = (await load(
    'payments.yaml',
    server.address,
  )) as typeof payments;
  const controller = new Controller();
  const page = await controller.fetch(CustomerResource.getList, { limit: 2 });
  expect(page.data[0]).toBeInstanceOf(Customer);
  const one = await controller.fetch(CustomerResource.get, { customer: 'a' });
  expectTypeOf(one.deleted).toEqualTypeOf<true | undefined>();
  expect(one).toBe(controller.getResponse(CustomerResource.getList, { limit: 2 }).data?.data[0]);
  const form = new URLSearchParams({ email: 'ada@new' });
  await controller.fetch(CustomerResource.update, { customer: 'a' }, form);
  expect(server.last).toMatchObject({ method: 'POST', url: '/v1/customers/a' });
  await controller.fetch(CustomerResource.delete, { customer: 'b' });
  const rows = controller.getResponse(CustomerResource.getList, { limit: 2 }).data?.data;
  expect(rows?.map(({ id, email }) => [id, email])).toEqual([['a', 'ada@new']]);
});

test('[T3] paths ending in .json are recognized as details, lists and mutations', async () => {
  const call = (sid: string, status: string) => ({ sid, account_sid: 'A', status });
  const server = await serve(({ method }) => {
    if (method === 'DELETE') return { status: 204 };
    if (method === 'POST') return { body: call('x', 'completed') };
    return { body: { calls: [call('x', 'ringing'), call('y', 'queued')], next_page_uri: null } };
  });
  const { CallResource, Call } = (await load('calls.json', server.address)) as typeof calls;
  const controller = new Controller();
  const page = await controller.fetch(CallResource.getList, { AccountSid: 'A' });
  expect(server.last.url).toBe('/2010/Accounts/A/Calls.json');
  expect(page.calls[0]).toBeInstanceOf(Call);
  const args = { AccountSid: 'A', Sid: 'x' };
  expect(controller.getResponse(CallResource.get, args).data).toBe(page.calls[0]);
  await controller.fetch(CallResource.update, args, new URLSearchParams({ Status: 'completed' }));
  expect(server.last).toMatchObject({ method: 'POST', url: '/2010/Accounts/A/Calls/x.json' });
  await controller.fetch(CallResource.delete, { AccountSid: 'A', Sid: 'y' });
  const rows = controller.getResponse(CallResource.getList, { AccountSid: 'A' }).data?.calls;
  expect(rows?.map(({ status }) => status)).toEqual(['completed']);
});

test('[T3] a deletion by a param that is no key of the record removes no row; {lock_id} removes the lock', async () => {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const label = { $ref: '#/components/schemas/Label' };
  const document = {
    openapi: '3.1.0',
    info: {},
    paths: {
      '/labels': { get: { responses: { 200: json({ type: 'array', items: label }) } } },
      '/labels/{name}': { delete: { responses: { 204: {} } } },
      '/locks': {
        get: { responses: { 200: json({ type: 'array', items: { title: 'Lock', ...lock } }) } },
      },
      '/locks/{lock_id}': { delete: { responses: { 204: {} } } },
    },
    components: { schemas: { Label: lock } },
  };
  const server = await serve(({ method }) =>
    method === 'DELETE' ? { status: 204 } : { body: [{ id: 1 }, { id: 2 }] },
  );
  const out = join(await folder(), 'api.ts');
  const args = ['openapi', '-', '--out', out, '--prefix', server.address];
  expect((await run(args, JSON.stringify(document))).code).toBe(0);
  const { LabelResource, LockResource } = await import(/* @vite-ignore */ out);
  const controller = new Controller();
  await controller.fetch(LabelResource.getList);
  await controller.fetch(LockResource.getList);
  await controller.fetch(LabelResource.delete, { name: 'bug' });
  await controller.fetch(LockResource.delete, { lock_id: 1 });
  const rows = (list: typeof LabelResource.getList) => controller.getResponse(list).data?.length;
  expect([rows(LabelResource.getList), rows(LockResource.getList)]).toEqual([2, 1]);
});

const lock = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
