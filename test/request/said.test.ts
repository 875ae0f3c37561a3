// A function of an optimistic response runs again when the request that the function used has another outcome.
import { Controller, replay } from 'signalbox';
import type { OptimisticSnapshot } from 'signalbox';
import { expect, test } from 'vitest';
import { refusal, settled, Todo, world } from '../setup/world.ts';
import type { World } from '../setup/world.ts';

/** A row with a title that an unconfirmed write derives from the result of the request `count`. */
async function stage(options: object = {}) {
  const w = world();
  const { controller } = w;
  const count = w.read('count', undefined, options);
  const update = w.mutation('update', Todo, {
    getOptimisticResponse: (snapshot: OptimisticSnapshot) => {
      const { data, error } = snapshot.getResponse(count, {});
      return { id: 1, title: String(error?.message ?? data) };
    },
  });
  await controller.set(Todo, { id: 1 }, { title: 'base' });
  await controller.setResponse(count, {}, 1);
  void controller.fetch(update, { id: 1 }, {});
  return { w, controller, count, title: () => controller.get(Todo, { id: 1 })?.title };
}

type Staged = Awaited<ReturnType<typeof stage>>;

/** A write of another controller, which has received no data from this controller. */
function told({ w, controller, count }: Staged, say: (other: World['controller']) => unknown) {
  const other = new Controller({ clock: w.clock });
  for (let turn = 0; turn < 5; turn++) void other.set(Todo, { id: 9 }, { title: `${turn}` });
  void other.setResponse(count, {}, 1);
  other.on('commit', (commit) => replay(controller, commit));
  return say(other);
}

test.each<[string, (staged: Staged) => unknown, string]>([
  ['a response', ({ controller, count }) => controller.setResponse(count, {}, 2), '2'],
  ['an error', ({ controller, count }) => controller.setError(count, {}, refusal(400)), 'refused'],
  ['an invalidation', ({ controller, count }) => controller.invalidate(count, {}), 'undefined'],
  [
    'an unreadable response',
    async ({ w, controller, count }) => {
      controller.invalidate(count, {});
      void controller.fetch(count, {}).catch(() => {});
      await w.call().answer(undefined);
    },
    'returned undefined',
  ],
  [
    'a response of another controller',
    (staged) => told(staged, (other) => other.setResponse(staged.count, {}, 2)),
    '2',
  ],
  [
    'an error of another controller',
    (staged) => told(staged, (other) => other.setError(staged.count, {}, refusal(400))),
    'refused',
  ],
  [
    'an invalidation of another controller',
    (staged) => told(staged, (other) => other.invalidate(staged.count, {})),
    'undefined',
  ],
])('[O5] %s recomputes an optimistic value that reads the request', async (_, happen, says) => {
  const staged = await stage();
  expect(staged.title()).toBe('1');
  await happen(staged);
  await settled();
  expect(staged.title()).toContain(says);
});

test('[O5] the error of a request loop recomputes an optimistic value that reads the request', async () => {
  const { w, controller, count, title } = await stage();
  const view = controller.view(count, {});
  for (let turn = 0; turn < 12; turn++) {
    controller.invalidate(count, {});
    void view.ensure(false);
    await settled();
  }
  expect(w.calls.length).toBeLessThanOrEqual(12);
  expect(title()).toContain('F1');
});
