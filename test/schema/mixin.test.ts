/** The statics of a base class of EntityMixin are respected; the options override them. */
import { Entity, EntityMixin } from 'signalbox';
import { expect, test, vi } from 'vitest';
import { User, world } from '../setup/world.ts';

class Slugged {
  slug = '';
  lang = '';
  title = '';
  writer: User | null = null;
  static key = 'MixinPost';
  static schema = { writer: User };
  pk() {
    return `${this.lang}/${this.slug}`;
  }
}
class Long extends Slugged {
  text = '';
}

test('[N1] EntityMixin uses pk(), key and schema of the base class, also if inherited', async () => {
  class Post extends EntityMixin(Long) {}
  const w = world();
  const answer = { slug: 'a', lang: 'de', title: 'x', writer: { id: 1, name: 'Ada' } };
  const post = await w.controller.fetch(w.read('get', Post, { reply: () => answer }), {});
  expect(post.pk()).toBe('de/a');
  expect(w.controller.get(Post, { slug: 'a', lang: 'de' })).toBe(post);
  expect(w.controller.entity(Post, 'de/a').value).toBe(post);
  expect(post.writer).toBe(w.controller.get(User, { id: 1 }));
  expect([Post.key, Post.explicitKey, Post.name]).toEqual(['MixinPost', 'MixinPost', 'Post']);
  expect(Post.schema).toBe(Slugged.schema);
});

test('[N1] options of EntityMixin override the base class, and members of the class override both', async () => {
  class Post extends EntityMixin(Slugged, { pk: 'slug', key: 'Other', schema: {} }) {}
  class Own extends EntityMixin(Slugged, { key: 'Other2' }) {
    static override key = 'Own';
    override pk() {
      return `own ${this.slug}`;
    }
  }
  const w = world();
  const row = { slug: 'a', lang: 'de', writer: { id: 1 } };
  await w.controller.set(Post, {}, row);
  await w.controller.set(Own, {}, row);
  expect(w.controller.entity(Post, 'a').value?.writer).toEqual({ id: 1 });
  expect(w.controller.entity(Own, 'own a').value?.writer).toBeInstanceOf(User);
  expect([Post.key, Own.key, Slugged.key]).toEqual(['Other', 'Own', 'MixinPost']);
  expect(Slugged.schema).toEqual({ writer: User });
});

test('[N10] EntityMixin uses process, merge, validate and indexes of the base class', async () => {
  class Raw {
    id = 0;
    name = '';
    count = 0;
    static indexes = ['name'] as const;
    static process(value: { readonly n: string }) {
      return { ...value, name: value.n };
    }
    static merge(existing: { readonly count: number }, incoming: { readonly count: number }) {
      return { ...existing, ...incoming, count: existing.count + incoming.count };
    }
    static validate({ name }: { readonly name: string }) {
      return name === 'bad' ? 'it is bad' : undefined;
    }
  }
  class Row extends EntityMixin(Raw) {}
  const w = world();
  await w.controller.set(Row, {}, { id: 1, n: 'x', count: 2 });
  await w.controller.set(Row, {}, { id: 1, n: 'x', count: 3 });
  expect(w.controller.get(Row, { name: 'x' })).toMatchObject({ id: 1, count: 5 });
  await expect(w.controller.set(Row, {}, { id: 2, n: 'bad' })).rejects.toThrow('it is bad');
});

test('[N4] classes created by EntityMixin from one base without a key have separate tables', async () => {
  class Plain {
    id = 0;
    title = '';
  }
  class One extends EntityMixin(Plain) {}
  class Two extends EntityMixin(Plain) {}
  class Three extends EntityMixin(One) {}
  const w = world();
  await w.controller.set(One, {}, { id: 1, title: 'one' });
  expect([w.controller.get(Two, 1), w.controller.get(Three, 1)]).toEqual([undefined, undefined]);
  expect([One.key, Two.key, Three.key]).toEqual(['One', 'Two', 'Three']);
  expect(Three.explicitKey).toBe(undefined);
  class Mine extends EntityMixin(class {}, {}) {
    id = 0;
  }
  expect(new Mine().pk()).toBe(0);
  expect(Entity.explicitKey).toBe(undefined);
});

test('[N4] development warns once of an entity class without a name', async () => {
  const said = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { controller } = world();
  const Mixed = EntityMixin(
    class {
      id = 0;
      mixed = '';
    },
  );
  const classes = [
    class extends Entity {
      id = 0;
      extended = '';
    },
  ];
  for (const Class of [Mixed, Mixed, ...classes]) await controller.set(Class, { id: 1 }, { id: 1 });
  expect(said.mock.calls.map(([text]) => text as string)).toEqual([
    expect.stringMatching(/S22.*the fields .?id, mixed.? has no name/),
    expect.stringMatching(/S22.*the fields .?id, extended.? has no name/),
  ]);
  const Keyed = EntityMixin(
    class {
      id = 0;
    },
    { key: 'Keyed' },
  );
  class Named extends EntityMixin(
    class {
      id = 0;
    },
  ) {}
  for (const Class of [Keyed, Named]) await controller.set(Class, { id: 1 }, { id: 1 });
  expect(said).toHaveBeenCalledTimes(2);
});
