/** The names of parameters and of files equal the names of the description. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller } from 'signalbox';
import type { RestEndpoint } from 'signalbox';
import { expect, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { contentOf, documentAt, folder, load, run } from './command.ts';
import type * as names from './generated/names.ts';

test('[T3] path params with hyphens and dots keep their names', async () => {
  const server = await serve({ body: { number: 7, title: 'Seventh' } });
  const { PostResource, Post } = (await load('names.yaml', server.address)) as typeof names;
  const controller = new Controller();
  const address = { 'user-id': 3, 'post.number': 7 };
  const post = await controller.fetch(PostResource.get, address);
  expect(post).toBeInstanceOf(Post);
  expect(server.last.url).toBe('/users/3/posts/7');
  expect(post.pk({}, '', [address])).toBe('3/7');
  await controller.fetch(PostResource.delete, address);
  expect(controller.getResponse(PostResource.get, address).data).toBeUndefined();
});

test('[T3] if a path param and a search param have the same name, the path param keeps the name', async () => {
  const server = await serve({ body: { id: 'a', size: 1 } });
  const { FileResource } = (await load('names.yaml', server.address)) as typeof names;
  const file = await new Controller().fetch(FileResource.get, { id: 'a', idQuery: 5, deep: true });
  expect(file.pk()).toBe('a');
  expect(server.last.url).toBe('/files/a?deep=true&id=5');
});

test('[T3] a path param with the style matrix or label is sent in that style', async () => {
  const param = (name: string, style: string, more: object = {}) => ({
    name,
    in: 'path',
    required: true,
    style,
    schema: { type: 'integer' },
    ...more,
  });
  const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const content = { 'application/json': { schema } };
  const read = { responses: { 200: { description: 'One', content } } };
  const one = param('id', 'matrix');
  const paths = {
    '/seats/{id}': { parameters: [one], get: read, delete: { responses: { 204: {} } } },
    '/rows/{row}/marks/{id}': {
      parameters: [param('row', 'label', { explode: true }), param('id', 'simple')],
      get: { operationId: 'getMark', ...read },
    },
    '/files/{base}{name}': {
      parameters: [param('base', 'simple'), param('name', 'label', { explode: true })],
      get: { operationId: 'getFile', responses: { 204: {} } },
    },
    '/grid/{my id}': {
      parameters: [param('my id', 'matrix', { explode: true })],
      get: { operationId: 'getGrid', responses: { 204: {} } },
    },
  };
  const document = JSON.stringify({ openapi: '3.1.0', info: {}, paths });
  const out = join(await folder(), 'api.ts');
  expect((await run(['openapi', '-', '--out', out, '--strict'], document)).said).toEqual([]);
  const module = (await import(/* @vite-ignore */ out)) as Record<
    'getFile' | 'getGrid',
    RestEndpoint
  > &
    Record<'SeatResource' | 'MarkResource', Record<'get' | 'delete', RestEndpoint>>;
  const { SeatResource, MarkResource, getFile, getGrid } = module;
  expect([
    SeatResource.get.url({ id: 5 }),
    SeatResource.delete.url({ id: 5 }),
    MarkResource.get.url({ row: 2, id: 7 }),
    getFile.url({ base: 3, name: 4 }),
    getGrid.url({ 'my id': 1 }),
  ]).toEqual([
    '/seats/;id=5',
    '/seats/;id=5',
    '/rows/.2/marks/7',
    '/files/3.4',
    '/grid/;my%20id=1',
  ]);
});

test('[T3] a header param of an operation replaces the param of the path regardless of case; cookies are case-sensitive', async () => {
  const header = (name: string, more: object) => ({ name, in: 'header', ...more });
  const cookie = (name: string) => ({ name, in: 'cookie', schema: { type: 'string' } });
  const get = {
    operationId: 'readLog',
    parameters: [header('X-Trace', { required: true, schema: { type: 'integer' } }), cookie('A')],
    responses: { 204: { description: 'Read' } },
  };
  const parameters = [header('x-trace', { schema: { type: 'string' } }), cookie('a')];
  const document = { openapi: '3.1.0', info: {}, paths: { '/log': { parameters, get } } };
  const { out } = await run(['openapi', '-'], JSON.stringify(document));
  expect(out.match(/x-trace.*/gi)).toEqual([expect.stringMatching(/^X-Trace': /)]);
  expect(out.match(/^ {2}a\?.*/gim)).toHaveLength(2);
});

test('[T3] --check accepts a file with CRLF line endings', async () => {
  const out = join(await folder(), 'api.ts');
  const told = ['openapi', documentAt('petstore.yaml'), '--out', out];
  await run(told);
  await writeFile(out, (await contentOf(out)).replaceAll('\n', '\r\n'));
  expect(await run([...told, '--check'])).toEqual({ code: 0, out: '', said: [] });
});

test('[T3] a reference to a file may be percent-encoded', async () => {
  const place = await folder();
  await mkdir(join(place, 'my types'));
  const first = {
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    paths: {
      '/notes/{id}': {
        get: {
          responses: {
            200: {
              content: {
                'application/json': { schema: { $ref: './my%20types/a%20note.yaml#/Note' } },
              },
            },
          },
        },
      },
    },
  };
  await writeFile(join(place, 'api.json'), JSON.stringify(first));
  const note = `Note: { type: object, required: [id], properties: { id: { type: integer }, next: { $ref: './another%20note.yaml' } } }`;
  await writeFile(join(place, 'my types/a note.yaml'), note);
  const other = 'type: object\nproperties: { text: { type: string } }\n';
  await writeFile(join(place, 'my types/another note.yaml'), other);
  const { code, out, said } = await run(['openapi', join(place, 'api.json')]);
  expect([code, said]).toEqual([0, []]);
  expect(out).toContain('export class Note extends Entity');
  expect(out).toContain('interface AnotherNote');
});

test('[T3] two spellings of the path of a referenced file are the same file', async () => {
  const place = await folder();
  await mkdir(join(place, 'my types'));
  const answer = (schema: object) => ({
    get: { responses: { 200: { content: { 'application/json': { schema } } } } },
  });
  const first = {
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    paths: {
      '/notes/{id}': answer({ $ref: './my%20types/note.yaml#/Note' }),
      '/tags/{id}': answer({ $ref: 'my types/a%23tag.yaml#/Tag' }),
    },
  };
  const id = { type: 'integer' };
  const Note = {
    type: 'object',
    required: ['id'],
    properties: { id, tag: { $ref: './a%23tag.yaml#/Tag' } },
  };
  const Tag = {
    type: 'object',
    required: ['id'],
    properties: { id, notes: { type: 'array', items: { $ref: '../my types/note.yaml#/Note' } } },
  };
  await writeFile(join(place, 'api.json'), JSON.stringify(first));
  await writeFile(join(place, 'my types/note.yaml'), JSON.stringify({ Note }));
  await writeFile(join(place, 'my types/a#tag.yaml'), JSON.stringify({ Tag }));
  const { out, said } = await run(['openapi', join(place, 'api.json')]);
  expect(said).toEqual([]);
  expect(out.match(/^export (?:class|interface) \w+/gm)).toEqual([
    'export class Tag',
    'export class Note',
  ]);
});
