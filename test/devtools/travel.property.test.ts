/** Jumps into random histories show the state of that time, for every kind of reader. */
import * as fc from 'fast-check';
import { All, Collection, Delete, Query, live } from 'signalbox';
import { connectDevTools } from 'signalbox/devtools';
import { expect, test } from 'vitest';
import { runs } from '../laws/runs.ts';
import { refusal, Todo, watch, world } from '../setup/world.ts';
import { FakeExtension } from './fakeExtension.ts';

class Row extends Todo {
  static override indexes = ['title'] as const;
}
const rows = new Collection([Row]);
const few = { min: 1, max: 4 };
const id = fc.integer(few);

type Action =
  | { readonly what: 'set'; readonly id: number; readonly title: string; readonly author: number }
  | { readonly what: 'delete' | 'create' | 'invalidate'; readonly id: number }
  | { readonly what: 'list'; readonly ids: readonly number[] }
  | { readonly what: 'fail' | 'optimistic' | 'end' };

const actions: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    what: fc.constant('set' as const),
    id,
    title: fc.constantFrom('a', 'b'),
    author: id,
  }),
  fc.record({ what: fc.constantFrom('delete', 'create', 'invalidate'), id }),
  fc.record({ what: fc.constant('list' as const), ids: fc.uniqueArray(id) }),
  fc.record({ what: fc.constantFrom('fail', 'optimistic', 'end') }),
);

async function play(history: readonly Action[], jumps: readonly number[]): Promise<void> {
  const w = world();
  const { controller } = w;
  const getList = w.read('getList', rows);
  const remove = w.mutation('remove', new Delete(Row));
  const options = { getOptimisticResponse: (_: unknown, params: object) => params };
  const create = w.mutation('create', rows.push, options);
  const extension = new FakeExtension();
  const stop = connectDevTools(controller, { extension, maxAge: 1_000 });
  const all = new Query(new All(Row), (each) => each.map((row) => `${row.id}${row.title}`).join());
  const watched = [
    watch(() => controller.signal(getList, {}).value),
    watch(() => controller.query(all).result.value.data),
    watch(() => controller.entity(Row, 1).value),
    watch(() => live(controller, Row, 2).title),
  ];
  const look = () =>
    JSON.stringify([
      watched.map(({ last }) => last),
      controller.get(rows, {}),
      controller.get(new All(Row))?.map((row) => row.id),
      controller.get(Row, { title: 'a' })?.title,
      controller.getError(getList)?.message,
    ]);
  const does = async (action: Action) => {
    if (action.what === 'set') {
      const { title, author } = action;
      await controller.set(Row, { id: action.id }, { title, author: { id: author, name: title } });
    } else if (action.what === 'list') {
      const list = action.ids.map((one) => ({ id: one, title: 'listed' }));
      await controller.setResponse(getList, {}, list);
    } else if (action.what === 'delete') {
      void controller.fetch(remove, {}, { id: action.id });
      await w.call().answer({ id: action.id });
    } else if (action.what === 'create') {
      const made = controller.fetch(create, { id: action.id + 10 }, {});
      made.catch(() => {});
      await w.call().answer({ id: action.id + 10, title: 'made' });
    } else if (action.what === 'invalidate') controller.invalidate(getList, {});
    else if (action.what === 'fail') await controller.setError(getList, {}, refusal(404));
    else if (action.what === 'optimistic')
      controller.fetch(create, { id: 20, title: 'expected' }, {}).catch(() => {});
    else for (const call of w.calls) await call.fail(refusal(400));
  };
  const seen = [look()];
  for (const action of history) {
    await does(action);
    seen[extension.types.length - 1] = look();
  }
  // optimistic writes lie above each shown state: they are rolled back first
  for (const call of w.calls) await call.fail(refusal(400));
  seen[extension.types.length - 1] = look();
  for (const jump of [...jumps, -1]) {
    const at = jump < 0 ? seen.length - 1 : jump % seen.length;
    // no commit: the state is that of an action before
    if (seen[at] === undefined) continue;
    extension.jump(at);
    expect(look()).toBe(seen[at]);
  }
  expect(extension.errors).toEqual([]);
  stop();
}

test('[T2] a jump to any action of a random history shows the data of that time', async () => {
  const program = fc.asyncProperty(
    fc.array(actions, { maxLength: 12 }),
    fc.array(fc.nat(), { maxLength: 6 }),
    play,
  );
  await fc.assert(program, runs(0.5));
});
