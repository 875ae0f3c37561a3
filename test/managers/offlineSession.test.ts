// What a queue does while its user has to log in again.
import { RestEndpoint, createResource, NetworkError } from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { offline } from 'signalbox/offline';
import { expect, test } from 'vitest';
import { serve } from '../setup/server.ts';
import { depot, Task } from './Depot.ts';

test.each([
  ['spreads the headers', (headers: HeadersInit) => ({ ...headers })],
  ['makes Headers of them', (headers: HeadersInit) => new Headers(headers)],
])(
  '[P7] a second attempt that refreshes the token and %s keeps Content-Type and Idempotency-Key',
  async (_, copy) => {
    const session = { token: 'first' };
    const server = await serve(({ headers, text }) => {
      if (headers.authorization !== 'Bearer second') return { status: 401 };
      return { body: { id: 5, ...(JSON.parse(text) as object) } };
    });
    class RefreshingEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
      override getHeaders(given: HeadersInit): HeadersInit {
        const headers = copy(given);
        const authorization = `Bearer ${session.token}`;
        if (!(headers instanceof Headers)) return { ...headers, authorization };
        headers.set('authorization', authorization);
        return headers;
      }
      override async fetchResponse(input: RequestInfo | URL, init: RequestInit = {}) {
        try {
          return await super.fetchResponse(input, init);
        } catch (error) {
          if (!(error instanceof NetworkError) || error.status !== 401) throw error;
          session.token = 'second';
          const headers = this.getHeaders(init.headers ?? {});
          return super.fetchResponse(input, { ...init, headers });
        }
      }
    }
    const tasks = createResource({
      path: '/tasks/:id',
      urlPrefix: server.address,
      schema: Task,
      Endpoint: RefreshingEndpoint,
    });
    const { page } = await depot();
    const { controller } = page({ names: { tasks }, name: `refresh ${_}` });
    await controller.fetch(tasks.partialUpdate, { id: 5 }, { title: 'b' });
    const sent = server.asked.map(({ headers }) => [
      headers['content-type'],
      headers['idempotency-key'],
    ]);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(['application/json', expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
    expect(sent[1]).toEqual(sent[0]);
  },
);
