// Boundaries and the smaller hooks in StrictMode, transitions and other features of React alone.
import { startTransition, StrictMode, Suspense, useState } from 'react';
import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import {
  AsyncBoundary,
  ErrorBoundary,
  NetworkErrorBoundary,
  Provider,
  useCancelling,
  useDebounce,
  useLoading,
  useSuspense,
} from 'signalbox/react';
import type { FallbackProps } from 'signalbox/react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { holdTimers } from '../contract/timers.ts';
import { line, world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';
import { page } from './page.ts';

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => document.body.replaceChildren());

function Detail({ w, id = 1 }: { w: World; id?: number }): ReactElement {
  return <p>{line(useSuspense(w.getTodo, { id }))}</p>;
}

test('[H7] AsyncBoundary without a fallback shows the message of the error', async () => {
  const w = world();
  w.server.fail(404);
  await page(
    w,
    <AsyncBoundary errorClassName="mark">
      <Detail w={w} />
    </AsyncBoundary>,
  );
  const said = document.querySelector('[role=alert]');
  expect(said?.className).toBe('mark');
  expect(said?.textContent).toBe('status 404');
  expect(NetworkErrorBoundary).toBe(ErrorBoundary);
});

test.each([null, undefined, 'text', 5])(
  '[H7] a boundary shows the thrown value %j as text, with the value as `cause` of the error',
  async (thrown) => {
    const Thrower = (): ReactElement => {
      // eslint-disable-next-line typescript/only-throw-error -- anything can be thrown
      throw thrown;
    };
    const caught: unknown[] = [];
    const { lines } = await page(
      world(),
      <ErrorBoundary fallback={(error) => (caught.push(error), (<p>{error.message}</p>))}>
        <Thrower />
      </ErrorBoundary>,
    );
    expect(lines()).toEqual([String(thrown)]);
    expect(caught.at(-1)).toMatchObject({ cause: thrown });
  },
);

test('[H1] of overlapping calls useLoading reports the latest, also across dependencies', async () => {
  const ends: Record<number, { ok: () => void; fail: (error: Error) => void }> = {};
  const press: { save?: () => Promise<unknown> } = {};
  function Saver({ id }: { id: number }): ReactElement {
    const begin = () =>
      new Promise<void>((ok, fail) => {
        ends[id] = { ok, fail };
      });
    const [save, loading, error] = useLoading(begin, [id]);
    Object.assign(press, { save });
    return <p>{`${loading} ${error?.message}`}</p>;
  }
  const { act, draw, lines } = await page(world(), <Saver id={1} />);
  await act(() => void press.save?.());
  await draw(<Saver id={2} />);
  await act(() => void press.save?.());
  await act(() => ends[1]?.fail(new Error('first')));
  expect(lines()).toEqual(['true undefined']);
  await act(() => ends[2]?.ok());
  expect(lines()).toEqual(['false undefined']);
});

test('[H7] fallbackComponent gets error, reset and className; `fallback` may be an element', async () => {
  const w = world();
  w.server.fail(404);
  const Failed = ({ error, className }: FallbackProps): ReactElement => (
    <b className={className}>{error.message}</b>
  );
  const { lines } = await page(
    w,
    <Suspense fallback={<i>loading</i>}>
      <ErrorBoundary fallbackComponent={Failed} className="mark">
        <Detail w={w} />
      </ErrorBoundary>
      <ErrorBoundary fallback={<b>plain</b>}>
        <Detail w={w} />
      </ErrorBoundary>
    </Suspense>,
  );
  expect(lines()).toEqual(['status 404', 'plain']);
  expect(document.querySelector('b')?.className).toBe('mark');
});

test('[H7] `listen` resets a boundary, and is unsubscribed on unmount', async () => {
  const w = world();
  w.server.fail(404);
  const heard = new Set<() => void>();
  const listen = (reset: () => void) => {
    heard.add(reset);
    return () => void heard.delete(reset);
  };
  const { act, lines, unmount } = await page(
    w,
    <StrictMode>
      <AsyncBoundary fallback={<i>loading</i>} listen={listen}>
        <Detail w={w} />
      </AsyncBoundary>
    </StrictMode>,
  );
  expect(heard.size).toBe(1);
  w.server.fail(undefined);
  await act(() => heard.forEach((reset) => reset()));
  expect(lines()).toEqual(['t1 by ada']);
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/1']);
  // without an error there is nothing to reset
  await act(() => heard.forEach((reset) => reset()));
  expect(w.server.log).toHaveLength(2);
  await unmount();
  expect(heard.size).toBe(0);
});

