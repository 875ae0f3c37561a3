// Own writes of the same field that two tabs send at once: all tabs end with the same value.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../laws/runs.ts';
import { refusal, settled, Todo } from '../setup/world.ts';
import { TabGroup, openTabs } from './severalTabs.ts';

const params = { id: 1 };
const titles = ({ tabs }: TabGroup) => tabs.map((tab) => tab.get(Todo, params)?.title);

/** Two tabs change the title, the second tab later; the first tab has not received the second tab's response. */
async function twoWrites() {
  const group = await openTabs(3);
  const [first, second] = group.tabs as [(typeof group.tabs)[0], (typeof group.tabs)[0]];
  await first.set(Todo, params, { id: 1, title: '' });
  await group.quiet();
  void first.fetch(group.api.update, params, { title: 'first' });
  await group.quiet();
  void second.fetch(group.api.update, params, { title: 'second' });
  await settled();
  return { group, first, second };
}

test('[O3] a write of another tab, issued later and confirmed first, leaves one value in all tabs', async () => {
  const { group, first } = await twoWrites();
  await group.w.call().answer({ id: 1, title: 'second' });
  // the logical time of the first tab is ahead
  for (let times = 0; times < 5; times++) await first.set(Todo, { id: 9 }, { done: times % 2 > 0 });
  await group.w.call(0).answer({ id: 1, title: 'first' });
  await group.quiet();
  expect(titles(group)).toEqual(['first', 'first', 'first']);
});

test('[O3] a write of another tab, issued later and received before the own confirmation, stays in all tabs', async () => {
  const { group } = await twoWrites();
  await group.w.call().answer({ id: 1, title: 'second' });
  await group.quiet();
  await group.w.call(0).answer({ id: 1, title: 'first' });
  await group.quiet();
  expect(titles(group)).toEqual(['second', 'second', 'second']);
});

test.each([0, 1])(
  '[O15] a deletion pushed to tab %d during a creation in tab 0 is not undone by the response',
  async (informed) => {
    const group = await openTabs();
    const [first] = group.tabs as [(typeof group.tabs)[0]];
    void first.fetch(group.api.create, { title: 'new' });
    await group.quiet();
    await group.tabs[informed]?.set(group.api.remove.schema, { id: 2 }, {});
    await group.quiet();
    await group.w.call(0).answer({ id: 2, title: 'new' });
    await group.quiet();
    expect(group.tabs.map((tab) => tab.get(Todo, { id: 2 }))).toEqual([undefined, undefined]);
  },
);

test('[O15] the response of a creation restores a deleted row that both tabs knew before the creation', async () => {
  const group = await openTabs();
  const [first, second] = group.tabs as [(typeof group.tabs)[0], (typeof group.tabs)[0]];
  await second.set(Todo, { id: 2 }, { id: 2, title: 'old' });
  await group.quiet();
  void first.fetch(group.api.create, { title: 'new' });
  await group.quiet();
  await second.set(group.api.remove.schema, { id: 2 }, {});
  await group.quiet();
  await group.w.call(0).answer({ id: 2, title: 'new' });
  await group.quiet();
  expect(group.tabs.map((tab) => tab.get(Todo, { id: 2 })?.title)).toEqual(['new', 'new']);
});

const title = fc.constantFrom('a', 'b', 'c', 'd');
const at = fc.nat(5);
const step = fc.record({
  tab: fc.nat(2),
  action: fc.oneof(
    { weight: 4, arbitrary: fc.record({ update: title }) },
    { weight: 6, arbitrary: fc.record({ answer: at, title }) },
    { weight: 1, arbitrary: fc.record({ get: fc.constant(true) }) },
    { weight: 1, arbitrary: fc.record({ set: title }) },
    { weight: 1, arbitrary: fc.record({ other: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ open: fc.constant(true) }) },
  ),
  arrive: fc.array(fc.nat(8), { maxLength: 2 }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function run(group: TabGroup, { tab: which, action }: Step): Promise<void> {
  const tab = group.tabs[which % group.tabs.length] as (typeof group.tabs)[0];
  const call = (place: number) => group.w.calls[group.w.calls.length - 1 - place];
  if ('update' in action)
    tab.fetch(group.api.update, params, { title: action.update }).catch(() => {});
  else if ('answer' in action) await call(action.answer)?.answer({ id: 1, title: action.title });
  else if ('get' in action) tab.fetch(group.api.get, params).catch(() => {});
  else if ('set' in action) await tab.set(Todo, params, { title: action.set });
  else if ('other' in action) await tab.set(Todo, { id: 9 }, { done: action.other });
  else {
    await group.quiet();
    if (group.tabs.length < 4) group.share();
  }
}

test('[O3] own writes of a field in several tabs, with reads and pushes between, leave one value in all tabs', async () => {
  const program = fc.record({ shares: fc.boolean(), steps: fc.array(step, { maxLength: 25 }) });
  await fc.assert(
    fc.asyncProperty(program, async ({ shares, steps }) => {
      const group = new TabGroup();
      for (let tabs = 0; tabs < 3; tabs++)
        if (shares) group.share();
        else group.open();
      await group.quiet();
      await group.tabs[0]?.set(Todo, params, { id: 1, title: '' });
      await group.quiet();
      for (const each of steps) {
        if (shares || !('open' in each.action)) await run(group, each);
        await settled();
        for (const message of each.arrive) group.bus.deliver(message);
        await settled();
      }
      for (let failed = -1; failed < group.w.calls.length || group.w.clock.waiting > 0;) {
        failed = group.w.calls.length;
        for (const call of group.w.calls) await call.fail(refusal(500));
        await group.quiet();
        group.w.clock.advance(1_000);
        await group.quiet();
      }
      const [one, ...others] = titles(group);
      expect(others).toEqual(others.map(() => one));
    }),
    runs(0.3),
  );
});
