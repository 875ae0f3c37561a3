// The class of docs/guides/authentication.md that refreshes a token, with many requests at once.
import { Controller, createResource, Entity, NetworkError, RestEndpoint } from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { expect, test } from 'vitest';
import { serve } from '../setup/server.ts';

class Note extends Entity {
  id = 0;
  title = '';
}

/** A server that accepts the token of the last refresh, and refuses note 7 late. */
async function setUp() {
  let tokens = 1;
  const late: (() => void)[] = [];
  const { address, asked } = await serve(({ url, headers }, response) => {
    if (url === '/refresh') return { body: { token: `${++tokens}` } };
    const id = Number(url.split('/').at(-1));
    if (headers.authorization === `Bearer ${tokens}` && tokens > 1)
      return { body: { id, title: 'a' } };
    if (id !== 7) return { status: 401 };
    late.push(() => void response.writeHead(401).end());
    return undefined;
  });
  const session = { token: '1' };
  let refreshing: Promise<boolean> | undefined;
  async function refresh(): Promise<boolean> {
    const response = await fetch(`${address}/refresh`, { method: 'POST' });
    if (response.ok) session.token = ((await response.json()) as { token: string }).token;
    return response.ok;
  }
  // any: the options of the endpoint
  class RefreshingEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    override getHeaders(given: HeadersInit): HeadersInit {
      const headers = new Headers(given);
      headers.set('Authorization', `Bearer ${session.token}`);
      return headers;
    }
    override async fetchResponse(input: RequestInfo | URL, init: RequestInit = {}) {
      try {
        return await super.fetchResponse(input, init);
      } catch (error) {
        if (!(error instanceof NetworkError) || error.status !== 401) throw error;
        if (new Headers(init.headers).get('Authorization') === `Bearer ${session.token}`) {
          refreshing ??= refresh().finally(() => (refreshing = undefined));
          if (!(await refreshing)) throw error;
        }
        const headers = this.getHeaders(init.headers ?? {});
        return super.fetchResponse(input, { ...init, headers });
      }
    }
  }
  const notes = createResource({
    path: '/notes/:id',
    schema: Note,
    urlPrefix: address,
    Endpoint: RefreshingEndpoint,
  });
  const refreshes = () => asked.filter(({ url }) => url === '/refresh').length;
  return { notes, controller: new Controller({ retry: 0 }), late, refreshes };
}

test('[R7] twenty requests that get a 401 share one token refresh, also if one 401 arrives after the refresh', async () => {
  const { notes, controller, late, refreshes } = await setUp();
  const ids = Array.from({ length: 20 }, (_, at) => at + 1);
  const reads = ids.map((id) => controller.fetch(notes.get, { id }));
  await Promise.all(reads.filter((_, at) => at !== 6));
  for (const refuse of late) refuse();
  expect((await reads[6])?.title).toBe('a');
  expect(refreshes()).toBe(1);
});
