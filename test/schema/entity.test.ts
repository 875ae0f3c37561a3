/** Features of entity instances: defaults, getters, methods. */
import { Entity, EntityMixin } from 'signalbox';
import { expect, test } from 'vitest';
import { Article, Tag, Todo, User, world } from '../setup/world.ts';

const get = <T>(schema: T, answer: unknown) => {
  const w = world();
  return w.controller.fetch(w.read('get', schema, { reply: () => answer }), {});
};

test('[N1] the primary key of an entity is the field `id` by default', async () => {
  const w = world();
  await w.controller.fetch(w.read('get', User, { reply: () => ({ id: 5, name: 'Ada' }) }), {});
  expect(w.controller.get(User, { id: 5 })?.name).toBe('Ada');
  expect(new User().pk()).toBe(0);
});

test('[N1] `pk()` of a class computes the primary key of its entities', async () => {
  class Slug extends Entity {
    slug = '';
    lang = '';
    override pk() {
      return `${this.lang}/${this.slug}`;
    }
  }
  const w = world();
  await w.controller.set(Slug, { slug: 'a', lang: 'de' }, { slug: 'a', lang: 'de' });
  await w.controller.set(Slug, { slug: 'a', lang: 'en' }, { slug: 'a', lang: 'en' });
  expect(w.controller.get(Slug, { slug: 'a', lang: 'de' })?.lang).toBe('de');
  expect(w.controller.entity(Slug, 'en/a').value?.lang).toBe('en');
});

test('[N1] EntityMixin creates an entity class from any class', async () => {
  class Data {
    slug = '';
    words: string[] = [];
    writer: User | null = null;
    count() {
      return this.words.length;
    }
  }
  class Post extends EntityMixin(Data, { pk: 'slug', key: 'Post', schema: { writer: User } }) {}
  const answer = { slug: 'a', words: ['x', 'y'], writer: { id: 1, name: 'Ada' } };
  const post = await get(Post, answer);
  expect(post).toBeInstanceOf(Data);
  expect(post.count()).toBe(2);
  expect(post.writer).toBeInstanceOf(User);
  expect(Post.key).toBe('Post');
});

test('[N1] a primary key as the argument of set becomes the field that is the primary key', async () => {
  class Data {
    slug = '';
    title = '';
  }
  class Post extends EntityMixin(Data, { pk: 'slug' }) {}
  const w = world();
  await w.controller.set(Post, 'intro', { title: 'x' });
  expect(w.controller.get(Post, 'intro')).toMatchObject({ slug: 'intro', title: 'x' });
});

test('[N1] the pk of EntityMixin may be a function of the record', async () => {
  class Row {
    a = 0;
    b = 0;
  }
  class Cell extends EntityMixin(Row, { pk: ({ a, b }: Row) => `${a}:${b}` }) {}
  const w = world();
  await w.controller.set(Cell, { a: 1, b: 2 }, { a: 1, b: 2 });
  expect(w.controller.entity(Cell, '1:2').value).toMatchObject({ a: 1, b: 2 });
});

test('[N2] defaults fill fields that are absent or undefined', async () => {
  const todo = await get(Todo, { id: 1, title: undefined });
  expect({ ...todo }).toEqual({
    id: 1,
    title: '',
    done: false,
    userId: 0,
    author: null,
    tags: [],
  });
});

test('[N2] an explicit null is kept', async () => {
  expect((await get(Todo, { id: 1, title: null })).title).toBeNull();
});

test('[N2] unknown fields are kept', async () => {
  const todo = await get(Todo, { id: 1, extra: { deep: [1] } });
  expect(todo).toMatchObject({ extra: { deep: [1] } });
});

test('[N2] an entity that is read has the methods and getters of its class', async () => {
  const todo = await get(Todo, { id: 1, title: 'buy milk' });
  expect(todo).toBeInstanceOf(Todo);
  expect(todo.upper).toBe('BUY MILK');
  expect(todo.titled('* ')).toBe('* buy milk');
});

