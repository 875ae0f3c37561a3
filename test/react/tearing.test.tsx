// Time slicing with React's own scheduler: nothing tears, and nothing blocks.
import { startTransition, Suspense, useState } from 'react';
import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider, useSuspense } from 'signalbox/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';

beforeEach(() => Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', false));
afterEach(() => {
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);
  document.body.replaceChildren();
});

const READERS = 20;
const COST = 6;

/** How many readers have rendered so far. */
let renders = 0;

function Slow({ w }: { w: World }): ReactElement {
  renders++;
  const todo = useSuspense(w.getTodo, { id: 1 });
  // eslint-disable-next-line react/purity
  const end = performance.now() + COST;
  // eslint-disable-next-line react/purity
  while (performance.now() < end);
  return <p>{todo.title}</p>;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Watches the page from outside: the different texts shown at once, and the most renders in one turn. */
function watch(): { stop: () => { torn: string[]; mostInTurn: number } } {
  const torn = new Set<string>();
  let mostInTurn = 0;
  let seen = renders;
  const timer = setInterval(() => {
    mostInTurn = Math.max(mostInTurn, renders - seen);
    seen = renders;
    const texts = new Set([...document.querySelectorAll('p')].map((p) => p.textContent));
    if (texts.size > 1) torn.add([...texts].join('|'));
  }, 1);
  return {
    stop: () => {
      clearInterval(timer);
      return { torn: [...torn], mostInTurn };
    },
  };
}

async function slowPage(
  w: World,
  open: boolean,
): Promise<{ show: () => void; unmount: () => void }> {
  await w.controller.fetch(w.getTodo, { id: 1 });
  const press = { show: (): void => {}, ready: false };
  function App(): ReactElement {
    const [shown, setShown] = useState(open);
    press.show = () => setShown(true);
    press.ready = true;
    return <>{shown && Array.from({ length: READERS }, (_, at) => <Slow key={at} w={w} />)}</>;
  }
  const root = createRoot(document.body.appendChild(document.createElement('main')));
  root.render(
    <Provider controller={w.controller}>
      <Suspense fallback={<i>loading</i>}>
        <App />
      </Suspense>
    </Provider>,
  );
  await shows(open ? 't1' : undefined, () => press.ready);
  return { show: () => press.show(), unmount: () => root.unmount() };
}

const titles = (): string[] => [...document.querySelectorAll('p')].map((p) => p.textContent);
const all = (title: string): string[] => Array.from({ length: READERS }, () => title);

/** Waits until all readers show this title; undefined: there are none. */
async function shows(title: string | undefined, isReady = () => true): Promise<void> {
  const expected = title === undefined ? [] : all(title);
  await expect
    .poll(() => (isReady() ? titles() : 'not rendered'), { timeout: 20_000 })
    .toEqual(expected);
}

test('[H4] an update in a transition renders in slices, and all readers change at once', async () => {
  const w = world();
  const { unmount } = await slowPage(w, true);
  expect(titles()).toEqual(all('t1'));
  const watched = watch();
  startTransition(() => void w.controller.set(w.Todo, { id: 1 }, { title: 'new' }));
  expect(titles()).toEqual(all('t1'));
  await shows('new');
  const { torn, mostInTurn } = watched.stop();
  expect(torn).toEqual([]);
  // a slice ends after 5 ms, within the first reader
  expect(mostInTurn).toBeGreaterThan(0);
  expect(mostInTurn).toBeLessThan(READERS / 2);
  unmount();
});

test('[H4] readers that mount in a transition during writes render one state', async () => {
  const w = world();
  const { show, unmount } = await slowPage(w, false);
  const watched = watch();
  startTransition(show);
  for (let turn = 0; turn < 4; turn++) {
    await sleep(25);
    void w.controller.set(w.Todo, { id: 1 }, { title: `turn ${turn}` });
  }
  await shows('turn 3');
  expect(watched.stop().torn).toEqual([]);
  unmount();
});

test('[H4] state that a handler sets after `await controller.fetch()` renders in one pass with the response', async () => {
  const w = world();
  await w.controller.fetch(w.getTodo, { id: 1 });
  const seen: string[] = [];
  const press = { save: (): Promise<void> => Promise.resolve() };
  function Form(): ReactElement {
    const [open, setOpen] = useState(true);
    const todo = useSuspense(w.getTodo, { id: 1 });
    press.save = async () => {
      await w.controller.fetch(w.update, { id: 1 }, { title: 'saved' });
      setOpen(false);
    };
    seen.push(`${todo.title} ${open}`);
    return <p>{todo.title}</p>;
  }
  const root = createRoot(document.body.appendChild(document.createElement('main')));
  root.render(
    <Provider controller={w.controller}>
      <Suspense>
        <Form />
      </Suspense>
    </Provider>,
  );
  await expect.poll(titles).toEqual(['t1']);
  await press.save();
  await expect.poll(titles).toEqual(['saved']);
  expect(seen).toEqual(['t1 true', 'saved false']);
  root.unmount();
});
