/** Random writes to two classes, of which the second overrides statics without an effect: both classes behave the same. */
import { effect } from '@preact/signals-core';
import * as fc from 'fast-check';
import {
  Collection,
  Controller,
  Delete,
  Endpoint,
  Entity,
  live as liveOf,
  optimistic,
} from 'signalbox';
import { expect, test } from 'vitest';
import { runs } from '../laws/runs.ts';
import { User } from '../setup/samples.ts';

class Plain extends Entity {
  id = 0;
  title = '';
  done = false;
  note: string | null = null;
  user: User | null = null;
  tags: User[] = [];
  static override schema = { user: User, tags: [User] };
}

class Asked extends Plain {
  static override process(input: unknown): unknown {
    return input;
  }

  static override validate(): string | undefined {
    return undefined;
  }

  override pk(): number {
    return this.id;
  }
}

const id = fc.integer({ min: 1, max: 4 });
const user = fc.record({ id, name: fc.constantFrom('a', 'b', undefined) });
const row = fc
  .record(
    {
      id,
      title: fc.constantFrom('x', 'y', undefined),
      done: fc.boolean(),
      note: fc.constantFrom('n', null),
      extra: fc.constantFrom('e', { deep: 1 }),
      user: fc.option(user),
      tags: fc.array(user, { maxLength: 3 }),
    },
    { requiredKeys: ['id'] },
  )
  // the same fields in another order are another form
  .chain((fields) =>
    fc
      .shuffledSubarray(Object.keys(fields), { minLength: 0 })
      .map((names) => [fields, names] as const),
  )
  .map(([fields, names]) =>
    Object.fromEntries(
      [...names, 'id'].map((name) => [name, (fields as Record<string, unknown>)[name]]),
    ),
  );
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ how: fc.constant('set' as const), row }) },
  {
    weight: 2,
    arbitrary: fc.record({
      how: fc.constant('list' as const),
      rows: fc.array(row, { maxLength: 6 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ how: fc.constant('push' as const), row }) },
  { weight: 1, arbitrary: fc.record({ how: fc.constant('delete' as const), id }) },
  { weight: 1, arbitrary: fc.record({ how: fc.constant('expect' as const), row }) },
  { weight: 1, arbitrary: fc.record({ how: fc.constant('watch' as const), id }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A store for a class, with the data that readers have seen. */
function stage(Class: typeof Plain) {
  const controller = new Controller({ optimistic });
  const list = new Collection([Class]);
  const unsent = (): Promise<never> => new Promise(() => {});
  const all = new Endpoint(unsent, { name: 'all', schema: list });
  const change = new Endpoint((_body: object) => unsent(), {
    name: 'change',
    schema: Class,
    sideEffect: true,
    getOptimisticResponse: (_snapshot, body: object) => body,
  });
  const seen: unknown[] = [];
  const watch = (read: () => unknown) => effect(() => void seen.push(JSON.stringify(read()) ?? ''));
  watch(() => controller.signal(all).value);
  const play = (one: Step): void => {
    if (one.how === 'set') void controller.set(Class, { id: one.row['id'] }, one.row);
    else if (one.how === 'list') void controller.setResponse(all, one.rows);
    else if (one.how === 'push') void controller.set(list.push, one.row);
    else if (one.how === 'delete') void controller.set(new Delete(Class), { id: one.id }, {});
    else if (one.how === 'expect') void controller.fetch(change, one.row).catch(() => {});
    else {
      watch(() => controller.entity(Class, one.id).value);
      const live = liveOf(controller, Class, one.id);
      watch(() => live.title);
      watch(() => live.user?.name);
    }
  };
  return { play, seen };
}

test('[O4] statics overridden without an effect change no value and no run of readers', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const plain = stage(Plain);
      const asked = stage(Asked);
      for (const one of steps) {
        plain.play(one);
        asked.play(one);
        expect(plain.seen).toEqual(asked.seen);
      }
    }),
    runs(),
  );
});
