/** Fields that depend on the reader's arguments. */
import {
  Collection,
  Delete,
  depthLimit,
  Entity,
  Query,
  Scalar,
  Values,
  schema,
  liveResult,
} from 'signalbox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { watch, world } from '../setup/world.ts';

const portfolio = new Scalar({
  lens: ([params]: [{ portfolio?: string }?]) => params?.portfolio,
  key: 'portfolio',
});

class Company extends Entity {
  id = '';
  name = '';
  pct = 0;
  shares = 0;
  static override schema = { pct: portfolio, shares: portfolio };
}

class Fund extends Entity {
  id = '';
  top = Company.fromJS();
  static override schema = { top: Company };
}

const columns = new Scalar({
  lens: ([params]: [{ portfolio: string }]) => params.portfolio,
  key: 'portfolio',
  entity: Company,
});

const companies = new Collection([Company], { argsKey: () => ({}) });
const brought = { x: [0.5, 10], y: [0.3, 20] } as Record<string, number[]>;
const row = (id: string, lens: string) => {
  const [pct, shares] = brought[lens] ?? [];
  return { id, name: id.toUpperCase(), pct, shares };
};
const seen = (rows: readonly Company[] | undefined) =>
  rows?.map(({ pct, shares }) => [pct, shares]);

function scene() {
  const w = world();
  const list = w.read('list', companies, {
    reply: ({ portfolio: lens }) => ['a', 'b'].map((id) => row(id, lens)),
  });
  return { w, list, of: (lens: string) => w.controller.signal(list, { portfolio: lens }) };
}

test('[N5] each lens of a Scalar has separate values, selected by the arguments of the reader', async () => {
  const { w, list, of } = scene();
  const first = await w.controller.fetch(list, { portfolio: 'x' });
  expect(first[0]).toBeInstanceOf(Company);
  expect(Object.isFrozen(first[0])).toBe(true);
  expect(seen(first)).toEqual([
    [0.5, 10],
    [0.5, 10],
  ]);
  // the list is known to the other lens, the values are not
  expect(seen(of('y').value)).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
  const second = await w.controller.fetch(list, { portfolio: 'y' });
  expect(seen(second)?.[0]).toEqual([0.3, 20]);
  expect(of('y').value).toBe(second);
  // an entity is a single stored thing: a column of another lens changes the reference, not the values
  expect(of('x').value).toEqual(first);
  expect(w.controller.get(Company, { id: 'a', portfolio: 'y' })).toBe(second[0]);
  expect(w.controller.get(companies, { portfolio: 'x' })?.[1]).toBe(of('x').value?.[1]);
  expect(w.controller.entity(Company, 'a').value).toMatchObject({ name: 'A', pct: undefined });
});

test('[N5] a change of an entity reaches every lens, a change of a Scalar field only its own lens', async () => {
  const { w, list, of } = scene();
  for (const lens of ['x', 'y']) await w.controller.fetch(list, { portfolio: lens });
  const before = of('x').value;
  await w.controller.set(Company, { id: 'a', portfolio: 'y' }, { id: 'a', pct: 0.9 });
  expect(seen(of('y').value)?.[0]).toEqual([0.9, 20]);
  expect(seen(of('x').value)).toEqual(seen(before));
  await w.controller.set(Company, { id: 'a' }, { id: 'a', name: 'new' });
  expect([of('x').value, of('y').value].map((rows) => rows?.[0]?.name)).toEqual(['new', 'new']);
  expect(seen(of('y').value)?.[0]).toEqual([0.9, 20]);
  const reader = watch(w.controller.signal(list, { portfolio: 'y' }));
  await w.controller.set(Company, { id: 'a', portfolio: 'y' }, { id: 'a', pct: 0.9 });
  expect(reader.runs).toBe(1);
});

test('[N5] responses of Scalar fields alone, as a map or as a list, are joined to the stored entities', async () => {
  const { w, list, of } = scene();
  await w.controller.fetch(list, { portfolio: 'x' });
  const reader = watch(of('z'));
  const map = w.read('map', new Values(columns), { reply: () => ({ a: { pct: 1, shares: 2 } }) });
  expect(await w.controller.fetch(map, { portfolio: 'z' })).toEqual({ a: { pct: 1, shares: 2 } });
  expect(seen(reader.last)).toEqual([
    [1, 2],
    [undefined, undefined],
  ]);
  const rows = w.read('rows', new Collection([columns]), { reply: () => [{ id: 'b', pct: 3 }] });
  expect(await w.controller.fetch(rows, { portfolio: 'z' })).toEqual([{ id: 'b', pct: 3 }]);
  expect(seen(reader.last)).toEqual([
    [1, 2],
    [3, undefined],
  ]);
});

test('[N5] Scalar fields received before their entity are read once the entity arrives', async () => {
  const w = world();
  await w.controller.set(new Values(columns), { portfolio: 'x' }, { a: { pct: 7 } });
  await w.controller.set(Company, { id: 'a' }, { name: 'A' });
  expect(w.controller.get(Company, { id: 'a', portfolio: 'x' })).toMatchObject({ pct: 7 });
});

