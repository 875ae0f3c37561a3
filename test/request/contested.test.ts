// A push or a read beside an own mutation of the same row: only the server knows which is later, so the row is refetched.
import {
  All,
  Collection,
  Delete,
  Entity,
  optimistic,
  replay,
  transaction,
  Values,
} from 'signalbox';
import { describe, expect, test } from 'vitest';
import { refused, world } from '../setup/world.ts';

class Item extends Entity {
  id = 0;
  title = '';
  done = false;
  tags: string[] = [];
  due = new Date(0);
  static override schema = { due: Date };
}

class Owner extends Entity {
  id = 0;
  edits = 0;
}

class Versioned extends Entity {
  id = 0;
  title = '';
  version = 0;
  static override shouldReorder(
    _was: unknown,
    _is: unknown,
    existing: { version: number },
    incoming: { version: number },
  ): boolean {
    return incoming.version < existing.version;
  }
}

const whole = (id: number, fields: object = {}) => ({
  id,
  title: `t${id}`,
  done: false,
  tags: [],
  due: '2026-01-01',
  ...fields,
});

async function stage(isOptimistic: boolean, schema: typeof Item | typeof Versioned = Item) {
  const w = world({ optimistic });
  const { controller } = w;
  const items = new Collection([schema as typeof Item]);
  const list = w.read('list', items);
  const get = w.read('get', schema as typeof Item);
  const wanted = (_: unknown, params: object, body: object) => ({ ...params, ...body });
  const change = w.mutation('change', schema as typeof Item, {
    ...(isOptimistic && { getOptimisticResponse: wanted }),
  });
  const create = w.mutation('create', items.push, {
    ...(isOptimistic && { getOptimisticResponse: (_: unknown, body: object) => body }),
  });
  await controller.setResponse(list, {}, [whole(1), whole(2)]);
  const leave = controller.view(list, {}).retain();
  const asked = (name: string) => w.calls.filter((call) => call.name === name);
  const send = (endpoint: typeof change | typeof create, ...args: object[]) => {
    controller.fetch(endpoint, ...args).catch(() => {});
    return w.call();
  };
  const title = () => controller.entity(schema as typeof Item, 1).value?.title;
  return { w, controller, list, get, change, create, asked, send, title, leave };
}

