/** @jsxImportSource preact */
// The provider of Preact, and the types of reading.
import { render } from 'preact';
import type { VNode } from 'preact';
import { act } from 'preact/test-utils';
import { Signal, signal } from '@preact/signals';
import { expect, expectTypeOf, test } from 'vitest';
import { Controller } from 'signalbox';
import {
  DataProvider,
  For,
  Provider,
  useCancelling,
  useController,
  useDLE,
  useIsFetching,
  useQuery,
  useStatus,
  useSuspense,
} from 'signalbox/preact';
import { keptLine, world } from '../contract/world.ts';
import type { Todo, World } from '../contract/world.ts';
import { during, mount } from './mount.tsx';

test('[H1] a Provider without a controller creates one and keeps it', async () => {
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

test('[H1] with another controller, useDLE shows no data of the former controller', async () => {
  const [one, two] = [world(), world()];
  two.server.hold();
  const Detail = ({ id }: { id: number }): VNode => <p>{keptLine(useDLE(one.keptTodo, { id }))}</p>;
  const app = (w: World, id: number): VNode => (
    <Provider controller={w.controller}>
      <Detail id={id} />
    </Provider>
  );
  const shown = signal(app(one, 1));
  const App = (): VNode => shown.value;
  const root = await mount(one, <App />);
  expect(root.textContent).toBe('t1 by ada');
  one.server.hold();
  for (const id of [1, 2]) {
    await during(() => {
      shown.value = app(two, id);
    });
    expect(root.textContent).toBe('wait');
  }
});

test('[H1] a hook outside of a provider throws an error that names the fix', () => {
  const Child = (): null => void useController() as never;
  const draw = (): void => render(<Child />, document.createElement('main'));
  expect(draw).toThrow(/^\[signalbox A1\] .useController. was called outside a Provider/);
  const { getTodo } = world();
  for (const args of [{ id: 1 }, null]) {
    const Cancelling = (): null => void useCancelling(getTodo, args) as never;
    const cancel = (): void => render(<Cancelling />, document.createElement('main'));
    expect(cancel).toThrow(/^\[signalbox A1\] .useCancelling. was called outside a Provider/);
  }
});

test('[C9] null arguments return the empty value of the schema, and send no request', async () => {
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

const reads: Readonly<Record<string, (w: World) => unknown>> = {
  useSuspense: (w) => useSuspense(w.getTodo, { id: 1 }),
  useQuery: (w) => useQuery(w.Todo, { id: 1 }),
  useStatus: (w) => useStatus(w.getTodo, { id: 1 }),
  useIsFetching: () => useIsFetching(),
  For: (w) => For({ each: w.getList, params: {}, children: () => null }),
};

test.each(Object.keys(reads))(
  '[H9] %s throws A4 if the runtime tracks signals of another copy of the engine',
  async (name) => {
    const w = world();
    await w.controller.fetch(w.getTodo, { id: 1 });
    await w.controller.fetch(w.getList, {});
    const thrown: unknown[] = [];
    const Reader = (): null => {
      try {
        reads[name]?.(w);
      } catch (error) {
        thrown.push(error);
      }
      return null;
    };
    await mount(w, <Reader />);
    expect(thrown).toEqual([]);
    // a runtime does this to the imported copy
    const drawn = Object.getOwnPropertyDescriptor(Signal.prototype, 'type') as PropertyDescriptor;
    Reflect.deleteProperty(Signal.prototype, 'type');
    await mount(w, <Reader />);
    Object.defineProperty(Signal.prototype, 'type', drawn);
    expect(thrown).toEqual([
      expect.objectContaining({
        code: 'A4',
        message: expect.stringMatching(/"@preact\/signals" uses another copy/),
      }),
    ]);
  },
);
