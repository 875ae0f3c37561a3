/** Pages: by a Link header, by the examples of a list, by hints for generators. */
import { Controller } from 'signalbox';
import { expect, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { documentAt, load, run } from './command.ts';
import type * as pages from './generated/pages.ts';

test('[T3] a list with a Link header and no page param has getPage with the address of the next page', async () => {
  const server = await serve(({ url }) =>
    url === '/notes/p2'
      ? { body: [{ id: 2 }] }
      : { headers: { link: '</notes/p2>; rel="next"' }, body: [{ id: 1 }] },
  );
  const { NoteResource } = (await load('pages.yaml', server.address)) as typeof pages;
  const controller = new Controller();
  const { rows, next } = await controller.fetch(NoteResource.getList, { done: true });
  expect([rows.length, next]).toEqual([1, `${server.address}/notes/p2`]);
  await controller.fetch(NoteResource.getList.getPage, { done: true, next });
  const { data } = controller.getResponse(NoteResource.getList, { done: true });
  expect(data?.rows.map(({ id }) => id)).toEqual([1, 2]);
  expect(server.last.url).toBe('/notes/p2');
});

test('[T3] a list in an envelope is paged by its Link header', async () => {
  const server = await serve(({ url }) =>
    url === '/photos/p2'
      ? { body: { total: 2, photos: [{ id: 2 }] } }
      : {
          headers: { link: '</photos/p2>; rel="next"' },
          body: { total: 2, photos: [{ id: 1 }] },
        },
  );
  const { PhotoResource } = (await load('pages.yaml', server.address)) as typeof pages;
  const controller = new Controller();
  const { rows, next } = await controller.fetch(PhotoResource.getList, { album: 1 });
  expect([rows.total, rows.photos.length]).toEqual([2, 1]);
  await controller.fetch(PhotoResource.getList.getPage, { album: 1, next });
  const { data } = controller.getResponse(PhotoResource.getList, { album: 1 });
  expect(data?.rows.photos.map(({ id }) => id)).toEqual([1, 2]);
  expect(server.last.url).toBe('/photos/p2');
});

test('[T3] a list with several described statuses is paged', async () => {
  const server = await serve(({ url }) => {
    if (url === '/stars?cursor=b') return { body: { stars: [{ id: 2 }], next: null } };
    return { body: { stars: [{ id: 1 }], next: 'b' } };
  });
  const { StarResource } = (await load('pages.yaml', server.address)) as typeof pages;
  const controller = new Controller();
  await controller.fetch(StarResource.getList);
  await controller.fetch(StarResource.getList.getPage, { cursor: 'b' });
  const { data } = controller.getResponse(StarResource.getList);
  expect(data).toMatchObject({ status: 200, body: { stars: [{ id: 1 }, { id: 2 }], next: null } });
});

test('[T3] a page answered with another status leaves the loaded rows, and a refetch reads all loaded pages', async () => {
  let isReady = true;
  const server = await serve(({ url }) => {
    if (url === '/stars') return { body: { stars: [{ id: 1 }], next: 'b' } };
    if (url === '/stars?cursor=b' && isReady) return { body: { stars: [{ id: 2 }], next: 'c' } };
    if (isReady) return { body: { stars: [], next: null } };
    return { status: 202, body: { wait: 1 } };
  });
  const { StarResource } = (await load('pages.yaml', server.address)) as typeof pages;
  const controller = new Controller();
  const { getList } = StarResource;
  const shown = () => {
    const { data } = controller.getResponse(getList);
    return data?.status === 200 ? [data.body.stars.map(({ id }) => id), data.body.next] : data;
  };
  await controller.fetch(getList);
  isReady = false;
  await controller.fetch(getList.getPage, { cursor: 'b' });
  expect(shown()).toEqual([[1], 'b']);
  isReady = true;
  await controller.fetch(getList.getPage, { cursor: 'b' });
  expect(shown()).toEqual([[1, 2], 'c']);
  await controller.fetch(getList);
  expect(shown()).toEqual([[1, 2], 'c']);
  await controller.fetch(getList.getPage, { cursor: 'c' });
  expect(shown()).toEqual([[1, 2], null]);
});

test('[T3] a created row joins a list that is paged by links, and a list with several statuses', async () => {
  let next = 1;
  const server = await serve(({ method }) => {
    if (method === 'POST') return { status: 201, body: { id: next++ } };
    return { body: server.last.url === '/notes' ? [] : { stars: [], next: null } };
  });
  const { NoteResource, StarResource } = (await load('pages.yaml', server.address)) as typeof pages;
  const controller = new Controller();
  await controller.fetch(NoteResource.getList);
  await controller.fetch(NoteResource.create, {});
  expect(await controller.fetch(NoteResource.getList.push, {})).toMatchObject({ id: 2 });
  const notes = controller.getResponse(NoteResource.getList).data;
  expect(notes?.rows.map(({ id }) => id)).toEqual([1, 2]);
  await controller.fetch(StarResource.getList);
  await controller.fetch(StarResource.create, {});
  expect(await controller.fetch(StarResource.getList.push, {})).toMatchObject({ id: 4 });
  const stars = controller.getResponse(StarResource.getList).data;
  expect(stars).toMatchObject({ status: 200, body: { stars: [{ id: 3 }, { id: 4 }] } });
});

test('[T3] the page param is the param with the example of the next cursor in the body, or the param named by a vendor hint', async () => {
  const server = await serve({
    body: { data: [{ id: 2 }], files: [{ id: 2 }], rows: [{ id: 2 }] },
  });
  const { TaskResource, FileResource, EventResource, LogResource } = (await load(
    'pages.yaml',
    server.address,
  )) as typeof pages;
  const controller = new Controller();
  await controller.fetch(TaskResource.getList.getPage, { begin: 'x' });
  expect(server.last.url).toBe('/tasks?begin=x');
  await controller.fetch(FileResource.getList.getPage, { since_file: '9' });
  expect(server.last.url).toBe('/files?since_file=9');
  // by the hint of a generator
  await controller.fetch(EventResource.getList.getPage, { anchor: 'a' });
  expect(server.last.url).toBe('/events?anchor=a');
  await controller.fetch(LogResource.getList.getPage, { peg: 'p' });
  expect(server.last.url).toBe('/logs?peg=p');
});

test('[T3] the page param is the param named after a member of the body, or the param compared with the last row', async () => {
  const server = await serve({
    body: { toots: [{ id: 2 }], entries: [{ id: 2 }], walks: [{ id: 2 }] },
  });
  const { TootResource, ChangeResource, WalkResource } = (await load(
    'pages.yaml',
    server.address,
  )) as typeof pages;
  const controller = new Controller();
  await controller.fetch(TootResource.getList.getPage, { max_id: '3' });
  await controller.fetch(ChangeResource.getList.getPage, { stream_position: '3' });
  await controller.fetch(WalkResource.getList.getPage, { place: '3' });
  expect(server.asked.map(({ url }) => url)).toEqual([
    '/toots?max_id=3',
    '/changes?stream_position=3',
    '/walks?place=3',
  ]);
});

test('[T3] the page params of public APIs are recognized by name, and params of the page size do not filter', async () => {
  const known = [
    ['continue', 'limit', 'labelSelector'],
    ['startAt', 'maxResults', 'jql'],
    ['page[cursor]', 'page[limit]', 'filter'],
    ['page[after]', 'page[size]', 'state'],
    ['$skiptoken', '$top', '$filter'],
    ['pagination_token', 'max_results', 'query'],
    ['start_cursor', 'page_size', 'archived'],
    ['startIndex', 'count', 'filter'],
    ['nextPageToken', 'maxItems', 'name'],
    ['page_info', 'since_id', 'status'],
    ['pageIndex', 'pagelen', 'q'],
    ['after', 'first', 'state'],
    ['SkipCount', 'MaxResultCount', 'Filter'],
    ['max_id', 'min_id', 'status'],
  ];
  const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const content = { 'application/json': { schema: { type: 'array', items: schema } } };
  const paths = known.map((names, at) => {
    const parameters = names.map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
    return [`/list${at}`, { get: { parameters, responses: { 200: { content } } } }];
  });
  const document = { openapi: '3.1.0', info: {}, paths: Object.fromEntries(paths) as object };
  const { out } = await run(['openapi', '-', '--strict'], JSON.stringify(document));
  const fields = [...out.matchAll(/paginationField: '([^']+)'/g)].map(([, name]) => name);
  expect(fields).toEqual(known.map(([page]) => page));
  const others = [...out.matchAll(/nonFilterArgumentKeys: \[\s*('[^']+'(?:,\s*'[^']+')*)/g)].map(
    ([, all]) => all,
  );
  expect(others).toHaveLength(known.length);
  for (const [at, [, beside, filter]] of known.entries()) {
    expect(others[at]).toContain(`'${beside}'`);
    expect(others[at]).not.toContain(`'${filter}'`);
  }
});

test('[T3] `x-pagination` names the param of a page, as a text or inside of an object', async () => {
  const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const content = { 'application/json': { schema: { type: 'array', items: schema } } };
  const parameters = ['peg', 'pegLimit'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string' },
  }));
  const get = { parameters, responses: { 200: { content } } };
  const paths = {
    '/ones': { get: { ...get, 'x-pagination': 'peg' } },
    '/twos': { get: { ...get, 'x-pagination': { limitParam: 'pegLimit', cursorParam: 'peg' } } },
    '/none': { get },
  };
  const document = JSON.stringify({ openapi: '3.1.0', info: {}, paths });
  const { code, out, said } = await run(['openapi', '-', '--strict'], document);
  expect([code, said]).toEqual([0, []]);
  expect(out.match(/paginationField: 'peg'/g)).toHaveLength(2);
});

