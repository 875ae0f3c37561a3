// The state as a context, and dispatch functions that resolve when React has rendered the result.
import { act, render, screen } from '@testing-library/react';
import { memo, useContext, useLayoutEffect, useReducer, useState } from 'react';
import type { ReactNode } from 'react';
import {
  DataProvider,
  Endpoint,
  Entity,
  StateContext,
  initialState,
  useController,
  usePromisifiedDispatch,
} from 'signalbox/data-client';
import type { Controller } from 'signalbox/data-client';
import { expect, test } from 'vitest';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}
const getTodo = new Endpoint(async ({ id }: { id: number }) => ({ id, title: 'fetched' }), {
  schema: Todo,
  name: 'getTodo',
});

const found: { controller?: Controller } = {};
const renders: string[] = [];

function Probe(): null {
  const controller = useController();
  useLayoutEffect(() => {
    found.controller = controller;
  });
  return null;
}

function Titles() {
  renders.push('titles');
  const { entities } = useContext(StateContext);
  const rows = Object.values(entities['Todo'] ?? {}) as Todo[];
  return <p>{rows.map(({ title }) => title).join()}</p>;
}

function Response() {
  renders.push('response');
  const state = useContext(StateContext);
  const controller = useController();
  return <p>{controller.getResponse(getTodo, { id: 1 }, state).data?.title ?? 'none'}</p>;
}

const Idle = memo(function Idle() {
  renders.push('idle');
  useContext(StateContext);
  return null;
});

const write = (title: string) =>
  act(async () => found.controller?.setResponse(getTodo, { id: 1 }, { id: 1, title }));

function mount(children: ReactNode) {
  renders.length = 0;
  return render(
    <DataProvider devButton={null}>
      <Probe />
      {children}
    </DataProvider>,
  );
}

test.each([
  ['Titles', <Titles key="titles" />, ''],
  ['Response', <Response key="response" />, 'none'],
])(
  '[T5] %s reads the state of the context again after each commit, and after a reset',
  async (_name, child, empty) => {
    const { container } = mount(child);
    await write('one');
    expect(container.textContent).toBe('one');
    await write('two');
    expect(container.textContent).toBe('two');
    await act(async () => found.controller?.resetEntireStore());
    expect(container.textContent).toBe(empty);
  },
);

test('[T5] a component that reads no table of the state is not rendered by commits', async () => {
  mount(<Idle />);
  await write('one');
  expect(renders).toEqual(['idle']);
});

test('[T5] components without the state are not rendered with components that read it', async () => {
  function Other() {
    renders.push('other');
    return null;
  }
  mount(
    <>
      <Titles />
      <Other />
    </>,
  );
  await write('one');
  expect(renders).toEqual(['titles', 'other', 'titles']);
});

test('[T5] a commit between the render and the effects of the provider is rendered', async () => {
  function Early() {
    const own = useController();
    useState(() => void own.setResponse(getTodo, { id: 1 }, { id: 1, title: 'early' }));
    return <Titles />;
  }
  mount(<Early />);
  expect(await screen.findByText('early')).toBeTruthy();
});

test('[T5] without a provider the state is the initial one', () => {
  function Outside() {
    return String(useContext(StateContext) === initialState);
  }
  expect(render(<Outside />).container.textContent).toBe('true');
});

test('[T5] a promisified dispatch resolves when its state is rendered', async () => {
  const dispatches: ((step: number) => Promise<void>)[] = [];
  function Counter() {
    const [count, add] = useReducer((before: number, step: number) => before + step, 0);
    dispatches.push(usePromisifiedDispatch(add, count));
    return <b>{count}</b>;
  }
  const { container } = render(<Counter />);
  const [dispatch = () => Promise.reject(new Error('not rendered'))] = dispatches;
  const seen: (string | null)[] = [];
  const end = () => seen.push(container.textContent);
  let ends: Promise<unknown> = Promise.resolve();
  act(() => {
    ends = Promise.all([dispatch(1).then(end), dispatch(2).then(end)]);
  });
  await ends;
  expect(seen).toEqual(['3', '3']);
  expect(new Set(dispatches).size).toBe(1);
});
