/** Bodies go out as the media type that the description declares; bytes come as a Blob. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller } from 'signalbox';
import type { RestEndpoint } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { folder, load, run } from './command.ts';
import type * as bodies from './generated/bodies.ts';

/** The module, and a server that records requests. */
async function start() {
  const server = await serve(({ method, url }) => {
    if (url.startsWith('/logo')) return { body: new Uint8Array([0, 255]) };
    return method === 'POST' && url.endsWith('notes')
      ? { status: 201, body: { id: 2, text: 'new' } }
      : { body: url.endsWith('notes') ? [{ id: 1, text: 'one' }] : { id: 1, text: 'changed' } };
  });
  const module = (await load('bodies.yaml', server.address)) as typeof bodies;
  const sent = () => [server.last.headers['content-type'], server.last.text];
  return { ...module, server, sent, controller: new Controller() };
}

test('[T3] a JSON body is sent with the described media type, by the members of createResource and by other members', async () => {
  const { NoteResource, controller, sent } = await start();
  await controller.fetch(NoteResource.create, { text: 'new' });
  expect(sent()).toEqual(['application/vnd.api+json', '{"text":"new"}']);
  await controller.fetch(NoteResource.update, { id: 1 }, { text: 'put' });
  expect(sent()).toEqual(['application/json', '{"text":"put"}']);
  await controller.fetch(NoteResource.partialUpdate, { id: 1 }, { text: null });
  expect(sent()).toEqual(['application/merge-patch+json', '{"text":null}']);
  await controller.fetch(NoteResource.changeNote, { id: 1 }, [{ op: 'test', path: '/text' }]);
  expect(sent()).toEqual(['application/json-patch+json', '[{"op":"test","path":"/text"}]']);
});

test('[T3] a row created by getList.push with another JSON media type joins the list', async () => {
  const { NoteResource, controller, sent } = await start();
  await controller.fetch(NoteResource.getList);
  await controller.fetch(NoteResource.getList.push, { text: 'new' });
  expect(sent()[0]).toBe('application/vnd.api+json');
  const { data } = controller.getResponse(NoteResource.getList);
  expect(data?.map(({ text }) => text)).toEqual(['one', 'new']);
});

test('[T3] each mutation of a list is sent with the media type of its own operation', async () => {
  const { NoteResource, controller, sent, server, ...api } = await start();
  await controller.fetch(NoteResource.getList);
  for (const change of ['move', 'remove'] as const) {
    await controller.fetch(NoteResource.getList[change], { id: 1 }, { text: change });
    expect([server.last.method, ...sent()]).toEqual([
      'PATCH',
      'application/merge-patch+json',
      `{"text":"${change}"}`,
    ]);
  }
  await controller.fetch(NoteResource.getList.unshift, { text: 'new' });
  expect(sent()[0]).toBe('application/vnd.api+json');
  // of other lists of the same records
  await controller.fetch(api.listNotesOfFolder.push, { folder_id: 1 }, { text: 'new' });
  expect(sent()).toEqual(['application/vnd.folder+json', '{"text":"new"}']);
  await controller.fetch(NoteResource.listNotesOfNote.push, { noteId: 1 }, { text: 'new' });
  expect([server.last.url, sent()[0]]).toEqual(['/notes/1/notes', 'application/vnd.note+json']);
});

test('[T3] a multipart body has typed fields and files', async () => {
  const { NoteResource, controller, server } = await start();
  const file = new File(['bytes'], 'a.png', { type: 'image/png' });
  await controller.fetch(
    NoteResource.attachFile,
    { id: 1 },
    {
      file,
      more: [file, file],
      title: 'A',
      about: { author: 'Ada' },
    },
  );
  const headers = { 'content-type': server.last.headers['content-type'] ?? '' };
  const form = await new Response(server.last.text, { headers }).formData();
  expect((form.get('file') as File).name).toBe('a.png');
  expect(form.getAll('more')).toHaveLength(2);
  expect(form.get('title')).toBe('A');
  const about = form.get('about') as File;
  expect([about.type, await about.text()]).toEqual(['application/json', '{"author":"Ada"}']);
  type Body = Parameters<typeof NoteResource.attachFile>[1];
  expectTypeOf<Exclude<Body, FormData>['file']>().toEqualTypeOf<Blob>();
  expectTypeOf<FormData>().toExtend<Body>();
});

