// Random programs over several tabs with delayed messages: in the end all tabs show the same.
import * as fc from 'fast-check';
import { All } from 'signalbox';
import type { Controller } from 'signalbox';
import { expect, test, vi } from 'vitest';
import { runs } from '../laws/runs.ts';
import { refusal, settled, Todo } from '../setup/world.ts';
import { TabGroup } from './severalTabs.ts';

type Row = Partial<Todo>;

/** The steps of a tab, by name. */
const actions = {
  list: (tab: Controller, { api }: TabGroup, done: boolean) => tab.fetch(api.list, filters(done)),
  get: (tab: Controller, { api }: TabGroup, id: number) => tab.fetch(api.get, { id }),
  update: (tab: Controller, { api }: TabGroup, id: number, own: Row) =>
    tab.fetch(api.update, { id }, own),
  create: (tab: Controller, { api }: TabGroup, own: Row) => tab.fetch(api.create, own),
  remove: (tab: Controller, { api }: TabGroup, id: number) => tab.fetch(api.remove, { id }),
  // a row that a tab does not know yet is created by these
  set: (tab: Controller, group: TabGroup, row: Row) =>
    withoutDelayIfNew(group, [row], () => tab.set(Todo, {}, row)),
  push: (tab: Controller, group: TabGroup, row: Row) =>
    withoutDelay(group, () => tab.set(group.api.create.schema, {}, { ...row, id: fresh(group) })),
  /** A row that was created somewhere, and is known here. */
  removeNew: (tab: Controller, { api }: TabGroup) => {
    const made = tab
      .get(new All(Todo))
      ?.filter(({ id: pk }) => pk >= FIRST)
      .at(-1);
    return made && tab.fetch(api.remove, { id: made.id });
  },
  setResponse: (tab: Controller, group: TabGroup, rows: Row[]) =>
    withoutDelayIfNew(group, rows, () => tab.setResponse(group.api.list, {}, rows)),
  forget: (tab: Controller, group: TabGroup, id: number) =>
    withoutDelay(group, () => tab.set(group.api.remove.schema, { id }, {})),
  invalidate: (tab: Controller, { api }: TabGroup, id: number) => tab.invalidate(api.get, { id }),
  invalidateAll: (tab: Controller, { api }: TabGroup) => tab.invalidateAll(api.list),
  expireAll: (tab: Controller, { api }: TabGroup) => tab.expireAll(api.get),
  reset: (tab: Controller) => tab.reset(),
  /** A further tab, which receives the data of the others. Messages posted before the tab opened arrive first. */
  open: async (_: Controller, group: TabGroup) => {
    await group.quiet();
    if (group.tabs.length < 5) group.share();
  },
  /** Of the tab that sent the request. */
  answer: (_: Controller, group: TabGroup, at: number, rows: Row[], row: Row) => {
    const call = group.w.calls[group.w.calls.length - 1 - at];
    if (call?.name === 'list') return call.answer(rows);
    if (call?.name === 'create')
      return withoutDelay(group, () => call.answer({ ...row, id: fresh(group) }));
    if (call?.name === 'remove')
      return withoutDelay(group, () => call.answer(row.done ? {} : null));
    return call?.answer({ ...row, ...(call.args[0] as object) });
  },
  empty: (_: Controller, { w }: TabGroup, at: number) => {
    const call = w.calls[w.calls.length - 1 - at];
    return call?.name === 'update' || call?.name === 'get' ? call.answer(null) : undefined;
  },
};
type Action = { [N in keyof typeof actions]: readonly [N, ...unknown[]] }[keyof typeof actions];

// a server assigns a unique key to each new row
const FIRST = 100;
const fresh = (group: TabGroup) => group.rows++;
/** Rows are created and deleted while no message is late: a tab that requests the list at this moment may miss the change. */
const withoutDelay = async (group: TabGroup, change: () => Promise<void>) => {
  await group.quiet();
  await change();
  await group.quiet();
};
const withoutDelayIfNew = (group: TabGroup, rows: readonly Row[], change: () => Promise<void>) => {
  const isKnown = ({ id: pk = 0 }: Row) =>
    group.tabs.every((each) => each.get(Todo, { id: pk }) !== undefined);
  return rows.every(isKnown) ? change() : withoutDelay(group, change);
};
const filters = (done: boolean) => (done ? { done } : {});
const id = fc.integer({ min: 1, max: 4 });
const fields = fc.record(
  { title: fc.constantFrom('a', 'b', 'c'), done: fc.boolean() },
  { requiredKeys: [] },
);
const row = fc.tuple(id, fields).map(([pk, own]) => ({ ...own, id: pk }));
const rows = fc.uniqueArray(row, { maxLength: 4, selector: (one) => one.id });
const at = fc.nat(5);
const one = <N extends keyof typeof actions>(name: N, ...args: fc.Arbitrary<unknown>[]) =>
  fc.tuple(fc.constant(name), ...args) as unknown as fc.Arbitrary<Action>;
