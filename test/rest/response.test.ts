/** The value or the error of a response. */
import { Controller, NetworkError, RestEndpoint } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { serve } from '../setup/server.ts';
import type { Answer } from '../setup/server.ts';

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };

async function ask(answer: Answer, options = {}): Promise<any> {
  const { address } = await serve(answer);
  return new RestEndpoint<any>({ path: '/users/:id', urlPrefix: address, ...options })({ id: 1 });
}

describe('values', () => {
  test.each([
    ['application/json', { a: 1 }],
    ['application/problem+json; charset=utf-8', { a: 1 }],
    ['text/json', { a: 1 }],
    ['Application/JSON', { a: 1 }],
    ['text/plain', '{"a":1}'],
    ['application/jsonp', '{"a":1}'],
    ['application/x; x=/json', '{"a":1}'],
  ])('[R6] a body is parsed by the content type %s', async (type, expected) => {
    expect(await ask({ headers: { 'content-type': type }, body: '{"a":1}' })).toEqual(expected);
  });

  test.each([
    ['204', { status: 204 }],
    ['205', { status: 205 }],
    ['an empty body', { headers: json, body: '' }],
    ['an empty text', { headers: html, body: '' }],
    ['JSON of blanks', { headers: json, body: ' \r\n\t' }],
    ['a page of blanks', { headers: html, body: '\n' }],
    ['blanks without a type', { body: '  ' }],
  ])('[R6] a response with %s resolves with null', async (_, answer) => {
    expect(await ask(answer, { schema: {} })).toBe(null);
  });

  test('[R8] a mutation with a response of blanks resolves with null', async () => {
    const { address } = await serve({ status: 201, headers: json, body: '\n' });
    const create = new RestEndpoint({ path: '/users', method: 'POST', urlPrefix: address });
    expect(await new Controller().fetch(create, { a: 1 })).toBe(null);
  });

  test("[R6] blanks are returned with `content: 'text'`", async () => {
    expect(await ask({ headers: html, body: ' \n' }, { content: 'text' })).toBe(' \n');
  });

  test('[R6] JSON without a content type is parsed', async () => {
    expect(await ask({ body: '{"a":1}' }, { schema: {} })).toEqual({ a: 1 });
  });

  test.each([
    'image/png',
    'image/svg+xml',
    'IMAGE/JPEG',
    'audio/mpeg',
    'video/mp4',
    'font/woff2',
    'application/pdf',
    'application/octet-stream',
    'application/zip',
    'application/x-zip-compressed',
    'application/gzip',
    'application/x-tar',
    'application/x-7z-compressed',
    'application/vnd.rar',
    'application/epub+zip',
    'application/wasm',
    'application/msword',
    'application/vnd.ms-excel',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.oasis.opendocument.text',
  ])('[R6] a body of the type %s is a Blob, unless `content` overrides the type', async (type) => {
    const bytes = new Uint8Array([0x89, 0x50, 0xff, 0x00]);
    const headers = { 'content-type': type };
    const blob = await ask({ headers, body: Buffer.from(bytes) });
    expect(blob).toBeInstanceOf(Blob);
    expect(blob.type).toBe(type.toLowerCase());
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(bytes);
    expect(await ask({ headers, body: '' })).toBe(null);
    expect(await ask({ headers, body: '[1]' }, { content: 'json' })).toEqual([1]);
    expect(await ask({ headers, body: '[1]' }, { content: 'text' })).toBe('[1]');
  });

  test.each([
    'text/csv',
    'application/xml',
    'application/atom+xml',
    'application/xhtml+xml',
    'application/vnd.ms-office.activeX+xml',
    'application/javascript',
    'application/x-www-form-urlencoded',
    'application/imaginary',
  ])('[R6] a body of the type %s is text', async (type) => {
    expect(await ask({ headers: { 'content-type': type }, body: 'a' })).toBe('a');
  });

  test.each(['image/x+json', 'application/vnd.ms-x+json', 'model/gltf+json'])(
    '[R6] a body of the type %s is parsed as JSON',
    async (type) => {
      expect(await ask({ headers: { 'content-type': type }, body: '[1]' })).toEqual([1]);
    },
  );

  test('[R6] a refetched Blob replaces the stored Blob', async () => {
    const bodies = ['a', 'b'];
    const { address } = await serve(() => ({
      headers: { 'content-type': 'image/png' },
      body: bodies.shift(),
    }));
    const get = new RestEndpoint({ path: '/cover', urlPrefix: address });
    const controller = new Controller();
    const first = await controller.fetch(get);
    const second = await controller.fetch(get);
    expect(controller.getResponse(get).data).toBe(second);
    expect([await first.text(), await second.text()]).toEqual(['a', 'b']);
  });

  test('[R6] `content` overrides the content type', async () => {
    const answer = { headers: html, body: '[1]' };
    expect(await ask(answer, { content: 'json' })).toEqual([1]);
    expect(await ask({ headers: json, body: '[1]' }, { content: 'text' })).toBe('[1]');
    expect(await (await ask(answer, { content: 'blob' })).text()).toBe('[1]');
    expect((await ask(answer, { content: 'arrayBuffer' })).byteLength).toBe(3);
    expect(await new Response(await ask(answer, { content: 'stream' })).text()).toBe('[1]');
  });
});

