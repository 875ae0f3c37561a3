/** Bytes and texts: a response with another media type than JSON is never read as a record. */
import { Controller } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { serve } from '../../setup/server.ts';
import { load } from './command.ts';
import type * as bytes from './generated/bytes.ts';

async function api() {
  const server = await serve(({ url }) => {
    if (url === '/papers') return { body: [{ id: 1, title: 'One' }] };
    if (url.startsWith('/papers'))
      return { headers: { 'content-type': 'application/xml' }, body: '<paper id="1"/>' };
    return { headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
  });
  const module = (await load('bytes.yaml', server.address)) as typeof bytes;
  return { ...module, server, controller: new Controller() };
}

test('[T3] a response with an inline binary schema is a Blob for any media type, also for JSON and in OpenAPI 3.0', async () => {
  const { getScan, getCover, putScan, controller, server } = await api();
  const scan = await controller.fetch(getScan, { id: '1' });
  expectTypeOf(scan).toEqualTypeOf<Blob>();
  expect(await scan.text()).toBe('{"a":1}');
  const cover = await controller.fetch(getCover);
  expect(await cover.text()).toBe('{"a":1}');
  await controller.fetch(putScan, { id: '1' }, new Blob(['\u0001']));
  expect(server.last.text).toBe('\u0001');
});

test('[T3] a record described as XML is read as a string, and the resource has no `get`', async () => {
  const { PaperResource, controller } = await api();
  await controller.fetch(PaperResource.getList);
  expect(PaperResource).not.toHaveProperty('get');
  const xml = await controller.fetch(PaperResource.getPaper, { id: 1 });
  expectTypeOf(xml).toEqualTypeOf<string>();
  expect(xml).toBe('<paper id="1"/>');
  const { data } = controller.getResponse(PaperResource.getList);
  expect(data?.[0]?.title).toBe('One');
});

test('[T3] a response described as a script is a string', async () => {
  const { getScript, controller } = await api();
  const source = await controller.fetch(getScript, { name: 'a' });
  expectTypeOf(source).toEqualTypeOf<string>();
  expect(source).toBe('{"a":1}');
});

test('[T3] a response described as a stream of records is a ReadableStream', async () => {
  const { PaperResource, controller } = await api();
  const stream = await controller.fetch(PaperResource.printPaper, { id: 1 });
  expectTypeOf(stream).toEqualTypeOf<ReadableStream<Uint8Array> | null>();
  expect(await new Response(stream).text()).toBe('<paper id="1"/>');
});
