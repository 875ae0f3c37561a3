/** When the listeners of a reader are called. */
import { All } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo, refusal, world } from '../setup/world.ts';

async function listening() {
  const w = world();
  const get = w.read('get', Todo, { reply: () => ({ id: 1, title: 'a' }) });
  await w.controller.fetch(get, { id: 1 });
  const reader = w.controller.view(get, { id: 1 });
  const statuses: string[] = [];
  reader.listen(() => statuses.push(reader.result.peek().status));
  return { w, get, reader, statuses };
}

test('[V2] a listener does not run while a hard error stays, regardless of writes to the data', async () => {
  const { w, get, statuses } = await listening();
  const error = refusal(404);
  await w.controller.setError(get, { id: 1 }, error);
  expect(statuses).toEqual(['error']);
  await w.controller.set(Todo, { id: 1 }, { title: 'b' });
  await w.controller.set(Todo, { id: 1 }, { title: 'c' });
  await w.controller.setError(get, { id: 1 }, error);
  expect(statuses).toEqual(['error']);
  await w.controller.setError(get, { id: 1 }, refusal(410));
  await w.controller.setResponse(get, { id: 1 }, { id: 1, title: 'd' });
  expect(statuses).toEqual(['error', 'error', 'success']);
});

test('[V2] a listener runs after each commit that changes the result, also if the result is not read', async () => {
  const { w, reader, get } = await listening();
  let calls = 0;
  reader.listen(() => calls++);
  let rows = 0;
  w.controller.query(new All(Todo)).listen(() => rows++);
  for (const title of ['b', 'c', 'd']) await w.controller.set(Todo, { id: 1 }, { title });
  expect(calls).toBe(3);
  expect(rows).toBe(3);
  await w.controller.set(Todo, { id: 1 }, { title: 'd' });
  await w.controller.setResponse(get, { id: 1 }, { id: 1, title: 'd' });
  await w.controller.set(Todo, { id: 2 }, { id: 2 });
  expect(calls).toBe(3);
});
