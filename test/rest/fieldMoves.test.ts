/** Lists of resources follow the fields of their rows: boards, lists at several addresses, nested lists, policies. */
import {
  Collection,
  Controller,
  createResource,
  Delete,
  Entity,
  optimistic,
  replay,
  Values,
} from 'signalbox';
import type { ControllerOptions, EndpointInterface } from 'signalbox';
import { describe, expect, test } from 'vitest';
import { StoppedClock } from '../setup/world.ts';

class Card extends Entity {
  id = 0;
  projectId = 0;
  column = '';
}

type Args = Readonly<Record<string, unknown>>;
type Lists = readonly (readonly [endpoint: unknown, args: Args, rows: unknown])[];

const card = (id: number, column: string, fields: object = {}) => ({
  id,
  projectId: 1,
  column,
  ...fields,
});

const columns = ['todo', 'doing', 'done'] as const;

/** A controller with stored lists; `reply` makes the response of a mutation from the body. */
async function stored(lists: Lists, options: ControllerOptions = {}) {
  const clock = new StoppedClock();
  const controller = new Controller({ optimistic, clock, retry: 0, ...options });
  for (const [endpoint, args, rows] of lists)
    await controller.setResponse(endpoint as EndpointInterface, args, rows);
  const ids = (endpoint: unknown, args: Args) => {
    const { data } = controller.getResponse(endpoint as EndpointInterface, args);
    return (data as { id: number }[] | undefined)?.map(({ id }) => id);
  };
  const isFresh = (endpoint: unknown, args: Args) =>
    controller.getResponse(endpoint as EndpointInterface, args).expiresAt > clock.now();
  return { controller, ids, isFresh };
}

const fetch = (...args: readonly object[]) => Promise.resolve(Object.assign({}, ...args));

test('[N21] partialUpdate moves a row through the lists filtered by its field, and back', async () => {
  const cards = createResource({ path: '/cards/:id', schema: Card });
  const lists = columns.map((column, at) => [
    cards.getList,
    { column },
    [card(at * 2 + 1, column), card(at * 2 + 2, column)],
  ]) as unknown as Lists;
  const { controller, ids } = await stored(lists);
  const board = () => columns.map((column) => ids(cards.getList, { column }));
  const patch = cards.partialUpdate.extend({ fetch: fetch as never });
  await controller.fetch(patch, { id: 1 }, { column: 'doing' });
  expect(board()).toEqual([[2], [3, 4, 1], [5, 6]]);
  await controller.fetch(patch, { id: 1 }, { column: 'done' });
  await controller.fetch(patch, { id: 1 }, { column: 'todo' });
  expect(board()).toEqual([
    [2, 1],
    [3, 4],
    [5, 6],
  ]);
});

test('[N21] `update` with another value of the filtered field moves the row to the list of that value', async () => {
  const cards = createResource({ path: '/cards/:id', schema: Card });
  const { controller, ids } = await stored([
    [cards.getList, { column: 'todo' }, [card(1, 'todo')]],
    [cards.getList, { column: 'done' }, []],
  ]);
  const update = cards.update.extend({ fetch: fetch as never });
  await controller.fetch(update, { id: 1 }, card(1, 'done'));
  expect([ids(cards.getList, { column: 'todo' }), ids(cards.getList, { column: 'done' })]).toEqual([
    [],
    [1],
  ]);
});

test('[N21] a read of a detail with another value of the filtered field moves the row to the list of that value', async () => {
  const cards = createResource({ path: '/cards/:id', schema: Card });
  const { controller, ids } = await stored([
    [cards.getList, { column: 'todo' }, [card(1, 'todo')]],
    [cards.getList, { column: 'done' }, []],
  ]);
  await controller.fetch(cards.get.extend({ fetch: async () => card(1, 'done') as never }), {
    id: 1,
  });
  expect([ids(cards.getList, { column: 'todo' }), ids(cards.getList, { column: 'done' })]).toEqual([
    [],
    [1],
  ]);
});

