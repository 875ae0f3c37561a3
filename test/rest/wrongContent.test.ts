/** The option `content` beside a schema that expects data. */
import { Collection, createResource, Entity, RestEndpoint } from 'signalbox';
import type { EndpointInterface } from 'signalbox';
import { expect, test } from 'vitest';
import { world } from '../setup/world.ts';

class File extends Entity {
  id = 0;
  name = '';
}

const sent: string[] = [];
class Api extends RestEndpoint {
  override fetchResponse(input: RequestInfo | URL): Promise<Response> {
    sent.push(String(input));
    return Promise.resolve(Response.json({ id: 1, name: 'a' }));
  }
}

const path = '/files/:id';
const params = { id: 1 };

test('[R6] `content` of text or bytes beside a schema with entities rejects with E17 before the request', async () => {
  const { controller } = world();
  for (const content of ['text', 'blob', 'arrayBuffer', 'stream'] as const)
    for (const [at, schema] of [File, [File], { file: File }, new Collection([File])].entries()) {
      const get = new Api({ path: `/${content}/${at}/:id`, schema, content });
      await expect(controller.fetch(get, params)).rejects.toMatchObject({ code: 'E17' });
    }
  const { update } = createResource({ path, schema: File, Endpoint: Api, content: 'blob' });
  await expect(controller.fetch(update, params, { name: 'b' })).rejects.toThrow(
    /E17.*PUT \/files\/:id.*blob.*File/,
  );
  expect(sent).toEqual([]);
});

test('[R6] `content` of text or bytes is accepted with a decoder, `process` or parseResponse', async () => {
  const read = (get: EndpointInterface) => world().controller.fetch(get, params);
  const length = (text: string) => text.length;
  expect(await read(new Api({ path, schema: length, content: 'text' }))).toBe(19);
  const file = { id: 1, name: 'a' };
  const process = (text: string): unknown => JSON.parse(text);
  expect(await read(new Api({ path, schema: File, content: 'text', process }))).toMatchObject(file);
  const parseResponse = (response: Response): Promise<unknown> => response.json();
  const parsed = new Api({ path, schema: File, content: 'blob', parseResponse });
  expect(await read(parsed)).toMatchObject(file);
  expect(await read(new Api({ path, schema: File, content: 'json' }))).toMatchObject(file);
  expect(await read(new Api({ path, content: 'blob' }))).toBeInstanceOf(Blob);
});