test('[T3] a file in a variant of a multipart body is a Blob, and a binary member inside a JSON part is a string', async () => {
  const { scan, print, server } = await start();
  const file = new File(['bytes'], 'a.txt', { type: 'text/plain' });
  await scan({ file, pages: [file] });
  const headers = { 'content-type': server.last.headers['content-type'] ?? '' };
  const form = await new Response(server.last.text, { headers }).formData();
  expect(await (form.get('file') as File).text()).toBe('bytes');
  await scan({ url: 'https://example.com/a.txt' });
  await print({ page: file });
  await print({ cover: { image: 'text' } });
  // @ts-expect-error -- no file
  expectTypeOf(() => scan({ file: 'bytes' })).toBeFunction();
  // @ts-expect-error -- a file inside of JSON
  expectTypeOf(() => print({ cover: { image: file } })).toBeFunction();
});

test('[T3] a urlencoded body has typed fields, encoded as described', async () => {
  const { logIn, controller, sent } = await start();
  await controller.fetch(logIn, {
    user: 'ada',
    until: new Date(0),
    roles: ['a', 'b'],
    device: { name: 'x' },
    ids: [1, 2],
  });
  const [type, text] = sent();
  expect(type).toMatch('application/x-www-form-urlencoded');
  expect([...new URLSearchParams(text)]).toEqual([
    ['user', 'ada'],
    ['until', '1970-01-01T00:00:00.000Z'],
    ['roles', 'a'],
    ['roles', 'b'],
    ['device[name]', 'x'],
    ['ids', '1,2'],
  ]);
  await controller.fetch(logIn, new URLSearchParams({ user: 'grace' }));
  expect(sent()[1]).toBe('user=grace');
});

test('[T3] XML, a JSON string and bytes are sent with their media type', async () => {
  const { putFeed, putName, putLogo, controller, sent } = await start();
  await controller.fetch(putFeed, '<feed/>');
  expect(sent()).toEqual(['application/xml', '<feed/>']);
  await controller.fetch(putName, 'Ada');
  expect(sent()).toEqual(['application/json', '"Ada"']);
  await controller.fetch(putLogo, new TextEncoder().encode('abc'));
  expect(sent()).toEqual(['application/octet-stream', 'abc']);
});

test('[T3] a response of bytes is a Blob, with any media type or with none described', async () => {
  const { getLogo, getSmallLogo, getRawLogo, controller } = await start();
  for (const endpoint of [getLogo, getSmallLogo, getRawLogo]) {
    const blob = await controller.fetch(endpoint);
    expectTypeOf(blob).toEqualTypeOf<Blob>();
    expect([...new Uint8Array(await blob.arrayBuffer())]).toEqual([0, 255]);
  }
});

test('[T3] a form field with a binary media type is a file, and a field with text or base64 is a string', async () => {
  const { upload, controller, server } = await start();
  await controller.fetch(upload, { file: new Blob(['f']), note: '*n*', thumb: 'QQ==' });
  const form = await new Response(server.last.text, {
    headers: { 'content-type': String(server.last.headers['content-type']) },
  }).formData();
  const file = form.get('file');
  expect(file instanceof Blob && (await file.text())).toBe('f');
  expect([form.get('note'), form.get('thumb')]).toEqual(['*n*', 'QQ==']);
});

test('[T3] bytes of any image type, beside members with another media type, are not sent as JSON', async () => {
  const server = await serve({ status: 204 });
  const ref = { $ref: '#/components/schemas/Badge' };
  const requestBody = { content: { 'application/vnd.api+json': { schema: ref } } };
  const bytes = { content: { 'image/*': { schema: { type: 'string', format: 'binary' } } } };
  const answer = { responses: { 200: { content: { 'application/json': { schema: ref } } } } };
  const paths = {
    '/badges': { post: { requestBody, ...answer } },
    '/badges/{id}': { get: answer },
    '/badges/{id}/image': {
      put: { operationId: 'upload', requestBody: bytes, responses: { 204: {} } },
    },
  };
  const Badge = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const file = join(await folder(), 'api.json');
  const document = { openapi: '3.1.0', info: {}, paths, components: { schemas: { Badge } } };
  await writeFile(file, JSON.stringify(document));
  const written = join(await folder(), 'api.ts');
  await run(['openapi', file, '--prefix', server.address, '--out', written]);
  const { BadgeResource } = (await import(/* @vite-ignore */ written)) as {
    BadgeResource: { upload: RestEndpoint };
  };
  const controller = new Controller();
  const sent: unknown[] = [];
  for (const body of [new Uint8Array([1]), new Blob(['1'], { type: 'image/png' })]) {
    await controller.fetch(BadgeResource.upload, { id: 1 }, body);
    sent.push(server.last.headers['content-type']);
  }
  expect(sent).toEqual(['application/octet-stream', 'image/png']);
});
