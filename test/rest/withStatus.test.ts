/** The status of a successful response, beside the value. */
import { Controller, RestEndpoint, withStatus } from 'signalbox';
import { expect, expectTypeOf, test } from 'vitest';
import { Note } from '../setup/samples.ts';
import { serve } from '../setup/server.ts';

test('[R7] withStatus returns the status and the body, and stores entities in the body', async () => {
  const server = await serve({ status: 201, body: { id: 1, text: 'one' } });
  const put = new RestEndpoint({
    urlPrefix: server.address,
    path: '/notes/:id',
    method: 'PUT',
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the type of the body
    body: {} as object,
    schema: { status: 0, body: Note },
    parseResponse: withStatus,
  });
  const controller = new Controller();
  const { status, body } = await controller.fetch(put, { id: 1 }, {});
  expectTypeOf(status).toEqualTypeOf<number>();
  expect([status, body]).toEqual([201, expect.any(Note)]);
  expect(controller.get(Note, { id: 1 })?.text).toBe('one');
});

test('[R7] withStatus calls the parseResponse of the class', async () => {
  const server = await serve({ status: 204 });
  class Own extends RestEndpoint {
    override async parseResponse(response: Response): Promise<unknown> {
      return [await super.parseResponse(response)];
    }
  }
  const get = new Own({ path: server.address.replaceAll(':', '\\:'), parseResponse: withStatus });
  expect(await get()).toEqual({ status: 204, body: [null] });
});
