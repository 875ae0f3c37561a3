/** A server with responses that depend on request headers, named by `Vary` (RFC 9111, 4.1). */
import { Controller, httpCache, RestEndpoint } from 'signalbox';
import { expect, test } from 'vitest';
import { serve } from '../setup/server.ts';
import { Todo } from '../setup/world.ts';

const titles: Record<string, string> = { en: 'Milk', de: 'Milch' };
const params = { id: 1 };

/** A row in two languages with the same ETag: some servers derive the ETag from the row's version alone. */
async function shop(headers: Record<string, string> = { vary: 'Accept-Language' }) {
  const etag = '"v1"';
  let language: string | undefined = 'en';
  const server = await serve(({ headers: sent }) => {
    const title = titles[sent['accept-language'] ?? ''] ?? titles['en'];
    const said = { etag, ...headers };
    if (sent['if-none-match'] === etag) return { status: 304, headers: said };
    return { headers: said, body: { id: 1, title } };
  });
  const get = new RestEndpoint({
    urlPrefix: server.address,
    path: '/todos/:id',
    schema: Todo,
    http: httpCache,
    getHeaders: (given: HeadersInit) =>
      language === undefined ? given : { ...(given as object), 'ACCEPT-language': language },
  });
  const controller = new Controller();
  const read = async (of?: string) => {
    language = of;
    return (await controller.fetch(get, params)).title;
  };
  const conditions = () => server.asked.map(({ headers: sent }) => sent['if-none-match']);
  return { controller, get, read, conditions, headers };
}

test('[F6] with Vary, a request with another header value sends no ETag of the stored response', async () => {
  const { read, conditions } = await shop();
  expect(await read('en')).toBe('Milk');
  expect(await read('de')).toBe('Milch');
  expect(await read('de')).toBe('Milch');
  expect(await read('en')).toBe('Milk');
  expect(conditions()).toEqual([undefined, undefined, '"v1"', undefined]);
});

test('[F6] with Vary, a request without the header sends no ETag of a response with the header', async () => {
  const { read, conditions } = await shop();
  expect(await read('de')).toBe('Milch');
  expect(await read(undefined)).toBe('Milk');
  expect(await read('de')).toBe('Milch');
  expect(conditions()).toEqual([undefined, undefined, undefined]);
});

test.each([
  'accept-LANGUAGE',
  'Accept-Encoding , Accept-Language,',
  'Accept-Language, Accept-Language',
])('[F6] Vary is parsed in any spelling: %s', async (vary) => {
  const { read, conditions } = await shop({ vary });
  await read('en');
  expect(await read('de')).toBe('Milch');
  await read('de');
  expect(conditions()).toEqual([undefined, undefined, '"v1"']);
});

test('[F6] a response with `vary: *` is refetched without a validator', async () => {
  const { read, conditions } = await shop({ vary: 'Accept-Language, *' });
  await read('en');
  await read('en');
  expect(conditions()).toEqual([undefined, undefined]);
});

test('[F6] without Vary the ETag is sent for any request headers', async () => {
  const { read, conditions } = await shop({});
  await read('en');
  await read('de');
  expect(conditions()).toEqual([undefined, '"v1"']);
});

test('[F6] a 304 without Vary keeps the Vary of the response before', async () => {
  const said: Record<string, string> = { vary: 'Accept-Language' };
  const { read, conditions } = await shop(said);
  await read('de');
  Reflect.deleteProperty(said, 'vary');
  expect(await read('de')).toBe('Milch');
  said['cache-control'] = 'max-age=60';
  expect(await read('de')).toBe('Milch');
  expect(await read('en')).toBe('Milk');
  expect(conditions()).toEqual([undefined, '"v1"', '"v1"', undefined]);
});

test('[F6] with Vary, a read in another language after invalidateAll stores the new response', async () => {
  const { controller, get, read } = await shop({
    vary: 'Accept-Language',
    'cache-control': 'max-age=60',
  });
  await read('en');
  const stop = controller.view(get, params).retain();
  controller.invalidateAll({ testKey: () => true });
  expect(await read('de')).toBe('Milch');
  expect(controller.getResponse(get, params).data?.title).toBe('Milch');
  stop();
});
