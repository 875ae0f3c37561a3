// The events of each method, and of every outcome of a request.
import { Collection, Delete, transaction } from 'signalbox';
import type { Commit, Events } from 'signalbox';
import { expect, test } from 'vitest';
import { Article, refusal, refused, settled, Todo, world } from '../setup/world.ts';

const params = { id: 1 };
const body = (_: unknown, own: object, fields: object) => ({ ...own, ...fields });

type Name = keyof Events;
/** Each event as its name and the members that tests read. */
type Heard = { [E in Name]: { event: E } & Events[E] }[Name];

function listening(options?: Parameters<typeof world>[0]) {
  const w = world(options);
  const heard: Heard[] = [];
  for (const event of ['request', 'retry', 'commit', 'error', 'abort', 'reset'] as const)
    w.controller.on(event, (detail) => void heard.push({ event, ...detail } as never));
  const get = w.read('get', Todo);
  const update = w.mutation('update', Todo, { getOptimisticResponse: body });
  const names = () => heard.map((one) => (one.event === 'commit' ? one.cause : one.event));
  const commits = () => heard.filter((one) => one.event === 'commit') as Commit[];
  return { w, controller: w.controller, heard, get, update, names, commits };
}

/** The requests that each event is about. */
function idsIn(heard: readonly Heard[]): number[] {
  return heard.flatMap((one) => ('ids' in one ? one.ids : 'id' in one ? [one.id] : []));
}

test('[F1] the `request` event has the id, key and arguments, and the `commit` event has the response and its times', async () => {
  const { w, controller, heard, get } = listening();
  w.clock.advance(5);
  const asked = controller.fetch(get, params);
  void controller.fetch(get, params);
  const at = w.clock.now();
  const key = get.key(params);
  const request = { id: expect.any(Number) as number, endpoint: get, args: [params], key, at };
  expect(heard).toEqual([{ event: 'request', ...request, read: true }]);
  const { id } = heard[0] as Events['request'];
  w.clock.advance(7);
  const value = { id: 1, title: 'a' };
  await w.call().answer(value);
  await asked;
  const stamp = { time: id, arrivedAt: id + 1, fetchedAt: at + 7, expiresAt: at + 60_007 };
  expect(heard.slice(1)).toEqual([
    {
      event: 'commit',
      cause: 'answer',
      key,
      written: 0,
      ids: [id],
      at: at + 7,
      time: expect.any(Number) as number,
      pending: [],
      writes: [{ key, endpoint: get, schema: Todo, args: [params], value, stamp }],
    },
  ]);
  // the value as received, not a copy
  expect((heard[1] as Commit).writes[0]?.value).toBe(value);
});

test('[F1] two requests have different ids, and all events of a request have its id', async () => {
  const { w, controller, heard, update } = listening();
  for (const title of ['a', 'b']) {
    void controller.fetch(update, params, { title });
    await w.call().answer({ id: 1, title });
  }
  const [first, , , second] = idsIn(heard);
  expect(idsIn(heard)).toEqual([first, first, first, second, second, second]);
  expect(second).toBeGreaterThan(first as number);
});

test('[O5] a mutation emits `request`, an optimistic commit, and the commit of the response', async () => {
  const { w, controller, names, commits, update } = listening();
  void controller.fetch(update, params, { title: 'x' });
  await w.call().answer({ id: 1, title: 'y' });
  expect(names()).toEqual(['request', 'optimistic', 'answer']);
  const [shown, answered] = commits();
  expect(shown).toMatchObject({ key: update.key(params, { title: 'x' }), writes: [] });
  expect(answered?.writes).toMatchObject([
    { key: undefined, endpoint: update, args: [params, { title: 'x' }], value: { title: 'y' } },
  ]);
});

test('[F4] a failed read emits `request`, `retry`, the commit of its error and `error`, all with one id', async () => {
  const { w, controller, heard, names, commits, get } = listening({ retry: 1 });
  const failed = refused(controller.fetch(get, params));
  const error = refusal(500);
  await w.call().fail(error);
  w.clock.advance(1_000);
  await settled();
  await w.call().fail(error);
  await failed;
  expect(names()).toEqual(['request', 'retry', 'error', 'error']);
  const [id] = idsIn(heard);
  expect(idsIn(heard)).toEqual([id, id, id, id]);
  expect(commits()[0]?.writes).toMatchObject([{ key: get.key(params), failure: { error } }]);
  expect(heard.at(-1)).toMatchObject({ event: 'error', endpoint: get, args: [params], error });
});

test('[O5] a failed mutation emits a rollback commit and then `error`', async () => {
  const { w, controller, heard, names, update } = listening();
  const failed = refused(controller.fetch(update, params, { title: 'x' }));
  await w.call().fail(refusal(400));
  await failed;
  expect(names()).toEqual(['request', 'optimistic', 'rollback', 'error']);
  expect(new Set(idsIn(heard)).size).toBe(1);
});

test('[O10] an aborted request emits `abort` with the reason, and no `error`', async () => {
  const { w, controller, heard, names, get, update } = listening();
  for (const endpoint of [get, update]) {
    const caller = new AbortController();
    const asked = controller.fetch(endpoint.extend({ signal: caller.signal }), params, {});
    const left = refused(asked);
    caller.abort('gone');
    await left;
    await settled();
    expect(heard.at(-1)).toMatchObject({ event: 'abort', reason: 'gone', args: [params, {}] });
  }
  expect(names()).toEqual(['request', 'abort', 'request', 'optimistic', 'rollback', 'abort']);
  expect(w.calls).toHaveLength(2);
});