test('[H7] an error of the render that changes resetKeys is shown, and cleared by the next change', async () => {
  const w = world();
  await w.controller.fetch(w.getTodo, { id: 1 });
  const app = (id: number): ReactElement => (
    <ErrorBoundary fallback={<b>failed</b>} resetKeys={[id]}>
      <Suspense fallback={<i>loading</i>}>
        <Detail w={w} id={id} />
      </Suspense>
    </ErrorBoundary>
  );
  const { draw, lines } = await page(w, app(1));
  await w.controller.setError(
    w.getTodo,
    { id: 2 },
    Object.assign(new Error('no'), { status: 404 }),
  );
  await draw(app(2));
  expect(lines()).toEqual(['failed']);
  expect(w.server.log).toEqual(['GET /todos/1']);
  await draw(app(1));
  expect(lines()).toEqual(['t1 by ada']);
});

test('[H7] a boundary outside of the provider catches errors and resets', async () => {
  const w = world();
  const { act, lines } = await page(w, <p>inside</p>);
  expect(lines()).toEqual(['inside']);
  const { createRoot } = await import('react-dom/client');
  const element = document.body.appendChild(document.createElement('main'));
  const fails = { now: true };
  const press: { reset?: () => void } = {};
  function Moody(): ReactElement {
    if (fails.now) throw new Error('moody');
    return <p>fine</p>;
  }
  const failed = (error: Error, reset: () => void): ReactElement => {
    press.reset = reset;
    return <b>{error.message}</b>;
  };
  const root = createRoot(element);
  await act(() =>
    root.render(
      <ErrorBoundary fallback={failed}>
        <Moody />
      </ErrorBoundary>,
    ),
  );
  expect(element.textContent).toBe('moody');
  fails.now = false;
  await act(() => press.reset?.());
  expect(element.textContent).toBe('fine');
  await act(() => root.unmount());
});

test('[H4] useDebounce keeps the shown data until the data of the new value have arrived', async () => {
  const timers = holdTimers(200);
  const w = world();
  function Search({ id }: { id: number }): ReactElement {
    const [asked, isPending] = useDebounce(id, 200);
    return (
      <>
        <b>{isPending ? 'pending' : 'settled'}</b>
        <Suspense fallback={<i>loading</i>}>
          <Detail w={w} id={asked} />
        </Suspense>
      </>
    );
  }
  const { act, draw, lines } = await page(w, <Search id={1} />);
  w.server.hold();
  await draw(<Search id={2} />);
  await act(() => timers.run());
  expect(lines()).toEqual(['pending', 't1 by ada']);
  expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2']);
  await act(() => w.server.release());
  expect(lines()).toEqual(['settled', 't2 by bob']);
});

test('[H4] useDebounce drops a pending transition when the former value is restored', async () => {
  const timers = holdTimers(200);
  const w = world();
  const seen = new Set<number>();
  function Search({ id }: { id: number }): ReactElement {
    const [asked, isPending] = useDebounce(id, 200);
    seen.add(asked);
    return (
      <Suspense fallback={<i>loading</i>}>
        <Detail w={w} id={asked} />
        <b>{isPending ? 'pending' : 'settled'}</b>
      </Suspense>
    );
  }
  const { act, draw, lines } = await page(w, <Search id={1} />);
  w.server.hold();
  await draw(<Search id={2} />);
  await act(() => timers.run());
  await draw(<Search id={1} />);
  expect(lines()).toEqual(['t1 by ada', 'settled']);
  seen.clear();
  await act(() => w.server.release());
  await act(() => timers.run());
  expect(lines()).toEqual(['t1 by ada', 'settled']);
  expect(seen).toEqual(new Set());
  await draw(<Search id={2} />);
  await act(() => timers.run());
  expect(lines()).toEqual(['t2 by bob', 'settled']);
});

test('[H1] useDebounce starts no timer while its third argument is false', async () => {
  const timers = holdTimers(200);
  const Text = ({ text, free }: { text: string; free: boolean }): ReactElement => (
    <p>{useDebounce(text, 200, free).join(' ')}</p>
  );
  const { draw, act, lines } = await page(world(), <Text text="a" free={false} />);
  await draw(<Text text="b" free={false} />);
  expect(timers.waiting).toBe(0);
  expect(lines()).toEqual(['a true']);
  await draw(<Text text="b" free />);
  await act(() => timers.run());
  expect(lines()).toEqual(['b false']);
});

test('[H1] the function of useLoading keeps its reference while the dependencies are equal, also in StrictMode', async () => {
  const seen = new Set<unknown>();
  function Saver({ id }: { id: number }): ReactElement {
    const [save] = useLoading(() => Promise.resolve(id), [id]);
    seen.add(save);
    return <p>{id}</p>;
  }
  const { draw } = await page(world(), <Saver id={1} />);
  await draw(<Saver id={1} />);
  expect(seen.size).toBe(1);
  await draw(<Saver id={2} />);
  expect(seen.size).toBe(2);
});

