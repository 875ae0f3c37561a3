// The echo of an own creation: a push or a read contains the row before the response does, and the row is shown once.
import { All, Collection, Delete, Entity, Values, replay, transaction } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { Person } from '../setup/samples.ts';
import { refused, watch, world } from '../setup/world.ts';

class Item extends Entity {
  id = 0;
  title = '';
}

const titlesIn = (text: string | undefined) => [...(text?.split(',') ?? [])].sort();

class Note extends Entity {
  id = '';
  title = '';
}

async function stage() {
  const w = world();
  const { controller } = w;
  const items = new Collection([Item]);
  const list = w.read('list', items);
  const plain = w.read('plain', [Item]);
  const get = w.read('get', Item);
  const create = w.mutation('create', items.push, {
    getOptimisticResponse: (_: unknown, body: object) => body,
  });
  await controller.setResponse(list, {}, [{ id: 1, title: 'a' }]);
  const shown = watch<string | undefined>(() =>
    controller
      .signal(list, {})
      .value?.map(({ title }) => title)
      .join(),
  );
  const add = (body: object = { title: 'new' }) => {
    controller.fetch(create, body).catch(() => {});
    return w.call();
  };
  const echo = (id = 9, title = 'new') => controller.set(items.push, { id, title });
  return { w, controller, items, list, plain, get, create, shown, add, echo };
}

test('[O16] the push of a row created by this client is not shown as a second row', async () => {
  const { controller, list, shown, add, echo } = await stage();
  const adding = add();
  await echo();
  expect(shown.last).toBe('a,new');
  await adding.answer({ id: 9, title: 'new' });
  expect(shown.seen.filter((text) => text === 'a,new,new')).toEqual([]);
  expect(shown.last).toBe('a,new');
  expect(controller.getResponse(list, {}).data?.map(({ id }) => id)).toEqual([1, 9]);
});

test('[O16] a poll with the row of a creation in flight never shows a second row in lists, arrays and whole tables', async () => {
  const { w, controller, list, plain, shown, add } = await stage();
  const adding = add();
  void controller.fetch(list, {});
  await w.call().answer([
    { id: 1, title: 'a' },
    { id: 9, title: 'new' },
  ]);
  void controller.fetch(plain, {});
  await w.call().answer([
    { id: 1, title: 'a' },
    { id: 9, title: 'new' },
  ]);
  expect(shown.last).toBe('a,new');
  expect(controller.getResponse(plain, {}).data?.map(({ id }) => id)).toEqual([1]);
  expect(controller.get(new All(Item))).toHaveLength(2);
  await adding.answer({ id: 9, title: 'new' });
  expect(shown.seen.filter((text) => text === 'a,new,new')).toEqual([]);
  expect(shown.last).toBe('a,new');
  expect(controller.getResponse(plain, {}).data?.map(({ id }) => id)).toEqual([1, 9]);
  expect(controller.get(new All(Item))).toHaveLength(2);
});

test('[O16] a row of another client is shown when the creation has settled', async () => {
  const { shown, add, echo } = await stage();
  const adding = add();
  await echo(8, 'theirs');
  expect(shown.last).toBe('a,new');
  await adding.answer({ id: 9, title: 'new' });
  expect(titlesIn(shown.last)).toEqual(['a', 'new', 'theirs']);
});

test('[O16] after a creation that fails the pushed row is shown', async () => {
  const { w, controller, create, shown, echo } = await stage();
  const failed = refused(controller.fetch(create, { title: 'new' }));
  await echo();
  await w.call().fail(new Error('no'));
  await failed;
  expect(shown.last).toBe('a,new');
  expect(shown.seen.filter((text) => text === 'a,new,new')).toEqual([]);
});

