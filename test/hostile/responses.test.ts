/** Unexpected responses over HTTP: each is an error with the status, or null. */
import { Collection, RestEndpoint } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo } from '../setup/world.ts';
import { serve } from '../setup/server.ts';
import type { Answer } from '../setup/server.ts';
import { accepts, arena, expectUnharmed, oops, refuses, throwing } from './arena.ts';
import type { Act } from './arena.ts';

type Reply = Parameters<typeof serve>[0];

/** Fetches the todo 900 from a server with this reply. */
function ask(reply: Reply, options: object = {}): Act {
  return async (a) => {
    const { address: urlPrefix } = await serve(reply);
    const get = new RestEndpoint<any>({ path: '/todos/:id', schema: Todo, urlPrefix, ...options });
    return a.w.controller.fetch(get, { id: 900 });
  };
}

const typed = (type: string, body: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': type },
  body,
});
const asJson = (body: unknown, status?: number) => typed('application/json', body, status);

test.each<[string, Reply, string, number]>([
  ['[R6] truncated JSON', asJson('{"id":900,"title":"x'), 'R6', 400],
  ['[R6] two values', asJson('{}{}'), 'R6', 400],
  ['[R6] a space', asJson(' '), 'F2', 404],
  ['[R6] NUL', asJson('\0'), 'R6', 400],
  ['[R6] NaN', asJson('NaN'), 'R6', 400],
  ['[R6] single quotes', asJson("{'id':1}"), 'R6', 400],
  ['[R6] JSON in UTF-16', asJson(Buffer.from('{"id":900}', 'utf16le')), 'R6', 400],
  ['[R6] a megabyte of brackets', asJson('['.repeat(1e6)), 'R6', 400],
  ['[R6] a page of HTML', typed('text/html', '<!doctype html>'), 'R5', 404],
  ['[R6] JSON with the type text/html', typed('text/html', '{"id":900}'), 'R5', 404],
  ['[R6] JSON with the type text/plain', typed('text/plain', '{"id":900}'), 'R5', 404],
  ['[R6] a picture', typed('image/png', Buffer.from([0x89, 0x50])), 'R5', 404],
  ['[R6] a type that resembles JSON', typed('application/jsonx', '{}'), 'R5', 404],
  ['[R6] an invalid type', typed(';;;=', '{}'), 'R5', 404],
  ['[R6] no type and no JSON', { body: '<p>' }, 'R5', 404],
  ['[N3] JSON text for an entity', asJson('"x"'), 'S2', 400],
  ['[N3] a number for an entity', asJson('5'), 'S2', 400],
  ['[N3] an array for an entity', asJson('[]'), 'S2', 400],
  ['[N3] an object without a pk', asJson('{"__proto__":{"id":900}}'), 'S1', 400],
  ['[R6] 204', { status: 204 }, 'F2', 404],
  ['[R6] 205', { status: 205 }, 'F2', 404],
  ['[R6] an empty body', asJson(''), 'F2', 404],
  ['[R6] an empty picture', typed('image/png', ''), 'F2', 404],
  ['[R6] JSON null', asJson('null'), 'F2', 404],
  ['[R6] 300', asJson({ id: 900 }, 300), 'R7', 300],
  ['[R6] 304', { status: 304 }, 'R7', 304],
  ['[R6] 400', asJson({ id: 900 }, 400), 'R7', 400],
  ['[R6] 404', asJson({ id: 900 }, 404), 'R7', 404],
  ['[R6] 404 with a page', typed('text/html', '<p>', 404), 'R7', 404],
  ['[R6] 404 with broken JSON', asJson('{', 404), 'R7', 404],
  ['[R6] 418', asJson({}, 418), 'R7', 418],
  ['[R6] 429', { status: 429, headers: { 'retry-after': 'never' } }, 'R7', 429],
  ['[R6] 500', asJson({}, 500), 'R7', 500],
  ['[R6] 599', { status: 599 }, 'R7', 599],
  ['[R6] a redirect to nowhere', { status: 302 }, 'R7', 302],
  ['[R6] a redirect in a circle', { status: 302, headers: { location: '/' } }, 'R8', 500],
  [
    '[R6] a redirect to a file',
    { status: 302, headers: { location: 'file:///etc/passwd' } },
    'R8',
    500,
  ],
  ['[R6] a redirect to no address', { status: 302, headers: { location: 'http://' } }, 'R8', 500],
  [
    '[R6] headers of 40,000 characters',
    { headers: { link: 'x'.repeat(40_000) }, body: {} },
    'R8',
    500,
  ],
  [
    '[R6] a wrong content encoding',
    {
      ...asJson('{}'),
      headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
    },
    'R8',
    500,
  ],
  ['[R6] a connection that breaks at once', (_, response) => void response.destroy(), 'R8', 500],
  [
    '[R6] a connection that breaks in the body',
    (_, response) => {
      response.writeHead(200, { 'content-length': '99', 'content-type': 'application/json' });
      response.write('{"id":');
      setImmediate(() => response.destroy());
      return undefined;
    },
    'R8',
    500,
  ],
])(
  '%s is an error with a code and a status, and nothing is stored',
  async (_, reply, code, status) => {
    await expect(
      refuses(async (a) => {
        const error: unknown = await Promise.resolve(ask(reply)(a)).catch(
          (reason: unknown) => reason,
        );
        expect(error).toMatchObject({ code, status });
        throw error;
      }, code as 'R6'),
    ).resolves.toBe(undefined);
  },
);

