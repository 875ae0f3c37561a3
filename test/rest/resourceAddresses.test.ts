/** The addresses of the older class Resource, and the bodies and headers of the requests. */
import { expect, test } from 'vitest';
import { Resource } from 'signalbox';
import type { SignalboxError } from 'signalbox';
import { serve } from '../setup/server.ts';

class Article extends Resource {
  id: number | undefined = undefined;
  title = '';
  tags: string[] = [];
  static override urlRoot = 'http://x/article/';
}

class Slugged extends Resource {
  slug = '';
  static override urlRoot = 'http://x/page';
  override pk(): string {
    return this.slug;
  }
}

/** An article class with a server. */
async function onServer(reply?: Parameters<typeof serve>[0]) {
  const server = await serve(reply);
  class Served extends Article {
    static override urlRoot = `${server.address}/article/`;
    static override key = 'Article';
  }
  return { ...server, Served, asked: server.asked };
}

test.each([
  ['http://x/article/', 5, 'http://x/article/5'],
  ['http://x/article', '5', 'http://x/article/5'],
  ['/', 0, '/0'],
  ['', 'a', '/a'],
  ['http://x:8000/a/', 'a/b?c#d', 'http://x:8000/a/a%2Fb%3Fc%23d'],
])('[L2] the urlRoot %s and the key %s give the url %s', (urlRoot, id, expected) => {
  class Here extends Resource {
    id: string | number = '';
    static override urlRoot = urlRoot;
  }
  expect(Here.url({ id })).toBe(expected);
  expect(Here.detail().url({ id })).toBe(expected);
  expect(Here.fromJS({ id }).url).toBe(expected);
});

test('[L2] the url of a Resource contains the result of pk() of the class', () => {
  expect(Slugged.url({ slug: 'a b' })).toBe('http://x/page/a%20b');
  expect(Slugged.fromJS({ slug: 'home' }).url).toBe('http://x/page/home');
});

test.each([[{}], [{ id: undefined }], [{ id: '' }], [{ id: Number.NaN }], [{ title: 'x' }]])(
  '[L2] a Resource url with the params %s, without a primary key, throws R1',
  (params) => {
    for (const ask of [() => Article.url(params), () => Article.detail().key(params)]) {
      expect(ask).toThrow(expect.objectContaining({ code: 'R1', status: 400 }) as SignalboxError);
    }
  },
);

test('[L2] the url of a list is urlRoot and the sorted search params', async () => {
  expect(Article.listUrl()).toBe('http://x/article/');
  expect(Article.listUrl({ page: 'abcd' })).toBe('http://x/article/?page=abcd');
  expect(Slugged.listUrl({ b: [1, 2], a: null })).toBe('http://x/page?a=&b=1&b=2');
  const { Served, asked } = await onServer({ body: [] });
  await Served.list()({ page: 'abcd', author: 1 });
  expect(asked.map(({ url }) => url)).toEqual(['/article/?author=1&page=abcd']);
});

test('[L2] an overridden listUrl applies to the list and to create', () => {
  class Here extends Article {
    static override listUrl(params: Record<string, unknown> = {}): string {
      return `http://y/all?n=${Object.keys(params).length}`;
    }
  }
  expect(Here.list().url({ a: 1 })).toBe('http://y/all?n=1');
  expect(Here.create().url({ title: 'x' })).toBe('http://y/all?n=0');
});

test('[L2] create of a Resource takes a body, or params and a body', async () => {
  const { Served, asked } = await onServer({ body: { id: 1 } });
  await Served.create()({ title: 'x' });
  await Served.create()({ draft: true }, { title: 'y' });
  const form = new URLSearchParams({ title: 'z' });
  await Served.create()(form);
  expect(asked.map(({ method, url, text }) => `${method} ${url} ${text}`)).toEqual([
    'POST /article/ {"title":"x"}',
    'POST /article/?draft=true {"title":"y"}',
    'POST /article/ title=z',
  ]);
});

test('[L2] delete of a Resource resolves with a response object that has members, else with the params', async () => {
  const answers = [{ body: { id: 5, gone: true } }, { body: {} }, { status: 204 }, { body: 'ok' }];
  const { Served } = await onServer(() => answers.shift());
  const remove = Served.delete();
  expect(await remove({ id: 5 })).toEqual({ id: 5, gone: true });
  for (let left = 3; left > 0; left--) expect(await remove({ id: 5 })).toEqual({ id: 5 });
});
