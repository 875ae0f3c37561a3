// React Native: stacked screens, with the real navigators of React Navigation.
import {
  BaseNavigationContainer,
  createNavigationContainerRef,
  NavigationContext,
} from '@react-navigation/core';
import type { ParamListBase } from '@react-navigation/core';
import { createContext, StrictMode, useState } from 'react';
import type { ComponentType, ReactElement } from 'react';
import {
  Provider,
  useCache,
  useDLE,
  useFetch,
  useLive,
  useSubscription,
  useSuspense,
} from 'signalbox/react/native';
import type { Screen } from 'signalbox/react/native';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { line, world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';
import { page } from './page.ts';
import { app, bounded, settled, Stack, Tabs } from './screens.tsx';

beforeEach(() => void vi.stubGlobal('requestIdleCallback', undefined));
afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

/** The number of requests since the last call. */
const asked = ({ server }: World): number => server.log.splice(0).length;

const MINUTE = 60_000;

const readers: Record<string, (w: World) => ComponentType> = {
  useSuspense: (w) =>
    function Read() {
      return <p>{line(useSuspense(w.getTodo, { id: 1 }))}</p>;
    },
  useDLE: (w) =>
    function Read() {
      return <p>{line(useDLE(w.getTodo, { id: 1 }).data)}</p>;
    },
  'useFetch above useCache': (w) =>
    function Read() {
      void useFetch(w.getTodo, { id: 1 });
      return <p>{line(useCache(w.getTodo, { id: 1 }))}</p>;
    },
};

test.each(Object.entries(readers))(
  '[H6] %s refetches when the user returns to its screen with stale data, and not with fresh data',
  async (_, reader) => {
    const w = world();
    const { lines, cover, comeBack } = await app(w, reader(w));
    expect(lines()).toEqual(['t1 by ada']);
    expect(asked(w)).toBe(1);
    await cover();
    w.clock.advance(MINUTE + 1);
    (w.server.row(1) as { title: string }).title = 'new';
    await comeBack();
    const counts = [asked(w)];
    expect(lines()).toEqual(['new by ada']);
    for (let turn = 0; turn < 2; turn++) {
      await cover();
      await comeBack();
      counts.push(asked(w));
    }
    expect(counts).toEqual([1, 0, 0]);
  },
);

test('[H6] useCache sends no request when the user returns to its screen', async () => {
  const w = world();
  await w.controller.fetch(w.getTodo, { id: 1 });
  const Read = (): ReactElement => <p>{line(useCache(w.getTodo, { id: 1 }))}</p>;
  const { lines, cover, comeBack } = await app(w, Read);
  expect(asked(w)).toBe(1);
  await cover();
  w.clock.advance(MINUTE + 1);
  await comeBack();
  expect([lines(), asked(w)]).toEqual([['t1 by ada'], 0]);
});

test('[H6] the first focus is not a return: stale data are fetched once', async () => {
  const w = world();
  await w.controller.fetch(w.getTodo, { id: 1 });
  w.clock.advance(MINUTE + 1);
  asked(w);
  const { lines } = await app(w, readers['useSuspense']!(w), StrictMode);
  expect([lines(), asked(w)]).toEqual([['t1 by ada'], 1]);
});

test('[H6] a return to a screen refetches the present arguments, if these have expired', async () => {
  const w = world();
  const press: { id?: (id: number) => void } = {};
  function Read(): ReactElement {
    const [id, setId] = useState(1);
    press.id = setId;
    return <p>{line(useSuspense(w.getTodo, { id }))}</p>;
  }
  const { act, lines, cover, comeBack } = await app(w, Read);
  await act(() => press.id?.(2));
  expect(lines()).toEqual(['t2 by bob']);
  expect(w.server.log.splice(0)).toEqual(['GET /todos/1', 'GET /todos/2']);
  w.clock.advance(MINUTE / 2);
  // while the screen is covered, another reader refetches: the data are fresh for longer
  await cover();
  await act(() => w.controller.fetch(w.getTodo, { id: 2 }));
  asked(w);
  w.clock.advance(MINUTE / 2 + 1);
  await comeBack();
  expect(asked(w)).toBe(0);
  await cover();
  w.clock.advance(MINUTE / 2);
  await comeBack();
  expect(w.server.log.splice(0)).toEqual(['GET /todos/2']);
});

test('[H6] arguments changed on a covered screen are fetched at once, and not again at the return', async () => {
  const w = world();
  const press: { id?: (id: number) => void } = {};
  function Read(): ReactElement {
    const [id, setId] = useState(1);
    press.id = setId;
    return <p>{line(useDLE(w.getTodo, { id }).data)}</p>;
  }
  const { act, lines, cover, comeBack } = await app(w, Read);
  await cover();
  await act(() => press.id?.(2));
  expect(w.server.log.splice(0)).toEqual(['GET /todos/1', 'GET /todos/2']);
  await comeBack();
  expect([lines(), asked(w)]).toEqual([['t2 by bob'], 0]);
});

/** Lets the test say when the machine is idle. */
function idling(): { readonly run: () => void; readonly waiting: () => number } {
  const jobs = new Map<number, () => void>();
  let last = 0;
  vi.stubGlobal('requestIdleCallback', (job: () => void) => (jobs.set(++last, job), last));
  vi.stubGlobal('cancelIdleCallback', (id: number) => jobs.delete(id));
  const run = (): void => {
    for (const [id, job] of jobs) if (jobs.delete(id)) job();
  };
  return { run, waiting: () => jobs.size };
}

test('[H6] the refetch of a return waits for idle time, and is canceled by a blur before', async () => {
  const idle = idling();
  const w = world();
  const { act, cover, comeBack } = await app(w, readers['useSuspense']!(w));
  expect(asked(w)).toBe(1);
  await cover();
  w.clock.advance(MINUTE + 1);
  await comeBack();
  expect([asked(w), idle.waiting()]).toEqual([0, 1]);
  await cover();
  expect(idle.waiting()).toBe(0);
  await act(idle.run);
  expect(asked(w)).toBe(0);
  await comeBack();
  await act(idle.run);
  expect(asked(w)).toBe(1);
});

test('[H6] an unmount cancels the waiting refetch of a return', async () => {
  const idle = idling();
  const w = world();
  const { cover, comeBack, unmount } = await app(w, readers['useSuspense']!(w));
  await cover();
  w.clock.advance(MINUTE + 1);
  await comeBack();
  expect(idle.waiting()).toBe(1);
  await unmount();
  expect(idle.waiting()).toBe(0);
});

test('[H6] polling stops while the screen is covered, and continues at the return', async () => {
  const w = world();
  function Read(): ReactElement {
    useSubscription(w.pollTodo, { id: 2 });
    return <p>{line(useLive(w.pollTodo, { id: 1 }))}</p>;
  }
  const { act, cover, comeBack } = await app(w, Read);
  await act(() => w.clock.advance(1_000));
  expect(asked(w)).toBeGreaterThan(2);
  await cover();
  await act(() => w.clock.advance(10_000));
  expect(asked(w)).toBe(0);
  await comeBack();
  expect(asked(w)).toBe(2);
});

test('[H6] in nested tabs each screen refetches at its own return', async () => {
  const w = world();
  const ref = createNavigationContainerRef<ParamListBase>();
  const One = bounded(() => <p>{line(useSuspense(w.getTodo, { id: 1 }))}</p>);
  const Two = bounded(() => <p>{line(useSuspense(w.getTodo, { id: 2 }))}</p>);
  const Nested = (): ReactElement => (
    <Stack.Navigator>
      <Stack.Screen name="two" component={Two} />
    </Stack.Navigator>
  );
  const drawn = await page(
    w,
    <Provider controller={w.controller} screen={NavigationContext}>
      <BaseNavigationContainer ref={ref}>
        <Tabs.Navigator>
          <Tabs.Screen name="one" component={One} />
          <Tabs.Screen name="nested" component={Nested} />
        </Tabs.Navigator>
      </BaseNavigationContainer>
    </Provider>,
  );
  expect(drawn.lines()).toEqual(['t1 by ada', 't2 by bob']);
  const go = (name: string): Promise<void> => settled(drawn, () => ref.navigate(name));
  asked(w);
  w.clock.advance(MINUTE + 1);
  await go('nested');
  expect(w.server.log.splice(0)).toEqual(['GET /todos/2']);
  await go('one');
  expect(w.server.log.splice(0)).toEqual(['GET /todos/1']);
  await go('nested');
  expect(asked(w)).toBe(0);
});

test('[H6] the `screen` prop of the Provider takes the context of any navigation library', async () => {
  const w = world();
  const heard = { focus: new Set<() => void>(), blur: new Set<() => void>() };
  const screen: Screen = {
    isFocused: () => true,
    addListener(event, listener) {
      heard[event].add(listener);
      return () => heard[event].delete(listener);
    },
  };
  const Own = createContext<Screen | undefined>(undefined);
  const Read = bounded(readers['useSuspense']!(w));
  const drawn = await page(
    w,
    <Provider controller={w.controller} screen={Own}>
      <Own.Provider value={screen}>
        <Read />
      </Own.Provider>
    </Provider>,
  );
  asked(w);
  w.clock.advance(MINUTE + 1);
  await settled(drawn, () => heard.blur.forEach((blur) => blur()));
  await settled(drawn, () => heard.focus.forEach((focus) => focus()));
  expect(asked(w)).toBe(1);
  await drawn.unmount();
  expect([heard.focus.size, heard.blur.size]).toEqual([0, 0]);
});

test('[H6] outside of a screen hooks refetch at window focus, as on the web', async () => {
  const w = world();
  const Read = bounded(readers['useSuspense']!(w));
  const { act, lines } = await page(
    w,
    <Provider controller={w.controller}>
      <Read />
    </Provider>,
  );
  expect([lines(), asked(w)]).toEqual([['t1 by ada'], 1]);
  w.clock.advance(MINUTE + 1);
  await act(() => w.comeBack('focus'));
  expect(asked(w)).toBe(1);
});
