// The persisted and the refused data of each kind of schema.
import { Collection, createResource, Endpoint, Entity, Scalar, schema } from 'signalbox';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoppedClock, Todo } from '../setup/world.ts';
import { copyOf, freshDisk, rowsOn, spoilLine } from '../sync/disks.ts';
import * as kept from './persistedPages.ts';
import { A_MINUTE, get, getList, rows, titles, TodoResource, warnings } from './persistedPages.ts';
import type { Tab, TabOptions } from './persistedPages.ts';

let clock: StoppedClock;
beforeEach(() => {
  clock = new StoppedClock();
});
afterEach(() => void vi.restoreAllMocks());

const opened = (disk: string, options?: TabOptions) => kept.opened(disk, clock, options);
const written = (more?: (tab: Tab) => unknown, options?: TabOptions) =>
  kept.written(clock, more, options);
const reopened = async (disk: string, options?: TabOptions) => opened(await copyOf(disk), options);

class Dated extends Entity {
  id = 0;
  at = 0n;
  static override schema = { at: BigInt };
}
class Strict extends Entity {
  id = 0;
  size = 0;
  static override validate({ size }: { size?: unknown }): string | undefined {
    return typeof size === 'number' ? undefined : 'size is no number';
  }
}

/** A line with a changed row. */
const other = (change: (row: unknown[]) => unknown) => (line: string) => {
  const [times = '', row = ''] = line.split('\t');
  return `${times}\t${JSON.stringify(change(JSON.parse(row) as unknown[]))}`;
};
const withFields = (fields: object) => other(([, ...rest]) => [fields, ...rest]);
test.each<[string, string, (line: string) => string]>([
  ['cut short', '"entity","todo.get.schema","2"', (line) => line.slice(0, -20)],
  ['without its row', '"entity","todo.get.schema","2"', (line) => line.split('\t')[0]!],
  ['with invalid content', '"entity","todo.get.schema","2"', () => 'nonsense'],
  [
    'with other times',
    '"entity","todo.get.schema","2"',
    (line) => `["5"]${line.slice(line.indexOf('\t'))}`,
  ],
  ['with another pk', '"todo.get.schema","2"', withFields({ id: 5 })],
  [
    'with text in place of its nested list',
    '"todo.get.schema","2"',
    withFields({ id: 2, tags: 'x' }),
  ],
])(
  '[P1] an entity %s on the disk is dropped with a warning that names the record, and its list expires',
  async (_, text, how) => {
    const said = warnings();
    const disk = await written();
    const key = await spoilLine(disk, text, how);
    const tab = await opened(disk);
    expect(titles(tab)).toEqual(['one']);
    expect(said.join()).toContain(`signalbox P2] ${JSON.stringify(key).slice(0, 70)}`);
    expect(tab.controller.getResponse(getList, {}).expiresAt).toBe(0);
    expect(tab.controller.getResponse(get, { id: 1 }).expiresAt).toBe(clock.now() + A_MINUTE);
    await tab.kept.flush();
    expect((await rowsOn(disk)).has(key)).toBe(false);
  },
);

test.each([
  ['result', '"result"'],
  ['list', '"list"'],
])(
  '[P1] a broken record of a %s is dropped with a warning, and entities are shown',
  async (_, text) => {
    const said = warnings();
    const disk = await written();
    await spoilLine(
      disk,
      text,
      other(() => [7]),
    );
    const tab = await opened(disk);
    expect(tab.controller.getResponse(get, { id: 2 }).data?.title).toBe('two');
    // without the request's line, the list is found by its arguments
    const found = text === '"result"';
    expect(titles(tab)).toEqual(found ? ['one', 'two'] : undefined);
    expect(said.join()).toContain('signalbox P2');
    expect(tab.controller.getResponse(getList, {}).expiresAt > 0).toBe(found);
  },
);

test('[P1] a stored entity that no longer fits its class is dropped, and others are kept', async () => {
  const dated = createResource({ path: '/dated/:id', schema: Dated });
  const strict = createResource({ path: '/strict/:id', schema: Strict });
  const names = { dated, strict };
  const disk = await written(
    async ({ controller }) => {
      await controller.setResponse(dated.get, { id: 1 }, { id: 1, at: '5' });
      await controller.setResponse(strict.get, { id: 1 }, { id: 1, size: 1 });
      await controller.setResponse(strict.get, { id: 2 }, { id: 2, size: 2 });
    },
    { names },
  );
  await spoilLine(disk, '"entity","dated.get.schema"', withFields({ id: 1, at: 'five' }));
  await spoilLine(disk, '"strict.get.schema","1"', withFields({ id: 1, size: '1' }));
  const said = warnings();
  const { controller } = await opened(disk, { names });
  expect(controller.get(Strict, { id: 1 })).toBe(undefined);
  expect(controller.get(Strict, { id: 2 })?.size).toBe(2);
  expect(controller.get(Dated, { id: 1 })).toBe(undefined);
  expect(said.join()).toContain('size is no number');
});

