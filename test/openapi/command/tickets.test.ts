/** The output for envelopes, pages and Swagger 2.0, against a server. */
import { join } from 'node:path';
import { Controller } from 'signalbox';
import type { RestEndpoint } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { folder, load, run } from './command.ts';
import type * as envelope from './generated/envelope.ts';
import type * as swagger from './generated/swagger.ts';

type Tickets = typeof envelope;

const ticket = (ticketId: string, status = 'open') => ({ ticketId, status });

async function tickets() {
  const server = await serve(({ method, url, text }) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname === '/reports') return { headers: { 'content-type': 'text/csv' }, body: 'a,b' };
    if (method === 'POST' && pathname === '/tickets/') {
      return { body: { data: { ticketId: 'z', ...JSON.parse(text) } } };
    }
    if (pathname === '/tickets/a/close/') return { body: { data: ticket('a', 'closed') } };
    if (pathname === '/tickets/a/') return { body: { data: { ...ticket('a'), title: 'Read' } } };
    const second = searchParams.has('cursor');
    const results = second ? [ticket('b'), ticket('c')] : [ticket('a'), ticket('b')];
    return { body: { results, total: 3, next: second ? null : 'n', facets: [] } };
  });
  const api = (await load('envelope.yaml', server.address)) as Tickets;
  return { api, controller: new Controller(), server };
}

test('[T3] the envelope is the schema of the list: rows are entities, and the other members are typed', async () => {
  const { api, controller } = await tickets();
  const { TicketResource } = api;
  const page = await controller.fetch(TicketResource.getList);
  expect(page.results[0]).toBeInstanceOf(api.Ticket);
  expect([page.total, page.next, page.facets]).toEqual([3, 'n', []]);
  expectTypeOf(page.next).toEqualTypeOf<string | null | undefined>();
  expectTypeOf(page.facets).toEqualTypeOf<{ value: string; count: number }[] | undefined>();
  await controller.fetch(TicketResource.get, { ticket_id: 'a' });
  const { data } = controller.getResponse(TicketResource.getList);
  expect(data?.results[0]?.title).toBe('Read');
});

test('[T3] a list with a cursor has getPage, and params that only select pages do not filter', async () => {
  const { api, controller, server } = await tickets();
  const { TicketResource } = api;
  const ids = (search: { page_size?: number; status?: 'open' | 'closed' }) =>
    controller.getResponse(TicketResource.getList, search).data?.results.map((t) => t.ticketId);
  await controller.fetch(TicketResource.getList, { page_size: 2 });
  await controller.fetch(TicketResource.getList.getPage, { page_size: 2, cursor: 'n' });
  expect(ids({ page_size: 2 })).toEqual(['a', 'b', 'c']);
  await controller.fetch(TicketResource.getList, { page_size: 2, status: 'closed' });
  await controller.fetch(TicketResource.create, { status: 'open', secret: 's' });
  expect(JSON.parse(server.last.text)).toEqual({ status: 'open', secret: 's' });
  expect(ids({ page_size: 2 })).toEqual(['a', 'b', 'c', 'z']);
  expect(ids({ page_size: 2, status: 'closed' })).toEqual(['a', 'b']);
});

test('[T3] search params are sent in the described style', async () => {
  const { api } = await tickets();
  const { getList } = api.TicketResource;
  const url = decodeURIComponent(getList.url({ ids: [1, 2], filter: { owner: 'me' } }));
  expect(url.replace(/^.*\/tickets/, '')).toBe('/?filter[owner]=me&ids=1,2');
});

test('[T3] objects within a search param are sent in brackets, and the param is reported as a guess', async () => {
  const query = (name: string, schema: object, more: object = {}) => ({
    ...more,
    name,
    in: 'query',
    schema,
  });
  const rule = { type: 'object', properties: { field: { type: 'string' } } };
  const rules = { type: 'array', items: rule };
  const parameters = [
    query('rules', rules),
    query('page', { type: 'object', properties: { size: { type: 'integer' }, by: rule } }),
    query('maybe', { type: 'object', nullable: true, properties: { flat: { type: 'string' } } }),
    query('grid', { type: 'array', items: { type: 'array', items: {} } }, { explode: false }),
    query('map', { type: 'object', additionalProperties: rules }),
    query('deep', { type: 'object', properties: { rules } }, { style: 'deepObject' }),
  ];
  const get = { operationId: 'find', parameters, responses: { 204: { description: 'Done' } } };
  const document = JSON.stringify({ openapi: '3.0.3', info: {}, paths: { '/found': { get } } });
  const out = join(await folder(), 'api.ts');
  const { said } = await run(['openapi', '-', '--out', out], document);
  const reason = 'nested objects and lists are sent in brackets';
  expect(said).toEqual(
    [0, 1, 3, 4].map((at) => `guessed: #/paths/~1found/get/parameters/${at}: ${reason}`),
  );
  const { find } = (await import(/* @vite-ignore */ out)) as { find: RestEndpoint };
  const one = [{ field: 'a' }];
  const url = (params: object) => decodeURIComponent(find.url(params)).replace('/found?', '');
  expect(url({ rules: one, size: 2, by: one[0], flat: 'x' })).toBe(
    'flat=x&size=2&by[field]=a&rules[0][field]=a',
  );
  expect(url({ grid: [[1, 2]], map: { k: one }, deep: { rules: one } })).toBe(
    'deep[rules][0][field]=a&grid[0][]=1&grid[0][]=2&map[k][0][field]=a',
  );
});

