// Own writes of the same field that two tabs send at once: all tabs end with the same value.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../laws/runs.ts';
import { refusal, settled, Todo } from '../setup/world.ts';
import { Street, street } from './severalTabs.ts';

const params = { id: 1 };
const titles = ({ tabs }: Street) => tabs.map((tab) => tab.get(Todo, params)?.title);

/** Two tabs change the title, the second tab later; the first tab has not received the second tab's response. */
async function twoWrites() {
  const it = await street(3);
  const [first, second] = it.tabs as [(typeof it.tabs)[0], (typeof it.tabs)[0]];
  await first.set(Todo, params, { id: 1, title: '' });
  await it.quiet();
  void first.fetch(it.api.update, params, { title: 'first' });
  await it.quiet();
  void second.fetch(it.api.update, params, { title: 'second' });
  await settled();
  return { it, first, second };
}

test('[O3] a write that was issued later in another tab, and is confirmed there first, leaves all tabs one value', async () => {
  const { it, first } = await twoWrites();
  await it.w.call().answer({ id: 1, title: 'second' });
  // the logical time of the first tab is ahead
  for (let times = 0; times < 5; times++) await first.set(Todo, { id: 9 }, { done: times % 2 > 0 });
  await it.w.call(0).answer({ id: 1, title: 'first' });
  await it.quiet();
  expect(titles(it)).toEqual(['first', 'first', 'first']);
});

test('[O3] it stays the later one where the tab of the earlier one has heard of it', async () => {
  const { it } = await twoWrites();
  await it.w.call().answer({ id: 1, title: 'second' });
  await it.quiet();
  await it.w.call(0).answer({ id: 1, title: 'first' });
  await it.quiet();
  expect(titles(it)).toEqual(['second', 'second', 'second']);
});

test.each([0, 1])(
  '[O15] a deletion that is pushed to tab %d while a creation is in flight in tab 0 is not undone in either tab by the response',
  async (informed) => {
    const it = await street();
    const [first] = it.tabs as [(typeof it.tabs)[0]];
    void first.fetch(it.api.create, { title: 'new' });
    await it.quiet();
    await it.tabs[informed]?.set(it.api.remove.schema, { id: 2 }, {});
    await it.quiet();
    await it.w.call(0).answer({ id: 2, title: 'new' });
    await it.quiet();
    expect(it.tabs.map((tab) => tab.get(Todo, { id: 2 }))).toEqual([undefined, undefined]);
  },
);

test('[O15] the response has the key of the deleted row, in both tabs, if they knew the row before the creation', async () => {
  const it = await street();
  const [first, second] = it.tabs as [(typeof it.tabs)[0], (typeof it.tabs)[0]];
  await second.set(Todo, { id: 2 }, { id: 2, title: 'old' });
  await it.quiet();
  void first.fetch(it.api.create, { title: 'new' });
  await it.quiet();
  await second.set(it.api.remove.schema, { id: 2 }, {});
  await it.quiet();
  await it.w.call(0).answer({ id: 2, title: 'new' });
  await it.quiet();
  expect(it.tabs.map((tab) => tab.get(Todo, { id: 2 })?.title)).toEqual(['new', 'new']);
});

const title = fc.constantFrom('a', 'b', 'c', 'd');
const at = fc.nat(5);
const step = fc.record({
  tab: fc.nat(2),
  deed: fc.oneof(
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

async function run(it: Street, { tab: which, deed }: Step): Promise<void> {
  const tab = it.tabs[which % it.tabs.length] as (typeof it.tabs)[0];
  const call = (place: number) => it.w.calls[it.w.calls.length - 1 - place];
  if ('update' in deed) tab.fetch(it.api.update, params, { title: deed.update }).catch(() => {});
  else if ('answer' in deed) await call(deed.answer)?.answer({ id: 1, title: deed.title });
  else if ('get' in deed) tab.fetch(it.api.get, params).catch(() => {});
  else if ('set' in deed) await tab.set(Todo, params, { title: deed.set });
  else if ('other' in deed) await tab.set(Todo, { id: 9 }, { done: deed.other });
  else {
    await it.quiet();
    if (it.tabs.length < 4) it.share();
  }
}

test('[O3] own writes of one field in several tabs, with reads and pushes between, leave all tabs one value', async () => {
  const program = fc.record({ shares: fc.boolean(), steps: fc.array(step, { maxLength: 25 }) });
  await fc.assert(
    fc.asyncProperty(program, async ({ shares, steps }) => {
      const it = new Street();
      for (let tabs = 0; tabs < 3; tabs++)
        if (shares) it.share();
        else it.open();
      await it.quiet();
      await it.tabs[0]?.set(Todo, params, { id: 1, title: '' });
      await it.quiet();
      for (const each of steps) {
        if (shares || !('open' in each.deed)) await run(it, each);
        await settled();
        for (const message of each.arrive) it.post.deliver(message);
        await settled();
      }
      for (let failed = -1; failed < it.w.calls.length || it.w.clock.waiting > 0;) {
        failed = it.w.calls.length;
        for (const call of it.w.calls) await call.fail(refusal(500));
        await it.quiet();
        it.w.clock.advance(1_000);
        await it.quiet();
      }
      const [one, ...others] = titles(it);
      expect(others).toEqual(others.map(() => one));
    }),
    runs(0.3),
  );
});
