/** Search params and bodies in the forms that OpenAPI describes. */
import { RestEndpoint, searchStyles, sendAs } from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { expect, test } from 'vitest';
import { serve } from '../setup/server.ts';

const found = (searchToString: (params: object) => string, params: object): string => {
  const endpoint: RestEndpoint = new RestEndpoint({ path: '/rows', searchToString });
  return endpoint.url(params).replace('/rows', '');
};

test('[R2] searchStyles writes each search param in its style', () => {
  const styles = searchStyles({
    ids: 'commaDelimited',
    tags: 'spaceDelimited',
    states: 'pipeDelimited',
    names: 'tabDelimited',
    filter: 'deepObject',
    where: 'json',
  });
  expect(found(styles, { ids: [1, 2], page: 3 })).toBe('?page=3&ids=1,2');
  expect(found(styles, { ids: ['a,b', 'c'] })).toBe('?ids=a%2Cb,c');
  expect(found(styles, { tags: ['a', 'b c'] })).toBe('?tags=a%20b%20c');
  expect(found(styles, { states: ['open', 'new'] })).toBe('?states=open%7Cnew');
  expect(found(styles, { names: ['Ada', 'Bo'] })).toBe('?names=Ada%09Bo');
  const deep = { owner: { name: 'Ada' }, roles: ['a', 'b'], parts: [{ id: 1 }], none: undefined };
  expect(decodeURIComponent(found(styles, { filter: deep }))).toBe(
    '?filter[owner][name]=Ada&filter[parts][0][id]=1&filter[roles][]=a&filter[roles][]=b',
  );
  expect(decodeURIComponent(found(styles, { where: { b: 1, a: [true] } }))).toBe(
    '?where={"a":[true],"b":1}',
  );
  expect(found(styles, { ids: [], tags: undefined })).toBe('');
});

test('[R2] searchStyles writes equal values equally and dates as ISO, and throws R2 for NaN', () => {
  const styles = searchStyles({ filter: 'deepObject', ids: 'commaDelimited' });
  expect(found(styles, { filter: { a: 1, b: 2 } })).toBe(found(styles, { filter: { b: 2, a: 1 } }));
  const day = new Date(0);
  expect(decodeURIComponent(found(styles, { filter: { since: day }, ids: [day] }))).toBe(
    '?filter[since]=1970-01-01T00:00:00.000Z&ids=1970-01-01T00:00:00.000Z',
  );
  expect(() => found(styles, { ids: [Number.NaN] })).toThrow('R2');
});

test('[R2] searchStyles can rename a param, and a subclass can write the params without a style', () => {
  class Upper<O extends RestGenerics = any> extends RestEndpoint<O> {
    override searchToString(params: object): string {
      return super.searchToString(params).toUpperCase();
    }
  }
  const searchToString = searchStyles({ ids: 'commaDelimited' }, { idQuery: 'id' });
  const endpoint = new Upper({ path: '/rows/:id', searchToString });
  expect(endpoint.url({ id: 'x', idQuery: 'y', ids: ['z'] } as never)).toBe('/rows/x?ID=Y&ids=z');
});

/** The body as received by a server. */
async function received(getRequestInit: (body?: unknown) => Promise<RequestInit>, body: unknown) {
  const server = await serve();
  const send = new RestEndpoint({
    urlPrefix: server.address,
    path: '/rows',
    method: 'POST',
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the type of the body
    body: {} as unknown,
    getRequestInit,
  });
  await send(body);
  const { headers, text } = server.last;
  return { type: headers['content-type'], text };
}

