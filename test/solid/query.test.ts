// useQuery: stored data of a schema without a request, as an accessor of live data.
import { createComponent, createSignal, For } from 'solid-js';
import type { Accessor, JSX } from 'solid-js';
import { expect, expectTypeOf, test } from 'vitest';
import { All, Query } from 'signalbox';
import { useQuery } from 'signalbox/solid';
import { world } from '../contract/world.ts';
import type { Todo, World } from '../contract/world.ts';
import { element, mount, quiet } from './mount.ts';

const seed = (w: World) =>
  w.controller.set(
    [w.Todo],
    ['c', 'b', 'a'].map((title, at) => ({ id: at + 1, title })),
  );

test('[H1] useQuery follows its arguments and sends no request', async () => {
  const w = world();
  const [id, setId] = createSignal(1);
  const { root } = mount(w, () => {
    const todo = useQuery(w.Todo, () => ({ id: id() }));
    expectTypeOf(todo).toEqualTypeOf<Accessor<Todo | undefined>>();
    return element('p', () => todo()?.title ?? 'nobody');
  });
  expect(root.textContent).toBe('nobody');
  await seed(w);
  expect(root.textContent).toBe('c');
  setId(3);
  await quiet();
  expect([root.textContent, w.server.log]).toEqual(['a', []]);
});

test('[N17] only changed rows of a declared query run, and the list runs if rows are added, removed or moved', async () => {
  const w = world();
  const sorted = new Query(new All(w.Todo), { sort: 'title', limit: 2 });
  await seed(w);
  const { root } = mount(w, () => {
    const todos = useQuery(sorted);
    return createComponent(For<readonly Todo[], JSX.Element>, {
      get each() {
        w.count('list');
        return todos();
      },
      children: (todo) => (w.count(`row ${todo.id}`), element('li', () => todo.title)),
    });
  });
  expect([root.textContent, w.ran()]).toEqual(['ab', { list: 1, 'row 2': 1, 'row 3': 1 }]);
  await w.controller.set(w.Todo, { id: 1 }, { title: 'd' });
  await w.controller.set(w.Todo, { id: 2 }, { title: 'c' });
  expect([root.textContent, w.ran()]).toEqual(['ac', {}]);
  await w.controller.set(w.Todo, { id: 1 }, { title: '0' });
  expect([root.textContent, w.ran()]).toEqual(['0a', { list: 1, 'row 1': 1 }]);
});
