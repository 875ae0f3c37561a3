// The adapter for Svelte of docs/guides/writing-an-adapter.md: as a store, and in compiled components.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createResource, Entity } from 'signalbox';
import { mockController } from 'signalbox/testing';
import type { Component } from 'svelte';
import { compile } from 'svelte/compiler';
import { render } from 'svelte/server';
import { get } from 'svelte/store';
import { expect, test } from 'vitest';
import { read } from '../../examples/adapters/svelte.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
}
const Todos = createResource({ path: '/todos/:id', schema: Todo });

function world() {
  const controller = mockController({
    fixtures: [{ endpoint: Todos.get, args: [{ id: 1 }], response: { id: 1, title: 'Todo 1' } }],
  });
  const seen: string[] = [];
  const todo = read(controller, Todos.get, { id: 1 });
  const follow = () =>
    todo.subscribe(({ data, loading }) => void seen.push(loading ? 'loading' : `${data?.title}`));
  const shows = async (text: string) => {
    await expect.poll(() => seen.at(-1)).toBe(text);
  };
  return { controller, todo, seen, follow, shows };
}

test('[H1] the adapter for Svelte loads, and follows changes and invalidations', async () => {
  const { controller, seen, follow, shows } = world();
  follow();
  expect(seen).toEqual(['loading']);
  await shows('Todo 1');
  await controller.set(Todo, { id: 1 }, { title: 'changed' });
  await shows('changed');
  controller.invalidate(Todos.get, { id: 1 });
  await shows('Todo 1');
});

test('[H1] the adapter for Svelte fetches nothing without a subscriber, and releases its reader after the last one', async () => {
  const { controller, todo, follow, shows } = world();
  const reader = controller.view(Todos.get, { id: 1 });
  expect(controller.getResponse(Todos.get, { id: 1 }).data).toBeUndefined();
  const stop = follow();
  await shows('Todo 1');
  expect(reader.readers).toBe(1);
  stop();
  expect(reader.readers).toBe(0);
  expect(get(todo).data?.title).toBe('Todo 1');
});

const folder = new URL('../../test-results/svelte/', import.meta.url);
const adapter = new URL('../../examples/adapters/svelte.ts', import.meta.url).pathname;

/** Compiles a component for rendering on a server. */
async function compiled(name: string, source: string): Promise<Component<Record<string, unknown>>> {
  const { js } = compile(source, { generate: 'server', name });
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${name}.js`, folder);
  writeFileSync(file, js.code);
  return ((await import(/* @vite-ignore */ file.pathname)) as { default: never }).default;
}

test('[H1] the adapter for Svelte provides its controller to child components, and throws without one', async () => {
  const { controller } = world();
  await controller.fetch(Todos.get, { id: 1 });
  const Title = await compiled(
    'Title',
    `<script>
       import { read, useController } from '${adapter}';
       let { endpoint, id } = $props();
       const controller = useController();
       const todo = $derived(read(controller, endpoint, { id }));
     </script>
     <p>{$todo.loading ? 'Loading' : $todo.data.title}</p>`,
  );
  const App = await compiled(
    'App',
    `<script>
       import { provideController } from '${adapter}';
       let { controller, Title, endpoint } = $props();
       provideController(controller);
     </script>
     <Title {endpoint} id={1} />`,
  );
  const { body } = render(App, { props: { controller, Title, endpoint: Todos.get } });
  expect(body).toContain('<p>Todo 1</p>');
  expect(() => render(Title, { props: { endpoint: Todos.get, id: 1 } }).body).toThrow(
    'Call provideController',
  );
});