test.each<[string, Act, unknown]>([
  [
    '[R6] a byte order mark',
    async (a) => (await (ask(asJson('\uFEFF{"id":950,"title":"x"}'))(a) as Promise<Todo>)).title,
    'x',
  ],
  [
    '[R6] a wrong charset: read as UTF-8',
    async (a) =>
      (
        await (ask(
          typed(
            'application/json; charset=latin1',
            Buffer.from('{"id":950,"title":"\xE9"}', 'latin1'),
          ),
        )(a) as Promise<Todo>)
      ).title,
    '\uFFFD',
  ],
  [
    '[R6] an unknown charset',
    async (a) =>
      (
        await (ask(typed('application/json; charset=x-none', '{"id":950,"title":"é"}'))(
          a,
        ) as Promise<Todo>)
      ).title,
    'é',
  ],
  [
    '[R6] an unknown status 299',
    async (a) => (await (ask(asJson({ id: 950, title: 'x' }, 299))(a) as Promise<Todo>)).title,
    'x',
  ],
  [
    '[R6] JSON 10,000 deep in an unknown field',
    async (a) =>
      Array.isArray(
        (
          await (ask(asJson(`{"id":950,"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`))(
            a,
          ) as Promise<any>)
        ).x,
      ),
    true,
  ],
  [
    '[R6] a redirect to an existing address',
    async (a) =>
      (
        await (ask((asked) =>
          asked.url.includes('moved')
            ? asJson({ id: 950, title: 'x' })
            : { status: 307, headers: { location: '/moved' } },
        )(a) as Promise<Todo>)
      ).title,
    'x',
  ],
])('%s: the response is stored', (_, act, expected) =>
  expect(accepts(act, expected)).resolves.toBe(undefined),
);

test.each<[string, unknown]>([
  ['[R6] the body of an error with status 422 is the parsed JSON null', null],
  ['[R6] the body of an error with status 422 is the parsed JSON false', false],
  ['[R6] the body of an error with status 422 is the parsed JSON object', { a: 1 }],
])('%s', async (_, body) => {
  const a = await arena();
  const error: unknown = await Promise.resolve(ask(asJson(JSON.stringify(body), 422))(a)).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ body, status: 422 });
  await expectUnharmed(a);
});

const refusal = new Error('x');

test.each<[string, object, unknown]>([
  ['[R7] a fetchResponse that throws', { fetchResponse: throwing }, { is: oops }],
  [
    '[R7] a fetchResponse that rejects',
    { fetchResponse: () => Promise.reject(oops) },
    { is: oops },
  ],
  [
    '[R7] a fetchResponse that returns undefined',
    { fetchResponse: async () => undefined },
    TypeError,
  ],
  ['[R7] a parseResponse that throws', { parseResponse: throwing }, { is: oops }],
  ['[R7] a process that throws', { process: throwing }, { is: oops }],
  ['[R7] a process that rejects', { process: () => Promise.reject(oops) }, { is: oops }],
  ['[R7] a process that returns undefined', { process: () => undefined }, 'F2'],
  ['[R7] a url that throws', { url: throwing }, { is: oops }],
  ['[R7] a url that returns an empty string', { url: () => '' }, 'R8'],
  [
    '[C7] an errorPolicy that throws',
    { errorPolicy: throwing, process: () => Promise.reject(refusal) },
    { is: refusal },
  ],
])('%s: fetch rejects, and nothing is stored', (_, options, expected) =>
  expect(refuses(ask(asJson({ id: 950 }), options), expected as 'R8')).resolves.toBe(undefined),
);

test.each([1_000, 40_000])('[R6] a custom fetch reads a Link header of %d characters', (length) =>
  expect(
    accepts(async (a) => {
      const link = `<https://x.test/?${'<'.repeat(length)}>; rel="next"`;
      const list = new RestEndpoint<any>({
        path: '/todos',
        schema: { results: new Collection([Todo]), link: '' },
        async fetch(this: any, ...args: unknown[]) {
          const response = await this.fetchResponse(this.url(...args));
          return {
            link: response.headers.get('link'),
            results: await this.parseResponse(response),
          };
        },
        fetchResponse: async () =>
          new Response('[{"id":950}]', { headers: { link, 'content-type': 'application/json' } }),
      });
      return (await a.w.controller.fetch(list, { page: 1 })).link.length;
    }, length + 30),
  ).resolves.toBe(undefined),
);
