// Testing Library without act(): render and findBy alone.
import { fireEvent, render, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { StrictMode, Suspense, useMemo, useState, useTransition } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Controller, createResource, optimistic } from 'signalbox';
import {
  AsyncBoundary,
  For,
  Provider,
  useController,
  useDLE,
  useLoading,
  useSelect,
  useSuspense,
  useSuspenseAll,
} from 'signalbox/react';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Todo } from '../setup/samples.ts';

const todos = createResource({
  urlPrefix: 'http://api.test',
  path: '/todos/:id',
  schema: Todo,
  optimistic: true,
});

const network = setupServer(
  http.get('http://api.test/todos/:id', ({ params }) => {
    const id = Number(params['id']);
    return id === 9
      ? HttpResponse.json({}, { status: 410 })
      : HttpResponse.json({ id, title: `title ${id}` });
  }),
  http.get('http://api.test/todos', () =>
    HttpResponse.json([1, 2].map((id) => ({ id, title: `title ${id}` }))),
  ),
  http.patch('http://api.test/todos/:id', async ({ params, request }) =>
    HttpResponse.json({ id: Number(params['id']), ...((await request.json()) as object) }),
  ),
);

let said: readonly (readonly unknown[])[] = [];

beforeAll(() => network.listen({ onUnhandledRequest: 'error' }));
afterAll(() => network.close());
beforeEach(() => {
  said = vi.spyOn(console, 'error').mockImplementation(() => {}).mock.calls;
});
afterEach(() => {
  vi.restoreAllMocks();
});

function App({ children }: { children: ReactNode }): ReactElement {
  const controller = useMemo(() => new Controller({ optimistic }), []);
  return (
    <Provider controller={controller}>
      <Suspense fallback={<i>loading</i>}>{children}</Suspense>
    </Provider>
  );
}

function Detail({ id }: { id: number }): ReactElement {
  return <p>{useSuspense(todos.get, { id }).title}</p>;
}

function Result({ id }: { id: number }): ReactElement {
  const { data, loading } = useDLE(todos.get, { id });
  return loading ? <i>loading</i> : <p>{data?.title}</p>;
}

function Both(): ReactElement {
  const [one, two] = useSuspenseAll([
    [todos.get, { id: 1 }],
    [todos.get, { id: 2 }],
  ]);
  return <p>{`${one.title}, ${two.title}`}</p>;
}

function Amount(): ReactElement {
  return <p>{`${useSelect(todos.getList, {}, (all) => all.length)} in all`}</p>;
}

function Outer(): ReactElement {
  const { id } = useSuspense(todos.get, { id: 1 });
  return <Detail id={id + 1} />;
}

const Rows = (): ReactElement => <For each={todos.getList}>{({ title }) => <p>{title}</p>}</For>;

const readers = {
  useSuspense: () => <Detail id={1} />,
  useDLE: () => <Result id={1} />,
  useSuspenseAll: Both,
  useSelect: Amount,
  'a component below one that has waited': Outer,
  For: Rows,
};
const texts: Readonly<Record<keyof typeof readers, string>> = {
  useSuspense: 'title 1',
  useDLE: 'title 1',
  useSuspenseAll: 'title 1, title 2',
  useSelect: '2 in all',
  'a component below one that has waited': 'title 2',
  For: 'title 2',
};

test.each(Object.keys(readers) as (keyof typeof readers)[])(
  '[H8] plain render shows the data of %s',
  async (name) => {
    const Reader = readers[name];
    render(
      <App>
        <Reader />
      </App>,
    );
    expect(screen.getByText('loading')).toBeDefined();
    expect(await screen.findByText(texts[name])).toBeDefined();
    expect(screen.queryByText('loading')).toBe(null);
    expect(said).toEqual([]);
  },
);

test('[H8] plain render shows the data of two suspended siblings in StrictMode', async () => {
  const element = (
    <StrictMode>
      <App>
        <Detail id={1} />
        <Detail id={2} />
      </App>
    </StrictMode>
  );
  render(element);
  await screen.findByText('title 1');
  expect(screen.getByText('title 2')).toBeDefined();
  expect(said).toEqual([]);
});

test('[H8] plain render shows a hard error in its boundary', async () => {
  const Failed = ({ error }: { error: Error }) => <b>{`failed: ${error.message}`}</b>;
  render(
    <Provider>
      <AsyncBoundary fallback={<i>loading</i>} errorComponent={Failed}>
        <Detail id={9} />
      </AsyncBoundary>
    </Provider>,
  );
  expect(screen.getByText('loading')).toBeDefined();
  expect(await screen.findByText(/^failed: .*410/)).toBeDefined();
  expect(said.filter(([text]) => String(text).includes('act('))).toEqual([]);
});

function Paging(): ReactElement {
  const [id, turn] = useState(1);
  const [isPending, start] = useTransition();
  return (
    <>
      <button onClick={() => turn(id + 1)}>next</button>
      <button onClick={() => start(() => turn(id + 1))}>softly</button>
      {isPending && <i>pending</i>}
      <Suspense fallback={<i>loading</i>}>
        <Detail id={id} />
      </Suspense>
    </>
  );
}

test('[H8] a click that changes the arguments shows the fallback, then the data', async () => {
  render(
    <App>
      <Paging />
    </App>,
  );
  await screen.findByText('title 1');
  fireEvent.click(screen.getByText('next'));
  expect(screen.getByText('loading')).toBeDefined();
  await screen.findByText('title 2');
  expect(screen.queryByText('loading')).toBe(null);
  expect(said).toEqual([]);
});

test('[H8] a click that begins a transition keeps the shown data until the new data are there', async () => {
  render(
    <App>
      <Paging />
    </App>,
  );
  await screen.findByText('title 1');
  fireEvent.click(screen.getByText('softly'));
  expect(screen.getByText('pending')).toBeDefined();
  expect(screen.getByText('title 1')).toBeDefined();
  expect(screen.queryByText('loading')).toBe(null);
  await screen.findByText('title 2');
  expect(screen.queryByText('pending')).toBe(null);
  expect(said).toEqual([]);
});

function Saver(): ReactElement {
  // oxlint-disable-next-line typescript/unbound-method -- verbs may be taken out of a controller
  const { fetch } = useController();
  const [save, saving] = useLoading(() =>
    fetch(todos.partialUpdate, { id: 1 }, { title: 'saved' }),
  );
  return <button onClick={() => void save()}>{saving ? 'saving' : 'save'}</button>;
}

test('[H8] a click that saves shows the optimistic value at once, and then the response', async () => {
  render(
    <App>
      <Saver />
      <Detail id={1} />
    </App>,
  );
  await screen.findByText('title 1');
  fireEvent.click(screen.getByText('save'));
  expect(screen.getByText('saving')).toBeDefined();
  expect(screen.getByText('saved')).toBeDefined();
  await screen.findByText('save');
  expect(screen.getByText('saved')).toBeDefined();
  expect(said).toEqual([]);
});