test('[F3] useCancelling does not abort the request of a pending transition at an urgent render', async () => {
  const w = world();
  const press: { go?: (id: number) => void; tick?: (turn: number) => void } = {};
  function App(): ReactElement {
    const [id, setId] = useState(1);
    const [turn, setTurn] = useState(0);
    press.go = (next) => startTransition(() => setId(next));
    press.tick = setTurn;
    const todo = useSuspense(useCancelling(w.getTodo, { id }), { id });
    return <p>{`${line(todo)} ${turn}`}</p>;
  }
  const { act, lines } = await page(
    w,
    <StrictMode>
      <Suspense fallback={<i>loading</i>}>
        <App />
      </Suspense>
    </StrictMode>,
  );
  w.server.hold();
  const second = w.controller.view(w.getTodo, { id: 2 });
  await act(() => press.go?.(2));
  await act(() => press.tick?.(1));
  expect(lines()).toEqual(['t1 by ada 1']);
  expect(second.fetching.value).toBe(true);
  await act(() => press.go?.(3));
  expect(second.fetching.value).toBe(false);
  await act(() => w.server.release());
  expect(lines()).toEqual(['t3 by ada 1']);
  expect(w.server.log).toEqual([1, 2, 3].map((id) => `GET /todos/${id}`));
});

test('[F3] useCancelling returns an endpoint with the same key, and another signal for other arguments', async () => {
  const w = world();
  const given: { key: string; signal?: AbortSignal | undefined }[] = [];
  function Search({ id }: { id: number | null }): ReactElement {
    const args = id === null ? null : { id };
    const endpoint = useCancelling(w.getTodo, args);
    if (args !== null) given.push({ key: endpoint.key(args), signal: endpoint.signal });
    return <p>{String(id)}</p>;
  }
  const { draw } = await page(w, <Search id={1} />);
  await draw(<Search id={1} />);
  await draw(<Search id={2} />);
  await draw(<Search id={null} />);
  expect(given[0]?.key).toBe(w.getTodo.key({ id: 1 }));
  expect(given[1]?.signal).toBe(given[0]?.signal);
  expect(given.map(({ signal }) => signal?.aborted)).toEqual([true, true, true]);
  expect(given[2]?.signal).not.toBe(given[0]?.signal);
});

test.each([false, true])(
  '[F3] useCancelling aborts unused requests at once when arguments go back (strict: %s)',
  async (strict) => {
    const w = world();
    const press: { go?: (id: number) => void } = {};
    function Found({ id }: { id: number }): ReactElement {
      return <p>{line(useSuspense(useCancelling(w.getTodo, { id }), { id }))}</p>;
    }
    function App(): ReactElement {
      const [id, setId] = useState(1);
      press.go = setId;
      return (
        <Suspense fallback={<i>loading</i>}>
          <Found id={id} />
        </Suspense>
      );
    }
    const { act, lines } = await page(
      w,
      strict ? (
        <StrictMode>
          <App />
        </StrictMode>
      ) : (
        <App />
      ),
    );
    w.server.hold();
    const second = w.controller.view(w.getTodo, { id: 2 });
    for (let turn = 0; turn < 2; turn++) {
      await act(() => press.go?.(2));
      expect(second.fetching.value).toBe(true);
      await act(() => press.go?.(1));
      expect([second.fetching.value, ...lines()]).toEqual([false, 't1 by ada']);
    }
    await act(() => press.go?.(2));
    await act(() => w.server.release());
    expect(lines()).toEqual(['t2 by bob']);
    expect(w.server.log).toEqual([1, 2, 2, 2].map((id) => `GET /todos/${id}`));
  },
);

/** Two details on a page for which no time passes; without act, which leaves React's delays out. */
function standingPage(w: World): HTMLElement {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const element = document.body.appendChild(document.createElement('main'));
  const root = createRoot(element);
  const app = (
    <Provider controller={w.controller}>
      <AsyncBoundary fallback={<p>waits</p>}>
        <Detail w={w} />
        <Detail w={w} id={2} />
      </AsyncBoundary>
    </Provider>
  );
  startTransition(() => root.render(app));
  onTestFinished(() => {
    root.unmount();
    vi.unstubAllGlobals();
  });
  return element;
}

const both = 't1 by adat2 by bob';

test('[H7] AsyncBoundary replaces a committed fallback at once, without the delay of 300 ms of React', async () => {
  const w = world();
  w.server.hold();
  const element = standingPage(w);
  await expect.poll(() => w.server.log).toHaveLength(2);
  expect(element.textContent).toBe('waits');
  w.server.release();
  await turns(20);
  expect(element.textContent).toBe(both);
});

test('[H7] AsyncBoundary shows data that arrive before React has committed the fallback', async () => {
  const w = world();
  const element = standingPage(w);
  await expect.poll(() => w.server.log).toHaveLength(2);
  await turns(20);
  expect(element.textContent).toBe(both);
});

/** Lets everything run that waits for no time to pass. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
