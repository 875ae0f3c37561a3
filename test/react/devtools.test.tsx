// Time travel under mounted components: they show the past, send no request, and return to the present.
import { createResource } from 'signalbox';
import { connectDevTools } from 'signalbox/devtools';
import { useDLE, useSuspense } from 'signalbox/react';
import { renderDataHook } from 'signalbox/testing/react';
import { act } from 'react';
import { expect, test } from 'vitest';
import { FakeExtension } from '../devtools/fakeExtension.ts';
import { Todo } from '../setup/samples.ts';

Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);

const TodoResource = createResource({ path: '/todos/:id', schema: Todo });

function answering() {
  const asked: number[] = [];
  const response = ({ id }: { id: number }) => {
    asked.push(id);
    return { id, title: `title ${id}` };
  };
  return { asked, resolverFixtures: [{ endpoint: TodoResource.get, response }] };
}

test('[T2] during time travel a mounted reader shows the past state, and then the present without an error', async () => {
  const { asked, resolverFixtures } = answering();
  const useTitle = ({ id }: { id: number }) => useSuspense(TodoResource.get, { id }).title;
  const hook = renderDataHook(useTitle, { initialProps: { id: 1 }, resolverFixtures });
  await hook.allSettled();
  const extension = new FakeExtension();
  const stop = connectDevTools(hook.controller, { extension });
  await act(() => hook.controller.set(Todo, { id: 1 }, { title: 'set' }));
  expect(hook.result.current).toBe('set');
  await act(async () => extension.jump(0));
  expect(hook.result.current).toBe('title 1');
  await act(async () => extension.jump(-1));
  expect(hook.result.current).toBe('set');
  expect([hook.result.error, asked]).toEqual([undefined, [1]]);
  act(stop);
  renderDataHook.cleanup();
});

test('[T2] data missing in a past state are pending, and not fetched before the jump ends', async () => {
  const { asked, resolverFixtures } = answering();
  const useTodo = ({ id }: { id: number }) => useDLE(TodoResource.get, { id });
  const hook = renderDataHook(useTodo, { initialProps: { id: 1 }, resolverFixtures });
  await hook.allSettled();
  const extension = new FakeExtension();
  const stop = connectDevTools(hook.controller, { extension });
  hook.rerender({ id: 2 });
  await hook.waitFor(() => hook.result.current.data?.title === 'title 2');
  const before = [...asked];
  await act(async () => extension.jump(0));
  expect(hook.result.current).toMatchObject({ data: undefined, error: undefined });
  expect(asked).toEqual(before);
  await act(async () => extension.jump(-1));
  await hook.allSettled();
  expect(hook.result.current.data?.title).toBe('title 2');
  expect(asked.length).toBeLessThanOrEqual(before.length + 1);
  act(stop);
  renderDataHook.cleanup();
});