describe.each([
  ['without optimism', false],
  ['with optimism', true],
])('%s', (_, isOptimistic) => {
  test('[O15] after a push of a field that a mutation in flight changes, the response is shown, and the entity refetched', async () => {
    const { controller, change, asked, send, title } = await stage(isOptimistic);
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    expect(title()).toBe(isOptimistic ? 'mine' : 'theirs');
    await changing.answer(whole(1, { title: 'mine' }));
    expect(title()).toBe('mine');
    expect(asked('list')).toHaveLength(1);
    await asked('list')[0]?.answer([whole(1, { title: 'theirs' }), whole(2)]);
    expect(title()).toBe('theirs');
  });

  test('[O15] after a push that conflicts with a mutation, an entity without mounted readers is refetched when read', async () => {
    const { w, controller, get, change, send, leave } = await stage(isOptimistic);
    leave();
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await changing.answer(whole(1, { title: 'mine' }));
    expect(w.calls).toHaveLength(1);
    void controller.fetchIfStale(get, { id: 1 });
    expect(w.calls).toHaveLength(2);
  });

  test.each([
    ['of another field', { done: true }, { id: 1 }],
    ['with the same value', { title: 'mine' }, { id: 1 }],
    ['of another entity', { title: 'theirs' }, { id: 2 }],
  ])('[O15] a push %s during a mutation sends no request', async (__, pushed, of) => {
    const { w, controller, change, send } = await stage(isOptimistic);
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Item, of, pushed);
    await changing.answer(whole(1, { title: 'mine' }));
    expect(w.calls).toHaveLength(1);
  });

  test('[O15] a push of another value followed by a push of the own value sends no request', async () => {
    const { w, controller, change, send } = await stage(isOptimistic);
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await controller.set(Item, { id: 1 }, { title: 'mine' });
    await changing.answer(whole(1, { title: 'mine' }));
    expect(w.calls).toHaveLength(1);
  });

  test('[O15] a push before the mutation or after its response sends no request', async () => {
    const { w, controller, change, send, title } = await stage(isOptimistic);
    await controller.set(Item, { id: 1 }, { title: 'before' });
    await send(change, { id: 1 }, { title: 'mine' }).answer(whole(1, { title: 'mine' }));
    await controller.set(Item, { id: 1 }, { title: 'after' });
    expect(title()).toBe('after');
    expect(w.calls).toHaveLength(1);
  });

  test.each([
    ['that was not received before', []],
    ['that was pushed before', ['push']],
    ['that a read contained', ['read']],
    ['that a read issued earlier contained', ['earlier read']],
  ])(
    '[O15] a pushed deletion of a row %s, while its creation is in flight, is not undone by the response',
    async (__, seen) => {
      const { w, controller, list, create, asked, send } = await stage(isOptimistic);
      const rows = () => controller.get(list.schema, {})?.map(({ id }) => id);
      const isEarlier = seen.includes('earlier read');
      const earlier = isEarlier && controller.fetch(w.read('earlier', [Item]), {});
      const creating = send(create, { title: 'new' });
      if (isEarlier) await asked('earlier')[0]?.answer([whole(9, { title: 'new' })]);
      await earlier;
      if (seen.includes('push')) await controller.set(Item, { id: 9 }, whole(9, { title: 'new' }));
      if (seen.includes('read')) {
        const reading = controller.fetch(w.read('other', [Item]), {});
        await asked('other')[0]?.answer([whole(9, { title: 'new' })]);
        await reading;
      }
      await controller.set(new Delete(Item), { id: 9 }, { id: 9 });
      await creating.answer(whole(9, { title: 'new' }));
      expect(rows()).toEqual([1, 2]);
      expect(controller.get(new All(Item))?.map(({ id }) => id)).toEqual([1, 2]);
      // a server may have given the key of the deleted row to the new row
      await asked('list')[0]?.answer([whole(1), whole(2), whole(9, { title: 'another' })]);
      expect(rows()).toEqual([1, 2, 9]);
    },
  );

  test('[O15] a creation answered with the key of a known row is stored, although a push has deleted that row meanwhile', async () => {
    const { controller, list, create, send } = await stage(isOptimistic);
    const creating = send(create, { title: 'new' });
    await controller.set(new Delete(Item), { id: 2 }, { id: 2 });
    await creating.answer(whole(2, { title: 'new' }));
    const rows = controller.get(list.schema, {});
    expect(rows?.map(({ id, title }) => `${id} ${title}`)).toEqual(['1 t1', '2 new']);
  });

  test('[O15] after a failed mutation readers get the pushed value', async () => {
    const { w, controller, change, title } = await stage(isOptimistic);
    const failed = refused(controller.fetch(change, { id: 1 }, { title: 'mine' }));
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await w.call().fail(new Error('no'));
    await failed;
    expect(title()).toBe('theirs');
    expect(w.calls).toHaveLength(1);
  });

  test('[O15] a response that contains the pushed value is shown, and sends no request', async () => {
    const { w, controller, change, send, title } = await stage(isOptimistic);
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await changing.answer(whole(1, { title: 'theirs' }));
    expect(title()).toBe('theirs');
    expect(w.calls).toHaveLength(1);
  });

  test('[O15] pushed dates and arrays equal to the sent values send no request, and another date causes a refetch', async () => {
    const { w, controller, change, asked, send } = await stage(isOptimistic);
    const first = send(change, { id: 1 }, { due: '2026-05-05', tags: ['a'] });
    await controller.set(Item, { id: 1 }, { due: '2026-05-05', tags: ['a'] });
    await first.answer(whole(1, { due: '2026-05-05', tags: ['a'] }));
    expect(w.calls).toHaveLength(1);
    const second = send(change, { id: 1 }, { due: '2026-06-06' });
    await controller.set(Item, { id: 1 }, { due: '2026-07-07' });
    await second.answer(whole(1, { due: '2026-06-06' }));
    expect(asked('list')).toHaveLength(1);
  });

  test('[O15] an empty response after a push of another value keeps the own value, and the entity is refetched', async () => {
    const { controller, change, asked, send, title } = await stage(isOptimistic);
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await changing.answer(null);
    expect(title()).toBe('mine');
    expect(asked('list')).toHaveLength(1);
  });

  test('[O15] after a push of a field that a form in flight changes, the response causes a refetch', async () => {
    const { controller, change, asked, send } = await stage(false);
    const form = new FormData();
    form.set('title', 'mine');
    const changing = send(change, { id: 1 }, form);
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await changing.answer(whole(1, { title: 'mine' }));
    expect(asked('list')).toHaveLength(1);
  });

  test('[O15] a row created under a key of the caller, and changed by a push meanwhile, is refetched', async () => {
    const { controller, create, asked, send } = await stage(isOptimistic);
    const creating = send(create, whole(5, { title: 'mine' }));
    await controller.set(Item, { id: 5 }, whole(5, { title: 'theirs' }));
    await creating.answer(whole(5, { title: 'mine' }));
    expect(controller.entity(Item, 5).value?.title).toBe('mine');
    expect(asked('list')).toHaveLength(1);
  });

  test('[O15] in a class with versions a pushed higher version stays, and no request is sent', async () => {
    const { w, controller, change, send } = await stage(isOptimistic, Versioned);
    await controller.set(Versioned, { id: 1 }, { id: 1, title: 't1', version: 1 });
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Versioned, { id: 1 }, { title: 'theirs', version: 3 });
    await changing.answer({ id: 1, title: 'mine', version: 2 });
    expect(controller.entity(Versioned, 1).value?.title).toBe('theirs');
    expect(w.calls).toHaveLength(1);
  });

  test('[O15] a conflicting push between a response and the end of its transaction causes a refetch at the end', async () => {
    const { w, controller, change, asked, title } = await stage(isOptimistic);
    let held = false;
    const done = transaction(controller, async ({ fetch }) => {
      await fetch(change, { id: 1 }, { title: 'mine' });
      held = true;
      await fetch(change, { id: 2 }, { done: true });
    });
    await w.call().answer(whole(1, { title: 'mine' }));
    expect(held).toBe(true);
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await w.call().answer(whole(2, { done: true }));
    await done;
    expect(title()).toBe('mine');
    expect(asked('list')).toHaveLength(1);
  });

  test('[O15] a push that another tab received during a mutation causes a refetch after the response', async () => {
    const { controller, change, asked, send } = await stage(isOptimistic);
    const other = world();
    controller.on('request', (request) => replay(other.controller, request));
    other.controller.on('commit', (commit) => replay(controller, commit));
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await other.controller.set(Item, { id: 1 }, whole(1, { title: 'theirs' }));
    await changing.answer(whole(1, { title: 'mine' }));
    expect(asked('list')).toHaveLength(1);
  });

  test('[O15] after a push that conflicts with a mutation of this tab, another tab refetches its mounted list', async () => {
    const { controller, list, change, send } = await stage(isOptimistic);
    const other = world();
    const copy = other.read('list', list.schema);
    controller.on('commit', (commit) => replay(other.controller, commit));
    await other.controller.setResponse(copy, {}, [whole(1)]);
    const leave = other.controller.view(copy, {}).retain();
    const changing = send(change, { id: 1 }, { title: 'mine' });
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await changing.answer(whole(1, { title: 'mine' }));
    expect(other.log).toEqual(['list {}']);
    leave();
  });
});