test('[N21] a row is added at the start of a list that has `unshift`', async () => {
  const cards = createResource({ path: '/cards/:id', schema: Card });
  void cards.getList.unshift;
  const { controller, ids } = await stored([
    [cards.getList, { column: 'todo' }, [card(1, 'todo')]],
    [cards.getList, { column: 'done' }, [card(2, 'done')]],
  ]);
  await controller.set(Card, { id: 1 }, { column: 'done' });
  expect(ids(cards.getList, { column: 'done' })).toEqual([1, 2]);
});

test('[N21] a row moves between the lists of its board, and the lists of another board do not change', async () => {
  const cards = createResource({ path: '/boards/:board/cards/:id', schema: Card });
  const { controller, ids, isFresh } = await stored(
    [1, 2].flatMap((board) => [
      [cards.getList, { board, column: 'todo' }, board === 1 ? [card(1, 'todo')] : []],
      [cards.getList, { board, column: 'done' }, []],
    ]) as unknown as Lists,
  );
  await controller.set(Card, { id: 1 }, { column: 'done' });
  const of = (board: number, column: string) => [
    ids(cards.getList, { board, column }),
    isFresh(cards.getList, { board, column }),
  ];
  expect([of(1, 'todo'), of(1, 'done')]).toEqual([
    [[], false],
    [[1], false],
  ]);
  expect([of(2, 'todo'), of(2, 'done')]).toEqual([
    [[], true],
    [[], true],
  ]);
});

test('[N21] a changed field that is a param of the path moves the row to the list of the other parent', async () => {
  const cards = createResource({ path: '/projects/:projectId/cards/:id', schema: Card });
  const { controller, ids } = await stored([
    [cards.getList, { projectId: 1 }, [card(1, 'todo')]],
    [cards.getList, { projectId: 2 }, []],
  ]);
  await controller.set(Card, { id: 1 }, { projectId: 2 });
  expect([1, 2].map((projectId) => ids(cards.getList, { projectId }))).toEqual([[], [1]]);
});

class Project extends Entity {
  id = 0;
  cards: Card[] = [];
  static override schema = {
    cards: new Collection([Card], { nestKey: ({ id }: { id: number }) => ({ projectId: id }) }),
  };
}

test('[N21] a changed foreign key moves the row from one nested list to another', async () => {
  const { controller } = await stored([]);
  await controller.set(Project, { id: 1 }, { id: 1, cards: [card(1, 'todo'), card(2, 'todo')] });
  await controller.set(Project, { id: 2 }, { id: 2, cards: [] });
  await controller.set(Card, { id: 1 }, { projectId: 2 });
  const shown = [1, 2].map((id) => controller.get(Project, { id })?.cards.map((one) => one.id));
  expect(shown).toEqual([[2], [1]]);
});

test('[N21] a moved row leaves lists at other addresses, and joins one only if the address has listed the row', async () => {
  const cards = createResource({ path: '/cards/:id', schema: Card });
  const mine = cards.extend('getList', { path: '/mine' }).getList;
  const theirs = cards.extend('getList', { path: '/theirs' }).getList;
  const { controller, ids, isFresh } = await stored([
    [cards.getList, { column: 'todo' }, [card(1, 'todo')]],
    [mine, { column: 'todo' }, [card(1, 'todo')]],
    [mine, { column: 'done' }, []],
    [theirs, { column: 'done' }, []],
  ]);
  await controller.set(Card, { id: 1 }, { column: 'done' });
  expect([ids(mine, { column: 'todo' }), ids(mine, { column: 'done' })]).toEqual([[], [1]]);
  expect([ids(theirs, { column: 'done' }), isFresh(theirs, { column: 'done' })]).toEqual([
    [],
    false,
  ]);
});

test('[N21] a moved row leaves a numbered page at once, and expires pages and searches without joining them', async () => {
  const cards = createResource({ path: '/cards/:id', schema: Card });
  const todo = { column: 'todo', page: 1 };
  const found = { column: 'done', q: 'x' };
  const { controller, ids, isFresh } = await stored([
    [cards.getList, todo, [card(1, 'todo'), card(2, 'todo')]],
    [cards.getList, { column: 'done', page: 1 }, []],
    [cards.getList, found, []],
  ]);
  await controller.set(Card, { id: 1 }, { column: 'done' });
  expect([ids(cards.getList, todo), isFresh(cards.getList, todo)]).toEqual([[2], false]);
  for (const args of [{ column: 'done', page: 1 }, found])
    expect([ids(cards.getList, args), isFresh(cards.getList, args)]).toEqual([[], false]);
});

