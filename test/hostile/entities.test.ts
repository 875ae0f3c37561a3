/** Values that are no records, invalid keys, and names of Object.prototype. */
import { Entity, EntityMixin } from 'signalbox';
import { expect, test } from 'vitest';
import { Knot, User } from '../setup/world.ts';
import { BORN, accepts, owning, refuses, throwing } from './arena.ts';

const cut = { id: 900, name: 'half' };

/** Invalid keys: if a row behind a valid row has such an id, nothing of the response may be stored. */
test.each<[string, unknown]>([
  ['[N3] no id', undefined],
  ['[N3] null', null],
  ['[N3] an empty text', ''],
  ['[N3] NaN', Number.NaN],
  ['[N3] an object', {}],
  ['[N3] an object with members', { id: 1 }],
  ['[N3] an empty array', []],
  ['[N3] an array of null', [null]],
  ['[N3] an array', [1, 2]],
  ['[N3] an object without a prototype', Object.create(null)],
  ['[N3] a function', throwing],
  ['[N3] a symbol', Symbol('id')],
])('%s as a primary key rejects with S1, and nothing is stored', (_, id) =>
  expect(refuses((a) => a.answer([User], [cut, { id, name: 'x' }]), 'S1')).resolves.toBe(undefined),
);

test.each<[string, unknown, string]>([
  ['[N3] zero', 0, '0'],
  ['[N3] minus zero', -0, '0'],
  ['[N3] a fraction', 0.5, '0.5'],
  ['[N3] a huge number', 1e300, '1e+300'],
  ['[N3] infinity', Infinity, 'Infinity'],
  ['[N3] a bigint', 10n ** 30n, `1${'0'.repeat(30)}`],
  ['[N3] false', false, 'false'],
  ['[N3] a space', ' ', ' '],
  ['[N3] NUL', '\0', '\0'],
  ['[N3] CR and LF', '\r\n', '\r\n'],
  ['[N3] a lone surrogate', '\uD800', '\uD800'],
  ['[N3] a way up', '../admin', '../admin'],
  ['[N3] a megabyte', 'x'.repeat(1e6), 'x'.repeat(1e6)],
  ['[N3] the word null', 'null', 'null'],
  ['[N3] the word undefined', 'undefined', 'undefined'],
])('%s is a valid primary key', (_, id, pk) =>
  expect(
    accepts(async (a) => {
      await a.answer([Knot], [{ id, label: 'x' }]);
      return a.w.controller.entity(Knot, pk).value?.label;
    }, 'x'),
  ).resolves.toBe(undefined),
);

test.each(BORN)('[N3] the name %s is a valid primary key', (pk) =>
  expect(
    accepts(
      async (a) => {
        const others = BORN.filter((other) => other !== pk);
        await a.answer([Knot], [{ id: pk, label: 'x' }]);
        return [pk, ...others].map((id) => a.w.controller.get(Knot, id)?.label);
      },
      ['x', ...BORN.slice(1).map(() => undefined)],
    ),
  ).resolves.toBe(undefined),
);

test.each(BORN)('[N3] a field named %s is stored, and changes no prototype', (name) =>
  expect(
    accepts(
      async (a) => {
        const first = await a.answer(Knot, { id: 1, ...owning(name, { deep: 1 }) });
        const own = Object.getOwnPropertyDescriptor(first, name)?.value as unknown;
        await a.w.controller.set(Knot, { id: 1 }, owning(name, 2));
        const later = a.w.controller.get(Knot, { id: 1 });
        return [
          own,
          Object.getOwnPropertyDescriptor(later, name)?.value,
          later instanceof Knot,
          Object.getPrototypeOf(first) === Knot.prototype,
        ];
      },
      [{ deep: 1 }, 2, true, true],
    ),
  ).resolves.toBe(undefined),
);

test.each(BORN)('[N3] a member named %s in a plain value changes no prototype', async (name) => {
  await expect(
    accepts(
      async (a) => {
        await a.answer(Knot, { id: 1, meta: { a: 1 } });
        const after = await a.answer(Knot, { id: 1, meta: owning(name, {}) }, { n: 2 });
        const value = Object.getOwnPropertyDescriptor(after.meta, name)?.value as unknown;
        return [value, value === Object.prototype, Object.getPrototypeOf(after.meta)];
      },
      [{}, false, Object.prototype],
    ),
  ).resolves.toBe(undefined);
});

test.each(BORN)('[N7] two rows with the same key, the second with a field %s, are merged', (name) =>
  expect(
    accepts(async (a) => {
      const [row] = await a.answer([Knot], [{ id: 1 }, { id: 1, ...owning(name, {}) }]);
      return Object.hasOwn(row, name);
    }, true),
  ).resolves.toBe(undefined),
);

test.each(BORN)('[N3] a pk in the field %s is not the inherited member of that name', (name) => {
  class Base {
    name = '';
  }
  class Odd extends EntityMixin(Base, { pk: name }) {}
  return expect(
    refuses((a) => a.answer({ u: User, o: Odd }, { u: cut, o: { name: 'x' } }), 'S1'),
  ).resolves.toBe(undefined);
});

test.each(BORN)('[N6] a nested member called %s is absent if the response lacks it', (name) =>
  expect(
    accepts(async (a) => {
      class Odd extends Entity {
        id = 0;
        static override schema = owning(name, Knot);
      }
      const fields = owning(name, null) as object;
      const Whole = class extends Odd {
        constructor() {
          super();
          for (const [field, value] of Object.entries(fields))
            Object.defineProperty(this, field, {
              value,
              enumerable: true,
              configurable: true,
              writable: true,
            });
        }
      };
      const odd = await a.answer(Whole, { id: 1 });
      return Object.getOwnPropertyDescriptor(odd, name)?.value as unknown;
    }, null),
  ).resolves.toBe(undefined),
);