test('[O8] a reset emits `reset` with its generation, and `abort` for each request in flight', async () => {
  const { controller, heard, names, get } = listening();
  const lost = refused(controller.fetch(get, params));
  controller.reset();
  await lost;
  expect(names()).toEqual(['request', 'reset', 'reset', 'abort']);
  expect(heard[2]).toEqual({ event: 'reset', generation: 1 });
  expect(heard[3]).toMatchObject({ reason: { code: 'F3' } });
});

test('[F2] a response with incomplete data emits one commit with the response and the error, and `error`', async () => {
  const { w, controller, names, commits } = listening();
  const failed = refused(controller.fetch(w.read('article', Article), params));
  await w.call().answer({ id: 1, title: 'of nobody' });
  const error = await failed;
  expect(error).toMatchObject({ code: 'F2' });
  expect(names()).toEqual(['request', 'answer', 'error']);
  expect(commits()[0]?.writes).toMatchObject([{ value: { id: 1 } }, { failure: { error } }]);
});

test('[R6] an empty response to a read emits a commit of the error alone, and `error`', async () => {
  const { w, controller, names, commits, get } = listening();
  const failed = refused(controller.fetch(get, params));
  await w.call().answer(null);
  const error = await failed;
  expect(names()).toEqual(['request', 'error', 'error']);
  expect(commits().map(({ writes }) => writes)).toMatchObject([[{ failure: { error } }]]);
});

test('[R8] the commit of an empty response to a mutation has the keys to refetch', async () => {
  const { w, controller, names, commits, get } = listening();
  await controller.setResponse(get, params, { id: 1, title: 'a' });
  void controller.fetch(w.mutation('touch', Todo), params);
  await w.call().answer(null);
  expect(names()).toEqual(['set', 'request', 'answer']);
  const [, answered] = commits();
  expect(answered?.writes).toMatchObject([
    { value: null },
    { schema: Todo, args: [params] },
    { key: get.key(params), schema: Todo, args: [params] },
  ]);
});

test('[I1] each method of the controller that writes emits a commit with its cause and its writes', async () => {
  const { controller, names, commits, get } = listening();
  const key = get.key(params);
  const error = refusal(500);
  await controller.set(Todo, params, { title: 'a' });
  await controller.set(Todo, params, (todo: Todo) => ({ ...todo, title: todo.title + 'b' }));
  await controller.setResponse(get, params, { id: 1, title: 'c' });
  await controller.setError(get, params, error);
  controller.invalidate(get, params);
  controller.invalidateAll(get);
  controller.expireAll(get);
  expect(names()).toEqual('set set set error invalidate invalidate expire'.split(' '));
  const request = { key, schema: Todo, args: [params] };
  expect(commits().map(({ writes }) => writes)).toMatchObject([
    [{ schema: Todo, args: [params], value: { id: 1, title: 'a' } }],
    [{ schema: Todo, args: [params], value: { id: 1, title: 'ab' } }],
    [{ ...request, endpoint: get, value: { id: 1, title: 'c' } }],
    [{ ...request, endpoint: get, failure: { error, hard: false } }],
    [request],
    [request],
    [request],
  ]);
  expect(commits().flatMap(({ ids }) => ids)).toEqual([]);
  const times = commits().map(({ time }) => time);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
});

test('[O9] the commit of a transaction has all writes and the ids of all requests', async () => {
  const { w, controller, heard, names, commits, update } = listening();
  const done = transaction(controller, async ({ fetch, set }) => {
    await set(Todo, { id: 2 }, { title: 'two' });
    await fetch(update, params, { title: 'one' });
    await fetch(w.mutation('remove', new Delete(Todo)), { id: 3 });
  });
  await settled();
  await w.call().answer({ id: 1, title: 'one' });
  await w.call().answer({});
  await done;
  const { ids, writes } = commits().at(-1) as Commit;
  const asked = heard.filter(({ event }) => event === 'request');
  expect(names().filter((name) => name === 'answer')).toHaveLength(1);
  expect(ids).toEqual(idsIn(asked));
  expect(writes).toMatchObject([
    { args: [{ id: 2 }], value: { id: 2, title: 'two' } },
    { endpoint: update, args: [params, { title: 'one' }], value: { id: 1, title: 'one' } },
    { args: [{ id: 3 }], value: {} },
  ]);
});

test('[O9] a synchronous transaction emits one commit with all writes, also without readers', () => {
  const { controller, names, commits } = listening();
  void transaction(controller, ({ set }) => {
    void set(Todo, { id: 1 }, { title: 'one' });
    void set(new Collection([Todo]), {}, [{ id: 1 }]);
  });
  expect(names()).toEqual(['set']);
  expect(commits()[0]?.writes).toMatchObject([{ value: { title: 'one' } }, { value: [{ id: 1 }] }]);
});

test('[O9] a failed transaction emits a rollback commit with its request and the results to refetch', async () => {
  const { w, controller, heard, commits, get, update } = listening();
  await controller.setResponse(get, params, { id: 1, title: 'a' });
  const failed = refused(
    transaction(controller, async ({ fetch }) => {
      await fetch(update, params, { title: 'one' });
      throw new Error('changed my mind');
    }),
  );
  await w.call().answer({ id: 1, title: 'one' });
  await failed;
  const { cause, ids, writes } = commits().at(-1) as Commit;
  expect({ cause, ids }).toEqual({ cause: 'rollback', ids: [idsIn(heard)[0]] });
  expect(writes.map(({ key }) => key)).toEqual([undefined, get.key(params)]);
});
