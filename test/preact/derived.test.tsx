/** @jsxImportSource preact */
// Values computed from the data of a hook follow the hook's arguments.
import { computed, effect, signal, useComputed, useSignalEffect } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { Entity } from 'signalbox';
import { describe, expect, test, vi } from 'vitest';
import {
  useCache,
  useDLE,
  useDLEAll,
  useLive,
  useQuery,
  useSuspense,
  useSuspenseAll,
} from 'signalbox/preact';
import { User, world } from '../contract/world.ts';
import type { Todo, World } from '../contract/world.ts';
import { during, mount } from './mount.tsx';

type Id = number | null;
const paramsOf = (id: Id) => (id === null ? null : { id });

const records: Record<string, (w: World, id: Id) => Todo | undefined> = {
  useSuspense: (w, id) => useSuspense(w.getTodo, paramsOf(id)),
  useLive: (w, id) => useLive(w.pollTodo, paramsOf(id)),
  useCache: (w, id) => useCache(w.getTodo, paramsOf(id)),
  useDLE: (w, id) => useDLE(w.getTodo, paramsOf(id)).data,
  useSuspenseAll: (w, id) => useSuspenseAll([[w.getTodo, paramsOf(id)]])[0],
  useDLEAll: (w, id) => useDLEAll([[w.getTodo, paramsOf(id)]])[0].data,
  useQuery: (w, id) => useQuery(w.getTodo, paramsOf(id)).value.data,
};

/** Mounts `App` with an id; the function returned shows another id. */
async function pageOf(w: World, App: (props: { id: Id }) => VNode, first: Id) {
  // not in state: Preact 10 drops the state of a boundary that suspends again
  const shown = signal(first);
  const Root = (): VNode => <App id={shown.value} />;
  const root = await mount(w, <Root />);
  const show = (id: Id) =>
    during(() => {
      shown.value = id;
    });
  return { root, show };
}

const store = (w: World) => Promise.all([1, 2].map((id) => w.controller.fetch(w.getTodo, { id })));

/** Renders `children`, which do not re-render with this component. */
const Frame = ({ children }: { children: ComponentChildren }): VNode => <p>{children}</p>;

for (const [name, useRecord] of Object.entries(records)) {
  test(`[V5] ${name}: useComputed and useSignalEffect follow the record to other arguments`, async () => {
    const w = world({ size: 2 });
    await store(w);
    const effects: unknown[] = [];
    const App = ({ id }: { id: Id }): VNode => {
      const todo = useRecord(w, id);
      const title = useComputed(() => todo?.title);
      useSignalEffect(() => void effects.push(todo?.title));
      return (
        <Frame>
          {title} <b title={title}>{title.value}</b>
        </Frame>
      );
    };
    const { root, show } = await pageOf(w, App, 1);
    for (const id of [2, 1, 2]) {
      await show(id);
      await expect.poll(() => root.textContent).toBe(`t${id} t${id}`);
      await expect.poll(() => root.querySelector('b')?.title).toBe(`t${id}`);
      await expect.poll(() => effects.at(-1)).toBe(`t${id}`);
    }
    await during(() => w.controller.set(w.Todo, { id: 2 }, { title: 'new' }));
    await expect.poll(() => root.textContent).toBe('new new');
    await expect.poll(() => effects.at(-1)).toBe('new');
  });

  test(`[V5] ${name}: a computed that depends on the record follows null and pending arguments`, async () => {
    const w = world({ size: 3 });
    const effects: unknown[] = [];
    const App = ({ id }: { id: Id }): VNode => {
      const todo = useRecord(w, id);
      const title = useMemo(() => computed(() => todo?.title ?? 'nothing'), [todo]);
      useEffect(() => effect(() => void effects.push(todo?.title ?? 'nothing')), [todo]);
      return <Frame>{title}</Frame>;
    };
    const { root, show } = await pageOf(w, App, 1);
    if (name === 'useCache') await during(() => store(w));
    await expect.poll(() => root.textContent).toBe('t1');
    await show(null);
    await expect.poll(() => root.textContent).toBe('nothing');
    w.server.hold();
    await show(3);
    await show(2);
    await during(() => w.server.release());
    if (name === 'useCache') await during(() => store(w));
    await expect.poll(() => root.textContent).toBe('t2');
    await expect.poll(() => effects.at(-1)).toBe('t2');
    await during(() => w.controller.set(w.Todo, { id: 2 }, { title: 'new' }));
    await expect.poll(() => root.textContent).toBe('new');
    await expect.poll(() => effects.at(-1)).toBe('new');
  });
}

test('[V5] useQuery returns one signal for all arguments, which follows null and pending arguments', async () => {
  const w = world({ size: 3 });
  const seen = new Set<unknown>();
  const effects: unknown[] = [];
  const App = ({ id }: { id: Id }): VNode => {
    const todo = useQuery(w.getTodo, paramsOf(id));
    seen.add(todo);
    w.count('app');
    const title = useComputed(() => todo.value.data?.title ?? todo.value.status);
    useSignalEffect(() => void effects.push(todo.value.data?.title));
    return (
      <Frame>
        {title} <Title todo={title} />
      </Frame>
    );
  };
  const Title = ({ todo }: { todo: ReadonlySignal<string> }): VNode => <b>{todo.value}</b>;
  const { root, show } = await pageOf(w, App, 1);
  await expect.poll(() => root.textContent).toBe('t1 t1');
  await show(null);
  await expect.poll(() => root.textContent).toBe('success success');
  w.server.hold();
  await show(3);
  await expect.poll(() => root.textContent).toBe('pending pending');
  await show(2);
  await during(() => w.server.release());
  await expect.poll(() => root.textContent).toBe('t2 t2');
  await expect.poll(() => effects.at(-1)).toBe('t2');
  expect(seen.size).toBe(1);
  // a render for each id, and none for the data
  expect(w.ran()).toEqual({ app: 4 });
});