test('[T3] a page param found by examples or names is a guess, and pages without a known param are reported as dropped', async () => {
  const { said } = await run(['openapi', documentAt('pages.yaml')]);
  expect(said).toEqual([
    'guessed: #/paths/~1changes/get: stream_position is the page param, according to the names',
    'dropped: #/paths/~1crates/get: no page param is recognized',
    'guessed: #/paths/~1files/get: since_file is the page param, according to the examples',
    'guessed: #/paths/~1tasks/get: begin is the page param, according to the examples',
    'guessed: #/paths/~1walks/get: place is the page param, according to the names',
  ]);
});

/** A description of `GET /notes` with this list, in a version of OpenAPI. */
const listOf = (
  version: string,
  get: { readonly parameters: object[]; readonly [name: string]: unknown },
) => {
  const note = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const ref = { $ref: '#/components/schemas/Note' };
  const rows = { type: 'array', items: ref };
  const one = { responses: { 200: { content: { 'application/json': { schema: ref } } } } };
  const { parameters, headers, example } = get;
  const query = parameters.map((each) => ({ in: 'query', schema: { type: 'string' }, ...each }));
  const schema =
    example === undefined ? rows : { type: 'object', properties: { notes: rows, next: {} } };
  const success = { headers, content: { 'application/json': { schema, example } } };
  const list = { parameters: query, responses: { 200: success } };
  const paths = { '/notes': { get: list }, '/notes/{id}': { get: one } };
  const info = { title: 'Notes', version: '1' };
  return JSON.stringify({ openapi: version, info, paths, components: { schemas: { Note: note } } });
};

