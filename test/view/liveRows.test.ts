// The live rows of a list after each kind of change to the members, read at once, or after many changes.
import { batch } from '@preact/signals-core';
import * as fc from 'fast-check';
import { Collection, Delete, liveResult } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo, watch, world } from '../setup/world.ts';
import { runs } from '../laws/runs.ts';

async function stage(count: number) {
  const w = world();
  const todos = new Collection([Todo]);
  const list = w.read('list', todos);
  const { controller } = w;
  const rows = Array.from({ length: count }, (_, at) => ({ id: at + 1, title: `t${at + 1}` }));
  await controller.setResponse(list, {}, rows);
  const ids = () => controller.get(todos, {})?.map(({ id }) => id);
  const live = liveResult(controller.view(list, {}));
  const shown = () => live.value.data?.map(({ id }) => id);
  return { w, todos, list, controller, ids, live, shown };
}

function different(one: unknown, other: unknown): unknown[] {
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ one, other }];
}

test('[V5] live rows keep their references in a new array when a row is added or removed at any place', async () => {
  const { controller, todos, live, ids, shown } = await stage(3);
  const seen = watch(live);
  const before = live.value.data;
  void controller.set(todos.push, { id: 4 });
  void controller.set(todos.unshift, { id: 5 });
  void controller.set(new Delete(Todo), { id: 2 }, {});
  expect(shown()).toEqual([5, 1, 3, 4]);
  expect(shown()).toEqual(ids());
  expect(live.value.data?.[1]).toBe(before?.[0]);
  expect(seen.runs).toBe(4);
  seen.stop();
});

test('[V5] rows that are added and removed within one batch notify no reader', async () => {
  const { controller, todos, live } = await stage(3);
  const seen = watch(() => live.value.data);
  const before = live.value.data;
  batch(() => {
    void controller.set(todos.push, { id: 4 });
    void controller.set(new Delete(Todo), { id: 4 }, {});
  });
  expect(live.value.data).toBe(before);
  expect(seen.runs).toBe(1);
  seen.stop();
});

test('[V5] snapshots and live rows are equal after any edits, read in between or not', async () => {
  const edit = fc.record({
    how: fc.constantFrom('push', 'unshift', 'delete', 'restore', 'change', 'read', 'fill'),
    id: fc.integer({ min: 1, max: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 60 }), async (edits) => {
      const { controller, todos, list, ids, shown, live } = await stage(6);
      const seen = watch(live);
      const wrong: unknown[] = [];
      for (const { how, id } of [...edits, { how: 'read' as const, id: 1 }]) {
        if (how === 'push') void controller.set(todos.push, { id });
        else if (how === 'unshift') void controller.set(todos.unshift, { id });
        else if (how === 'delete') void controller.set(new Delete(Todo), { id }, {});
        else if (how === 'fill') void controller.setResponse(list, {}, [{ id }, { id: 3 }]);
        else if (how === 'change') void controller.set(Todo, { id }, { title: 'x' });
        else if (how === 'restore') {
          batch(() => {
            void controller.set(new Delete(Todo), { id }, {});
            void controller.set(todos.unshift, { id });
          });
        } else wrong.push(...different(shown(), ids()));
        if (how === 'delete') seen.stop();
      }
      expect(wrong).toEqual([]);
      expect(shown()).toEqual(controller.signal(list, {}).value?.map((todo) => todo.id));
    }),
    runs(0.5),
  );
});
