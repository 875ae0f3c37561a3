/** Credentials: each operation sends the credentials that the description requires. */
import { RestEndpoint } from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { expect, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { documentAt, folder, load, run, contentOf } from './command.ts';
import { complaints } from './compiled.ts';
import type * as security from './generated/security.ts';

const loadSecurity = async (address: string) =>
  (await load('security.yaml', address)) as typeof security;

const note = { method: 'GET', path: '/notes/:id' };

test('[T3] Basic credentials may contain any characters', async () => {
  const { authorize } = await loadSecurity('');
  const login = { username: 'Zoë', password: 'пароль🔑' };
  const { headers } = authorize({}, { login }, note);
  const sent = (headers as Headers).get('authorization')?.replace('Basic ', '') ?? '';
  expect(Buffer.from(sent, 'base64').toString()).toBe('Zoë:пароль🔑');
});

/** The headers, as entries, that are sent with these credentials. */
const sentBy = (
  { authorize }: typeof security,
  credentials: security.Credentials,
  endpoint?: { method: string; path: string },
) => [...(authorize({}, credentials, endpoint).headers as Headers)];

test('[T3] of several security alternatives, the first with complete credentials is sent', async () => {
  const api = await loadSecurity('');
  const login = { username: 'a', password: 'b' };
  const all = { bearer: 't', login, key: 'k', app: 'a' };
  expect(sentBy(api, all, note)).toEqual([['authorization', 'Bearer t']]);
  expect(sentBy(api, { key: 'k', login }, note)).toEqual([['authorization', 'Basic YTpi']]);
  expect(sentBy(api, { key: 'k', app: 'a' }, note)).toEqual([
    ['x-app', 'a'],
    ['x-key', 'k'],
  ]);
  expect(sentBy(api, { key: 'k' }, note)).toEqual([]);
  // without an endpoint nothing is known of the operation
  expect(sentBy(api, { key: 'k', bearer: 't' })).toEqual([
    ['authorization', 'Bearer t'],
    ['x-key', 'k'],
  ]);
});

test('[T3] an operation with its own security sends no other credentials', async () => {
  const api = await loadSecurity('');
  const login = { username: 'a', password: 'b' };
  const all = { bearer: 't', login, key: 'k', app: 'a', search: 's' };
  const deletion = { method: 'DELETE', path: '/notes/:id' };
  expect(sentBy(api, all, deletion)).toEqual([['authorization', 'Basic YTpi']]);
  expect(sentBy(api, { bearer: 't' }, deletion)).toEqual([]);
  expect(sentBy(api, all, { method: 'GET', path: '/ping' })).toEqual([]);
  expect(sentBy(api, all, { method: 'GET', path: '/status' })).toEqual([]);
});

test('[T3] an API key in the query is added to the URL of the operations that require the key, and not to endpoint keys', async () => {
  const server = await serve();
  const { authorize, authorizeUrl } = await loadSecurity(server.address);
  const credentials = { bearer: 't', search: 's&cret' };
  class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
    override async getRequestInit(body?: unknown) {
      return authorize(await super.getRequestInit(body), credentials, this);
    }
    override fetchResponse(input: RequestInfo | URL, init?: RequestInit) {
      return super.fetchResponse(authorizeUrl(String(input), credentials, this), init);
    }
  }
  const urlPrefix = server.address;
  const status = new Api({ urlPrefix, path: '/status' });
  await status();
  expect(server.last.url).toBe('/status?api_key=s%26cret');
  expect(status.key()).not.toContain('cret');
  await new Api({ urlPrefix, path: '/notes/:id' })({ id: 1 });
  expect(server.last).toMatchObject({
    url: '/notes/1',
    headers: { authorization: 'Bearer t' },
  });
});

test('[T3] generated endpoints of a custom class can pass `this` to authorize and authorizeUrl', async () => {
  const { out } = await run([
    'openapi',
    documentAt('security.yaml'),
    '--endpoint',
    './OwnEndpoint.ts#Api',
  ]);
  const own = `import { RestEndpoint } from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { authorize, authorizeUrl } from './api.ts';
export class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async getRequestInit(body?: unknown) {
    return authorize(await super.getRequestInit(body), { bearer: 't' }, this);
  }
  override fetchResponse(input: RequestInfo | URL, init?: RequestInit) {
    return super.fetchResponse(authorizeUrl(String(input), { search: 's' }, this), init);
  }
}
`;
  expect(await complaints({ 'api.ts': out, 'OwnEndpoint.ts': own })).toBe('');
});

test('[T3] a description without security requirements sends all given credentials', async () => {
  const text = await contentOf(documentAt('security.yaml'));
  const silent = text.replace(/^security:\n(?: {2}.*\n)+/m, '').replace(/^ +security: .*\n/gm, '');
  const { code, out } = await run(['openapi', '-', '--out', `${await folder()}/api.ts`], silent);
  expect([code, out]).toEqual([0, '']);
  const { out: written } = await run(['openapi', '-'], silent);
  expect(written).not.toContain("'GET /ping'");
  expect(written).toContain("headers.set('X-Key', credentials.key)");
});

test('[T3] a description with only an API key in the query exports authorizeUrl and no authorize', async () => {
  const key = { type: 'apiKey', in: 'query', name: 'key' };
  const paths = { '/ping': { get: { responses: { 204: { description: 'Here' } } } } };
  const components = { securitySchemes: { key } };
  const document = { openapi: '3.1.0', info: {}, security: [{ key: [] }], paths, components };
  const { out } = await run(['openapi', '-'], JSON.stringify(document));
  expect(out).not.toContain('authorize(');
  expect(out).toContain('authorizeUrl(');
  // nor anything else that a compiler calls unused
  expect(await complaints({ 'api.ts': out })).toBe('');
});
