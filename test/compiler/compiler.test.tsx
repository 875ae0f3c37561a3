// The output of the React Compiler for components, and the value that the compiler treats as constant by mistake.
import { useSignals } from '@preact/signals-react/runtime';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ReactElement } from 'react';
import { Suspense, useState } from 'react';
import { For, useDLEAll, useSuspense, useSuspenseAll } from 'signalbox/react';
import { $, useSignalQuery } from 'signalbox/react/signals';
import { afterEach, expect, test } from 'vitest';
import { line, world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';
import { page } from '../react/page.ts';
import { compiled } from '../setup/compiler.ts';

afterEach(() => document.body.replaceChildren());

const sourceOf = (path: string): [string, string] => {
  const file = fileURLToPath(new URL(path, import.meta.url));
  return [readFileSync(file, 'utf8'), file];
};

test('[H4] the React Compiler compiles each component of the contract suite', async () => {
  const { code, taken, left } = await compiled(...sourceOf('../contract/reactViews.tsx'));
  expect(left).toEqual([]);
  expect(code).toContain('react/compiler-runtime');
  for (const name of [
    'List',
    'FineList',
    'Detail',
    'Several',
    'SeveralStates',
    'Dle',
    'Live',
    'Cache',
    'Ticker',
    'Early',
  ]) {
    expect(taken).toContain(name);
  }
  for (const name of [
    'Failure',
    'Entity',
    'Editor',
    'Saver',
    'Typing',
    'Search',
    'Lookup',
    'Panel',
  ]) {
    expect(taken).toContain(name);
  }
});

test('[H4] components defined in these tests are compiled', () => {
  function Probe({ at }: { at: number }): ReactElement {
    return <p>{[at].length}</p>;
  }
  expect(Probe.toString()).toMatch(/\$\[\d\] = /);
});

test('[H4] a compiled component with a list of reads follows its data and its length', async () => {
  const w = world();
  function Titles({ ids }: { ids: readonly number[] }): ReactElement {
    const todos = useSuspenseAll(ids.map((id) => [w.getTodo, { id }]));
    const states = useDLEAll(ids.map((id) => [w.getTodo, { id }]));
    const titles = todos.map(({ title }) => title).join();
    return <p>{`${titles} ${states.map(({ data }) => data?.title).join()}`}</p>;
  }
  expect(Titles.toString()).toMatch(/\$\[\d\] = /);
  const App = ({ ids }: { ids: readonly number[] }): ReactElement => (
    <Suspense>
      <Titles ids={ids} />
    </Suspense>
  );
  const { act, draw, lines } = await page(w, <App ids={[1]} />);
  expect(lines()).toEqual(['t1 t1']);
  await draw(<App ids={[2, 1, 3]} />);
  expect(lines()).toEqual(['t2,t1,t3 t2,t1,t3']);
  await act(() => edit(w, 'new'));
  expect(lines()).toEqual(['t2,new,t3 t2,new,t3']);
  await draw(<App ids={[]} />);
  expect(lines()).toEqual([' ']);
});

const edit = (w: World, title: string): Promise<void> =>
  w.controller.set(w.Todo, { id: 1 }, { title });

test('[H4] values that a compiled component derives from data are recomputed when the data change', async () => {
  const w = world({ size: 2 });
  function Derived(): ReactElement {
    const todos = useSuspense(w.getList, {});
    const titles = todos.map(({ title }) => title).join();
    const long = todos.filter(({ title }) => title.length > 2);
    return (
      <>
        <p>{titles}</p>
        <p>{long.length}</p>
      </>
    );
  }
  const { act, lines } = await page(
    w,
    <Suspense fallback={<i>loading</i>}>
      <Derived />
    </Suspense>,
  );
  expect(lines()).toEqual(['t1,t2', '0']);
  await act(() => edit(w, 'new'));
  expect(lines()).toEqual(['new,t2', '1']);
});

test('[H4] rows of <For> read current state, and a render for other state runs no row', async () => {
  const w = world({ size: 2 });
  const press: { turn?: (turn: number) => void; other?: (turn: number) => void } = {};
  function Fine(): ReactElement {
    const [turn, setTurn] = useState(0);
    const [other, setOther] = useState(0);
    Object.assign(press, { turn: setTurn, other: setOther });
    return (
      <>
        <b>{other}</b>
        <For each={w.getList} params={{}}>
          {(todo) => {
            w.count(`row ${todo.id}`);
            return <li>{`${turn} ${line(todo)}`}</li>;
          }}
        </For>
      </>
    );
  }
  const { act, lines } = await page(
    w,
    <Suspense fallback={<i>loading</i>}>
      <Fine />
    </Suspense>,
  );
  w.ran();
  await act(() => press.other?.(1));
  expect(w.ran()).toEqual({});
  await act(() => press.turn?.(1));
  expect(w.ran()).toEqual({ 'row 1': 1, 'row 2': 1 });
  expect(lines()).toEqual(['1', '1 t1 by ada', '1 t2 by bob']);
  await act(() => edit(w, 'new'));
  expect(w.ran()).toEqual({ 'row 1': 1 });
});

/** Ways to render a title. */
const ways: Record<string, (w: World) => () => ReactElement> = {
  'a snapshot of a hook': (w) =>
    function Shown() {
      return <p>{useSuspense(w.getTodo, { id: 1 }).title}</p>;
    },
  'a signal as text': (w) =>
    function Shown() {
      const todo = useSuspense(w.getTodo, { id: 1 });
      return <p>{$(todo).title}</p>;
    },
  'the value of a signal in a component with "use no memo"': (w) =>
    function Shown() {
      'use no memo';
      useSignals();
      const { value } = useSignalQuery(w.getTodo, { id: 1 });
      return <p>{value.data?.title}</p>;
    },
};

test.each(Object.entries(ways))('[H4] with the compiler, %s shows changed data', async (_, way) => {
  const w = world();
  const Shown = way(w);
  const { act, lines } = await page(
    w,
    <Suspense fallback={<i>loading</i>}>
      <Shown />
    </Suspense>,
  );
  expect(lines()).toEqual(['t1']);
  await act(() => edit(w, 'new'));
  expect(lines()).toEqual(['new']);
});

// the reason why hooks return values: the compiler keeps the result of a call while the arguments are equal
test('[H4] a compiled component does not follow the value of a signal from the controller', async () => {
  const w = world();
  await w.controller.fetch(w.getTodo, { id: 1 });
  function Raw(): ReactElement {
    useSignals();
    return <p>{w.controller.entity(w.Todo, 1).value?.title}</p>;
  }
  const { act, lines } = await page(w, <Raw />);
  await act(() => edit(w, 'new'));
  expect(lines()).toEqual(['t1']);
});
