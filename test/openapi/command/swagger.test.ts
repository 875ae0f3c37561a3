/** Parts of Swagger 2.0 without a place in OpenAPI 3 are kept: bodies and fields by reference, formats of lists, schemes. */
import { Controller } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { documentAt, load, run } from './command.ts';
import type * as library from './generated/library.ts';

/** The module, and a server that records requests. */
async function api() {
  const server = await serve(({ method, url }) => {
    if (url.startsWith('/loans') && method === 'GET') return { body: [{ id: 1, shelf: 'A' }] };
    return url === '/loans' ? { status: 201, body: { id: 2, shelf: 'B' } } : { status: 204 };
  });
  const module = (await load('library.json', server.address)) as typeof library;
  return { ...module, server, controller: new Controller() };
}

test('[T3] a body parameter given by $ref is sent and typed', async () => {
  const { LoanResource, server, controller } = await api();
  const made = await controller.fetch(LoanResource.create, { shelf: 'B' });
  expect([server.last.text, made.id]).toEqual(['{"shelf":"B"}', 2]);
  // @ts-expect-error -- the schema of the body has a text
  void (() => controller.fetch(LoanResource.create, { shelf: 5 }));
});

test('[T3] a form has fields of the operation, of the path and by $ref, and lists in their collectionFormat', async () => {
  const { remind, server, controller } = await api();
  const lists = { days: [1, 2], ways: ['mail', 'phone'], copies: ['a', 'b'] };
  await controller.fetch(remind, { reader: 'Ada', ...lists });
  expect(server.last.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
  expect([...new URLSearchParams(server.last.text)]).toEqual([
    ['reader', 'Ada'],
    ['days', '1,2'],
    ['ways', 'mail\tphone'],
    ['copies', 'a'],
    ['copies', 'b'],
  ]);
  // @ts-expect-error -- the field by reference is required
  void (() => controller.fetch(remind, { days: [1] }));
});

test('[T3] a list in the query with collectionFormat tsv is joined by tabs, and null is sent as an empty value if allowed', async () => {
  const { LoanResource, server, controller } = await api();
  await controller.fetch(LoanResource.getList, { shelves: ['A', 'B C'], open: null });
  expect(server.last.url).toBe('/loans?open=&shelves=A%09B%20C');
});

test('[T3] schemes become servers, also for a single operation', async () => {
  const { out } = await run(['openapi', documentAt('library.json')]);
  expect(out).toContain("const urlPrefix = 'https://desk.invalid/v1';");
  const { LoanResource, servers } = await api();
  expect(servers.https).toBe('https://desk.invalid/v1');
  expect(LoanResource.printSlips.url({ ids: '1|2' })).toBe(
    'http://desk.invalid/v1/loans/1%7C2/slip',
  );
});

test('[T3] a response given by $ref has the media types of its operation', async () => {
  const { LoanResource } = await api();
  expect(LoanResource.printSlips.content).toBe('text');
  expectTypeOf(LoanResource.printSlips).returns.resolves.toEqualTypeOf<string>();
});

test('[T3] each unsupported part of Swagger is reported in one line, and fails --strict if requests would differ', async () => {
  const { code, said } = await run(['openapi', documentAt('library.json'), '--strict']);
  expect(code).toBe(1);
  expect(said).toEqual([
    'dropped: #/schemes/1: fetch does not support wss',
    'guessed: #/paths/~1loans/get/parameters/2/items: nested lists are not joined',
    'guessed: #/paths/~1notes/post: a form is multipart/form-data, since `consumes` names no form',
    'guessed: #/paths/~1loans~1{ids}~1slip/get/parameters/0: a list or an object in a path is typed as a string',
  ]);
});

const said = async (more: object) => {
  const operation = { schemes: ['https'], responses: { 204: { description: 'Done' } } };
  const document = { swagger: '2.0', info: {}, paths: { '/a': { post: operation } }, ...more };
  return (await run(['openapi', '-'], JSON.stringify(document))).said;
};

test('[T3] a missing scheme or host is reported as a guess', async () => {
  const own = "the page's own server, since no host is described";
  expect(await said({ host: 'a.invalid' })).toEqual([
    'guessed: #/host: http, since no scheme is described',
  ]);
  expect(await said({ schemes: ['https'], basePath: '/v1' })).toEqual([
    `guessed: #/schemes: ${own}`,
    `guessed: #/paths/~1a/post/schemes: ${own}`,
  ]);
});

test('[T3] YAML with an unquoted version 2.0 is read as Swagger', async () => {
  const yaml = (version: string) =>
    run(
      ['openapi', '-'],
      `swagger: ${version}
host: a.invalid
schemes: [https]
info: { title: A, version: 1 }
paths: { /a: { get: { responses: { 200: { description: All, schema: { type: integer } } } } } }
`,
    );
  expect(await yaml('2.0')).toEqual(await yaml('"2.0"'));
  expect((await yaml('2.0')).out).toContain('process: (value: number) => value');
});