test('[O15] a push while an update waits for the key of its row causes no refetch after the response to the update', async () => {
  const { w, controller, list, change, create, asked, send } = await stage(true);
  const creating = send(create, { title: 'made' });
  const id = controller.getResponse(list, {}).data?.at(-1)?.id;
  controller.fetch(change, { id }, { title: 'renamed' }).catch(() => {});
  await controller.set(Item, { id }, { title: 'theirs' });
  await creating.answer(whole(9, { title: 'made' }));
  expect(asked('list')).toHaveLength(1);
  const before = w.calls.length;
  await asked('change')[0]?.answer(whole(9, { title: 'renamed' }));
  expect(w.calls).toHaveLength(before);
  expect(controller.entity(Item, 9).value?.title).toBe('renamed');
});

describe('a field that the server computes', () => {
  class Row extends Entity {
    id = 0;
    title = '';
    version = 0;
    due = new Date(0);
    owner: Owner | null = null;
    static override schema = { due: Date, owner: Owner };

    get size(): number {
      return this.title.length;
    }
  }

  async function stageRow() {
    const w = world();
    const { controller } = w;
    const rows = new Collection([Row]);
    const list = w.read('list', rows);
    const get = w.read('get', Row);
    const change = w.mutation('change', Row);
    const row = (version: number, more: object = {}) => ({
      id: 1,
      title: 'a',
      version,
      due: '2026-01-01',
      owner: { id: 7, edits: version },
      ...more,
    });
    await controller.setResponse(list, {}, [row(1)]);
    controller.view(list, {}).retain();
    const send = (body: object) => {
      void controller.fetch(change, { id: 1 }, body);
      return w.call();
    };
    let reads = 0;
    const read = () => {
      void controller.fetch(get.extend({ name: `get ${++reads}` }), { id: 1 });
      return w.call();
    };
    const lists = () => w.calls.filter(({ name }) => name === 'list');
    const shown = () => controller.get(Row, { id: 1 });
    /** The list was requested once, and readers see the row of the response. */
    const expectRefetch = async (after: ReturnType<typeof row>) => {
      expect(lists()).toHaveLength(1);
      await lists()[0]?.answer([after]);
      expect({ ...shown(), owner: { ...shown()?.owner } }).toMatchObject({
        ...after,
        due: new Date(after.due),
      });
      expect(lists()).toHaveLength(1);
    };
    return { w, controller, row, send, read, lists, shown, expectRefetch };
  }

  test.each([
    ['a field', { version: 2 }],
    ['a decoded field', { due: '2026-02-02' }],
    ['a field of a nested entity', { owner: { id: 7, edits: 2 } }],
  ])(
    '[O15] %s that the server computes is refetched once if the response of a later read arrived first',
    async (_, changed) => {
      const { row, send, read, lists, expectRefetch } = await stageRow();
      const changing = send({ title: 'b' });
      await read().answer(row(1));
      expect(lists()).toHaveLength(0);
      const after = row(1, { title: 'b', ...changed });
      await changing.answer(after);
      await expectRefetch(after);
    },
  );

  test('[O15] equal values, values of getters, and reads issued before the mutation cause no refetch', async () => {
    const { w, row, send, read, lists, shown } = await stageRow();
    const first = send({ title: 'b' });
    await read().answer(row(2));
    await first.answer(row(2, { title: 'b', size: 5 }));
    await send({ title: 'c' }).answer(row(3, { title: 'c', size: 5 }));
    const reading = read();
    await send({ title: 'd' }).answer(row(4, { title: 'd' }));
    await reading.answer(row(3, { title: 'c' }));
    expect(shown()).toMatchObject({ title: 'd', version: 4 });
    expect(lists()).toHaveLength(0);
    expect(w.calls).toHaveLength(5);
  });

  test('[O15] a field written by a later own mutation is not refetched', async () => {
    const { row, send, lists, shown } = await stageRow();
    const first = send({ title: 'b' });
    const second = send({ due: '2026-02-02' });
    await second.answer(row(1, { title: 'b', due: '2026-02-02' }));
    await first.answer(row(1, { title: 'b' }));
    expect(shown()).toMatchObject({ title: 'b', due: new Date('2026-02-02') });
    expect(lists()).toHaveLength(0);
  });

  const computed: [string, object][] = [
    ['a field', { version: 2 }],
    ['a field of a nested entity', { owner: { id: 7, edits: 2 } }],
    ['a nested entity', { owner: { id: 8, edits: 0 } }],
  ];

  test.each(computed)(
    '[O15] %s that the server computes is refetched once if a read issued later is answered last',
    async (_, changed) => {
      const { row, send, read, lists, expectRefetch } = await stageRow();
      const changing = send({ title: 'b' });
      const reading = read();
      const after = row(1, { title: 'b', ...changed });
      await changing.answer(after);
      expect(lists()).toHaveLength(0);
      // the server has answered before the change
      await reading.answer(row(1));
      await expectRefetch(after);
    },
  );

  test.each(computed)(
    '[O15] %s that the server computes is refetched if the server has answered the later of two reads before the change',
    async (_, changed) => {
      const { row, send, read, lists, expectRefetch } = await stageRow();
      const changing = send({ title: 'b' });
      const [first, second] = [read(), read()];
      const after = row(1, { title: 'b', ...changed });
      await changing.answer(after);
      await first.answer(after);
      expect(lists()).toHaveLength(0);
      await second.answer(row(1));
      await expectRefetch(after);
    },
  );

  test('[O15] a list request issued after the response of a mutation is not repeated for an older contradicting read', async () => {
    const { w, controller, row, send, read, lists } = await stageRow();
    const changing = send({ title: 'b' });
    const reading = read();
    await changing.answer(row(2, { title: 'b' }));
    const list = w.read('list', new Collection([Row]));
    void controller.fetch(list, {});
    await reading.answer(row(1));
    expect(lists()).toHaveLength(1);
    expect(w.call().signal?.aborted).not.toBe(true);
  });

  test('[O15] in a class with versions a read of a lower version is dropped, and no request is sent', async () => {
    class Dated extends Row {
      static override key = 'Dated';
      static override shouldReorder(_: unknown, __: unknown, old: Row, next: Row) {
        return next.version < old.version;
      }
    }
    const w = world();
    const get = w.read('get', Dated);
    const change = w.mutation('change', Dated);
    w.controller.view(get, { id: 1 }).retain();
    void w.controller.fetch(change, { id: 1 }, { title: 'b' });
    void w.controller.fetch(get, { id: 1 });
    await w.call(0).answer({ id: 1, title: 'b', version: 2 });
    await w.call(1).answer({ id: 1, title: 'a', version: 1 });
    expect(w.calls).toHaveLength(2);
    expect(w.controller.get(Dated, { id: 1 })).toMatchObject({ title: 'b', version: 2 });
  });
});

