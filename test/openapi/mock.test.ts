/** The mock server: its responses obey the description and equal the responses of a server with a database. */
import { expect, test } from 'vitest';
import { MockApi } from './MockApi.ts';
import type { MockOptions } from './MockApi.ts';
import { describe } from './world.ts';

/** Sends requests to the mock server of the museum, or of another description. */
async function museum(options: Partial<MockOptions> = {}, name: 'museum' | 'realworld' = 'museum') {
  const mock = new MockApi(await describe(name), { seed: '1', ...options });
  const send = (method: string, url: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const text = body === undefined ? '' : JSON.stringify(body);
    const answer = mock.respond({ method, url, headers, text });
    // any: a test knows the response
    return { ...answer, body: answer.body as any };
  };
  return { mock, send };
}

const event = {
  name: 'Night',
  location: 'Hall',
  eventDescription: 'Dark',
  dates: ['2026-01-01'],
  price: 3,
};

test('[T3] the mock server returns the same rows for the same seed, and other rows for another seed', async () => {
  const { send, mock } = await museum();
  const { body } = send('GET', '/special-events');
  expect(body).toHaveLength(4);
  expect(new Set(body.map(({ eventId }: { eventId: string }) => eventId)).size).toBe(4);
  expect(send('GET', '/special-events').body).toEqual(body);
  expect((await museum()).send('GET', '/special-events').body).toEqual(body);
  expect((await museum({ seed: '2' })).send('GET', '/special-events').body).not.toEqual(body);
  expect(mock.faults).toEqual([]);
});

test('[T3] the mock server reads, creates, updates and deletes the rows of its list', async () => {
  const { send, mock } = await museum();
  const [first] = send('GET', '/special-events').body;
  const at = `/special-events/${first.eventId}`;
  expect(send('GET', at).body).toEqual(first);
  const made = send('POST', '/special-events', event);
  expect(made).toMatchObject({ status: 201, body: event });
  expect(send('GET', '/special-events').body).toHaveLength(5);
  expect(send('PATCH', at, { name: 'Day' }).body).toEqual({ ...first, name: 'Day' });
  expect(send('GET', '/special-events').body[0].name).toBe('Day');
  expect(send('DELETE', at).status).toBe(204);
  expect(send('GET', at).status).toBe(404);
  expect(send('GET', '/special-events').body).toHaveLength(4);
  expect(mock.faults).toEqual([]);
});

test('[T3] the mock server returns pages with a Link header to the next page', async () => {
  const { send, mock } = await museum({ rows: 5 });
  const all = send('GET', '/special-events').body;
  const page = send('GET', '/special-events?limit=2&page=2');
  expect(page.body).toEqual(all.slice(2, 4));
  expect(page.headers).toEqual({ link: '</special-events?limit=2&page=3>; rel="next"' });
  expect(send('GET', '/special-events?limit=2&page=3')).toMatchObject({ headers: {} });
  expect(mock.faults).toEqual([]);
});

test('[T3] the mock server fills envelopes with the count of all rows, and with the record in its member', async () => {
  const action = { 'POST /articles/{slug}/favorite': () => ({ favorited: true }) };
  const { send, mock } = await museum({ actions: action }, 'realworld');
  const list = send('GET', '/articles?limit=3').body;
  expect(list.articles).toHaveLength(3);
  expect(list.articlesCount).toBe(4);
  const { slug, author } = list.articles[0];
  expect(list.articles[0]).not.toHaveProperty('body');
  const { article } = send('GET', `/articles/${slug}`).body;
  expect(article).toMatchObject({ ...list.articles[0], body: expect.any(String) });
  expect(send('POST', `/articles/${slug}/favorite`).body.article).toEqual({
    ...article,
    favorited: true,
  });
  const named = send('GET', `/articles?author=${author.username}`).body;
  expect(named.articles).toHaveLength(4);
  expect(mock.faults).toEqual([]);
});

test('[T3] the mock server rejects requests that the description does not contain', async () => {
  const { send, mock } = await museum();
  expect(send('GET', '/paintings').status).toBe(400);
  expect(send('GET', '/special-events?color=red').status).toBe(400);
  expect(send('POST', '/special-events', { name: 'Night' }).status).toBe(400);
  expect(mock.faults).toEqual([
    'GET /paintings is not described',
    'GET /special-events: no search parameter color',
    expect.stringContaining('POST /special-events: data must have required property'),
  ]);
});
