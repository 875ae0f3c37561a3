/** Functions that take a controller, and that an application imports when it needs them. */
import { Controller, live, replay, RestEndpoint, transaction } from 'signalbox';
import type { HttpCache } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo } from '../setup/world.ts';

const others = [undefined, null, {}, Controller, 'controller'];

test.each(others)('[I1] a function of a controller refuses %s by name', (other) => {
  const wrong = other as Controller;
  const refused = expect.objectContaining({ code: 'A7' }) as Error;
  expect(() => transaction(wrong, () => undefined)).toThrow(refused);
  expect(() => live(wrong, Todo, 1)).toThrow(refused);
  expect(() => replay(wrong, { id: 1 } as never)).toThrow(refused);
});

test('[F6] a policy http that is not httpCache is refused by name', async () => {
  const http = true as unknown as HttpCache;
  const get = new RestEndpoint({ path: '/todos/:id', schema: Todo, http });
  const done = new Controller().fetch(get, { id: 1 });
  await expect(done).rejects.toMatchObject({ code: 'E12' });
});