describe('a list in the response of a mutation', () => {
  class Line extends Entity {
    id = 0;
    amount = 0;
  }
  class Cart extends Entity {
    id = '';
    lines: Line[] = [];
    byId: Record<string, Line> = {};
    static override schema = {
      lines: new Collection([Line]),
      byId: new Collection(new Values(Line)),
    };
  }

  const cartOf = (...ids: readonly number[]) => {
    const lines = ids.map((id) => ({ id, amount: id }));
    return { id: 'mine', lines, byId: Object.fromEntries(lines.map((line) => [line.id, line])) };
  };

  async function stageCart() {
    const w = world();
    const get = w.read('cart', Cart);
    await w.controller.setResponse(get, {}, cartOf(1));
    w.controller.view(get, {}).retain();
    const add = w.mutation('add', Cart, { key: () => 'add' });
    void w.controller.fetch(add, { amount: 2 });
    void w.controller.fetch(get, {});
    const shown = () => {
      const { lines = [], byId = {} } = w.controller.getResponse(get, {}).data ?? {};
      return [lines.map(({ id }) => id), Object.keys(byId).map(Number)];
    };
    return { w, shown };
  }

  test.each([
    ['first', [1, 0]],
    ['last', [0, 1]],
  ])(
    '[O15] a list in the response of a mutation is refetched once if a read issued later, answered %s, contradicts it',
    async (_, [first, second] = []) => {
      const { w, shown } = await stageCart();
      const responses = [cartOf(1, 2), cartOf(1)];
      await w.call(first).answer(responses[first as number]);
      await w.call(second).answer(responses[second as number]);
      expect(w.log.slice(2)).toEqual(['cart {}']);
      await w.call().answer(cartOf(1, 2));
      expect(shown()).toEqual([
        [1, 2],
        [1, 2],
      ]);
      expect(w.calls).toHaveLength(3);
    },
  );

  test('[O15] equal lists in the responses of a mutation and of a read cause no refetch', async () => {
    const { w, shown } = await stageCart();
    await w.call(1).answer(cartOf(1, 2));
    await w.call(0).answer(cartOf(1, 2));
    expect(w.calls).toHaveLength(2);
    expect(shown()[0]).toEqual([1, 2]);
  });
});