test.each(['3.0.3', '3.1.0'])(
  '[T3] in OpenAPI %s, the page param is the param whose `example` is the cursor in the `example` of the body',
  async (version) => {
    const parameters = [{ name: 'begin', example: 'eyJ0eXAi' }];
    const example = { notes: [], next: { token: 'eyJ0eXAi' } };
    const { out } = await run(['openapi', '-'], listOf(version, { parameters, example }));
    expect(out).toContain("paginationField: 'begin'");
  },
);

test('[T3] a list whose next cursor only the Link header has is paged by the header, also beside a page number', async () => {
  const headers = { Link: { schema: { type: 'string' } } };
  const written = async (...names: string[]) => {
    const parameters = names.map((name) => ({ name }));
    return (await run(['openapi', '-'], listOf('3.1.0', { parameters, headers }))).out;
  };
  for (const names of [['cursor'], ['before', 'after'], ['page', 'after']])
    expect(await written(...names)).toContain('...linkPages');
  // a program knows the next number, and the key of the last row
  for (const name of ['page', 'starting_after'])
    expect(await written(name)).toContain(`paginationField: '${name}'`);
});

test.each(['opt_fields', 'opt_expand', 'fieldset', 'field_mask'])(
  '[T3] %s selects the content of rows, and does not filter created rows',
  async (name) => {
    const { out } = await run(['openapi', '-'], listOf('3.1.0', { parameters: [{ name }] }));
    expect(out).toContain(`new Collection([Note], { nonFilterArgumentKeys: ['${name}'] })`);
  },
);
