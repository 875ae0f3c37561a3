/** Each endpoint of each written module, called with random arguments: the response passes the response schema. */
import { expect, test } from 'vitest';
import type { Json } from './Description.ts';
import { descriptionNames } from './descriptions.ts';
import { endpointsOf, nameIn, paramsOf } from './endpointsOf.ts';
import type { WrittenEndpoint } from './endpointsOf.ts';
import { Sampler } from './Sampler.ts';
import { SEED, worldInProcess } from './world.ts';

/** A required search parameter; an array has at least one value. */
const searchOf = (name: string, value: unknown): [string, unknown][] => [
  [name, Array.isArray(value) && value.length === 0 ? ['any'] : value],
];

/** Random params, search params that are required, and a body. */
function argsOf({ name, endpoint, of }: WrittenEndpoint, sampler: Sampler): unknown[] {
  if (of === undefined) return [];
  const sample = (schema: unknown, place: string) =>
    sampler.sample(schema, `${SEED} ${name} ${place}`);
  const path = paramsOf(endpoint.path as string).map((param, at) => {
    return [param, sample(of.params[at]?.schema ?? { type: 'string' }, param)];
  });
  const search = of.query
    .filter(({ required }) => required)
    .flatMap((each) => searchOf(nameIn(endpoint, each.name), sample(each.schema, each.name)));
  const params = Object.fromEntries([...path, ...search]) as Json;
  if (of.method === 'GET' || of.sends === undefined) return [params];
  return [params, bodyOf(of.sends, sample(of.body ?? {}, 'body'))];
}

/** A body of a media type: JSON as described, forms without a member. */
function bodyOf(type: string, json: unknown): unknown {
  if (/json/.test(type)) return json;
  if (/multipart/.test(type)) return new FormData();
  return /urlencoded/.test(type) ? new URLSearchParams() : 'content';
}

test.each(descriptionNames)(
  '[T3] each endpoint of %s accepts a random response that matches its description',
  async (name) => {
    const { api, controller, description, mock } = await worldInProcess(name, { invents: true });
    const sampler = new Sampler(description);
    const failed = new Map<string, string>();
    for (const written of endpointsOf(api, description)) {
      const args = argsOf(written, sampler);
      await controller.fetch(written.endpoint, ...(args as [])).catch((error: unknown) => {
        failed.set(`${written.of?.method} ${written.of?.path}`, String(error));
      });
    }
    expect(Object.fromEntries(failed), `seed ${SEED}`).toEqual({});
    expect(mock.faults, `seed ${SEED}`).toEqual([]);
  },
);
