/** Lists in pages that are linked by the header `Link`. */
import { Collection, Controller, Entity, RestEndpoint, linkPages } from 'signalbox';
import { expect, test } from 'vitest';
import { serve } from '../setup/server.ts';

class Note extends Entity {
  id = 0;
}

/** A list of two pages; the address of the second page has no page parameter. */
async function notes(next = '/notes/page-2') {
  const server = await serve(({ url }) =>
    url === '/notes?done=true'
      ? { headers: { link: `<${next}>; rel="next"` }, body: [{ id: 1 }] }
      : { body: [{ id: 2 }] },
  );
  const getNotes = new RestEndpoint({
    ...linkPages,
    urlPrefix: server.address,
    path: '/notes',
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the type of the params
    searchParams: {} as { done?: boolean },
    schema: { rows: new Collection([Note]), next: '' },
  });
  return { server, getNotes, controller: new Controller() };
}

test('[M6] linkPages fetches the page of the Link header, and adds the rows to the list', async () => {
  const { server, getNotes, controller } = await notes();
  const { rows, next } = await controller.fetch(getNotes, { done: true });
  expect(rows.map(({ id }) => id)).toEqual([1]);
  expect(next).toBe(`${server.address}/notes/page-2`);
  await controller.fetch(getNotes.getPage, { done: true, next });
  expect(server.last.url).toBe('/notes/page-2');
  const { data } = controller.getResponse(getNotes, { done: true });
  expect(data?.rows.map(({ id }) => id)).toEqual([1, 2]);
});

test('[M6] a page at another origin in the Link header rejects without a request', async () => {
  const { server, getNotes, controller } = await notes('https://elsewhere.invalid/notes');
  const { next } = await controller.fetch(getNotes, { done: true });
  await expect(controller.fetch(getNotes.getPage, { done: true, next })).rejects.toThrow(
    'is not at',
  );
  expect(server.asked).toHaveLength(1);
});