test('[P1] data without a schema are restored as received', async () => {
  const raw = new Endpoint(async (): Promise<unknown> => 0, { name: 'raw' });
  const value = {
    when: new Date(5),
    big: 10n,
    none: undefined,
    list: [NaN, -0],
    map: new Map([[1, 2]]),
  };
  const disk = await written(({ controller }) => controller.setResponse(raw, value), {
    names: { raw },
  });
  const { controller } = await opened(disk, { names: { raw } });
  expect(controller.getResponse(raw).data).toEqual(value);
});

test('[P1] an entity with a value that cannot be persisted is left out with a warning, and the rest is written', async () => {
  const said = warnings();
  const disk = await written(({ controller }) =>
    controller.set(Todo, { id: 2 }, { title: () => 1 }),
  );
  expect(said.join()).toMatch(/P2.*"2.*cannot be persisted.*contains a value of type/);
  const tab = await opened(disk);
  expect(titles(tab)).toEqual(['one']);
  expect(tab.controller.getResponse(getList, {}).expiresAt).toBe(0);
});

test('[P1] entities that no result contains are deleted five minutes after their expiry', async () => {
  const disk = await written(({ controller }) =>
    controller.setResponse(getList, {}, rows.slice(1)),
  );
  clock.advance(A_MINUTE + 1);
  const early = await reopened(disk);
  expect(early.controller.get(Todo, { id: 1 })?.title).toBe('one');
  clock.advance(5 * A_MINUTE);
  const late = await opened(disk);
  await late.kept.flush();
  expect(late.controller.get(Todo, { id: 1 })).toBe(undefined);
  expect(titles(late)).toEqual(['two']);
  const keys = [...(await rowsOn(disk)).keys()].join();
  expect(keys).toContain('"todo.get.schema","2"');
  expect(keys).not.toMatch(/"todo.get.schema","1"|author/);
});

test('[P1] old rows are deleted from the disk while a page stays open', async () => {
  const disk = freshDisk();
  const tab = await opened(disk);
  for (let turn = 0; turn < 12; turn++) {
    const some = Array.from({ length: 200 }, (_, at) => ({ id: turn * 200 + at }));
    await tab.controller.setResponse(getList, {}, some);
    await tab.kept.flush();
    clock.advance(7 * A_MINUTE);
  }
  expect((await rowsOn(disk)).size).toBeLessThan(1500);
  expect(titles(await reopened(disk))).toHaveLength(200);
});

test('[P1] responses of unnamed endpoints, excluded responses and Scalars are not persisted', async () => {
  const said = warnings();
  class Secret extends Entity {
    id = 0;
    pin = 0;
  }
  class Stock extends Entity {
    id = 0;
    price = 0;
    static override schema: Record<string, unknown> = {};
  }
  const price = new Scalar({
    lens: (args) => (args[0] as { in?: string }).in,
    key: 'in',
    entity: Stock,
  });
  Stock.schema = { price };
  class Holder extends Entity {
    id = 0;
    secret: Secret | null = null;
    static override schema = { secret: Secret };
  }
  class Other extends Entity {
    id = 0;
    label = '';
  }
  const stock = new Endpoint(async (_params: { in: string }) => 0, {
    schema: [Stock],
    name: 'stock',
  });
  const holder = createResource({ path: '/holders/:id', schema: Holder });
  const other = createResource({ path: '/others/:id', schema: Other });
  const names = { stock, holder, todo: TodoResource };
  const include = (name: string, args?: readonly unknown[]) =>
    !name.includes('secret') && !(name === 'todo.get' && (args as [{ id: number }])[0].id === 2);
  const disk = await written(
    async ({ controller }) => {
      await controller.setResponse(holder.get, { id: 1 }, { id: 1, secret: { id: 1, pin: 4711 } });
      await controller.setResponse(stock, { in: 'EUR' }, [{ id: 1, price: 815 }]);
      await controller.setResponse(other.get, { id: 1 }, { id: 1, label: 'nameless' });
      await controller.setResponse(get, { id: 2 }, rows[1]);
    },
    { names, include },
  );
  const text = JSON.stringify([...(await rowsOn(disk))]);
  for (const lost of ['4711', '815', 'nameless', '/todos/2']) expect(text).not.toContain(lost);
  expect(said.join()).toMatch(/P4.*Stock/);
  expect(said.join()).not.toContain('Secret');
  const next = await opened(disk, { names, include });
  expect(titles(next)).toEqual(['one', 'two']);
});

test('[P1] an undefined value in `names` throws P5', () => {
  expect(() => kept.open(freshDisk(), clock, { names: { todo: undefined } })).toThrow(/P5.*"todo"/);
});

test('[P1] lists nested in entities are restored, with nestKey and without', async () => {
  class Board extends Entity {
    id = 0;
    todos: Todo[] = [];
    own: Todo[] = [];
    static override schema = {
      todos: new Collection([Todo], { nestKey: ({ id }: { id: number }) => ({ board: id }) }),
      own: new Collection([Todo]),
    };
  }
  const board = createResource({ path: '/boards/:id', schema: Board });
  const names = { board };
  const disk = await written(
    async ({ controller }) => {
      const value = { id: 1, todos: [{ id: 1, title: 'a' }], own: [{ id: 2, title: 'b' }] };
      await controller.setResponse(board.get, { id: 1 }, value);
      await controller.set(Board.schema.todos.push, { board: 1 }, { id: 3, title: 'c', board: 1 });
    },
    { names },
  );
  const { controller } = await opened(disk, { names });
  const { data } = controller.getResponse(board.get, { id: 1 });
  expect(data?.todos.map(({ title }) => title)).toEqual(['a', 'c']);
  expect(data?.own.map(({ title }) => title)).toEqual(['b']);
});

test('[P1] further pages stay behind the first page when the first page is refetched after a reload', async () => {
  const paged = createResource({
    path: '/paged/:id',
    schema: Todo,
    paginationField: 'cursor',
  });
  const names = { paged };
  const disk = await written(
    async ({ controller }) => {
      await controller.setResponse(paged.getList, {}, [{ id: 1 }, { id: 2 }]);
      await controller.setResponse(paged.getList.getPage, { cursor: 2 }, [{ id: 3 }, { id: 4 }]);
    },
    { names },
  );
  const { controller } = await opened(disk, { names });
  await controller.setResponse(paged.getList, {}, [{ id: 1 }, { id: 2 }]);
  expect(controller.getResponse(paged.getList, {}).data?.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
});

test('[P1] rows of All keep their order after a reload', async () => {
  const all = new Endpoint(async () => [], { schema: new schema.All(Todo), name: 'all' });
  const names = { all };
  const ids = ({ controller }: Tab) => controller.getResponse(all).data?.map(({ id }) => id);
  const disk = await written(
    ({ controller }) => controller.setResponse(all, [{ id: 5 }, { id: 4 }, { id: 9 }]),
    { names },
  );
  const tab = await opened(disk, { names });
  await tab.controller.set(Todo, { id: 3 }, { id: 3 });
  await tab.controller.set(Todo, { id: 4 }, { title: 'again' });
  await tab.kept.flush();
  clock.advance(60 * A_MINUTE);
  const next = await opened(disk, { names });
  expect(ids(next)).toEqual(ids(tab));
  expect(ids(next)?.slice(-4)).toEqual([5, 4, 9, 3]);
});

test('[P1] two pages with one disk: the last write of each record is kept, and the rows of the list are complete', async () => {
  const disk = await written();
  const [one, other] = [await opened(disk), await opened(disk)];
  await one.controller.set(getList.push.schema, {}, { id: 5, title: 'of one' });
  await other.controller.set(getList.push.schema, {}, { id: 6, title: 'of other' });
  // both pages write; on a busy machine either page could be the last
  await one.kept.flush();
  await other.kept.flush();
  const both = await reopened(disk);
  expect(titles(both)).toEqual(['one', 'two', 'of other']);
  expect(both.controller.get(Todo, { id: 5 })?.title).toBe('of one');
});

test.each<[string, (disk: string, page: Tab) => unknown]>([
  ['a log out in', (_, page) => page.controller.reset()],
  ['another version of', (disk) => opened(disk, { version: 2 })],
])(
  '[P1] after %s another page, a page writes nothing to the disk until a reset',
  async (_, happen) => {
    const said = warnings();
    const disk = await written();
    const [one, other] = [await opened(disk), await opened(disk)];
    await happen(disk, one);
    await other.controller.set(Todo, { id: 1 }, { title: 'of the last user' });
    await other.kept.flush();
    expect(said.join()).toContain('signalbox P6');
    expect((await rowsOn(disk)).size).toBe(0);
    other.controller.reset();
    await other.controller.set(Todo, { id: 5 }, { title: 'of the next' });
    await other.kept.flush();
    expect((await reopened(disk)).controller.get(Todo, { id: 5 })?.title).toBe('of the next');
  },
);

test('[P1] after clear(), a push writes the list again with its earlier rows', async () => {
  const disk = freshDisk();
  const tab = await opened(disk);
  await tab.controller.setResponse(getList, {}, rows);
  await tab.kept.flush();
  await tab.kept.clear();
  expect((await rowsOn(disk)).size).toBe(0);
  await tab.controller.set(getList.push.schema, {}, { id: 5, title: 'five' });
  await tab.kept.flush();
  const next = await reopened(disk);
  expect(next.controller.get(getList.schema, {})).toMatchObject([...rows, { id: 5 }]);
});

test('[P1] an invalidation is restored, and an error is not', async () => {
  const disk = await written(({ controller }) => {
    controller.invalidate(get, { id: 1 });
    return controller.setError(get, { id: 2 }, new Error('refused'));
  });
  const tab = await opened(disk);
  expect(tab.controller.view(get, { id: 1 }).result.peek().status).toBe('pending');
  expect(tab.controller.view(get, { id: 2 }).result.peek()).toMatchObject({ status: 'success' });
});
