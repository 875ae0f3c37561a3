// How often components render with React's own scheduler: once for a visible change, and never for another.
import { Suspense, useState, useTransition } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider, useStatus, useSuspense } from 'signalbox/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';

let unmount = (): void => {};
beforeEach(() => Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', false));
afterEach(() => {
  unmount();
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);
});

function render(w: World, app: ReactNode): void {
  const root = createRoot(document.body.appendChild(document.createElement('main')));
  unmount = () => {
    root.unmount();
    document.body.replaceChildren();
  };
  root.render(
    <Provider controller={w.controller}>
      <Suspense>{app}</Suspense>
    </Provider>,
  );
}

const shown = (): string => document.querySelector('main')?.textContent ?? '';

/** Resolves once React has finished all renders scheduled so far: the scheduler runs tasks in order. */
const rendered = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    let tasks = 0;
    port1.addEventListener('message', () => {
      if (++tasks < 20) return port2.postMessage(0);
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(0);
  });

test('[H3] an optimistic change renders each affected component once, and an equal response renders none', async () => {
  const w = world({ size: 2 });
  await w.controller.fetch(w.getList, {});
  const update = w.update.extend({
    getOptimisticResponse: (_, { id }, body) => ({ id, ...body }),
  });
  function List(): ReactElement {
    w.count('list');
    return <p>{useSuspense(w.getList, {}).map(({ title }) => title)}</p>;
  }
  function Detail({ id }: { readonly id: number }): ReactElement {
    w.count(`detail ${id}`);
    return <p>{useSuspense(w.getTodo, { id }).title}</p>;
  }
  render(
    w,
    <>
      <List />
      <Detail id={1} />
      <Detail id={2} />
    </>,
  );
  await expect.poll(shown).toBe('t1t2t1t2');
  w.ran();
  w.server.hold();
  const saved = w.controller.fetch(update, { id: 1 }, { title: 'new' });
  await expect.poll(shown).toBe('newt2newt2');
  w.server.release();
  await saved;
  await rendered();
  expect(w.ran()).toEqual({ list: 1, 'detail 1': 1 });
});

test('[H9] the status of a read adds no render to a transition', async () => {
  const rendersOf = async (useIsFetching: (w: World, id: number) => boolean): Promise<number> => {
    const w = world({ size: 2 });
    await w.controller.fetch(w.getTodo, { id: 1 });
    const press = { go: (): void => {} };
    function App(): ReactElement {
      const [id, setId] = useState(1);
      const [isPending, start] = useTransition();
      const isFetching = useIsFetching(w, id);
      const { title } = useSuspense(w.getTodo, { id });
      press.go = () => start(() => setId(2));
      w.count('app');
      return <p>{`${title} ${isPending} ${isFetching}`}</p>;
    }
    render(w, <App />);
    await expect.poll(shown).toBe('t1 false false');
    w.ran();
    w.server.hold();
    press.go();
    await expect.poll(shown).toBe('t1 true false');
    await rendered();
    w.server.release();
    await expect.poll(shown).toBe('t2 false false');
    await rendered();
    const { app } = w.ran();
    unmount();
    return app as number;
  };
  const without = await rendersOf(() => false);
  const withStatus = await rendersOf((w, id) => useStatus(w.getTodo, { id }).isFetching);
  expect(withStatus).toBe(without);
});
