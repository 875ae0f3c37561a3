// A mutation without a schema may have changed any data on the server.
import { subscribe, transaction } from 'signalbox';
import type { Controller } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo, refused, world } from '../setup/world.ts';
import { openTabs, todos } from '../tabs/severalTabs.ts';

function stage() {
  const w = world();
  const { controller } = w;
  const list = w.read('list', [Todo], { pollFrequency: 1_000 });
  const act = w.mutation('act', undefined);
  const asked = (name: string) => w.calls.filter((call) => call.name === name);
  const titles = () => controller.getResponse(list, {}).data?.map(({ title }) => title);
  return { w, controller, list, act, asked, titles };
}

test('[O17] an explicit fetch after a mutation without a schema joins no poll issued before, and the late poll is dropped', async () => {
  const { w, controller, list, act, asked, titles } = stage();
  const stop = subscribe(controller, list, {});
  const polled = asked('list')[0] ?? (w.clock.advance(1_000), w.call());
  const done = controller.fetch(act, {});
  await w.call().answer({ ok: true });
  await done;
  const before = asked('list').length;
  const fetched = controller.fetch(list, {});
  expect(asked('list')).toHaveLength(before + 1);
  await w.call().answer([{ id: 1, title: 'new' }]);
  expect((await fetched)[0]?.title).toBe('new');
  await polled.answer([{ id: 1, title: 'old' }]);
  expect(titles()).toEqual(['new']);
  stop();
});

test('[O17] explicit fetches after a mutation without a schema share one new request', async () => {
  const { w, controller, list, act, asked } = stage();
  void controller.fetch(list, {});
  void controller.fetch(act, {});
  await w.call().answer(null);
  void controller.fetch(list, {});
  void controller.fetch(list, {});
  expect(asked('list')).toHaveLength(2);
});

test('[O17] a reader that mounts after a mutation without a schema joins the read in flight', async () => {
  const { w, controller, list, act, asked } = stage();
  void controller.fetch(list, {});
  void controller.fetch(act, {});
  await w.call().answer({});
  void controller.view(list, {}).ensure(true);
  expect(asked('list')).toHaveLength(1);
});

test('[O17] a fetch after a failed mutation without a schema joins the read in flight', async () => {
  const { w, controller, list, act, asked } = stage();
  void controller.fetch(list, {});
  const failed = refused(controller.fetch(act, {}));
  await w.call().fail(new Error('no'));
  await failed;
  void controller.fetch(list, {});
  expect(asked('list')).toHaveLength(1);
});

test('[O17] a fetch after a transaction with a mutation without a schema does not join an earlier read', async () => {
  const { w, controller, list, act, asked } = stage();
  void controller.fetch(list, {});
  const done = transaction(controller, ({ fetch }) => fetch(act, {}));
  await w.call().answer({});
  await done;
  void controller.fetch(list, {});
  expect(asked('list')).toHaveLength(2);
});

test('[O17] a fetch does not join a read issued before a schemaless mutation of another tab, and no body is shared', async () => {
  const made = await openTabs();
  const [first, second] = made.tabs as [Controller, Controller];
  const { w, api } = made;
  const act = w.mutation('act', undefined);
  const lists = () => w.calls.filter(({ name }) => name === 'list');
  void second.fetch(api.list, {});
  const acting = first.fetch(act, {}, { secret: 'sent' });
  await w.calls.at(-1)?.answer({ secret: 'received' });
  await acting;
  expect(JSON.stringify(made.bus)).not.toContain('secret');
  await made.quiet();
  const reading = second.fetch(api.list, {});
  expect(lists()).toHaveLength(2);
  await lists()[1]?.answer([{ id: 1, title: 'after' }]);
  await lists()[0]?.answer([{ id: 1, title: 'before' }]);
  expect((await reading)[0]?.title).toBe('after');
  expect(second.get(todos, {})?.map(({ title }) => title)).toEqual(['after']);
  for (const stop of made.stops) stop();
});