test('[N5] entityPk of a Scalar finds the entity of a row by another field', async () => {
  class ById extends Scalar {
    override entityPk(input: { companyId: string }) {
      return input.companyId;
    }
  }
  const byId = new ById({ lens: () => 'only', key: 'byId', entity: Company });
  class Firm extends Company {
    static override schema = { ...Company.schema, rank: byId };
    rank = 0;
  }
  const bound = new ById({ lens: () => 'only', key: 'byId', entity: Firm });
  const w = world();
  await w.controller.set(Firm, { id: 'a' }, { name: 'A' });
  await w.controller.set([bound], [{ companyId: 'a', rank: 3 }]);
  expect(w.controller.get(Firm, 'a')?.rank).toBe(3);
  expect(schema.Scalar).toBe(Scalar);
});

test('[N5] nested entities, queries and live readers read the Scalar fields of their lens', async () => {
  const { w, list } = scene();
  const get = w.read('fund', Fund, {
    reply: ({ portfolio: lens }) => ({ id: 'f', top: row('a', lens) }),
  });
  const x = await w.controller.fetch(get, { portfolio: 'x' });
  const y = await w.controller.fetch(get, { portfolio: 'y' });
  expect([x.top.pct, y.top.pct]).toEqual([0.5, 0.3]);
  expect(y.top).toBe(w.controller.get(Company, { id: 'a', portfolio: 'y' }));
  await w.controller.fetch(list, { portfolio: 'x' });
  const total = new Query(companies, (rows) => rows.reduce((sum, { shares }) => sum + shares, 0));
  expect(w.controller.get(total, { portfolio: 'x' })).toBe(20);
  const live = watch(liveResult(w.controller.view(list, { portfolio: 'x' })));
  expect(seen(live.last?.data)?.[0]).toEqual([0.5, 10]);
  await w.controller.set(Company, { id: 'a', portfolio: 'x' }, { id: 'a', pct: 0.6 });
  expect(seen(live.last?.data)?.[0]).toEqual([0.6, 10]);
});

class Room extends Entity {
  id = 0;
  name = '';
  house: House | null = null;
  static override schema: Record<string, unknown> = {};
}
class House extends Entity {
  id = 0;
  rooms: Room[] = [];
  static override maxEntityDepth = depthLimit(3);
  static override schema = { rooms: [Room] };
}
Room.schema = { house: House };

test('[N11] beyond maxEntityDepth a nested list has primary keys in place of entities', async () => {
  const w = world();
  await w.controller.set(
    House,
    {},
    {
      id: 1,
      rooms: [
        { id: 1, house: 1 },
        { id: 2, house: 1 },
      ],
    },
  );
  const house = watch(w.controller.entity(House, 1));
  const inner = house.last?.rooms[0]?.house;
  expect(inner?.rooms).toEqual(['1', '2']);
  expect(w.controller.get(House, 1)).toBe(house.last);
  const room = w.controller.get(Room, 1);
  expect(room?.house?.rooms[1]?.house?.rooms).toEqual(['1', '2']);
  await w.controller.set(Room, { id: 2 }, { name: 'x' });
  expect(house.last?.rooms[1]?.name).toBe('x');
  expect(house.last?.rooms[0]?.house?.rooms).toEqual(['1', '2']);
});

test('[N5] an entity recreated after a deletion has no Scalar values from before the deletion', async () => {
  const { w, list, of } = scene();
  const again = { id: 'a', name: 'again' };
  for (const lens of ['x', 'y']) await w.controller.fetch(list, { portfolio: lens });
  const late = w.read('late', companies);
  void w.controller.fetch(late, { portfolio: 'y' });
  await w.controller.set(new Delete(Company), { id: 'a' }, {});
  expect(seen(of('x').value)).toEqual([[0.5, 10]]);
  await w.controller.set(companies.push, { portfolio: 'x' }, { ...again, pct: 1 });
  expect(seen(of('x').value)?.at(-1)).toEqual([1, undefined]);
  // a request sent before the deletion restores no row
  await w.call().answer([row('a', 'y')]);
  expect(seen(of('y').value)?.at(-1)).toEqual([undefined, undefined]);
  await w.controller.fetch(list, { portfolio: 'y' });
  expect(seen(of('y').value)?.[0]).toEqual([0.3, 20]);
});

test('[O4] a deletion issued before the read of an entity, and confirmed after, keeps its Scalar fields', async () => {
  const { w, list, of } = scene();
  const gone = w.read('gone', { gone: [new Delete(Company)] });
  void w.controller.fetch(gone, {});
  await w.controller.fetch(list, { portfolio: 'x' });
  await w.call(0).answer({ gone: ['a'] });
  expect(seen(of('x').value)?.[0]).toEqual([0.5, 10]);
});

test('[N11] a plain number as maxEntityDepth limits nothing, and warns with the name of depthLimit', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => warned.mockRestore());
  class Link extends Entity {
    id = 0;
    next: Link | null = null;
    static override maxEntityDepth = 1;
    static override schema: Record<string, unknown> = {};
  }
  Link.schema = { next: Link };
  const w = world();
  await w.controller.set(Link, {}, { id: 1, next: { id: 2, next: { id: 3 } } });
  expect(w.controller.get(Link, 1)?.next?.next?.id).toBe(3);
  expect(warned.mock.calls.join()).toMatch(/E12.*maxEntityDepth.*depthLimit\(1\)/);
});