test('[N21] a list of several values keeps a row that still has one of the values, and expires', async () => {
  const cards = createResource({ path: '/cards/:id', schema: Card });
  const args = { column: ['todo', 'doing'] };
  const { controller, ids, isFresh } = await stored([[cards.getList, args, [card(1, 'todo')]]]);
  await controller.set(Card, { id: 1 }, { column: 'doing' });
  expect([ids(cards.getList, args), isFresh(cards.getList, args)]).toEqual([[1], false]);
  await controller.set(Card, { id: 1 }, { column: 'done' });
  expect(ids(cards.getList, args)).toEqual([]);
});

test('[N21] a moved row leaves a map at once, and expires a map that the row may join', async () => {
  const { getList } = createResource({ path: '/cards/:id', schema: Card });
  const map = getList.extend({ path: '/map', schema: new Collection(new Values(Card)) });
  const { controller, isFresh } = await stored([
    [map, { column: 'todo' }, { a: card(1, 'todo') }],
    [map, { column: 'done' }, {}],
  ]);
  await controller.set(Card, { id: 1 }, { column: 'done' });
  const shown = ['todo', 'done'].map((column) => controller.getResponse(map, { column }).data);
  expect(shown).toEqual([{}, {}]);
  expect(isFresh(map, { column: 'done' })).toBe(false);
});

test('[N21] a field received for the first time moves no row and expires lists, and moves the row after an own write', async () => {
  const cards = createResource({ path: '/cards/:id', schema: Card });
  const { controller, ids, isFresh } = await stored([
    [cards.getList, {}, [{ id: 1 }, { id: 2 }]],
    [cards.getList, { column: 'done' }, []],
  ]);
  await controller.set(Card, { id: 1 }, { column: 'done' });
  expect(ids(cards.getList, { column: 'done' })).toEqual([]);
  expect(isFresh(cards.getList, { column: 'done' })).toBe(false);
  const patch = cards.partialUpdate.extend({ fetch: fetch as never });
  await controller.fetch(patch, { id: 2 }, { column: 'done' });
  expect(ids(cards.getList, { column: 'done' })).toEqual([2]);
});

const frozen = { moveRows: false } as const;

test.each([
  ['a resource', createResource({ path: '/cards/:id', schema: Card, ...frozen }), {}],
  ['the controller', createResource({ path: '/cards/:id', schema: Card }), frozen],
  [
    'a Collection',
    createResource({ path: '/cards/:id', schema: Card }).extend('getList', {
      schema: new Collection([Card], frozen),
    }),
    {},
  ],
])(
  '[N21] with `moveRows: false` of %s a changed field moves no row and expires no list',
  async (_, { getList }, options) => {
    const { controller, ids, isFresh } = await stored(
      [[getList, { column: 'todo' }, [card(1, 'todo')]]],
      options,
    );
    await controller.set(Card, { id: 1 }, { column: 'done' });
    expect([ids(getList, { column: 'todo' }), isFresh(getList, { column: 'todo' })]).toEqual([
      [1],
      true,
    ]);
  },
);

test('[N21] getList.move to a board, with another column in the response, moves the row to that column of the board', async () => {
  const cards = createResource({ path: '/boards/:board/cards/:id', schema: Card });
  const { controller, ids } = await stored([
    [cards.getList, { board: 1, column: 'todo' }, [card(1, 'todo')]],
    [cards.getList, { board: 1, column: 'done' }, []],
    [cards.getList, { board: 2, column: 'done' }, []],
  ]);
  const move = cards.getList.move.extend({ fetch: async () => card(1, 'done') as never });
  await controller.fetch(move as EndpointInterface, { board: 1, id: 1 }, { board: 2 });
  const shown = [
    [1, 'todo'],
    [1, 'done'],
    [2, 'done'],
  ].map(([board, column]) => ids(cards.getList, { board, column }));
  expect(shown).toEqual([[], [], [1]]);
});

