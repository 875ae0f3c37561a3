/** Functions that take a controller, and that an application imports when it needs them. */
import { Controller, live, replay, transaction } from 'signalbox';
import { expect, test } from 'vitest';
import { Todo } from '../setup/world.ts';

const others = [undefined, null, {}, Controller, 'controller'];

test.each(others)('[I1] a function of a controller refuses %s by name', (other) => {
  const wrong = other as Controller;
  const refused = expect.objectContaining({ code: 'A7' }) as Error;
  expect(() => transaction(wrong, () => undefined)).toThrow(refused);
  expect(() => live(wrong, Todo, 1)).toThrow(refused);
  expect(() => replay(wrong, { id: 1 } as never)).toThrow(refused);
});
