/** Statics of an entity class that decide how an entity is created, found, read and kept. */
import { All, Entity, Query, live as liveOf } from 'signalbox';
import type { Schema } from 'signalbox';
import { expect, test } from 'vitest';
import { User, watch, world } from '../setup/world.ts';

type Meta = Parameters<typeof Entity.mergeMetaWithStore>[0];

class Person extends Entity {
  id = 0;
  first = '';
  last = '';
  full = '';
  boss: User | null = null;
  static override schema = { boss: User };
  static override createIfValid(fields: Person): Person | undefined {
    if (fields.last === '') return undefined;
    return this.fromJS({ ...fields, full: `${fields.first} ${fields.last}` });
  }
}

test('[N10] createIfValid computes the instance for readers from all fields after each change', async () => {
  const w = world();
  await w.controller.set(Person, {}, { id: 1, first: 'Ada', last: 'L', boss: { id: 2 } });
  const person = watch(w.controller.entity(Person, 1));
  expect(person.last).toBeInstanceOf(Person);
  expect(person.last?.full).toBe('Ada L');
  expect(person.last?.boss).toBe(w.controller.get(User, 2));
  expect(w.controller.get(Person, 1)).toBe(person.last);
  await w.controller.set(Person, { id: 1 }, { first: 'Eve' });
  expect(person.last?.full).toBe('Eve L');
  await w.controller.set(Person, { id: 1 }, { first: 'Eve' });
  await w.controller.set(User, { id: 2 }, { name: 'Bob' });
  expect(person.last?.boss?.name).toBe('Bob');
  expect(person.runs).toBe(3);
  const live = watch(() => liveOf(w.controller, Person, 1).full);
  await w.controller.set(Person, { id: 1 }, { last: 'M' });
  expect(live.seen).toEqual(['Eve L', 'Eve M']);
});

test('[N10] an entity that createIfValid rejects is omitted from lists, and undefined for readers', async () => {
  const w = world();
  const rows = [
    { id: 1, first: 'a' },
    { id: 2, last: 'b' },
  ];
  const list = await w.controller.fetch(w.read('list', [Person], { reply: () => rows }), {});
  expect(list.map(({ id }) => id)).toEqual([2]);
  const person = watch(w.controller.entity(Person, 1));
  expect(person.last).toBeUndefined();
  await w.controller.set(Person, { id: 1 }, { last: 'now' });
  expect(person.last?.full).toBe('a now');
  await w.controller.set(Person, { id: 1 }, { last: '' });
  expect(person.seen.map((seen) => seen?.full)).toEqual([undefined, 'a now', undefined]);
});

test('[N2] the result of static denormalize replaces the instance for readers', async () => {
  class Priced extends Entity {
    id = 0;
    cents = 0;
    static override denormalize(entity: Priced) {
      return { ...entity, euros: entity.cents / 100 };
    }
  }
  const w = world();
  await w.controller.set([Priced], [{ id: 1, cents: 250 }]);
  expect(w.controller.get(Priced, 1)).toEqual({ id: 1, cents: 250, euros: 2.5 });
});

test('[N10] static normalize runs before process and may replace the input', async () => {
  const steps: string[] = [];
  class Wrapped extends Entity {
    id = 0;
    label = '';
    static override normalize(
      input: { inner?: object },
      parent: object,
      key: string,
      args: readonly [{ q: number }],
      next: (input: unknown) => unknown,
    ): unknown {
      steps.push(`normalize ${key} ${args[0].q}`);
      return super.normalize(input.inner ?? input, parent, key, args, next);
    }
    static override process(input: object) {
      steps.push('process');
      return { ...input, label: 'processed' };
    }
  }
  const w = world();
  const get = w.read('get', { a: Wrapped }, { reply: () => ({ a: { inner: { id: 7 } } }) });
  expect((await w.controller.fetch(get, { q: 1 })).a).toMatchObject({ id: 7, label: 'processed' });
  expect(steps).toEqual(['normalize a 1', 'process']);
});

