// A board with columns in two tabs, row by row: created, renamed and moved at once, with responses in any order.
import * as fc from 'fast-check';
import { All, Collection, Controller, createResource, Entity, optimistic } from 'signalbox';
import { connectTabs } from 'signalbox/tabs';
import { afterEach, expect, test, vi } from 'vitest';
import { runs } from '../laws/runs.ts';
import { Page, settled, StoppedClock } from '../setup/world.ts';
import { BoardServer, columns } from './BoardServer.ts';
import { MessageBus } from '../sync/MessageBus.ts';

class Card extends Entity {
  id = 0;
  title = '';
  status = '';
  boardId = 0;
}

class Board extends Entity {
  id = 0;
  cards: Card[] = [];
  static override schema = {
    cards: new Collection([Card], { nestKey: ({ id }: { id: number }) => ({ boardId: id }) }),
  };
}

const cards = createResource({
  urlPrefix: 'http://board.test',
  path: '/cards/:id',
  schema: Card,
  optimistic: true,
});
const boards = createResource({
  urlPrefix: 'http://board.test',
  path: '/boards/:id',
  schema: Board,
});

/** The lists of a tab by name. Each is read at most once by the program. */
const lists = [
  ...columns.map((status) => ({ endpoint: cards.getList, args: { status } })),
  { endpoint: cards.getList, args: { boardId: 1 } },
  { endpoint: boards.get, args: { id: 2 } },
] as const;

class Tab {
  readonly controller: Controller;
  readonly stop: () => void;
  readonly faults: string[] = [];
  readonly #own: number;

  constructor(world: World, own: number) {
    this.#own = own;
    const { clock, bus } = world;
    const options = { clock, surroundings: new Page(), sweepAfter: Infinity, retry: 0 };
    this.controller = new Controller({ ...options, optimistic });
    const channel = bus.channel();
    this.stop = connectTabs(this.controller, { names: { cards, boards }, channel });
    this.controller.on('commit', () => this.#check());
  }

  readonly rowsOf = (at: number): readonly Card[] | undefined => {
    const { endpoint, args } = lists[at % lists.length] as (typeof lists)[0];
    const { data } = this.controller.getResponse(endpoint, args) as { data?: unknown };
    return endpoint === (boards.get as unknown)
      ? (data as Board | undefined)?.cards
      : (data as Card[]);
  };

  /** A row that this tab may change: an own creation, or every other initial row. */
  row(at: number): Card | undefined {
    const rows = this.controller.get(new All(Card)) ?? [];
    const own = rows.filter((row) => this.#isOwn(row));
    return own[Math.floor(at / 3) % own.length];
  }

  #isOwn({ id, title }: Card): boolean {
    return id < 0 || id > 100 ? title.startsWith(`${this.#own}`) : id % 2 === this.#own;
  }

  title(at: number): string {
    return `${this.#own} ${at}`;
  }

  /** At every commit: no row twice, every row readable, and own rows in the columns that they name. */
  #check(): void {
    for (let at = 0; at < lists.length; at++) {
      const rows = this.rowsOf(at) ?? [];
      const ids = rows.map(({ id }) => id);
      if (new Set(ids).size < ids.length) this.faults.push(`twice: ${ids.join()}`);
      for (const row of rows) {
        const { id, status } = row;
        if (this.controller.get(Card, { id }) === undefined) this.faults.push(`unreadable: ${id}`);
        if (at < columns.length && status !== columns[at] && this.#isOwn(row))
          this.faults.push(`${status} row ${id} in ${columns[at] ?? ''}`);
      }
    }
  }
}

class World {
  readonly clock: StoppedClock = new StoppedClock();
  readonly bus: MessageBus = new MessageBus();
  readonly server: BoardServer = new BoardServer();
  readonly tabs: readonly Tab[];
  #waiting = 0;

  constructor() {
    vi.stubGlobal('fetch', this.server.fetch);
    this.tabs = [new Tab(this, 0), new Tab(this, 1)];
  }

  async #send(work: Promise<unknown>): Promise<void> {
    this.#waiting++;
    await work;
    this.#waiting--;
  }

