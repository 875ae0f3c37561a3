// Controllers that replay each other's commits, as two tabs do.
import { Controller, optimistic, replay, transaction } from 'signalbox';
import type { Commit } from 'signalbox';
import { expect, test } from 'vitest';
import { refused, Todo, watch, wholeTodo, world } from '../setup/world.ts';

const params = { id: 1 };

function tabs() {
  const w = world();
  const first = w.controller;
  const second = new Controller({
    optimistic,
    clock: w.clock,
    surroundings: w.page,
    sweepAfter: Infinity,
  });
  const told: Commit[] = [];
  for (const [one, other] of [
    [first, second],
    [second, first],
  ] as const) {
    one.on('request', (request) => replay(other, request));
    one.on('commit', (commit) => {
      told.push(commit);
      if (!commit.replayed) replay(other, commit);
    });
  }
  const title = (tab: Controller) => tab.get(Todo, params)?.title;
  return { w, first, second, told, title, get: w.read('get', Todo) };
}

test("[O1] two controllers that replay each other's commits show the same data, and forward no replayed commit", async () => {
  const { first, second, told, title } = tabs();
  await first.set(Todo, params, { title: 'a' });
  await second.set(Todo, params, { title: 'b' });
  expect([title(first), title(second)]).toEqual(['b', 'b']);
  expect(told.map(({ replayed }) => replayed)).toEqual([undefined, true, undefined, true]);
});

test('[O7] a push of all known fields after an invalidation makes the key fresh in both controllers, in a transaction too', async () => {
  const { w, first, second, get } = tabs();
  const asked = first.fetch(get, params);
  await w.call().answer(wholeTodo());
  await asked;
  first.invalidate(get, params);
  const shown = () => [first, second].map((tab) => tab.getResponse(get, params).data?.title);
  expect(shown()).toEqual([undefined, undefined]);
  await first.set(Todo, params, wholeTodo({ title: 'pushed' }));
  expect(shown()).toEqual(['pushed', 'pushed']);
  first.invalidate(get, params);
  await transaction(first, ({ set }) => {
    void set(Todo, params, wholeTodo({ title: 'again' }));
  });
  expect(shown()).toEqual(['again', 'again']);
});

test('[O11] a change by `update` of a list that is read in pages is replayed in the other controller', async () => {
  const { w, first, second } = tabs();
  const plain = w.read('plain', [Todo]);
  const listOf = (params: object) => ({ endpoint: plain, args: [params] });
  const page = w.read('page', [Todo], { listOf } as never);
  const create = w.mutation('create', Todo, {
    update: (pk: string) => ({ [plain.key({})]: (pks: string[]) => [...pks, pk] }),
  });
  void first.fetch(plain, {});
  void first.fetch(create, {});
  void first.fetch(page, {});
  const [reading, creating, paging] = w.calls;
  await reading?.answer([{ id: 1 }]);
  await paging?.answer([{ id: 2 }]);
  await creating?.answer({ id: 3 });
  const shown = (tab: Controller) => tab.getResponse(plain, {}).data?.map(({ id }) => id);
  expect(shown(first)).toContain(3);
  expect(shown(second)).toEqual(shown(first));
});

test('[O2] a response does not replace data that another controller wrote after the request was issued', async () => {
  const { w, first, second, title, get } = tabs();
  const asked = first.fetch(get, params);
  await second.set(Todo, params, { title: 'newer' });
  await w.call().answer({ id: 1, title: 'older', userId: 3 });
  expect(await asked).toMatchObject({ title: 'newer', userId: 3 });
  expect(title(second)).toBe('newer');
});

test('[V2] a replayed commit runs readers of changed data once, and no other reader', async () => {
  const { first, second } = tabs();
  await first.set([Todo], {}, [{ id: 1 }, { id: 2 }]);
  const readers = [1, 2].map((pk) => watch(second.entity(Todo, pk)));
  await first.set([Todo], {}, [{ id: 1, title: 'a' }, { id: 2 }]);
  expect(readers.map(({ runs }) => runs)).toEqual([2, 1]);
});

test('[O8] after a replayed reset older data are gone, and the response of an older request is dropped', async () => {
  const { w, first, second, get, title } = tabs();
  const asked = refused(second.fetch(get, params));
  await first.set(Todo, params, { title: 'a' });
  first.reset();
  await w.call().answer({ id: 1, title: 'b' });
  expect(await asked).toMatchObject({ code: 'F3' });
  expect([title(first), title(second)]).toEqual([undefined, undefined]);
});

test('[N10] a replay of a commit with an invalid write throws S1, and writes nothing', async () => {
  const { first, second, told } = tabs();
  await first.set(Todo, params, { title: 'a' });
  const [commit] = told.filter(({ replayed }) => !replayed) as [Commit];
  const [write] = commit.writes as [Commit['writes'][number]];
  const writes = [
    { ...write, value: { id: 1, title: 'b' } },
    { ...write, args: [], value: { title: 'no key' } },
  ];
  expect(() => replay(second, { ...commit, time: 9, writes })).toThrow('S1');
  expect(second.get(Todo, params)?.title).toBe('a');
});

test('[R8] an empty response below an optimistic value expires the key of the entity in both controllers', async () => {
  const { w, first, second, get } = tabs();
  const body = (_: unknown, own: object, fields: object) => ({ ...own, ...fields });
  const update = w.mutation('update', Todo, { getOptimisticResponse: body });
  await first.set(Todo, params, { title: 'a' });
  void first.fetch(update, params, { title: 'b' });
  void first.fetch(w.mutation('touch', Todo), params);
  await w.call().answer(null);
  await w.call(0).answer(null);
  for (const tab of [first, second]) expect(tab.getResponse(get, params).expiresAt).toBe(0);
});

test('[C5] data that another controller expires are refetched once if they are mounted here', async () => {
  const { w, first, second, get } = tabs();
  await first.setResponse(get, params, { id: 1, title: 'a' });
  const leave = second.view(get, params).retain();
  first.expireAll(get);
  expect(w.log).toEqual(['get {"id":1}']);
  first.expireAll(get);
  expect(w.log).toHaveLength(1);
  leave();
});

test('[O7] a late replay of an invalidation that is older than the stored response changes nothing', async () => {
  const { first, second, told, get, title } = tabs();
  await first.setResponse(get, params, { id: 1, title: 'a' });
  first.invalidate(get, params);
  await second.setResponse(get, params, { id: 1, title: 'b' });
  const late = told.find(({ cause }) => cause === 'invalidate') as Commit;
  replay(second, late);
  expect([title(second), second.getResponse(get, params).data?.title]).toEqual(['b', 'b']);
});
