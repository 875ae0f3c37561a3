/** @jsxImportSource preact */
// Live data in Preact: only the component that read a changed field runs.
import { useComputed } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { expect, expectTypeOf, test } from 'vitest';
import { Endpoint, Entity, live } from 'signalbox';
import type { ReadonlySignal } from 'signalbox';
import { $, useDLE, useQuery, useSuspense } from 'signalbox/preact';
import { holders } from '../contract/page.ts';
import { User, world } from '../contract/world.ts';
import type { Todo, World } from '../contract/world.ts';
import { during, mount } from './mount.tsx';

interface RowProps {
  readonly w: World;
  readonly todo: Todo;
}

function Plain({ w, todo }: RowProps): VNode {
  w.count(`row ${todo.id}`);
  return <li>{todo.title}</li>;
}

function Bound({ w, todo }: RowProps): VNode {
  w.count(`row ${todo.id}`);
  return <li title={$(todo).title}>{$(todo).title}</li>;
}

/** A page with all todos, each rendered by `Row`. */
function listOf(w: World, Row: (props: RowProps) => VNode): VNode {
  const List = (): VNode => {
    const todos = useSuspense(w.getList, {});
    w.count('list');
    return (
      <ul>
        {todos.map((todo) => (
          <Row key={todo.id} w={w} todo={todo} />
        ))}
      </ul>
    );
  };
  return <List />;
}

const texts = (root: HTMLElement): (string | null)[] =>
  Array.from(root.querySelectorAll('li'), ({ textContent }) => textContent);

test('[H3] a row without memo re-renders alone when a field that it reads changes', async () => {
  const w = world({ size: 3 });
  const root = await mount(w, listOf(w, Plain));
  w.ran();
  await during(() => w.controller.set(w.Todo, { id: 2 }, { title: 'new' }));
  expect(w.ran()).toEqual({ 'row 2': 1 });
  expect(texts(root)).toEqual(['t1', 'new', 't3']);
});

test('[V5] a change of a field that no row reads re-renders nothing', async () => {
  const w = world({ size: 3 });
  await mount(w, listOf(w, Plain));
  w.ran();
  await during(() => w.controller.set(w.Todo, { id: 2 }, { done: true }));
  await during(() => w.controller.set(User, { id: 2 }, { name: 'eve' }));
  expect(w.ran()).toEqual({});
});

test('[H3] $ binds a text and an attribute, which change without a render', async () => {
  const w = world({ size: 3 });
  const root = await mount(w, listOf(w, Bound));
  const item = root.querySelectorAll('li')[1] as HTMLLIElement;
  const text = item.firstChild;
  w.ran();
  await during(() => w.controller.set(w.Todo, { id: 2 }, { title: 'new' }));
  expect(w.ran()).toEqual({});
  expect(texts(root)).toEqual(['t1', 'new', 't3']);
  expect(item.title).toBe('new');
  expect(item.firstChild).toBe(text);
});

test('[H3] $ binds a nested field, and the row re-renders when its author is replaced', async () => {
  const w = world({ size: 2 });
  const Row = ({ w, todo }: RowProps): VNode => {
    w.count(`row ${todo.id}`);
    return <li>{todo.author ? $(todo.author).name : 'nobody'}</li>;
  };
  const root = await mount(w, listOf(w, Row));
  w.ran();
  await during(() => w.controller.set(User, { id: 1 }, { name: 'eve' }));
  expect(w.ran()).toEqual({});
  expect(texts(root)).toEqual(['eve', 'bob']);
  await during(() => w.controller.set(w.Todo, { id: 1 }, { author: 2 }));
  expect(w.ran()).toEqual({ 'row 1': 1 });
  expect(texts(root)).toEqual(['bob', 'bob']);
});

class Named extends Entity {
  id = 0;
  first = '';
  last = '';
  get full(): string {
    return `${this.first} ${this.last}`;
  }
  greet(): string {
    return `hi ${this.first}`;
  }
  static override key = 'Named';
}
const getNamed = new Endpoint(async ({ id }: { id: number }) => ({ id, first: 'ada', last: 'l' }), {
  name: 'getNamed',
  schema: Named,
});

test('[V5] $ follows a getter and returns the same signal each time', async () => {
  const w = world();
  await w.controller.fetch(getNamed, { id: 1 });
  const named = live(w.controller, Named, 1);
  expect($(named)).toBe($(named));
  expect($(named).full).toBe($(named).full);
  expect($(named).first).toBe($(named).first);
  expectTypeOf($(named).full).toEqualTypeOf<ReadonlySignal<string>>();
  expectTypeOf($(named)).not.toHaveProperty('greet');
  const seen: string[] = [];
  const stop = $(named).full.subscribe((full) => void seen.push(full));
  await w.controller.set(Named, { id: 1 }, { last: 'b' });
  stop();
  expect(seen).toEqual(['ada l', 'ada b']);
});