  readonly actions = {
    read: ({ controller }: Tab, at: number) => {
      const { endpoint, args } = lists[at % lists.length] as (typeof lists)[0];
      void this.#send(controller.fetch(endpoint, args));
    },
    /** `at` beyond half: the caller renames the row once more after the server's key is known. */
    create: (tab: Tab, at: number) => {
      const body = { title: tab.title(at), status: columns[at % 3] ?? '', boardId: (at % 2) + 1 };
      const created = tab.controller.fetch(cards.create, body);
      void this.#send(created);
      if (at > 15) void this.#send(created.then(({ id }) => this.#rename(tab, id, at + 100)));
    },
    rename: (tab: Tab, at: number) => {
      const row = tab.row(at);
      if (row !== undefined) void this.#send(this.#rename(tab, row.id, at));
    },
    move: (tab: Tab, at: number) => {
      const row = tab.row(at);
      const status = columns[at % 3] ?? '';
      if (row !== undefined)
        void this.#send(tab.controller.fetch(cards.getList.move, { id: row.id }, { status }));
    },
    step: (_: Tab, at: number) => this.server.step(at),
  };

  #rename(tab: Tab, id: number, at: number): Promise<unknown> {
    return tab.controller.fetch(cards.partialUpdate, { id }, { title: tab.title(at) });
  }

  /** Messages are not late here: tabs.property.test.ts has late messages. */
  async deliver(): Promise<void> {
    await settled();
    while (this.bus.waiting > 0) {
      this.bus.deliver(0);
      await settled();
    }
  }

  async quiet(): Promise<void> {
    while (this.server.flights.length + this.#waiting > 0) {
      await this.server.step(0);
      await this.deliver();
    }
  }
}

type Name = keyof World['actions'];

const step = fc.record({
  tab: fc.nat(1),
  name: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Name>('read') },
    { weight: 4, arbitrary: fc.constantFrom<Name>('create', 'rename', 'move', 'move') },
    { weight: 6, arbitrary: fc.constant<Name>('step') },
  ),
  at: fc.nat(30),
});

/** The differences of a tab from the server: in lists that count as fresh, and in the fields of all rows. */
function differences({ controller, rowsOf }: Tab, server: BoardServer, now: number) {
  const ids = (rows: readonly { id?: unknown }[]) =>
    rows.map(({ id }) => Number(id)).sort((one, other) => one - other);
  const stale = lists.flatMap(({ endpoint, args }, at) => {
    const rows = rowsOf(at);
    if (rows === undefined || controller.getResponse(endpoint, args).expiresAt <= now) return [];
    const conditions = 'id' in args ? { boardId: args['id'] } : args;
    const listed = { list: args, rows: ids(rows) };
    const expected = { list: args, rows: ids(server.filtered(Object.entries(conditions))) };
    return JSON.stringify(listed) === JSON.stringify(expected) ? [] : [{ listed, expected }];
  });
  const rows = (controller.get(new All(Card)) ?? []).map((row) => ({ ...row }));
  expect(rows).toEqual(rows.map(({ id }) => server.rows.get(id)));
  return stale;
}

afterEach(() => void vi.unstubAllGlobals());

test('[O3] a board in two tabs equals the board of the server after any order of responses, without a refetch', async () => {
  const program = fc.array(step, { maxLength: 40 });
  const law = fc.asyncProperty(fc.boolean(), program, async (isLoaded, steps) => {
    const world = new World();
    if (isLoaded)
      for (let at = 0; at < lists.length; at++) world.actions.read(world.tabs[0] as Tab, at);
    await world.quiet();
    for (const { tab, name, at } of steps) {
      await world.actions[name](world.tabs[tab] as Tab, at);
      await world.deliver();
    }
    await world.quiet();
    for (const tab of world.tabs) {
      tab.stop();
      expect(tab.faults).toEqual([]);
      expect(differences(tab, world.server, world.clock.now())).toEqual([]);
    }
    expect(world.server.sent.filter((one) => one.includes('-9007'))).toEqual([]);
  });
  // two faults of the past: moves there and back, and a change that waits for a key
  const there = ['rename', 'move', 'move', 'step'].map((name, turn) => ({
    tab: 0,
    name,
    at: [0, 0, 1, 2][turn],
  }));
  const waiting = ['create', 'rename'].map((name, turn) => ({ tab: 0, name, at: 16 - turn }));
  const examples = [there, waiting].map((one) => [true, one] as never);
  await fc.assert(law, { ...runs(), examples });
});