test('[V5] useComputed of a child follows a record that is passed as a prop to the next record', async () => {
  const w = world({ size: 2 });
  await store(w);
  const Title = ({ todo }: { todo: Todo }): VNode => <b>{useComputed(() => todo.title)}</b>;
  const App = ({ id }: { id: Id }): VNode => (
    <Title todo={useSuspense(w.getTodo, { id: id as number })} />
  );
  const { root, show } = await pageOf(w, App, 1);
  await show(2);
  await expect.poll(() => root.textContent).toBe('t2');
});

test('[V5] a handler created for a former record keeps reading that record', async () => {
  const w = world({ size: 2 });
  await store(w);
  const handlers: (() => string)[] = [];
  const App = ({ id }: { id: Id }): VNode => {
    const todo = useSuspense(w.getTodo, { id: id as number });
    handlers.push(() => todo.title);
    return <p>{todo.title}</p>;
  };
  const { show } = await pageOf(w, App, 1);
  await show(2);
  expect([handlers[0]?.(), handlers.at(-1)?.()]).toEqual(['t1', 't2']);
});

test('[V5] a computed that depends on a list follows the list to other arguments', async () => {
  const w = world({ size: 3 });
  const App = ({ id }: { id: Id }): VNode => {
    const todos = useSuspense(w.getList, id === null ? null : { userId: id });
    const titles = useMemo(() => computed(() => todos.map(({ title }) => title).join()), [todos]);
    return <Frame>{titles}</Frame>;
  };
  const { root, show } = await pageOf(w, App, 1);
  const first = root.textContent;
  await show(null);
  await expect.poll(() => root.textContent).toBe('');
  await show(1);
  await expect.poll(() => root.textContent).toBe(first);
});

describe('a form that cannot follow', () => {
  const warned = () => vi.spyOn(console, 'warn').mockImplementation(() => {});

  test('[V5] development warns with A9 if useComputed keeps the rows of a former list', async () => {
    const warn = warned();
    const w = world({ size: 3 });
    const App = ({ id }: { id: Id }): VNode => {
      const todos = useSuspense(w.getList, { userId: id as number });
      return <Frame>{useComputed(() => todos.map(({ title }) => title).join())}</Frame>;
    };
    for (const userId of [1, 2]) await w.controller.fetch(w.getList, { userId });
    const { show } = await pageOf(w, App, 1);
    expect(warn).not.toHaveBeenCalled();
    await show(2);
    await expect.poll(() => warn.mock.calls.flat().join()).toMatch(/signalbox A9.*t1,t3.*t2/s);
  });

  // each of a class of its own: development warns once for a class
  class Driver extends User {
    static override key = 'Driver';
  }
  class Guest extends User {
    static override key = 'Guest';
  }
  class Car extends Entity {
    id = 0;
    driver: Driver | null = null;
    guests: Guest[] = [];
    static override schema = { driver: Driver, guests: [Guest] };
  }
  const taken: Record<string, (car: Car | undefined) => User | null | undefined> = {
    'a nested entity': (car) => car?.driver,
    'a row of a nested list': (car) => car?.guests[0],
  };

  test.each(Object.entries(taken))(
    '[V5] development warns of useComputed that keeps %s of the former record',
    async (_, take) => {
      const warn = warned();
      const w = world({ size: 2 });
      const App = ({ id }: { id: Id }): VNode => {
        const user = take(useQuery(Car, paramsOf(id)).value.data);
        return <Frame>{useComputed(() => user?.name)}</Frame>;
      };
      for (const id of [1, 2]) {
        const user = { id, name: `user ${id}` };
        await w.controller.set(Car, { id }, { driver: user, guests: [user] });
      }
      const { show } = await pageOf(w, App, 1);
      expect(warn).not.toHaveBeenCalled();
      await show(2);
      await expect.poll(() => warn.mock.calls.flat().join()).toMatch(/A9.*user 1.*user 2/s);
    },
  );

  test('[V5] development warns with A9 if useComputed keeps a record that was undefined in between', async () => {
    const warn = warned();
    const w = world({ size: 3 });
    const App = ({ id }: { id: Id }): VNode => {
      const { data } = useQuery(User, paramsOf(id)).value;
      return <Frame>{useComputed(() => data?.name)}</Frame>;
    };
    for (const id of [1, 2]) await w.controller.set(User, { id }, { name: `user ${id}` });
    const { show } = await pageOf(w, App, 1);
    await show(null);
    expect(warn).not.toHaveBeenCalled();
    await show(2);
    await expect.poll(() => warn.mock.calls.flat().join()).toContain('signalbox A9');
  });

  test('[V5] development does not warn about computed signals that follow other arguments', async () => {
    const warn = warned();
    const w = world({ size: 3 });
    const App = ({ id }: { id: Id }): VNode => {
      const todo = useSuspense(w.getTodo, paramsOf(id));
      const todos = useSuspense(w.getList, id === null ? null : { userId: id });
      const all = useQuery(w.getList, id === null ? null : { userId: id });
      const title = useComputed(() => (id === null ? '' : todo?.title));
      const titles = useMemo(() => computed(() => todos.map((each) => each.title)), [todos]);
      const count = useComputed(() => all.value.data?.filter(({ done }) => !done).length);
      return (
        <Frame>
          {title} {titles} {count}
        </Frame>
      );
    };
    const { show } = await pageOf(w, App, 1);
    for (const id of [2, 1]) await show(id);
    await during(() => w.controller.fetch(w.create, { title: 'new', userId: 1 }));
    await during();
    expect(warn).not.toHaveBeenCalled();
  });
});