test('[O16] a creation without a response hides a pushed row for 5 s', async () => {
  const { w, shown, add, echo } = await stage();
  const adding = add();
  w.clock.advance(1_000);
  await echo();
  w.clock.advance(4_999);
  expect(shown.last).toBe('a,new');
  w.clock.advance(1);
  expect(titlesIn(shown.last)).toEqual(['a', 'new', 'new']);
  await adding.answer({ id: 9, title: 'new' });
  expect(shown.last).toBe('a,new');
});

test('[O16] a creation that waits for the key of another row hides no pushed row', async () => {
  const { w, controller, shown, create, add } = await stage();
  const persons = new Collection([Person]);
  const people = w.read('people', persons);
  await controller.setResponse(people, {}, []);
  const hire = w.mutation('hire', persons.push, {
    getOptimisticResponse: (_: unknown, __: unknown, body: object) => body,
  });
  add();
  expect(shown.last).toBe('a,new');
  const rows = controller.getResponse(w.read('list', create.schema.collection as never), {});
  const boss = (rows.data as { id: number }[] | undefined)?.at(-1)?.id;
  controller.fetch(hire, { boss }, { name: 'x' }).catch(() => {});
  await controller.set(persons.push, { id: 5, name: 'y' });
  expect(controller.getResponse(people, {}).data?.map(({ name }) => name)).toEqual(['x', 'y']);
});

test('[O16] during a creation, pushes of known rows, rows of other classes and rows read by their key are shown', async () => {
  const { w, controller, get, shown, add } = await stage();
  const adding = add();
  await controller.set(Item, { id: 1 }, { title: 'b' });
  expect(shown.last).toBe('b,new');
  await controller.set(Person, { id: 9 }, { id: 9, name: 'p' });
  expect(controller.get(Person, { id: 9 })?.name).toBe('p');
  const read = controller.fetch(get, { id: 7 });
  await w.call().answer({ id: 7, title: 'seven' });
  expect((await read).title).toBe('seven');
  expect(controller.get(Item, { id: 7 })?.title).toBe('seven');
  await adding.answer({ id: 9, title: 'new' });
});

test('[O16] pushes and responses of two creations, both in reverse order, show each row once', async () => {
  const { shown, add, echo } = await stage();
  const first = add({ title: 'x' });
  const second = add({ title: 'y' });
  await echo(10, 'y');
  await echo(9, 'x');
  expect(shown.last).toBe('a,x,y');
  await second.answer({ id: 10, title: 'y' });
  expect(titlesIn(shown.last)).toEqual(['a', 'x', 'y']);
  await first.answer({ id: 9, title: 'x' });
  expect(titlesIn(shown.last)).toEqual(['a', 'x', 'y']);
  for (const text of shown.seen) {
    const titles = text?.split(',') ?? [];
    expect(titles).toHaveLength(new Set(titles).size);
  }
});

test('[O16] a confirmed creation is not hidden by another creation in flight', async () => {
  const { shown, add, echo } = await stage();
  add({ title: 'x' });
  const second = add({ title: 'y' });
  await second.answer({ id: 10, title: 'y' });
  expect(shown.last).toBe('a,x,y');
  await echo(10, 'z');
  expect(shown.last).toBe('a,x,z');
});

test('[O16] in a map the echo of an assign in flight is not shown beside the own entry', async () => {
  const w = world();
  const { controller } = w;
  const coll = new Collection(new Values(Item));
  const map = w.read('map', coll);
  const assign = w.mutation('assign', coll.assign, {
    getOptimisticResponse: (_: unknown, body: object) => body,
  });
  await controller.setResponse(map, {}, { a: { id: 1, title: 'a' } });
  const shown = watch<string | undefined>(() =>
    Object.values(controller.signal(map, {}).value ?? {})
      .map(({ title }) => title)
      .join(),
  );
  void controller.fetch(assign, { k: { title: 'new' } });
  const assigning = w.call();
  await controller.set(coll.assign, { other: { id: 9, title: 'new' } });
  expect(shown.last).toBe('a,new');
  await assigning.answer({ k: { id: 9, title: 'new' } });
  expect(shown.last?.split(',').slice(0, 2)).toEqual(['a', 'new']);
});

