/** Which table a class has. */
import { Entity, EntityMixin } from 'signalbox';
import { expect, test } from 'vitest';
import { world } from '../setup/world.ts';

/** Two classes to which a minifier gave the same name. */
function minified() {
  const First = (() => {
    class e extends Entity {
      id = 0;
      a = '';
    }
    return e;
  })();
  const Second = (() => {
    class e extends Entity {
      id = 0;
      b = '';
    }
    return e;
  })();
  return { First, Second };
}

test('[N4] two classes with the same minified name have separate tables', async () => {
  const { First, Second } = minified();
  expect(First.key).toBe(Second.key);
  const w = world();
  await w.controller.set(First, { id: 1 }, { a: 'first' });
  expect(w.controller.entity(Second, 1).value).toBeUndefined();
  await w.controller.set(Second, { id: 1 }, { b: 'second' });
  expect({ ...w.controller.entity(First, 1).value }).toEqual({ id: 1, a: 'first' });
  expect(w.controller.entity(Second, 1).value).toBeInstanceOf(Second);
});

test('[N4] a second class with the same static key rejects with S5, naming both classes', async () => {
  class Person extends Entity {
    id = 0;
    static override key = 'person';
  }
  class Human extends Entity {
    id = 0;
    static override key = 'person';
  }
  const w = world();
  await w.controller.set(Person, { id: 1 }, { id: 1 });
  const person = w.controller.entity(Person, 1);
  const before = person.value;
  const get = w.read('getHuman', Human, { reply: () => ({ id: 1, extra: true }) });
  await expect(w.controller.fetch(get, {})).rejects.toMatchObject({
    code: 'S5',
    status: 400,
    message: expect.stringMatching(/person.*Human.*Person/) as string,
  });
  expect(person.value).toBe(before);
});

test('[N4] a second class with the same key option of EntityMixin rejects with S5', async () => {
  class Data {
    id = 0;
  }
  class Left extends EntityMixin(Data, { key: 'side' }) {}
  class Right extends EntityMixin(Data, { key: 'side' }) {}
  const w = world();
  await w.controller.set(Left, { id: 1 }, { id: 1 });
  await expect(w.controller.set(Right, { id: 1 }, { id: 1 })).rejects.toMatchObject({ code: 'S5' });
});

test('[N4] a subclass without a static key has a separate table', async () => {
  class Base extends Entity {
    id = 0;
  }
  class Left extends Base {}
  class Right extends Base {}
  const w = world();
  await w.controller.set(Left, { id: 1 }, { id: 1 });
  expect(w.controller.entity(Left, 1).value).toBeInstanceOf(Left);
  expect(w.controller.entity(Right, 1).value).toBeUndefined();
  expect(w.controller.entity(Base, 1).value).toBeUndefined();
});

test('[N4] classes with the keys __proto__ and constructor have separate tables', async () => {
  class One extends Entity {
    id = 0;
    static override key = '__proto__';
  }
  class Two extends Entity {
    id = 0;
    static override key = 'constructor';
  }
  const w = world();
  await w.controller.set(One, { id: 1 }, { id: 1 });
  expect(w.controller.entity(Two, 1).value).toBeUndefined();
  expect(w.controller.entity(One, 1).value).toBeInstanceOf(One);
});
