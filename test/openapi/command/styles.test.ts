/** Styles of real descriptions: records beside included lists, and envelopes that allow any other member. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { documentAt, folder, load, run } from './command.ts';
import type * as styles from './generated/styles.ts';

const included = [{ type: 'authors', id: '7', attributes: { name: 'Ada' } }];
const article = (id: string) => ({ type: 'articles', id, attributes: { title: `Title ${id}` } });

test('[T3] a list beside the record of a path does not make a list of the path: a deletion leaves the lists', async () => {
  const server = await serve(({ method, url }) => {
    if (method === 'DELETE') return { status: 204 };
    if (url === '/articles') return { body: { data: [article('1'), article('2')], included } };
    return { body: { data: article('1'), included } };
  });
  const { ArticleResource, Author } = (await load('styles.yaml', server.address)) as typeof styles;
  const controller = new Controller();
  await controller.fetch(ArticleResource.getList);
  const one = await controller.fetch(ArticleResource.get, { id: '1' });
  expect(one.included).toEqual([controller.get(Author, { id: '7' })]);
  await controller.fetch(ArticleResource.delete, { id: '1' });
  const { data } = controller.getResponse(ArticleResource.getList);
  expect(data?.data.map(({ id }) => id)).toEqual(['2']);
  expect(server.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /articles',
    'GET /articles/1',
    'DELETE /articles/1',
  ]);
});

const member = (id: number) => ({ id, name: `Member ${id}` });

test('[T3] an envelope that allows other members is the schema of its list', async () => {
  const server = await serve(({ method, text, url }) => {
    if (method === 'POST') return { status: 201, body: { id: 3, ...JSON.parse(text) } };
    if (method === 'PATCH') return { body: { ...member(1), ...JSON.parse(text) } };
    return { body: { count: 2, value: [member(1), member(2)], '@next': url } };
  });
  const { MemberResource, Member } = (await load('styles.yaml', server.address)) as typeof styles;
  const controller = new Controller();
  const page = await controller.fetch(MemberResource.getList);
  expect(page.value[0]).toBeInstanceOf(Member);
  expect(page).toHaveProperty('@next', '/members');
  await controller.fetch(MemberResource.create, { name: 'New' });
  await controller.fetch(MemberResource.partialUpdate, { id: 1 }, { name: 'Edited' });
  const { data } = controller.getResponse(MemberResource.getList);
  expect(data?.value.map(({ name }) => name)).toEqual(['Edited', 'Member 2', 'New']);
});

test('[T3] records and dates in an object of a record that allows other members are records and dates', async () => {
  const employment = { since: '2026-01-01T00:00:00Z', boss: member(2), desk: '4b' };
  const server = await serve({ body: { ...member(1), employment } });
  const { MemberResource, Member } = (await load('styles.yaml', server.address)) as typeof styles;
  const controller = new Controller();
  const one = await controller.fetch(MemberResource.get, { id: 1 });
  expect(one.employment?.since?.getUTCFullYear()).toBe(2026);
  expect(one.employment?.boss).toBe(controller.get(Member, { id: 2 }));
  expect(one.employment?.['desk']).toBe('4b');
  expectTypeOf(one.employment?.boss).toEqualTypeOf<styles.Member | undefined>();
});

test('[T3] nothing of such descriptions is guessed', async () => {
  const { code } = await run(['openapi', documentAt('styles.yaml'), '--strict']);
  expect(code).toBe(0);
});

test('[T3] a search param that is a text, a list or an object is sent by its value', async () => {
  const server = await serve({ body: { id: 1 } });
  const size = {
    name: 'size',
    in: 'query',
    schema: {
      oneOf: [
        { type: 'string' },
        { type: 'array', items: { type: 'integer' } },
        { type: 'object', properties: { gt: { type: 'integer' }, lt: { type: 'integer' } } },
      ],
    },
  };
  const schema = { title: 'Box', type: 'object', required: ['id'], properties: { id: {} } };
  const get = {
    operationId: 'getBoxes',
    parameters: [size],
    responses: { 200: { content: { 'application/json': { schema } } } },
  };
  const file = join(await folder(), 'api.json');
  const written = join(await folder(), 'api.ts');
  await writeFile(
    file,
    JSON.stringify({ openapi: '3.1.0', info: {}, paths: { '/boxes': { get } } }),
  );
  await run(['openapi', file, '--prefix', server.address, '--out', written]);
  const { getBoxes } = (await import(/* @vite-ignore */ written)) as {
    getBoxes: { url(params: object): string };
  };
  const sent = (value: unknown) => getBoxes.url({ size: value }).replace(/.*\?/, '');
  expect([sent('big'), sent([1, 2]), sent({ gt: 3, lt: 5 })]).toEqual([
    'size=big',
    'size=1&size=2',
    'gt=3&lt=5',
  ]);
});
