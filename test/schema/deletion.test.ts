// A deletion deletes the entities that the response names, else the params.
import { createResource, Delete, Entity, Union } from 'signalbox';
import { expect, test } from 'vitest';
import { refused, User, world } from '../setup/world.ts';

class Doc extends Entity {
  id = '';
  title = '';
  static override process(input: unknown): unknown {
    const { _id: id, owner, ...rest } = input as { _id: string; owner: { name: string } };
    return id === 'skip' ? undefined : { ...rest, id, owner: owner.name };
  }
}

test('[M4] a deletion finds the entity by the fields that `process` returns, else by the params', async () => {
  const w = world();
  const owner = { name: 'Ada' };
  await w.controller.set(
    [Doc],
    ['a', 'b', 'c'].map((_id) => ({ _id, owner })),
  );
  const titles = () => ['a', 'b', 'c'].map((id) => w.controller.get(Doc, { id })?.id);
  await w.controller.set(new Delete(Doc), {}, { _id: 'a', owner });
  expect(titles()).toEqual([undefined, 'b', 'c']);
  // with nothing that process reads, or would keep
  await w.controller.set(new Delete(Doc), { id: 'b' }, { ok: true });
  await w.controller.set(new Delete(Doc), { id: 'c' }, { _id: 'skip', owner });
  expect(titles()).toEqual([undefined, undefined, undefined]);
});

test('[M4] each item of an array of deletions names its entity, and an item without a primary key rejects', async () => {
  const w = world();
  await w.controller.set(
    [User],
    [1, 2, 3, 4].map((id) => ({ id })),
  );
  const left = () => [1, 2, 3, 4].filter((id) => w.controller.get(User, { id }) !== undefined);
  const drop = { removed: [new Delete(User)] };
  await w.controller.set(drop, { id: 1 }, { removed: [2, '3', null] });
  expect(left()).toEqual([1, 4]);
  await w.controller.set(drop, { id: 1 }, { removed: [{ id: 4 }] });
  expect(left()).toEqual([1]);
  for (const nobody of [{ ok: true }, true, [1]])
    expect(await refused(w.controller.set(drop, { id: 1 }, { removed: [nobody] }))).toMatchObject({
      code: 'S1',
    });
  expect(left()).toEqual([1]);
});

test('[M4] a nested deletion deletes the entity of a primary key in the response, else of the params', async () => {
  const w = world();
  await w.controller.set([User], [{ id: 1 }, { id: 2 }]);
  const left = () => [1, 2].filter((id) => w.controller.get(User, { id }) !== undefined);
  await w.controller.set({ gone: new Delete(User) }, { id: 1 }, { gone: 2 });
  expect(left()).toEqual([1]);
  await w.controller.set({ gone: new Delete(User) }, { id: 1 }, { gone: true });
  expect(left()).toEqual([]);
});

class Bot extends User {
  type = 'bot';
}

test('[M4] a deletion that names no class of a union takes the class of the stored entity, of two rejects with S1', async () => {
  const w = world();
  const either = new Union({ user: User, bot: Bot }, 'type');
  await w.controller.set(
    [either],
    [
      { id: 1, type: 'user' },
      { id: 2, type: 'bot' },
      { id: 3, type: 'user' },
      { id: 3, type: 'bot' },
    ],
  );
  const left = () =>
    [User, Bot].map((Kind) => [1, 2, 3].filter((id) => w.controller.get(Kind, { id })));
  const { delete: remove } = createResource({ path: '/x/:id', schema: either, optimistic: true });
  const drop = remove.extend({ fetch: () => Promise.resolve(new Response(null, { status: 204 })) });
  const first = w.controller.fetch(drop, { id: 1 });
  expect(left()).toEqual([[3], [2, 3]]);
  await first;
  expect(left()).toEqual([[3], [2, 3]]);
  await w.controller.fetch(drop, { id: 2 });
  await w.controller.fetch(drop, { id: 9 });
  expect(left()).toEqual([[3], [3]]);
  expect(await refused(w.controller.fetch(drop, { id: 3 }))).toMatchObject({ code: 'S1' });
  const one = new Delete(either);
  expect(one.title).toBe('Delete(User | Bot)');
  await w.controller.set(one, { id: 3 }, { id: 3, type: 'bot' });
  expect(left()).toEqual([[3], []]);
});

class Vote extends Entity {
  userId = 0;
  postId = 0;
  override pk() {
    return `${this.userId}-${this.postId}`;
  }
}

class Seat extends Vote {
  override pk() {
    return [this.userId, this.postId].join();
  }
}

test.each([Vote, Seat])(
  '[M4] fields of a composite primary key that a response leaves out are taken from the params (%o)',
  async (Kind) => {
    const w = world();
    const rows = [1, 2, 3, 4, 5, 6].map((postId) => ({ userId: 1, postId }));
    await w.controller.set([Kind], rows);
    const left = () => rows.filter((row) => w.controller.get(Kind, row)).map((row) => row.postId);
    const remove = w.mutation('remove', new Delete(Kind));
    const answers = [{}, null, { userId: 1 }, { postId: 4, at: 'noon' }, { ok: true }];
    for (const [at, answer] of answers.entries()) {
      const done = w.controller.fetch(remove, { userId: 1, postId: at + 1 });
      await w.call().answer(answer);
      expect([await done, left()[0]]).toEqual([answer, at + 2]);
    }
    // the response precedes the params, and only the response names a member
    await w.controller.set(new Delete(Kind), { userId: 2, postId: 2 }, { userId: 1, postId: 6 });
    expect(left()).toEqual([]);
  },
);

test('[M4] params do not complete the composite primary key of an item in an array of deletions', async () => {
  const w = world();
  await w.controller.set([Vote], [{ userId: 1, postId: 1 }]);
  const drop = { removed: [new Delete(Vote)] };
  await w.controller.set(drop, { userId: 1, postId: 1 }, { removed: [{ userId: 1 }] });
  expect(w.controller.get(Vote, { userId: 1, postId: 1 })).toBeDefined();
});
