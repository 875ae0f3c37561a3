// @vitest-environment happy-dom
// The adapter for Vue of docs/guides/writing-an-adapter.md, in Vue.
import { createResource, Entity } from 'signalbox';
import type { Controller } from 'signalbox';
import { mockController } from 'signalbox/testing';
import { expect, test } from 'vitest';
import { createApp, defineComponent, h, nextTick, ref } from 'vue';
import { provideController, useRead } from '../../examples/adapters/vue.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
}
const Todos = createResource({ path: '/todos/:id', schema: Todo });

function world() {
  const fixtures = [1, 2].map((id) => ({
    endpoint: Todos.get,
    args: [{ id }] as const,
    response: { id, title: `Todo ${id}` },
  }));
  return mockController({ fixtures });
}

/** Mounts a component that shows a todo; returns the element, the ref of the id, and a function that unmounts. */
function mount(controller: Controller) {
  const id = ref(1);
  const Title = defineComponent(() => {
    const { data, loading, error } = useRead(Todos.get, () => [{ id: id.value }] as const);
    return () => h('p', loading.value ? 'loading' : (error.value?.message ?? data.value?.title));
  });
  const App = defineComponent(() => {
    provideController(controller);
    return () => h(Title);
  });
  const element = document.createElement('div');
  const app = createApp(App);
  app.mount(element);
  return { element, id, unmount: () => app.unmount() };
}

async function shows(element: HTMLElement, text: string): Promise<void> {
  await expect.poll(() => element.textContent).toBe(text);
}

test('[H1] the adapter for Vue loads, follows changes and changed arguments', async () => {
  const controller = world();
  const { element, id } = mount(controller);
  expect(element.textContent).toBe('loading');
  await shows(element, 'Todo 1');
  await controller.set(Todo, { id: 1 }, { title: 'changed' });
  await shows(element, 'changed');
  id.value = 2;
  await shows(element, 'Todo 2');
});

test('[H1] the adapter for Vue refetches after an invalidation', async () => {
  const controller = world();
  const { element } = mount(controller);
  await shows(element, 'Todo 1');
  await controller.set(Todo, { id: 1 }, { title: 'changed' });
  controller.invalidate(Todos.get, { id: 1 });
  await shows(element, 'Todo 1');
  expect(controller.get(Todo, { id: 1 })?.title).toBe('Todo 1');
});

test('[H1] the adapter for Vue releases its reader when the component is unmounted', async () => {
  const controller = world();
  const { element, unmount } = mount(controller);
  await shows(element, 'Todo 1');
  const reader = controller.view(Todos.get, { id: 1 });
  expect(reader.readers).toBe(1);
  unmount();
  await nextTick();
  expect(reader.readers).toBe(0);
});