describe('errors', () => {
  const failure = (answer: Answer, options = {}) =>
    ask(answer, options).then(
      () => expect.unreachable(),
      (error: NetworkError) => error,
    );

  test('[R6] text instead of JSON beside a schema rejects with status 404, and quotes the text', async () => {
    const error = await failure({ headers: html, body: '<p>hi' }, { schema: {} });
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({
      code: 'R5',
      status: 404,
      body: '<p>hi',
      endpoint: 'GET /users/:id',
    });
    expect(error.message).toMatch(/text\/html.*<p>hi/);
  });

  test('[R6] text is returned for a schema of text, and with a custom `process`', async () => {
    const answer = { headers: html, body: 'hi' };
    expect(await ask(answer, { schema: '' })).toBe('hi');
    expect(await ask(answer, { schema: {}, process: (text: string) => ({ text }) })).toEqual({
      text: 'hi',
    });
  });

  test('[R6] invalid JSON rejects with status 400', async () => {
    const error = await failure({ headers: json, body: '{"a"' });
    expect(error).toMatchObject({
      code: 'R6',
      status: 400,
      body: '{"a"',
      cause: expect.any(SyntaxError),
    });
  });

  test.each([
    ['JSON', { headers: json, body: '{"why":"x"}' }, { why: 'x' }],
    ['invalid JSON', { headers: json, body: '{' }, '{'],
    ['text', { body: 'no' }, 'no'],
    ['nothing', {}, null],
  ])(
    '[R6] the error of a response with status 422 has its body: %s',
    async (_, answer: Answer, body) => {
      const error = await failure({ status: 422, ...answer });
      expect(error).toMatchObject({ name: 'NetworkError', code: 'R7', status: 422, method: 'GET' });
      expect(error.url).toMatch(/\/users\/1$/);
      expect(error.body).toEqual(body);
      expect(await error.response?.text()).toBe(answer.body ?? '');
    },
  );

  test('[R6] a refused connection rejects with status 500 and its cause', async () => {
    const nobody = new RestEndpoint<any>({ path: '/', urlPrefix: 'http://127.0.0.1:1' });
    await expect(nobody()).rejects.toMatchObject({
      code: 'R8',
      status: 500,
      url: 'http://127.0.0.1:1/',
      cause: expect.any(TypeError),
    });
    await expect(nobody()).rejects.not.toHaveProperty('response');
  });

  test('[R6] a response that breaks off rejects with status 500', async () => {
    const { address } = await serve((_, response) => {
      response.writeHead(200, { ...json, 'content-length': '100' });
      response.write('{"a":');
      setTimeout(() => response.destroy(), 20);
      return undefined;
    });
    const broken = new RestEndpoint<any>({ path: '/', urlPrefix: address });
    await expect(broken()).rejects.toMatchObject({ code: 'R8', status: 500 });
  });

  test('[R6] bytes instead of JSON beside a schema reject with status 404', async () => {
    const error = await failure(
      { headers: { 'content-type': 'image/png' }, body: 'x' },
      { schema: {} },
    );
    expect(error).toMatchObject({ code: 'R5', status: 404, body: expect.any(Blob) });
    expect(error.message).toMatch(/image\/png/);
  });

  test('[R6] JSON of a NetworkError has code, message, status and url, and no response', async () => {
    const error = await failure({ status: 422, headers: json, body: '{"why":"x"}' });
    const copy = JSON.parse(JSON.stringify(error));
    expect(copy).toEqual({
      name: 'NetworkError',
      code: 'R7',
      message: error.message,
      status: 422,
      method: 'GET',
      url: error.url,
      endpoint: 'GET /users/:id',
    });
    expect(structuredClone(error.toJSON())).toEqual(copy);
    const own = JSON.parse(JSON.stringify(new NetworkError(new Response(null, { status: 500 }))));
    expect(own).toMatchObject({ name: 'NetworkError', status: 500 });
    expect(own).not.toHaveProperty('response');
  });

  test('[R7] a NetworkError that a custom fetchResponse creates from the response has status, url and body', async () => {
    const { address } = await serve({ status: 418, body: { detail: 'tea' } });
    const own = new RestEndpoint<any>({
      path: '/tea',
      urlPrefix: address,
      async fetchResponse(input: RequestInfo | URL, init?: RequestInit) {
        const response = await fetch(input, init);
        if (!response.ok) throw new NetworkError(response);
        return response;
      },
    });
    const error = await own().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NetworkError);
    const url = `${address}/tea`;
    expect(error).toMatchObject({ code: 'R7', status: 418, endpoint: url, url });
    expect((error as Error).message).toContain(`${url}: the server responded with 418`);
    expect(await (error as NetworkError).response?.json()).toEqual({ detail: 'tea' });
    expect(new NetworkError(new Response(null, { status: 500 }))).not.toHaveProperty('url');
  });

  test('[F3] an abort rejects with the reason of the signal', async () => {
    const { address } = await serve(() => undefined);
    const abort = new AbortController();
    const slow = new RestEndpoint<any>({ path: '/', urlPrefix: address, signal: abort.signal });
    const waiting = slow();
    abort.abort();
    await expect(waiting).rejects.toBe(abort.signal.reason);
  });
});
