/** Members that a description requires, in every place where a description can require members. */
import { RestEndpoint } from 'signalbox';
import type { RestGenerics } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { complaints } from './compiled.ts';
import { run } from './command.ts';
import type { GetPlaceHeaders, Named, Place, PlaceResource } from './generated/requires.ts';

test('[T3] an allOf part with only `required` makes members of the other parts required', () => {
  type Required<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };
  expectTypeOf<Required<Named>>().toEqualTypeOf<{ name: string; size: number }>();
  expectTypeOf<Required<NonNullable<Place['fields']>>>().toEqualTypeOf<{ note: string }>();
  expectTypeOf<Required<NonNullable<Place['beside']>>>().toEqualTypeOf<{ size: number }>();
  // also behind a separate name
  expectTypeOf<Required<NonNullable<Place['sized']>>>().toEqualTypeOf<{ size: number }>();
  expectTypeOf<Parameters<typeof PlaceResource.partialUpdate>[1]>().toEqualTypeOf<{
    name: string;
    note?: string;
    size?: number;
  }>();
});

test('[T3] a tuple has the length and the optional items that the description states', () => {
  expectTypeOf<Place['at']>().toEqualTypeOf<[number, number]>();
  expectTypeOf<Place['range']>().toEqualTypeOf<[number, number?]>();
  expectTypeOf<Place['row']>().toEqualTypeOf<[string, boolean, ...number[]]>();
  expectTypeOf<Place['open']>().toEqualTypeOf<[string?, boolean?, ...unknown[]]>();
  expectTypeOf<Place['first']>().toEqualTypeOf<[string]>();
});

test('[T3] the exported type of headers fits getHeaders', async () => {
  const own: GetPlaceHeaders = { 'X-Trace': '7', 'X-Mode': 'fast', 'X-Dry': 'true' };
  class Traced<O extends RestGenerics = any> extends RestEndpoint<O> {
    override getHeaders(headers: HeadersInit): HeadersInit {
      const sent: HeadersInit = own;
      return { ...headers, ...sent, ...own };
    }
  }
  const server = await serve();
  await new Traced({ path: server.address.replaceAll(':', '\\:') })();
  expect(server.last.headers).toMatchObject({ 'x-trace': '7', 'x-mode': 'fast', 'x-dry': 'true' });
  // @ts-expect-error -- a number is no header
  expect({ 'X-Trace': 7 } satisfies GetPlaceHeaders).toBeDefined();
});

test('[T3] `nullable` beside or around a reference makes the referenced type nullable', async () => {
  const at = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const empty = { type: 'object', nullable: true };
  const more = { type: 'object', properties: { zip: { type: 'string' } } };
  const members = {
    beside: { allOf: [at('User'), empty] },
    around: { ...empty, allOf: [at('User')] },
    aroundPlain: { ...empty, allOf: [at('City')] },
    merged: { allOf: [at('City'), { ...more, nullable: true }] },
    alone: { allOf: [at('Town')] },
    extended: { allOf: [at('Town'), more] },
  };
  const key = { id: { type: 'integer' } };
  const names = ['id', ...Object.keys(members)];
  const one = (name: string) => ({
    get: { responses: { 200: { content: { 'application/json': { schema: at(name) } } } } },
  });
  const schemas = {
    User: { type: 'object', required: ['id'], properties: key },
    City: { type: 'object', properties: { name: { type: 'string' } } },
    Town: { ...empty, properties: { size: { type: 'integer' } } },
    Trip: { type: 'object', required: names, properties: { ...key, ...members } },
  };
  const paths = { '/trips/{id}': one('Trip'), '/users/{id}': one('User') };
  const document = { openapi: '3.0.3', info: {}, paths, components: { schemas } };
  const { out } = await run(['openapi', '-'], JSON.stringify(document));
  const trip = /class Trip [^]*?\n\}/.exec(out)?.[0].match(/^ {2}\w.* = .*/gm);
  expect(trip?.filter((line) => !line.includes('static override key'))).toEqual([
    '  id = 0;',
    '  beside: User | null = null;',
    '  around: User | null = null;',
    '  aroundPlain: City | null = null;',
    '  merged: { name?: string; zip?: string } | null = null;',
    '  alone: Town | null = null;',
    '  extended: { size?: number; zip?: string } = {};',
    '  static override schema = { beside: User, around: User };',
  ]);
});

test('[T3] a nullable key in the path is not null in the entity, and may be null in the body of a creation', async () => {
  const text = { type: 'string', nullable: true };
  const Run = { type: 'object', properties: { run_id: text, note: text } };
  const Step = { type: 'object', properties: { run_id: text, step_id: text } };
  const content = (name: string) => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  const get = (name: string) => ({ get: { responses: { 200: content(name) } } });
  const post = { requestBody: content('Run'), responses: { 201: content('Run') } };
  const paths = {
    '/runs': { post },
    '/runs/{run_id}': get('Run'),
    '/runs/{run_id}/steps/{step_id}': get('Step'),
  };
  const document = { openapi: '3.0.3', info: {}, paths, components: { schemas: { Run, Step } } };
  const { out } = await run(['openapi', '-'], JSON.stringify(document));
  const use = `import { Run, RunResource, Step } from './api.ts';
export const key: string = new Run().run_id + new Step().step_id;
export const note: string | null = new Run().note;
export const make = () => RunResource.create({ run_id: null });
`;
  expect(await complaints({ 'api.ts': out, 'use.ts': use })).toBe('');
});