test.each([
  ['optimistic, the later change answered first', true, [1, 0]],
  ['optimistic, the earlier change answered first', true, [0, 1]],
  ['without optimism, the later change answered first', false, [1, 0]],
  ['without optimism, the earlier change answered first', false, [0, 1]],
])(
  '[O4] two calls of getList.move in flight, for the parent and for a field, leave the row with the new parent: %s',
  async (_, isOptimistic, order) => {
    for (const isParentFirst of [true, false])
      for (const isWhole of [true, false]) {
        const cards = createResource({
          path: '/projects/:projectId/cards/:id',
          schema: Card,
          optimistic: isOptimistic,
        });
        const { controller, ids } = await stored([
          [cards.getList, { projectId: 1 }, [card(1, 'todo')]],
          [cards.getList, { projectId: 2 }, []],
        ]);
        const answers: (() => void)[] = [];
        const respond = (_args: Args, body: Args) =>
          new Promise((resolve) => {
            const row = isWhole ? card(1, 'todo', { projectId: 2, ...body }) : { id: 1 };
            answers.push(() => resolve(row));
          });
        const move = cards.getList.move.extend({ fetch: respond as never });
        const bodies: Args[] = [{ projectId: 2 }, { column: 'done' }];
        if (!isParentFirst) bodies.reverse();
        const sent = bodies.map((body) => controller.fetch(move, { projectId: 1, id: 1 }, body));
        const board = () => [1, 2].map((projectId) => ids(cards.getList, { projectId }));
        const meanwhile: unknown[] = [];
        for (const at of order) {
          answers[at]?.();
          await sent[at];
          meanwhile.push(board());
        }
        // the optimistic response of the later change has the params of the address
        const isSettledFirst = !isOptimistic || order[0] === 0;
        expect(meanwhile[isSettledFirst ? 1 : 0]).toEqual([[], [1]]);
        expect(board()).toEqual([[], [1]]);
      }
  },
);

/** Two projects, the first with a card, and `getList.move` of a card at the address of the first. */
async function twoProjects(isOptimistic: boolean, Class: typeof Card = Card, parent: unknown = 1) {
  const cards = createResource({
    path: '/projects/:projectId/cards/:id',
    schema: Class,
    optimistic: isOptimistic,
  });
  const { controller, ids, isFresh } = await stored([
    [cards.getList, { projectId: 1 }, [card(1, 'todo', { projectId: parent })]],
    [cards.getList, { projectId: 2 }, []],
  ]);
  const answers: ((response: unknown) => void)[] = [];
  const fetch = () => new Promise((resolve) => answers.push(resolve));
  const send = (endpoint: EndpointInterface, body: Args) =>
    controller.fetch(
      (endpoint as typeof cards.partialUpdate).extend({ fetch: fetch as never }),
      { projectId: 1, id: 1 },
      body as object,
    );
  const board = () => [1, 2].map((projectId) => ids(cards.getList, { projectId }));
  return { cards, controller, isFresh, send, answers, board };
}

describe.each([
  ['an optimistic', true],
  ['a confirmed', false],
])('%s getList.move with another field than the parent', (_, isOptimistic) => {
  test.each([
    ['the response of a read', 'read'],
    ['a push', 'push'],
    ['the response of an earlier change', 'earlier'],
    ['its own response', 'own'],
  ])(
    '[N21] getList.move of another field leaves the row in the list of the parent in %s',
    async (_what, source) => {
      for (const response of [{ id: 1 }, { id: 1, column: 'done' }]) {
        const { cards, controller, send, answers, board } = await twoProjects(isOptimistic);
        const moved = card(1, 'todo', { projectId: 2 });
        const earlier = source === 'earlier' && send(cards.partialUpdate, { column: 'doing' });
        const sent = send(cards.getList.move, { column: 'done' });
        if (source === 'read')
          await controller.setResponse(cards.get, { projectId: 1, id: 1 }, moved);
        if (source === 'push') await controller.set(Card, { id: 1 }, { projectId: 2 });
        if (earlier) {
          answers[0]?.({ ...moved, column: 'doing' });
          await earlier;
        }
        answers.at(-1)?.(source === 'own' ? { ...moved, column: 'done' } : response);
        await sent;
        expect(controller.get(Card, { id: 1 })).toMatchObject({ projectId: 2, column: 'done' });
        expect(board()).toEqual([[], [1]]);
      }
    },
  );
});

