/** The smallest programs that once broke a law. */
import { Collection, Delete, Values } from 'signalbox';
import { expect, test } from 'vitest';
import { Article, User, refusal, refused, watch, world } from '../setup/world.ts';

test('[O4] a list read issued before a deletion does not list the row again after a push restores it', async () => {
  const w = world();
  const users = new Collection([User]);
  const list = w.read('list', users);
  const asked = w.controller.fetch(list, {});
  await w.controller.fetch(w.mutation('remove', new Delete(User), { reply: () => ({}) }), {
    id: 2,
  });
  await w.controller.set(User, { id: 2 }, { name: 'back' });
  await w.call(0).answer([{ id: 1 }, { id: 2 }]);
  expect((await asked).map(({ id }) => id)).toEqual([1]);
});

test('[V2] invalidating a key without data notifies no reader of data', () => {
  const w = world();
  const get = w.read('get', User);
  const reader = watch(w.controller.signal(get, { id: 1 }));
  w.controller.invalidate(get, { id: 1 });
  expect(reader.seen).toEqual([undefined]);
});

test('[V2] clearing an error notifies no reader of unchanged data', async () => {
  const w = world();
  const get = w.read('get', User);
  const failed = refused(w.controller.fetch(get, { id: 1 }));
  const reader = watch(w.controller.signal(get, { id: 1 }));
  await w.call().fail(refusal(500));
  await failed;
  const asked = w.controller.fetch(get, { id: 1 });
  await w.controller.set(User, { id: 1 }, { name: 'x' });
  await w.call().answer({ id: 1, name: 'older' });
  expect((await asked).name).toBe('x');
  expect(reader.seen.map((user) => user?.name)).toEqual([undefined, 'x']);
});

test('[O10] a response whose row was deleted meanwhile is one commit', async () => {
  const w = world();
  const get = w.read('get', User);
  const asked = refused(w.controller.fetch(get, { id: 1 }));
  await w.controller.set(new Delete(User), { id: 1 }, {});
  let commits = 0;
  w.controller.on('commit', () => void commits++);
  await w.call().answer({ id: 1, name: 'x' });
  expect(await asked).toMatchObject({ code: 'F2' });
  expect(commits).toBe(1);
});

test('[O4] a list requested before a creation lacks the row that was deleted since, when a push restores the row', async () => {
  const w = world();
  const users = new Collection([User]);
  const list = w.read('list', users);
  const asked = w.controller.fetch(list, {});
  await w.controller.fetch(w.mutation('create', users.push, { reply: () => ({ id: 4 }) }), {});
  const remove = w.mutation('remove', new Delete(User), { reply: () => ({}) });
  await w.controller.fetch(remove, { id: 4 });
  await w.controller.set(User, { id: 4 }, { name: 'back' });
  await w.call(0).answer([{ id: 1 }]);
  expect((await asked).map(({ id }) => id)).toEqual([1]);
});

test('[V2] a response to an invalidated key whose row was deleted meanwhile notifies no reader of data', async () => {
  const w = world();
  const get = w.read('get', User);
  w.controller.invalidate(get, { id: 2 });
  const reader = watch(w.controller.signal(get, { id: 2 }));
  const asked = refused(w.controller.fetch(get, { id: 2 }));
  await w.controller.set(new Delete(User), { id: 2 }, {});
  await w.call().answer({ id: 2, name: 'x' });
  expect(await asked).toMatchObject({ code: 'F2' });
  expect(reader.seen).toEqual([undefined]);
});

test('[V2] a row completed by the response that removes the row from its list notifies no reader of the list', async () => {
  const w = world();
  const articles = new Collection([Article]);
  await w.controller.set(articles, {}, [{ id: 1, author: 3 }]);
  const reader = watch(w.controller.signal(w.read('list', articles), {}));
  expect(reader.last).toEqual([]);
  // article 2 is incomplete since its author is missing; article 1 is completed by author 3
  const schema = { author: User, list: articles };
  await w.controller.set(schema, {}, { author: { id: 3 }, list: [{ id: 2, author: 4 }] });
  expect(reader.runs).toBe(1);
});

test('[V2] a row completed by the response that deletes the row notifies no reader', async () => {
  const w = world();
  const articles = new Collection([Article]);
  const byId = new Values(Article);
  await w.controller.set(articles, {}, [{ id: 1, author: 3 }]);
  await w.controller.set(new Collection(byId), {}, { first: { id: 1, author: 3 } });
  const readers = [
    watch(w.controller.signal(w.read('list', articles), {})),
    watch(w.controller.signal(w.read('map', new Collection(byId)), {})),
    watch(w.controller.entity(Article, 1)),
  ];
  const schema = { author: User, gone: new Delete(Article) };
  await w.controller.set(schema, {}, { author: { id: 3 }, gone: { id: 1 } });
  expect(readers.map(({ runs }) => runs)).toEqual([1, 1, 1]);
});
