/** @jsxImportSource preact */
// The provider of Preact, and the types of reading.
import { render } from 'preact';
import type { VNode } from 'preact';
import { act } from 'preact/test-utils';
import { Signal } from '@preact/signals-core';
import { expect, expectTypeOf, test, vi } from 'vitest';
import { Controller } from 'signalbox';
import { DataProvider, Provider, useController, useDLE, useSuspense } from 'signalbox/preact';
import { world } from '../contract/world.ts';
import type { Todo, World } from '../contract/world.ts';
import { mount } from './mount.tsx';

test('[H1] a provider without a controller makes one of its own and keeps it', async () => {
  const seen: Controller[] = [];
  const Child = (): null => {
    seen.push(useController());
    return null;
  };
  const draw = (): VNode => (
    <>
      <Provider>
        <Child />
      </Provider>
      <DataProvider>
        <Child />
      </DataProvider>
    </>
  );
  const root = document.createElement('main');
  await act(() => render(draw(), root));
  await act(() => render(draw(), root));
  const [first, second, ...again] = seen;
  expect(first).toBeInstanceOf(Controller);
  expect(second).not.toBe(first);
  expect(again[0]).toBe(first);
  expect(again[1]).toBe(second);
});

test('[H1] a hook outside of a provider says what to do', () => {
  const Child = (): null => void useController() as never;
  const draw = (): void => render(<Child />, document.createElement('main'));
  expect(draw).toThrow(/^\[signalbox A1\] .useController. was called outside of a Provider/);
});

test('[C9] null arguments give the empty shape of the schema, in types, too', async () => {
  const w = world();
  const Page = ({ id }: { id: number | null }): VNode => {
    const list = useSuspense(w.getList, id === null ? null : { userId: id });
    expectTypeOf(list).toEqualTypeOf<Todo[]>();
    const todo = useSuspense(w.getTodo, id === null ? null : { id });
    expectTypeOf(todo).toEqualTypeOf<Todo | undefined>();
    const { data } = useDLE(w.getTodo, id === null ? null : { id });
    return <p>{`${list.length} ${todo?.title} ${data?.title}`}</p>;
  };
  const root = await mount(w, <Page id={null} />);
  expect(root.textContent).toBe('0 undefined undefined');
  expect(w.server.log).toEqual([]);
});

test('[E5] wrong arguments do not compile', () => {
  const useWrong = (w: World): unknown => [
    // @ts-expect-error id is a number
    useSuspense(w.getTodo, { id: '1' }),
    // @ts-expect-error the argument is missing
    useSuspense(w.getTodo),
  ];
  const useRight = (w: World): Todo => useSuspense(w.getTodo, { id: 1 });
  expect([useWrong, useRight]).toHaveLength(2);
});

test('[H3] a runtime that draws signals of another copy of the engine is named', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const w = world();
  const Detail = (): VNode => <p>{useSuspense(w.getTodo, { id: 1 }).title}</p>;
  await w.controller.fetch(w.getTodo, { id: 1 });
  await mount(w, <Detail />);
  expect(warned).not.toHaveBeenCalled();
  // what a runtime does to the copy that it has itself
  const drawn = Object.getOwnPropertyDescriptor(Signal.prototype, 'type') as PropertyDescriptor;
  Reflect.deleteProperty(Signal.prototype, 'type');
  await mount(w, <Detail />);
  Object.defineProperty(Signal.prototype, 'type', drawn);
  expect(warned).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/A4.*"@preact\/signals" has/),
  );
});