describe.each([
  ['an optimistic', true],
  ['a confirmed', false],
])('%s getList.move to another parent', (_, isOptimistic) => {
  test('[N21] getList.move leaves the row in its list if the response keeps the parent', async () => {
    const { cards, send, answers, board } = await twoProjects(isOptimistic);
    const sent = send(cards.getList.move, { projectId: 2 });
    expect(board()).toEqual(isOptimistic ? [[], [1]] : [[1], []]);
    answers[0]?.(card(1, 'todo'));
    await sent;
    expect(board()).toEqual([[1], []]);
  });

  test('[N21] getList.move moves a row with an address as its parent if the response has another address', async () => {
    class Linked extends Card {
      override projectId = '' as never;
    }
    const { cards, send, answers, board } = await twoProjects(isOptimistic, Linked, '/projects/1');
    const sent = send(cards.getList.move, { column: 'done' });
    answers[0]?.(card(1, 'done', { projectId: '/projects/1' }));
    await sent;
    expect(board()).toEqual([[1], []]);
    const sentAgain = send(cards.getList.move, { projectId: 2 });
    answers[1]?.(card(1, 'done', { projectId: '/projects/2' }));
    await sentAgain;
    expect(board()).toEqual([[], [1]]);
  });

  test.each([
    ['move', [[], [1]]],
    ['remove', [[], []]],
  ] as const)(
    '[N23] getList.%s with an empty response changes the lists and the row at once, and expires the lists',
    async (op, shown) => {
      const { cards, controller, isFresh, send, answers, board } = await twoProjects(isOptimistic);
      const sent = send(cards.getList[op], { projectId: 2 });
      answers[0]?.(null);
      await sent;
      expect(board()).toEqual(shown);
      expect(controller.get(Card, { id: 1 })?.projectId).toBe(2);
      expect(isFresh(cards.getList, { projectId: 1 })).toBe(false);
    },
  );
});

test('[N23] getList.move with an empty response moves the row by a param that is not a field', async () => {
  const cards = createResource({ path: '/boards/:board/cards/:id', schema: Card });
  const lists = [1, 2].map((board) => [
    cards.getList,
    { board },
    board === 1 ? [card(1, 'todo')] : [],
  ]);
  const { controller, ids } = await stored(lists as unknown as Lists);
  const move = cards.getList.move.extend({ fetch: async () => null });
  await controller.fetch(move as EndpointInterface, { board: 1, id: 1 }, { board: 2 });
  expect([1, 2].map((board) => ids(cards.getList, { board }))).toEqual([[], [1]]);
});

test.each([
  ['a mutation without a body', [{ id: 1 }], true],
  ['a change of a row that is not stored', [{ id: 5 }, { column: 'done' }], true],
  ['a change of all rows', [{ column: 'done' }], true],
  ['a change with a body', [{ id: 1 }, { column: 'doing' }], false],
] as const)(
  '[N18] %s with an empty response expires the lists that a row may have joined, unless the sent fields decide',
  async (_, args, expires) => {
    const cards = createResource({ path: '/cards/:id', schema: Card });
    const other = new Controller();
    const { controller, isFresh } = await stored([
      [cards.get, { id: 1 }, card(1, 'todo')],
      [cards.getList, { column: 'done' }, []],
    ]);
    await other.setResponse(cards.getList, { column: 'done' }, []);
    controller.on('commit', (commit) => replay(other, commit));
    const schema = args.length === 1 && !('id' in args[0]) ? [Card] : Card;
    const change = cards.partialUpdate.extend({ schema, fetch: async () => null });
    await controller.fetch(change as EndpointInterface, ...args);
    expect(isFresh(cards.getList, { column: 'done' })).toBe(!expires);
    const { expiresAt } = other.getResponse(cards.getList, { column: 'done' });
    expect(expiresAt === 0).toBe(expires);
  },
);

