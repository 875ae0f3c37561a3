/** The output for OpenAPI 3.2, headers, cookies and security, several kinds of rows, and several files. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller, RestEndpoint } from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { documentAt, folder, load, run } from './command.ts';
import type * as newsroom from './generated/newsroom.ts';

type Newsroom = typeof newsroom;

async function world() {
  const server = await serve(({ url, method }) => {
    if (method === 'COPY') return { status: 204 };
    if (method === 'POST') return { status: 201, body: { id: 3, kind: 'story', title: 'New' } };
    const first = { id: 1, kind: 'column', title: 'First' };
    return { body: url.includes('marker') ? [{ id: 2, kind: 'hint' }] : [first] };
  });
  const api = (await load('newsroom.yaml', server.address)) as Newsroom;
  return { api, controller: new Controller(), server };
}

test('[T3] without a discriminator, a member with a fixed value selects the class', async () => {
  const { api, controller } = await world();
  const { ItemResource, Story, Hint } = api;
  await controller.fetch(ItemResource.getList, { limit: 1 });
  await controller.fetch(ItemResource.getList.getPage, { limit: 1, marker: 'a' });
  const { data } = controller.getResponse(ItemResource.getList, { limit: 1 });
  expect(data?.map((each) => each.constructor)).toEqual([Story, Hint]);
  const [one] = data ?? [];
  expect(one?.kind === 'hint' ? one.url : one?.title).toBe('First');
});

test('[T3] without a fixed value, the class is selected by a member that only one of the schemas requires', async () => {
  const json = (schema: object) => ({
    responses: { 200: { content: { 'application/json': { schema } } } },
  });
  const id = { type: 'integer' };
  const [cat, dog] = ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const document = {
    openapi: '3.1.0',
    info: {},
    paths: {
      '/cats/{id}': { get: json(cat as object) },
      '/dogs/{id}': { get: json(dog as object) },
      '/pets': { get: json({ type: 'array', items: { oneOf: [cat, dog] } }) },
    },
    components: {
      schemas: {
        Cat: { required: ['id', 'lives'], properties: { id, lives: id } },
        Dog: { required: ['id'], properties: { id, breed: { type: 'string' } } },
      },
    },
  };
  const server = await serve(() => ({
    body: [
      { id: 1, lives: 9 },
      { id: 1, breed: 'Pug' },
    ],
  }));
  const out = join(await folder(), 'api.ts');
  const args = ['openapi', '-', '--out', out, '--prefix', server.address];
  expect((await run(args, JSON.stringify(document))).code).toBe(0);
  const { PetResource, Cat, Dog } = await import(/* @vite-ignore */ out);
  const pets = await new Controller().fetch(PetResource.getList);
  expect(pets).toEqual([Cat.fromJS({ id: 1, lives: 9 }), Dog.fromJS({ id: 1, breed: 'Pug' })]);
});

test('[T3] QUERY and COPY of OpenAPI 3.2 are members that send that method', async () => {
  const { api, controller, server } = await world();
  await controller.fetch(api.ItemResource.search, { text: 'x' });
  expect(server.last).toMatchObject({ method: 'QUERY', url: '/items', text: '{"text":"x"}' });
  await controller.fetch(api.ItemResource.copy, { id: 1 });
  expect(server.last).toMatchObject({ method: 'COPY', url: '/items/1' });
});

test('[T3] headers, cookies and credentials are exported as types, and `authorize` adds credentials in getRequestInit', async () => {
  const { api, controller, server } = await world();
  expectTypeOf<newsroom.StoriesCreateHeaders>().toEqualTypeOf<{ 'X-Desk': 'day' | 'night' }>();
  expectTypeOf<newsroom.StoriesCreateCookies>().toEqualTypeOf<{ session?: string }>();
  const desk: newsroom.StoriesCreateHeaders = { 'X-Desk': 'night' };
  const create = api.StoryResource.create.extend({
    getHeaders: (headers: HeadersInit) => ({ ...headers, ...desk }),
  });
  await controller.fetch(create, { kind: 'story', title: 'New' });
  expect(server.last.headers['x-desk']).toBe('night');
  const said: newsroom.Credentials = {
    password: { username: 'ada', password: 'x' },
    'X-Key': 'k',
  };
  class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    override async getRequestInit(body?: unknown) {
      return api.authorize(await super.getRequestInit(body), said);
    }
  }
  const get = new ApiEndpoint({ urlPrefix: server.address, path: '/stories/:id' });
  await get({ id: 1 });
  const { headers } = server.last;
  expect([headers.authorization, headers['x-newsroom-key']]).toEqual(['Basic YWRhOng=', 'k']);
  expect(new Headers(api.authorize({}, { bearer: 't' }).headers).get('authorization')).toBe(
    'Bearer t',
  );
});

test('[T3] callbacks, webhooks and the item types of streams are reported as dropped', async () => {
  const { said } = await run(['openapi', documentAt('newsroom.yaml')]);
  expect(said).toEqual([
    'dropped: #/paths/~1stories/post/callbacks/approved: the server sends this request',
    'dropped: #/paths/~1events/get/responses/200/content/text~1event-stream/itemSchema: the items of a stream are not typed',
    'dropped: #/webhooks/published: the server sends this request',
  ]);
});

const files: Record<string, string> = {
  'api.yaml': `openapi: 3.0.3
info: { title: Files, version: '1' }
paths:
  /droplets: { $ref: paths/droplets.yaml }
  /droplets/{droplet_id}: { get: { $ref: 'paths/droplet.yaml#/get' } }
components: { schemas: { Region: { type: object, properties: { slug: { type: string } } } } }`,
  'paths/droplets.yaml': `get:
  responses:
    '200': { content: { application/json: { schema: { type: array, items: { $ref: ../models/droplet.json } } } } }`,
  'paths/droplet.yaml': `get:
  parameters: [{ name: droplet_id, in: path, required: true, schema: { type: integer } }]
  responses:
    '200': { content: { application/json: { schema: { $ref: ../models/droplet.json } } } }`,
  'models/droplet.json': JSON.stringify({
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      note: { type: 'string', nullable: true },
      region: { $ref: '../api.yaml#/components/schemas/Region' },
      parent: { $ref: '#' },
    },
  }),
};

async function written(): Promise<string> {
  const place = await folder();
  for (const part of ['paths', 'models']) await mkdir(join(place, part));
  for (const [name, text] of Object.entries(files)) await writeFile(join(place, name), text);
  return place;
}

test('[T3] a description of several files is read as one, and schemas are named after their files', async () => {
  const place = await written();
  const { code, out, said } = await run(['openapi', join(place, 'api.yaml')]);
  expect([code, said]).toEqual([0, []]);
  expect(out).toContain(`export class Droplet extends Entity {
  id = 0;
  note: string | null = null;
  region?: Region;
  parent: Droplet | null = null;
`);
  expect(out).toMatch(/export const DropletResource = \{\n {2}get: .*\n {2}getList: /);
});

test('[T3] a missing file is named in the error, and nothing is written', async () => {
  const place = await written();
  await writeFile(join(place, 'paths/droplet.yaml'), `get: { $ref: gone.yaml }`);
  const { code, out, said } = await run(['openapi', join(place, 'api.yaml')]);
  expect([code, out, said]).toEqual([
    2,
    '',
    [expect.stringMatching(/\$ref .*gone\.yaml' names another document/)],
  ]);
});
