/** Keys, addresses and list identities depend on the arguments, not on the way in which they are written. */
import * as fc from 'fast-check';
import { Collection, Endpoint, RestEndpoint, shortenPath } from 'signalbox';
import { expect, test } from 'vitest';
import { User, world } from '../setup/world.ts';
import { runs, turned } from './runs.ts';

const BORN = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
const name = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom(...BORN));
const plain = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const flat = fc.dictionary(name, fc.oneof(plain, fc.array(plain, { maxLength: 3 })), {
  maxKeys: 5,
});
const nested = fc.object({ key: name, maxDepth: 3, maxKeys: 4, values: [plain] });
const text = fc.string({ unit: 'binary', minLength: 1 });
const segment = fc.oneof(
  text.filter((value) => value !== '.' && value !== '..'),
  fc.constantFrom('../admin', '..%2f', '//evil', 'a\r\nb', '\0', '%2e%2e', 'a?b#c', ...BORN),
  fc.integer(),
);

/** The text as a USVString: lone surrogates are replaced. */
const usv = (value: string): string => value.replace(/\p{Surrogate}/gu, '\uFFFD');

test('[E1] the order of members never changes the key of an endpoint', () => {
  const get = new Endpoint(async (..._args: readonly unknown[]) => 1, { name: 'get' });
  fc.assert(
    fc.property(nested, (args) => {
      expect(get.key(turned(args))).toBe(get.key(args));
    }),
    runs(),
  );
});

test('[E1] arguments with different JSON have different keys', () => {
  const get = new Endpoint(async (..._args: readonly unknown[]) => 1, { name: 'get' });
  const sorted = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(sorted);
    return Object.entries(value)
      .map(([key, inner]) => [key, sorted(inner)])
      .sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1))
      .concat([['{}']]);
  };
  const json = (value: unknown) => JSON.stringify(sorted(JSON.parse(JSON.stringify(value))));
  fc.assert(
    fc.property(nested, nested, (one, other) => {
      expect(get.key(one) === get.key(other)).toBe(json(one) === json(other));
    }),
    runs(),
  );
});

test('[R2] the order of params never changes an address, a query or the key of a list', () => {
  const list = new RestEndpoint<any>({ path: '/users', schema: new Collection([User]) });
  fc.assert(
    fc.property(flat, (params) => {
      expect(list.url(turned(params))).toBe(list.url(params));
      expect(list.key(turned(params))).toBe(list.key(params));
    }),
    runs(),
  );
});

test('[R2] search params are sent with the given values', () => {
  const list = new RestEndpoint<any>({ path: '/users' });
  const texts = fc.dictionary(name, fc.oneof(text, fc.array(text, { minLength: 1 })), {
    minKeys: 1,
  });
  fc.assert(
    fc.property(texts, (params) => {
      const search = new URL(list.url(params), 'http://x.test').searchParams;
      const given = Object.entries(params).flatMap(([key, value]) =>
        [value].flat().map((one) => `${usv(key)} ${usv(one)}`),
      );
      expect([...search].map(([key, value]) => `${key} ${value}`).sort()).toEqual(given.sort());
    }),
    runs(),
  );
});

test('[N14] a list is found with its arguments in any order, at every depth', async () => {
  await fc.assert(
    fc.asyncProperty(nested, async (args) => {
      const w = world();
      const users = new Collection([User]);
      const read = w.read('users', users, { reply: () => [{ id: 1 }] });
      const rows = await w.controller.fetch(read, args);
      expect(w.controller.get(users, turned(args))).toBe(rows);
    }),
    runs(),
  );
});

/** Templates of one to four parts, with values for the parts. */
const literal = fc.constantFrom('users', 'a-b', 'x.y', 'make_manager');
const part = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('literal' as const), literal }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('value' as const), value: segment }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('optional' as const), value: fc.option(segment) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('group' as const), value: fc.option(segment) }),
  },
);
const template = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => {
  const params: [string, unknown][] = [];
  const segments: string[] = [];
  const path = parts.map((each, at) => {
    if (each.kind === 'literal') return (segments.push(each.literal), `/${each.literal}`);
    if (each.value === null) return each.kind === 'group' ? `{/:p${at}}?` : `/:p${at}?`;
    params.push([`p${at}`, each.value]);
    segments.push(usv(`${each.value}`));
    if (each.kind === 'group') return `{/:p${at}}?`;
    return each.kind === 'optional' ? `/:p${at}?` : `/:p${at}`;
  });
  return { path: path.join(''), params: Object.fromEntries(params), segments };
});

test('[R1] each path value is one segment of the URL, and decodes to the given value', () => {
  fc.assert(
    fc.property(template, ({ path, params, segments }) => {
      const url = new RestEndpoint<any>({ path, urlPrefix: 'http://x.test' }).url(params);
      const { host, search, hash, pathname } = new URL(url);
      expect([host, search, hash]).toEqual(['x.test', '', '']);
      const read = pathname.split('/').slice(1).map(decodeURIComponent);
      expect(read).toEqual(segments.length === 0 ? [''] : segments);
    }),
    runs(),
  );
});

test('[R3] testKey accepts every key of its endpoint, with any search params, and no key as a POST', () => {
  fc.assert(
    fc.property(template, flat, ({ path, params }, search) => {
      const get = new RestEndpoint<any>({ path, urlPrefix: 'http://x.test' });
      expect(get.testKey(get.key({ ...search, ...params }))).toBe(true);
      const post = get.extend({ method: 'POST' });
      expect(post.testKey(get.key(params))).toBe(false);
    }),
    runs(),
  );
});

test('[M3] the path of a list is the path of its rows without the last value', () => {
  fc.assert(
    fc.property(template, segment, ({ path, params, segments }, id) => {
      const one = new RestEndpoint<any>({ path: `${path}/:id` });
      const list = new RestEndpoint<any>({ path: shortenPath(one.path) });
      const url = list.url(params);
      expect(one.url({ ...params, id })).toBe(
        `${segments.length === 0 ? '' : url}/${encodeURIComponent(usv(String(id)))}`,
      );
    }),
    runs(),
  );
});

test('[R1] a wildcard value stays behind its prefix, on the same host', () => {
  const wild = fc.oneof(text, fc.constantFrom('', '/', 'a//b', '..', '//evil.test'));
  const get = new RestEndpoint<any>({ path: '/files/*rest' });
  fc.assert(
    fc.property(fc.oneof(wild, fc.array(wild)), (rest) => {
      const address = () => {
        try {
          return get.url({ rest });
        } catch (error) {
          return (error as { status?: number }).status === 400 ? undefined : String(error);
        }
      };
      const url = address();
      fc.pre(url !== undefined);
      const { host, pathname } = new URL(url, 'http://x.test');
      expect(host).toBe('x.test');
      expect(pathname.startsWith('/files/')).toBe(true);
      expect(pathname).not.toBe('/files/');
      expect(get.testKey(get.key({ rest }))).toBe(true);
    }),
    runs(),
  );
});