test('[N2] a function in a field reads the fields of its own instance', async () => {
  class Cart extends Entity {
    id = 0;
    price = 2;
    created = Math.random();
    total = () => this.price * 2;
  }
  const { controller } = world();
  await controller.set(Cart, { id: 1 }, { price: 5 });
  const first = controller.get(Cart, 1);
  expect(first?.total()).toBe(10);
  await controller.set(Cart, { id: 1 }, { price: 7 });
  const second = controller.get(Cart, 1);
  expect([second?.total(), second?.created]).toEqual([14, first?.created]);
  await controller.set(Cart, { id: 1 }, { price: 7 });
  expect(controller.get(Cart, 1)).toBe(second);
});

test('[N2] a getter of the class hides a received field of the same name', async () => {
  const todo = await get(Todo, { id: 1, title: 'a', upper: 'from the server' });
  expect(todo.upper).toBe('A');
});

test('[N2] instances are frozen in development, also after a change', async () => {
  const w = world();
  await w.controller.set(Todo, { id: 1 }, { title: 'a', author: { id: 2 } });
  const before = w.controller.get(Todo, { id: 1 }) as Todo;
  await w.controller.set(Todo, { id: 1 }, { title: 'b' });
  const after = w.controller.get(Todo, { id: 1 }) as Todo;
  for (const todo of [before, after]) {
    expect(Object.isFrozen(todo)).toBe(true);
    expect(Object.isFrozen(todo.author)).toBe(true);
    expect(() => Object.assign(todo, { title: 'x' })).toThrow(TypeError);
  }
});

test('[N2] a snapshot stays unchanged after later writes', async () => {
  const w = world();
  await w.controller.set(Todo, { id: 1 }, { title: 'a', author: { id: 2, name: 'Ada' } });
  const before = w.controller.get(Todo, { id: 1 }) as Todo;
  await w.controller.set(Todo, { id: 1 }, { title: 'b', author: { id: 2, name: 'Bob' } });
  expect([before.title, before.author?.name]).toEqual(['a', 'Ada']);
});

test('[N13] fromJS creates a local instance from some of the fields', () => {
  const todo = Todo.fromJS({ title: 'a' });
  expect(todo).toBeInstanceOf(Todo);
  expect({ ...todo }).toMatchObject({ id: 0, title: 'a', done: false });
});

test('[N13] entities are spread, serialized and cloned like instances of a plain class', async () => {
  const answer = { id: 1, title: 'a', author: { id: 2, name: 'Ada' }, tags: [{ id: 3 }] };
  const todo = await get(Todo, answer);
  const plain = {
    id: 1,
    title: 'a',
    done: false,
    userId: 0,
    author: { id: 2, name: 'Ada' },
    tags: [{ id: 3, label: '' }],
  };
  expect(JSON.parse(JSON.stringify(todo))).toEqual(plain);
  expect(structuredClone({ ...todo })).toEqual(plain);
  expect(structuredClone(todo)).toEqual(plain);
  expect(Object.keys(todo).sort()).toEqual(Object.keys(plain).sort());
});

test('[N13] nested entities are instances of their own classes', async () => {
  const todo = await get(Todo, { id: 1, author: { id: 2 }, tags: [{ id: 3 }] });
  expect(todo.author).toBeInstanceOf(User);
  expect(todo.tags[0]).toBeInstanceOf(Tag);
});

test('[N13] set stores the nested entities of a local instance', async () => {
  const w = world();
  const article = Article.fromJS({
    id: 1,
    title: 'a',
    author: User.fromJS({ id: 2, name: 'Ada' }),
  });
  await w.controller.set(Article, { id: 1 }, article);
  expect(w.controller.get(User, { id: 2 })?.name).toBe('Ada');
  expect(w.controller.get(Article, { id: 1 })?.author).toBe(w.controller.get(User, { id: 2 }));
});