test('[O16] an echo that another tab received shows there at once, and never as a second row in the creating tab', async () => {
  const { controller, list, shown, add } = await stage();
  const other = world();
  const copy = other.read('list', list.schema);
  controller.on('request', (request) => replay(other.controller, request));
  controller.on('commit', (commit) => void (commit.replayed ?? replay(other.controller, commit)));
  other.controller.on('commit', (commit) => void (commit.replayed ?? replay(controller, commit)));
  await other.controller.setResponse(copy, {}, [{ id: 1, title: 'a' }]);
  const adding = add();
  await other.controller.set(list.schema.push, { id: 9, title: 'new' });
  const titles = () => other.controller.getResponse(copy, {}).data?.map(({ title }) => title);
  expect(titles()).toEqual(['a', 'new']);
  expect(shown.last).toBe('a,new');
  await adding.answer({ id: 9, title: 'new' });
  expect(titles()).toEqual(['a', 'new']);
  expect(shown.last).toBe('a,new');
});

describe('an echo in a transaction', () => {
  test('[O16] the echo of a creation in a transaction is shown once, before and after the end', async () => {
    const { w, controller, create, shown, echo } = await stage();
    const done = transaction(controller, ({ fetch }) => fetch(create, { title: 'new' }));
    const adding = w.call();
    await echo();
    expect(shown.last).toBe('a,new');
    await adding.answer({ id: 9, title: 'new' });
    await done;
    expect(shown.last).toBe('a,new');
    expect(shown.seen.filter((text) => text === 'a,new,new')).toEqual([]);
  });
});

test('[O16] the first response of a list during a creation hides only rows with the sent values', async () => {
  const { w, controller, add } = await stage();
  const first = w.read('first', new Collection([Item]));
  const adding = add({ title: 'new' });
  void controller.fetch(first, {});
  await w.call().answer([
    { id: 5, title: 'five' },
    { id: 9, title: ' New' },
  ]);
  const ids = () => controller.getResponse(first, {}).data?.map(({ id }) => id);
  expect(ids()?.filter((id) => id > 0)).toEqual([5]);
  await adding.answer({ id: 9, title: 'New' });
  expect(ids()).toEqual([5, 9]);
});

test.each([
  ['with the row', { id: 9, title: 'new' }],
  ['with 204', undefined],
])(
  '[O16] a row deleted before its key is known stays deleted after the echo and after a creation answered %s',
  async (_, response) => {
    const { w, controller, list, shown, add, echo } = await stage();
    const remove = w.mutation('remove', new Delete(Item), {
      getOptimisticResponse: (__: unknown, params: object) => params,
    });
    const adding = add();
    const id = controller.getResponse(list, {}).data?.at(-1)?.id;
    void controller.fetch(remove, { id });
    await echo();
    expect(shown.last).toBe('a');
    await adding.answer(response);
    expect(shown.last).toBe('a');
    expect(w.log.at(-1)).toBe('remove {"id":9}');
    await w.call().answer({ id: 9 });
    expect(shown.last).toBe('a');
    expect(controller.get(new All(Item))).toHaveLength(1);
  },
);

test.each([true, false])(
  '[O16] an echo during a deletion does not restore the row when the deletion is confirmed (optimistic: %s)',
  async (isOptimistic) => {
    const { w, controller, list, shown, add, echo } = await stage();
    const remove = w.mutation('remove', new Delete(Item), {
      ...(isOptimistic && { getOptimisticResponse: (_: unknown, params: object) => params }),
    });
    await add().answer({ id: 9, title: 'new' });
    void controller.fetch(remove, { id: 9 });
    const removing = w.call();
    await echo();
    expect(shown.last).toBe(isOptimistic ? 'a' : 'a,new');
    await removing.answer({ id: 9 });
    expect(shown.last).toBe('a');
    expect(controller.getResponse(list, {}).data).toHaveLength(1);
    await echo();
    expect(shown.last).toBe('a,new');
  },
);