test('[T3] JSON, and lists joined by spaces and pipes, are requested as described', async () => {
  const texts = { type: 'array', items: { type: 'string' } };
  const rule = { type: 'object', properties: { state: { type: 'string' } } };
  const content = { 'application/json': { schema: rule } };
  const parameters = [
    { name: 'where', in: 'query', content },
    { name: 'tags', in: 'query', style: 'spaceDelimited', explode: false, schema: texts },
    { name: 'states', in: 'query', style: 'pipeDelimited', explode: false, schema: texts },
  ];
  const get = { operationId: 'find', parameters, responses: { 204: { description: 'Done' } } };
  const document = JSON.stringify({ openapi: '3.0.3', info: {}, paths: { '/found': { get } } });
  const server = await serve({ status: 204 });
  const out = join(await folder(), 'api.ts');
  const { said } = await run(['openapi', '-', '--out', out, '--prefix', server.address], document);
  expect(said).toEqual([]);
  const { find } = (await import(/* @vite-ignore */ out)) as { find: RestEndpoint };
  const params = { where: { state: 'a&b' }, tags: ['x', 'y'], states: ['o', 'n'] };
  await new Controller().fetch(find, params);
  expect(server.last.url).toBe(
    '/found?states=o%7Cn&tags=x%20y&where=%7B%22state%22%3A%22a%26b%22%7D',
  );
});

test('[T3] an action with an enveloped record updates the entity, and a text response is a string', async () => {
  const { api, controller, server } = await tickets();
  await controller.fetch(api.TicketResource.get, { ticket_id: 'a' });
  const { data } = await controller.fetch(api.TicketResource.close, { ticket_id: 'a' });
  expect(server.last.url).toBe('/tickets/a/close/');
  expect(data.status).toBe('closed');
  expect(controller.get(api.Ticket, { ticketId: 'a' })?.title).toBe('Read');
  const table = await controller.fetch(api.report);
  expectTypeOf(table).toEqualTypeOf<string>();
  expect(table).toBe('a,b');
});

test('[T3] a Swagger 2.0 module sends arrays and forms, uses keys other than `id`, and accepts empty responses', async () => {
  const server = await serve(({ method, url, text }) => {
    if (url === '/login') return { body: { token: text } };
    if (method === 'DELETE' || url.endsWith('/cover')) return { status: 204 };
    if (method === 'POST') return { status: 201, body: JSON.parse(text) as object };
    const first = { isbn: '1', title: 'One', author: 'Ada', sequel: { isbn: '2', title: 'Two' } };
    return { body: url.startsWith('/books?') ? [first] : { isbn: '2', title: 'Second' } };
  });
  const api = (await load('swagger.json', server.address)) as typeof swagger;
  const controller = new Controller();
  const { BookResource } = api;
  const search = { author: 'Ada', genre: ['novel', 'poetry'] };
  await controller.fetch(BookResource.getList, search);
  expect(server.last.url).toBe('/books?author=Ada&genre=novel&genre=poetry');
  await controller.fetch(BookResource.getList, { author: 'Ada' });
  await controller.fetch(BookResource.get, { isbn: '2' });
  await controller.fetch(BookResource.create, { isbn: '3', title: 'Three', author: 'Ada' });
  const books = () => controller.getResponse(BookResource.getList, { author: 'Ada' }).data;
  expect(books()?.map(({ title, sequel }) => [title, sequel?.title])).toEqual([
    ['One', 'Second'],
    ['Three', undefined],
  ]);
  await controller.fetch(BookResource.delete, { isbn: '1' });
  expect(books()?.map(({ isbn }) => isbn)).toEqual(['3']);
  await controller.fetch(BookResource.uploadCover, { isbn: '2' }, new FormData());
  const { token } = await controller.fetch(api.login, new URLSearchParams({ user: 'ada' }));
  expect(token).toBe('user=ada');
});