describe.each([
  ['its key', { id: 1 }],
  ['its key and an undeclared field', { id: 1, ok: true }],
  ['{ok: true}', { ok: true }],
  ['nothing', null],
])('a mutation of a row answered with %s', (_, answer) => {
  const calls = [
    ['PUT /cards/1/star', [{ id: '1' }], Card],
    ['POST /rpc/star {id: 1}', [{ id: 1 }], Card],
    ['PUT /cards/1/star, in an envelope', [{ id: 1 }], { data: Card }],
    // with a body, the response has to identify the row
    ...(answer === null || 'id' in answer
      ? ([
          ['PATCH /cards/1 {undeclared: 5}', [{ id: 1 }, { undeclared: 5 }], Card],
          ['PUT /cards/1/star {}', [{ id: 1 }, {}], Card],
        ] as const)
      : []),
  ] as const;
  test.each(calls)(
    '[N23] the row and the lists that the row may have joined expire after %s',
    async (call, args, schema) => {
      const cards = createResource({ path: '/cards/:id', schema: Card });
      const lists: Lists = [
        [cards.get, { id: 1 }, card(1, 'todo')],
        [cards.getList, { column: 'done' }, []],
      ];
      const { controller, isFresh } = await stored(lists);
      const tab = await stored(lists);
      controller.on('commit', (commit) => replay(tab.controller, commit));
      const response = answer && 'data' in schema ? { data: answer } : answer;
      const change = cards.partialUpdate.extend({ schema, fetch: async () => response } as object);
      // the second response has nothing that is not stored
      for (const sent of [1, 2]) {
        for (const store of [controller, tab.controller])
          for (const [read, of, rows] of lists)
            await store.setResponse(read as EndpointInterface, of, rows);
        await controller.fetch(change as EndpointInterface, ...args);
        const fresh = lists.flatMap(([read, of]) => [isFresh(read, of), tab.isFresh(read, of)]);
        expect({ call, sent, fresh }).toEqual({ call, sent, fresh: [false, false, false, false] });
      }
    },
  );
});

test.each([
  ['a field of the response', [{ id: 1 }], { id: 1, column: 'doing' }],
  ['a field of the body', [{ id: 1 }, { column: 'doing' }], { id: 1 }],
  ['a field of a body with the key', [{ id: 1, column: 'doing' }], { id: 1 }],
])('[N23] a list is not expired if %s excludes the row', async (_, args, answer) => {
  const cards = createResource({ path: '/cards/:id', schema: Card });
  const { controller, isFresh } = await stored([
    [cards.get, { id: 1 }, card(1, 'todo')],
    [cards.getList, { column: 'done' }, []],
  ]);
  const change = cards.partialUpdate.extend({ fetch: async () => answer } as object);
  await controller.fetch(change as EndpointInterface, ...args);
  expect(controller.get(Card, { id: 1 })?.column).toBe('doing');
  expect(isFresh(cards.getList, { column: 'done' })).toBe(true);
});

test.each([
  ['getList.move', true],
  ['partialUpdate', false],
])(
  '[O4] the response to %s adds a row that was deleted meanwhile to no list',
  async (_, isMove) => {
    for (const isOptimistic of [true, false])
      for (const isDeletedByPush of [true, false]) {
        const { cards, controller, send, answers, board } = await twoProjects(isOptimistic);
        const sent = send(isMove ? cards.getList.move : cards.partialUpdate, { projectId: 2 });
        if (isDeletedByPush) await controller.set(new Delete(Card), { id: 1 }, { id: 1 });
        else {
          const deleted = send(cards.delete as never, {});
          answers[1]?.({});
          await deleted;
        }
        answers[0]?.(card(1, 'todo', { projectId: 2 }));
        await sent;
        expect(board()).toEqual([[], []]);
        await controller.set(Card, { id: 1 }, card(1, 'todo', { projectId: 2 }));
        expect(board()).toEqual([[], []]);
      }
  },
);

test('[O4] optimistic calls of getList.move move a row to another parent and back, before and after each response', async () => {
  const cards = createResource({
    path: '/projects/:projectId/cards/:id',
    schema: Card,
    optimistic: true,
  });
  const { controller, ids } = await stored([
    [cards.getList, { projectId: 1 }, [card(1, 'todo')]],
    [cards.getList, { projectId: 2 }, []],
  ]);
  const move = cards.getList.move.extend({ fetch: fetch as never });
  const board = () => [1, 2].map((projectId) => ids(cards.getList, { projectId }));
  for (const [from, to, shown] of [
    [1, 2, [[], [1]]],
    [2, 1, [[1], []]],
    [1, 2, [[], [1]]],
  ] as const) {
    const sent = controller.fetch(move, { projectId: from, id: 1 }, { projectId: to });
    expect(board()).toEqual(shown);
    await sent;
    expect(board()).toEqual(shown);
  }
});