test('[R4] sendAs sends a body as the declared media type', async () => {
  for (const type of [
    'application/merge-patch+json',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application/vnd.acme.v2+json; charset=utf-8',
  ])
    expect(await received(sendAs(type), { a: 1 })).toEqual({ type, text: '{"a":1}' });
  expect(await received(sendAs('application/xml'), '<a/>')).toEqual({
    type: 'application/xml',
    text: '<a/>',
  });
  expect(await received(sendAs('application/json'), 'text')).toEqual({
    type: 'application/json',
    text: '"text"',
  });
  expect(await received(sendAs('application/x-ndjson'), new Blob(['{}'], { type: 'a/b' }))).toEqual(
    { type: 'a/b', text: '{}' },
  );
  expect(await received(sendAs('application/json'), undefined)).toEqual({
    type: undefined,
    text: '',
  });
});

test('[R4] sendAs sends bytes and untyped blobs as the declared media type', async () => {
  const type = 'application/octet-stream';
  const bytes = new TextEncoder().encode('abc');
  expect(await received(sendAs(type), bytes)).toEqual({ type, text: 'abc' });
  expect(await received(sendAs(type), bytes.buffer)).toEqual({ type, text: 'abc' });
  expect(await received(sendAs(type), new Blob(['abc']))).toEqual({ type, text: 'abc' });
});

test('[R4] sendAs sends fields as a form, each in its encoding', async () => {
  const type = 'application/x-www-form-urlencoded';
  const fields = {
    name: 'Ada',
    tags: ['a', 'b'],
    meta: { key: 'v' },
    at: new Date(0),
    none: undefined,
    ids: [1, 2],
    gone: null,
    free: { a: 1 },
  };
  const { text, type: sent } = await received(
    sendAs(type, { meta: 'deepObject', ids: 'commaDelimited' }),
    fields,
  );
  expect(sent).toMatch(type);
  expect([...new URLSearchParams(text)]).toEqual([
    ['name', 'Ada'],
    ['tags', 'a'],
    ['tags', 'b'],
    ['meta[key]', 'v'],
    ['at', '1970-01-01T00:00:00.000Z'],
    ['ids', '1,2'],
    ['gone', ''],
    ['free', '{"a":1}'],
  ]);
});

test('[R4] sendAs sends a multipart form with files, typed parts, and one part for each value of a list', async () => {
  const { text, type } = await received(
    sendAs('multipart/form-data', { notes: 'application/json', page: 'text/html' }),
    {
      file: new File(['bytes'], 'a.png', { type: 'image/png' }),
      title: 'Ada',
      tags: ['a', 'b'],
      owner: { id: 1 },
      notes: ['x', 'y'],
      page: '<p>',
    },
  );
  const form = await new Response(text, { headers: { 'content-type': type ?? '' } }).formData();
  const file = form.get('file') as File;
  expect([file.name, file.type, await file.text()]).toEqual(['a.png', 'image/png', 'bytes']);
  expect([form.get('title'), form.getAll('tags')]).toEqual(['Ada', ['a', 'b']]);
  const typed = await Promise.all(
    ['owner', 'notes', 'page'].map(async (name) => {
      const part = form.get(name) as File;
      return [part.type, await part.text()];
    }),
  );
  expect(typed).toEqual([
    ['application/json', '{"id":1}'],
    ['application/json', '["x","y"]'],
    ['text/html', '<p>'],
  ]);
});

test('[R5] a content type of the class replaces the type of sendAs, unless it is application/json', async () => {
  const server = await serve();
  const sendsAs = (type: string) =>
    class<O extends RestGenerics = any> extends RestEndpoint<O> {
      override getHeaders(headers: HeadersInit): HeadersInit {
        return { ...headers, authorization: 'mine', 'Content-Type': type };
      }
    };
  for (const [own, sent] of [
    ['application/json', 'application/merge-patch+json'],
    ['text/own', 'text/own'],
  ] as const) {
    const Class = sendsAs(own);
    const patch = new Class({
      urlPrefix: server.address,
      path: '/rows',
      method: 'PATCH',
      // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the type of the body
      body: {} as object,
      getRequestInit: sendAs('application/merge-patch+json'),
    });
    await patch({ a: 1 });
    expect(server.last.headers).toMatchObject({ authorization: 'mine', 'content-type': sent });
  }
});