describe('two mutations of a row in flight at the same time', () => {
  async function stageTwo() {
    const staged = await stage(false);
    const { w, list, send, change, asked, controller } = staged;
    const star = w.mutation('star', Item);
    const first = send(change, { id: 1 }, { done: true });
    const second = send(star, { id: 1 });
    const lists = () => asked('list');
    const item = () => controller.get(Item, { id: 1 });
    return { ...staged, list, first, second, lists, item };
  }

  test.each([
    ['in the order of issue', true],
    ['in the reverse order', false],
  ])(
    '[O15] if the response to the later mutation contradicts the field that the earlier one sent, the row is refetched: %s',
    async (_, isInOrder) => {
      const { first, second, lists, item } = await stageTwo();
      const answers = [
        () => first.answer(whole(1, { done: true })),
        // the server has set the field again
        () => second.answer(whole(1, { done: false })),
      ];
      for (const answer of isInOrder ? answers : answers.reverse()) await answer();
      expect(item()?.done).toBe(true);
      expect(lists()).toHaveLength(1);
      await lists()[0]?.answer([whole(1, { done: false }), whole(2)]);
      expect(item()?.done).toBe(false);
      expect(lists()).toHaveLength(1);
    },
  );

  test.each([
    ['in the order of issue', true],
    ['in the reverse order', false],
  ])('[O15] a field that neither body contains causes no refetch: %s', async (_, isInOrder) => {
    const { w, first, second, item } = await stageTwo();
    const answers = [
      () => first.answer(whole(1, { done: true, tags: ['one'] })),
      () => second.answer(whole(1, { done: true, tags: ['one', 'two'] })),
    ];
    for (const answer of isInOrder ? answers : answers.reverse()) await answer();
    expect(item()).toMatchObject({ done: true, tags: ['one', 'two'] });
    expect(w.calls).toHaveLength(2);
  });

  test('[O15] in a class with versions the later version stays, and no request is sent', async () => {
    const { w, controller, change, send, title } = await stage(false, Versioned);
    const star = w.mutation('star', Versioned);
    const first = send(change, { id: 1 }, { title: 'mine' });
    void controller.fetch(star, { id: 1 });
    await first.answer({ id: 1, title: 'mine', version: 1 });
    await w.call().answer({ id: 1, title: 'cleaned', version: 2 });
    expect(title()).toBe('cleaned');
    expect(w.calls).toHaveLength(2);
  });
});