describe('an echo of a creation that is answered with 204', () => {
  type Step = (s: Awaited<ReturnType<typeof stage>>) => Promise<unknown>;
  const rows = (...titles: string[]) => titles.map((title, at) => ({ id: 1 + at * 8, title }));
  const idsIn = ({ controller, list }: Awaited<ReturnType<typeof stage>>) =>
    controller.getResponse(list, {}).data?.map(({ id }) => id);
  const isTwice = (text: string | undefined) =>
    [...(text?.split(',') ?? [])].some((title, at, all) => all.indexOf(title) !== at);

  test.each<[string, Step]>([
    [
      'before the response',
      async ({ add, echo }) => {
        const adding = add();
        await echo();
        await adding.answer();
      },
    ],
    [
      'after the response',
      async ({ add, echo }) => {
        await add().answer();
        await echo();
      },
    ],
    [
      'after a poll that was issued before the response',
      async ({ w, controller, list, add, echo }) => {
        const adding = add();
        void controller.fetch(list, {});
        const polling = w.call();
        await adding.answer();
        await polling.answer(rows('a'));
        await echo();
      },
    ],
    [
      'in a poll that was issued before the response',
      async ({ w, controller, list, add }) => {
        const adding = add();
        void controller.fetch(list, {});
        const polling = w.call();
        await adding.answer();
        await polling.answer(rows('a', 'new'));
      },
    ],
    [
      'in a transaction',
      async ({ w, controller, create, echo }) => {
        const done = transaction(controller, ({ fetch }) => fetch(create, { title: 'new' }));
        const adding = w.call();
        await echo();
        await adding.answer();
        await done;
      },
    ],
  ])('[O16] the echo replaces the temporary row: %s', async (_, step) => {
    const given = await stage();
    const { w, controller, list, shown } = given;
    await step(given);
    expect(shown.last).toBe('a,new');
    expect(idsIn(given)?.at(-1)).toBe(9);
    expect(controller.get(new All(Item))).toHaveLength(2);
    void controller.fetch(list, {});
    await w.call().answer(rows('a', 'new'));
    expect(idsIn(given)).toEqual([1, 9]);
    expect(controller.get(new All(Item))?.map(({ id }) => id)).toContain(9);
    expect(shown.seen.filter(isTwice)).toEqual([]);
  });

  test('[O16] the echo of a row created by a form is recognized by the fields of the form', async () => {
    const { w, controller, items, shown, echo } = await stage();
    const create = w.mutation('createByForm', items.push, {
      getOptimisticResponse: (_: unknown, form: FormData) => ({ title: form.get('title') }),
    });
    const form = new FormData();
    form.set('title', 'new');
    void controller.fetch(create, form);
    await w.call().answer();
    await echo(5, 'other');
    expect(shown.last).toBe('a,new');
    await echo();
    expect(titlesIn(shown.last)).toEqual(['a', 'new', 'other']);
    expect(shown.seen.filter(isTwice)).toEqual([]);
  });

  test('[O16] a refetch after a 204 shows the created row once, in lists and in whole tables', async () => {
    const given = await stage();
    const { w, controller, list, shown, add } = given;
    await add().answer();
    void controller.fetch(list, {});
    await w.call().answer([
      { id: 1, title: 'a' },
      { id: 9, title: 'new' },
    ]);
    expect(idsIn(given)).toEqual([1, 9]);
    expect(controller.get(new All(Item))?.map(({ id }) => id)).toEqual([1, 9]);
    expect(shown.seen.filter(isTwice)).toEqual([]);
  });

  test('[O16] an echo with other values is hidden until the refetch of the list', async () => {
    const given = await stage();
    const { w, controller, list, shown, add, echo } = given;
    const adding = add();
    await echo(9, 'New!');
    await adding.answer();
    expect(shown.last).toBe('a,new');
    await echo(10, 'theirs');
    expect(shown.last).toBe('a,new');
    void controller.fetch(list, {});
    await w.call().answer([
      { id: 1, title: 'a' },
      { id: 9, title: 'New!' },
      { id: 10, title: 'theirs' },
    ]);
    expect(shown.last).toBe('a,New!,theirs');
    expect(controller.get(new All(Item))).toHaveLength(3);
  });

  test('[O16] without a refetch an echo with other values is hidden for 5 s', async () => {
    const { w, shown, add, echo } = await stage();
    await add().answer();
    await echo(9, 'New!');
    w.clock.advance(4_999);
    expect(shown.last).toBe('a,new');
    w.clock.advance(1);
    expect(shown.last).toBe('a,new,New!');
    expect(w.clock.waiting).toBe(0);
  });

  test('[O16] the echoes of two creations with equal values replace both temporary rows', async () => {
    const given = await stage();
    const { shown, add, echo } = given;
    const [first, second] = [add(), add()];
    await echo(9);
    await first.answer();
    await echo(10);
    await second.answer();
    expect(idsIn(given)).toEqual([1, 9, 10]);
    expect(shown.seen.filter((text) => titlesIn(text).length > 3)).toEqual([]);
    expect(shown.last).toBe('a,new,new');
  });

  test('[O16] after two creations have settled, pushed rows of other clients show, and a refetch decides the list', async () => {
    const given = await stage();
    const { w, controller, list, shown, add, echo } = given;
    const [first, second] = [add({ title: 'x' }), add({ title: 'y' })];
    await echo(10, 'y');
    await echo(9, 'x');
    await echo(8, 'theirs');
    await second.answer();
    await first.answer();
    expect(titlesIn(shown.last)).toEqual(['a', 'theirs', 'x', 'y']);
    void controller.fetch(list, {});
    await w.call().answer([
      { id: 8, title: 'theirs' },
      { id: 9, title: 'x' },
    ]);
    expect(idsIn(given)).toEqual([8, 9]);
  });

  test('[O13] a deletion of a row without a server key rejects with E6, also in a class with text keys', async () => {
    const w = world();
    const { controller } = w;
    const notes = new Collection([Note]);
    const list = w.read('list', notes);
    const wanted = (_: unknown, body: object) => body;
    const create = w.mutation('create', notes.push, { getOptimisticResponse: wanted });
    const remove = w.mutation('remove', new Delete(Note), { getOptimisticResponse: wanted });
    await controller.setResponse(list, {}, []);
    void controller.fetch(create, { title: 'new' });
    await w.call().answer();
    const pk = controller.getResponse(list, {}).data?.[0]?.id;
    await expect(controller.fetch(remove, { id: pk })).rejects.toThrow('E6');
    await controller.set(notes.push, { id: 'n', title: 'new' });
    expect(controller.getResponse(list, {}).data?.map(({ id }) => id)).toEqual(['n']);
    expect(w.log).toHaveLength(1);
  });

  test('[O16] in a map the echo replaces the own entry', async () => {
    const w = world();
    const { controller } = w;
    const coll = new Collection(new Values(Item));
    const map = w.read('map', coll);
    const assign = w.mutation('assign', coll.assign, {
      getOptimisticResponse: (_: unknown, body: object) => body,
    });
    await controller.setResponse(map, {}, { a: { id: 1, title: 'a' } });
    void controller.fetch(assign, { k: { title: 'new' } });
    await w.call().answer();
    await controller.set(coll.assign, { k: { id: 9, title: 'new' } });
    const shown = controller.getResponse(map, {}).data ?? {};
    expect(Object.entries(shown).map(([key, { id }]) => [key, id])).toEqual([
      ['a', 1],
      ['k', 9],
    ]);
    expect(controller.get(new All(Item))).toHaveLength(2);
  });
});