test('[C6] queryKey maps the arguments of a read to an entity', async () => {
  class Repo extends Entity {
    id = 0;
    owner = '';
    name = '';
    static override indexes = ['name'] as const;
    static override queryKey(
      args: readonly {
        path?: string;
        slug?: string;
        user?: number;
        sure?: number;
        id?: number;
        name?: string;
      }[],
      queryKey: (schema: Schema, args?: readonly unknown[]) => { readonly pk: string } | undefined,
      getEntity: (schema: Schema, pk: string | number) => unknown,
      getIndex: (field: string, value: unknown) => object,
    ): unknown {
      const { path, slug, user, sure } = args[0] ?? {};
      if (path !== undefined) return getIndex('name', path.split('/')[1]);
      if (user !== undefined) return queryKey(User, [{ id: user }])?.pk;
      if (sure !== undefined) return getEntity(Repo, sure) === undefined ? undefined : sure;
      return slug === undefined ? super.queryKey(args, queryKey, getEntity, getIndex) : undefined;
    }
  }
  const w = world();
  const detail = w.read('detail', Repo);
  const byPath = watch(w.controller.signal(detail, { path: 'ada/engine' }));
  await w.controller.set([Repo], [{ id: 5, owner: 'ada', name: 'engine' }]);
  const repo = w.controller.entity(Repo, 5).value;
  expect(byPath.seen).toEqual([undefined, repo]);
  expect(w.controller.get(Repo, { id: 5 })).toBe(repo);
  expect(w.controller.get(Repo, { name: 'engine' })).toBe(repo);
  expect(w.controller.get(Repo, { user: 5 })).toBe(repo);
  expect(w.controller.get(Repo, { sure: 5 })).toBe(repo);
  expect(w.controller.get(Repo, { sure: 6 })).toBeUndefined();
  // nothing is guessed, whatever else the arguments name
  expect(w.controller.get(Repo, { slug: 'x', id: 5 })).toBeUndefined();
});

test('[C6] mergeMetaWithStore decides when an entity expires', async () => {
  class Kept extends Entity {
    id = 0;
    n = 0;
    static override mergeMetaWithStore(existing: Meta, incoming: Meta): Meta {
      return { ...incoming, expiresAt: existing.expiresAt };
    }
  }
  const w = world({ dataExpiryLength: 100 });
  const list = w.read('list', [Kept], { reply: () => [{ id: 1, n: 1 }] });
  const detail = w.read('detail', Kept);
  await w.controller.fetch(list, {});
  const first = w.controller.getResponse(detail, { id: 1 }).expiresAt;
  w.clock.advance(50);
  await w.controller.fetch(list, {});
  expect(w.controller.getResponse(detail, { id: 1 }).expiresAt).toBe(first);
});

test('[N2] `defaults` returns the default instance, and an override replaces the default values', async () => {
  expect(User.defaults).toBeInstanceOf(User);
  expect(User.defaults).toBe(User.defaults);
  expect(Object.isFrozen(User.defaults)).toBe(true);
  class Named extends Entity {
    id = 0;
    name = '';
    static override get defaults() {
      return Object.assign(new this(), { name: 'nobody' });
    }
  }
  const w = world();
  await w.controller.set(Named, { id: 1 }, { extra: 1 });
  expect({ ...w.controller.get(Named, 1) }).toEqual({ id: 1, name: 'nobody', extra: 1 });
  expect(Named.fromJS({}).name).toBe('nobody');
});

test('[N10] All and queries omit entities that createIfValid rejects', async () => {
  const w = world();
  await w.controller.set([Person], [{ id: 1, last: 'x' }, { id: 2 }]);
  const names = new Query(new All(Person), (all) => all.map(({ full }) => full));
  expect(w.controller.get(names)).toEqual([' x']);
});

test('[N10] a live object of an entity that createIfValid rejects has undefined fields', async () => {
  class Note extends Entity {
    id = 0;
    description = '';
    static override createIfValid(fields: Note): Note | undefined {
      return fields.description === '' ? undefined : this.fromJS({ ...fields });
    }
  }
  const w = world();
  await w.controller.set(Note, {}, { id: 1, description: '' });
  const live = watch(() => liveOf(w.controller, Note, 1).description);
  await w.controller.set(Note, { id: 1 }, { description: 'now' });
  expect(live.seen).toEqual([undefined, 'now']);
});