test('[V5] a component that calls a method re-renders when a field that the method reads changes', async () => {
  const w = world();
  const Greeting = (): VNode => {
    const named = useSuspense(getNamed, { id: 1 });
    w.count('greeting');
    return <p>{named.greet()}</p>;
  };
  const root = await mount(w, <Greeting />);
  w.ran();
  await during(() => w.controller.set(Named, { id: 1 }, { last: 'b' }));
  expect(w.ran()).toEqual({});
  await during(() => w.controller.set(Named, { id: 1 }, { first: 'eve' }));
  expect(w.ran()).toEqual({ greeting: 1 });
  expect(root.textContent).toBe('hi eve');
});

test('[V5] $ throws A2 for a value that is not live', async () => {
  const w = world();
  const snapshot = await w.controller.fetch(getNamed, { id: 1 });
  expect(() => $(snapshot)).toThrow(/^\[signalbox A2\] .\$. expects an entity/);
  expect(() => $(null as never)).toThrow('[signalbox A2]');
});

test('[H2] a suspended component tracks nothing, and no change re-renders it', async () => {
  const w = world();
  let attempts = 0;
  const Detail = (): VNode => {
    attempts++;
    return <p>{useSuspense(w.getTodo, { id: 1 }).title}</p>;
  };
  w.server.hold();
  const root = await mount(w, <Detail />);
  expect([attempts, root.textContent]).toEqual([1, 'loading']);
  expect(holders(w.controller.view(w.getTodo, { id: 1 }))).not.toContain('signal');
  await during(() => w.controller.set(User, { id: 1 }, { name: 'eve' }));
  expect(attempts).toBe(1);
  await during(() => w.server.release());
  expect([attempts, root.textContent]).toEqual([2, 't1']);
  expect(w.server.log).toEqual(['GET /todos/1']);
});

test('[H2] a component that throws tracks nothing', async () => {
  const w = world();
  w.server.fail(404);
  await w.controller.fetch(w.getTodo, { id: 1 }).catch(() => {});
  const Detail = (): VNode => <p>{useSuspense(w.getTodo, { id: 1 }).title}</p>;
  await expect(mount(w, <Detail />)).rejects.toThrow('status 404');
  expect(holders(w.controller.view(w.getTodo, { id: 1 }))).toEqual([]);
});

test('[H1] useQuery returns a signal: a component that only passes the signal on does not re-render', async () => {
  const w = world();
  const Title = ({ of }: { of: ReturnType<typeof useQuery<World['getTodo']>> }): VNode => {
    const { status, data } = of.value;
    w.count('title');
    return <p>{data?.title ?? status}</p>;
  };
  const Page = (): VNode => {
    const todo = useQuery(w.getTodo, { id: 1 });
    w.count('page');
    return <Title of={todo} />;
  };
  w.server.hold();
  const root = await mount(w, <Page />);
  expect(root.textContent).toBe('pending');
  expect(w.ran()).toEqual({ page: 1, title: 1 });
  await during(() => w.server.release());
  expect(root.textContent).toBe('t1');
  expect(w.ran()).toEqual({ title: 1 });
});

test('[H1] a mounted useQuery refetches after an invalidation', async () => {
  const w = world();
  const Title = ({ of }: { of: ReturnType<typeof useQuery<World['getTodo']>> }): VNode => (
    <p>{of.value.data?.title ?? of.value.status}</p>
  );
  const Page = (): VNode => <Title of={useQuery(w.getTodo, { id: 1 })} />;
  const root = await mount(w, <Page />);
  expect([root.textContent, w.server.log.length]).toEqual(['t1', 1]);
  w.server.hold();
  await during(() => w.controller.invalidate(w.getTodo, { id: 1 }));
  expect([root.textContent, w.server.log.length]).toEqual(['pending', 2]);
  await during(() => w.server.release());
  expect([root.textContent, w.server.log.length]).toEqual(['t1', 2]);
});

test('[H1] useDLE renders once while loading and once with data, also after an equal response', async () => {
  const w = world({ invalidIfStale: true });
  const Page = (): VNode => {
    const { data, loading } = useDLE(w.getTodo, { id: 1 });
    w.count(loading ? 'wait' : `show ${data?.title}`);
    return <p>{data?.title}</p>;
  };
  await mount(w, <Page />);
  expect(w.ran()).toEqual({ wait: 1, 'show t1': 1 });
  w.clock.advance(60_001);
  await mount(w, <Page />);
  expect(w.ran()).toEqual({ wait: 1, 'show t1': 1 });
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
});

test('[V5] a live object keeps its reference: useComputed follows its fields, useMemo does not', async () => {
  const w = world({ size: 1 });
  function Title(): VNode {
    const todo = useSuspense(w.getTodo, { id: 1 });
    const fresh = useComputed(() => todo.title.toUpperCase());
    const old = useMemo(() => todo.title, [todo]);
    return <li>{`${fresh.value} ${old}`}</li>;
  }
  const root = await mount(w, <Title />);
  await during(() => w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
  expect(texts(root)).toEqual(['NEW t1']);
});
