/** Malformed messages from the extension: the store is unchanged, nothing is thrown. */
import * as fc from 'fast-check';
import { connectDevTools } from 'signalbox/devtools';
import { expect, test } from 'vitest';
import { Todo, world } from '../setup/world.ts';
import { FakeExtension } from './fakeExtension.ts';

async function connected() {
  const { controller } = world();
  const extension = new FakeExtension();
  connectDevTools(controller, { extension });
  await controller.set(Todo, { id: 1 }, { title: 'a' });
  await controller.set(Todo, { id: 1 }, { title: 'b' });
  const title = () => controller.get(Todo, { id: 1 })?.title;
  return { controller, extension, title };
}

const dispatch = (payload: unknown, state?: unknown) => ({ type: 'DISPATCH', payload, state });
const imported = (nextLiftedState: unknown) => dispatch({ type: 'IMPORT_STATE', nextLiftedState });

test.each<[string, unknown, number]>([
  ['null', null, 0],
  ['nothing', undefined, 0],
  ['text', 'DISPATCH', 0],
  ['of no type', {}, 0],
  ['of an unknown type', { type: 'ACTION', payload: '{' }, 0],
  ['a dispatch of nothing', dispatch(undefined), 0],
  ['a dispatch of null', dispatch(null), 0],
  ['a dispatch of text', dispatch('RESET'), 0],
  ['a jump to no state', dispatch({ type: 'JUMP_TO_STATE' }), 1],
  ['a jump to half a state', dispatch({ type: 'JUMP_TO_STATE' }, '{"moment": 1'), 1],
  ['a jump to a number', dispatch({ type: 'JUMP_TO_ACTION' }, '5'), 1],
  ['a jump to an object that is not text', dispatch({ type: 'JUMP_TO_ACTION' }, {}), 1],
  ['a rollback to half a state', dispatch({ type: 'ROLLBACK' }, '{'), 1],
  ['an import of nothing', imported(undefined), 1],
  ['an import of null', imported(null), 1],
  ['an import of text', imported('history'), 1],
  ['an import without states', imported({ currentStateIndex: 0 }), 1],
  [
    'an import with a hole',
    imported({ actionsById: {}, computedStates: [], currentStateIndex: 7 }),
    1,
  ],
])('[T2] a message that is %s does not throw, and changes no data', async (_, message, errors) => {
  const { controller, extension, title } = await connected();
  expect(() => extension.tell(message)).not.toThrow();
  expect(title()).toBe('b');
  expect(extension.errors).toHaveLength(errors);
  await controller.set(Todo, { id: 1 }, { title: 'c' });
  expect(title()).toBe('c');
  expect(extension.state()).toMatchObject({ entities: { Todo: { 1: { title: 'c' } } } });
});

test('[T2] random messages of the extension do not throw, and change no data', async () => {
  const { controller, extension, title } = await connected();
  const type = fc.constantFrom('JUMP_TO_STATE', 'JUMP_TO_ACTION', 'ROLLBACK', 'IMPORT_STATE', 'x');
  const payload = fc.oneof(
    fc.anything(),
    fc.record({ type }),
    fc.record({ type, nextLiftedState: fc.object() }),
  );
  const message = fc.oneof(
    fc.anything(),
    fc.record({
      type: fc.constant('DISPATCH'),
      payload,
      state: fc.oneof(fc.json(), fc.anything()),
    }),
  );
  fc.assert(
    fc.property(message, (told) => {
      extension.tell(told);
    }),
    { numRuns: 1_000 },
  );
  await controller.set(Todo, { id: 1 }, { title: 'c' });
  expect(title()).toBe('c');
});