const action = fc.oneof(
  { weight: 3, arbitrary: one('list', fc.boolean()) },
  { weight: 3, arbitrary: one('get', id) },
  { weight: 3, arbitrary: one('update', id, fields) },
  { weight: 2, arbitrary: one('create', fields) },
  { weight: 2, arbitrary: one('remove', id) },
  { weight: 10, arbitrary: one('answer', at, rows, row) },
  one('empty', at),
  { weight: 2, arbitrary: one('set', row) },
  { weight: 2, arbitrary: one('push', row) },
  one('setResponse', rows),
  { weight: 2, arbitrary: one('removeNew') },
  one('forget', id),
  one('invalidate', id),
  one('invalidateAll'),
  one('expireAll'),
  one('reset'),
);
/** The tab of the step, and the messages that arrive afterwards. */
const step = fc.record({ tab: fc.nat(4), action, arrive: fc.array(fc.nat(8), { maxLength: 3 }) });
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** The content of a tab; two tabs may have rows that were created at the same time in another order. */
function shown(tab: Controller, { api }: TabGroup) {
  const sorted = (all: readonly Todo[] = []) => [...all].sort((a, b) => a.id - b.id);
  const list = (done: boolean) => tab.getResponse(api.list, filters(done)).data as Todo[];
  return {
    rows: sorted(tab.get(new All(Todo))),
    lists: [sorted(list(false)), sorted(list(true))],
    details: [1, 2, 3, 4].map((pk) => tab.getResponse(api.get, { id: pk }).data as unknown),
  };
}

/** The random number of each tab: decides which of two concurrent writes is the later write. */
const randomNumbers = fc
  .uniqueArray(fc.nat({ max: 1_000 }), { minLength: 2, maxLength: 3 })
  .map((numbers) => numbers.map((number) => number / 1_024));

/** A read that waits for another tab is sent when that has failed. */
async function end(group: TabGroup): Promise<void> {
  for (let failed = -1; failed < group.w.calls.length || group.w.clock.waiting > 0;) {
    failed = group.w.calls.length;
    group.w.clock.advance(1_000);
    await group.quiet();
    for (const call of group.w.calls.slice(failed)) await call.fail(refusal(500));
    await group.quiet();
  }
}

/** As many tabs as there are random numbers; with shared numbers, further tabs may open. */
async function play(
  numbers: readonly number[],
  steps: readonly Step[],
  shares = false,
): Promise<TabGroup> {
  const group = new TabGroup();
  for (const number of numbers) {
    vi.spyOn(Math, 'random').mockReturnValueOnce(number);
    if (shares) group.share();
    else group.open();
  }
  vi.restoreAllMocks();
  await group.quiet();
  for (const {
    tab,
    action: [name, ...args],
    arrive,
  } of steps) {
    const done: unknown = Reflect.apply(actions[name], undefined, [
      group.tabs[tab % group.tabs.length],
      group,
      ...args,
    ]);
    if (['set', 'setResponse', 'push', 'forget', 'answer', 'open'].includes(name)) await done;
    else if (done instanceof Promise) void done.catch(() => {});
    await settled();
    for (const which of arrive) group.bus.deliver(which);
    await settled();
  }
  for (const call of group.w.calls) await call.fail(refusal(500));
  await group.quiet();
  if (shares) await end(group);
  return group;
}

test('[P3] after any concurrent writes with late messages all tabs show the same data', async () => {
  const program = fc.array(step, { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(randomNumbers, program, async (numbers, steps) => {
      const group = await play(numbers, steps);
      const [first, ...others] = group.tabs.map((tab) => shown(tab, group));
      for (const other of others) expect(other).toEqual(first);
    }),
    { ...runs() },
  );
});

test('[P5] tabs that share requests show the same data in the end, also tabs that open late', async () => {
  const opens = fc.record({
    tab: fc.nat(4),
    action: one('open'),
    arrive: fc.constant<number[]>([]),
  });
  const program = fc.array(fc.oneof({ weight: 12, arbitrary: step }, opens), { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(randomNumbers, program, async (numbers, steps) => {
      const group = await play(numbers, steps, true);
      const [first, ...others] = group.tabs.map((tab) => shown(tab, group));
      for (const other of others) expect(other).toEqual(first);
    }),
    { ...runs() },
  );
});