test('[N18] a deletion removes the row from all lists, and expires lists at another address that may have changed', async () => {
  const cards = createResource({ path: '/cards/:id', schema: Card });
  const top = cards.extend('getList', { path: '/top' }).getList;
  const { controller, ids, isFresh } = await stored([
    [cards.getList, {}, [card(1, 'todo'), card(2, 'done')]],
    [top, {}, [card(1, 'todo')]],
    [top, { column: 'done' }, [card(2, 'done')]],
  ]);
  await controller.fetch(cards.delete.extend({ fetch: async () => ({}) }), { id: 1 });
  expect([ids(cards.getList, {}), ids(top, {})]).toEqual([[2], []]);
  expect([isFresh(cards.getList, {}), isFresh(top, {}), isFresh(top, { column: 'done' })]).toEqual([
    true,
    false,
    true,
  ]);
});

describe.each([
  { push: 'to the end of a column', pushed: ['push'] },
  { push: 'to the end of a column, then moved', pushed: ['push', 'set'] },
  { push: 'to the start of a column, then moved', pushed: ['unshift', 'set'] },
  { push: 'as a row, then moved', pushed: ['set', 'set'] },
] as const)('a card pushed $push, while its creation is in flight', ({ pushed }) => {
  test('[O15] a card pushed during its creation is only in the list of the column that the response has', async () => {
    const cards = createResource({ path: '/cards/:id', schema: Card });
    const lists = columns.map((column) => [cards.getList, { column }, []] as const);
    const { controller, ids } = await stored(lists);
    let answer!: (response: unknown) => void;
    const create = cards.getList.push.extend({
      fetch: (() => new Promise((resolve) => (answer = resolve))) as never,
    });
    const created = controller.fetch(create, { column: 'todo' } as never);
    for (const [at, verb] of pushed.entries()) {
      const schema = verb === 'set' ? Card : cards.getList[verb].schema;
      await controller.set(schema as typeof Card, { id: 9 }, card(9, columns[at + 1] as string));
    }
    answer(card(9, 'todo'));
    await created;
    expect(controller.get(Card, { id: 9 })?.column).toBe('todo');
    expect(columns.map((column) => ids(cards.getList, { column }))).toEqual([[9], [], []]);
  });
});

/** The server counts the changes of a card. */
class VersionedCard extends Card {
  rev = 0;
  static override shouldReorder(
    _was: unknown,
    _is: unknown,
    old: Partial<VersionedCard>,
    next: Partial<VersionedCard>,
  ): boolean {
    return (next.rev ?? Infinity) < (old.rev ?? 0);
  }
}

test.each([['push'], ['push', 'set'], ['set']] as const)(
  '[O15] a card with a version, pushed in a later version during its creation, is only in the list of that version: %s %s',
  async (...pushed) => {
    const cards = createResource({ path: '/cards/:id', schema: VersionedCard, optimistic: true });
    const lists = columns.map((column) => [cards.getList, { column }, []] as const);
    const { controller, ids } = await stored(lists);
    let answer!: (response: unknown) => void;
    const create = cards.create.extend({
      fetch: (() => new Promise((resolve) => (answer = resolve))) as never,
    });
    const created = controller.fetch(create, { column: 'todo' } as never);
    for (const verb of pushed) {
      const schema = verb === 'set' ? VersionedCard : cards.getList.push.schema;
      await controller.set(schema as typeof VersionedCard, { id: 9 }, card(9, 'doing', { rev: 2 }));
    }
    answer(card(9, 'todo', { rev: 1 }));
    await created;
    expect(controller.get(VersionedCard, { id: 9 })?.column).toBe('doing');
    expect(columns.map((column) => ids(cards.getList, { column }))).toEqual([[], [9], []]);
  },
);