test.each([
  ['a call without a body', []],
  ['a call with another field', [{ title: 'b' }]],
])(
  '[O3] the response to %s that waited for the key of its row replaces what the creation sent',
  async (_, body) => {
    const { w, controller, list, create, send } = await stage(true);
    const creating = send(create, { title: 'a', done: false });
    const id = controller.getResponse(list, {}).data?.at(-1)?.id;
    void controller.fetch(w.mutation('submit', Item), { id }, ...body);
    await creating.answer(whole(9, { title: 'a' }));
    const before = w.calls.length;
    await w.call().answer(whole(9, { title: 'b', done: true }));
    expect(controller.get(Item, { id: 9 })).toMatchObject({ title: 'b', done: true });
    expect(w.calls).toHaveLength(before);
  },
);

test.each([
  ['in the order of issue', false],
  ['in the reverse order', true],
])(
  '[O3] of two updates that waited for the key of one row, the other fields of the response to the later update are kept: answered %s',
  async (_, isReversed) => {
    const { controller, list, create, change, send, asked } = await stage(true);
    const creating = send(create, { title: 'a', done: false });
    const id = controller.getResponse(list, {}).data?.at(-1)?.id;
    void controller.fetch(change, { id }, { title: 'b' });
    void controller.fetch(change, { id }, { done: true });
    await creating.answer(whole(9, { title: 'a' }));
    const [first, second] = asked('change');
    const answers = [
      () => first?.answer(whole(9, { title: 'b', tags: ['one'] })),
      () => second?.answer(whole(9, { title: 'b', done: true, tags: ['one', 'two'] })),
    ];
    for (const answer of isReversed ? answers.reverse() : answers) await answer();
    const expected = { title: 'b', done: true, tags: ['one', 'two'] };
    expect(controller.get(Item, { id: 9 })).toMatchObject(expected);
  },
);

test.each([
  ['the field that the mutation changes is refetched', { done: true, title: 't1' }, 1],
  ['equal fields cause no refetch', { done: false, title: 't1' }, 0],
])('[O15] a push during a mutation without a body: %s', async (_, answer, count) => {
  const { w, controller, asked } = await stage(false);
  void controller.fetch(w.mutation('star', Item), { id: 1 });
  const starring = w.call();
  // of another field of the row, from before the server has changed this one
  await controller.set(Item, { id: 1 }, { title: 't1', done: false });
  await starring.answer(whole(1, answer));
  expect(asked('list')).toHaveLength(count);
  await asked('list')[0]?.answer([whole(1, answer), whole(2)]);
  expect(controller.get(Item, { id: 1 })).toMatchObject(answer);
});

test.each([
  ['in a list', [Item], ['1']],
  ['in an envelope', { item: Item }, { item: '1' }],
])(
  '[O15] a push during a mutation without a body that is answered with a key alone, %s, is kept',
  async (_, schema, answer) => {
    const { w, controller } = await stage(false);
    const starred = controller.fetch(w.mutation('star', schema), { id: 1 });
    const starring = w.call();
    await controller.set(Item, { id: 1 }, { title: 'theirs' });
    await starring.answer(answer);
    await starred;
    expect(controller.get(Item, { id: 1 })?.title).toBe('theirs');
  },
);
