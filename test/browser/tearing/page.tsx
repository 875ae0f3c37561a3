// A page of slow readers on one stored counter, and a watcher that sees what is on the screen after each commit.
import { memo, startTransition, Suspense, useDeferredValue, useState } from 'react';
import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Controller, Endpoint, Entity } from 'signalbox';
import { Provider, useSuspense } from 'signalbox/react';

const READERS = 30;
/** What one reader costs, ms: all together block for about a quarter of a second. */
const COST = 8;

class Counter extends Entity {
  id = 0;
  count = 0;
  static override key = 'Counter';
}

const getCounter = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id, count: 1 }), {
  name: 'getCounter',
  schema: Counter,
});

function block(): void {
  const end = performance.now() + COST;
  while (performance.now() < end);
}

const useCount = (): number => useSuspense(getCounter, { id: 1 }).count;

function Plain(): ReactElement {
  const count = useCount();
  block();
  return <p>{count}</p>;
}

function Deferred(): ReactElement {
  const count = useDeferredValue(useCount());
  block();
  return <p>{count}</p>;
}

export type Kind = 'plain' | 'deferred';

export interface Seen {
  /** Screens on which readers differed. */
  readonly torn: readonly string[];
  /** The different screens in turn, each as what its readers showed. */
  readonly screens: readonly string[];
  readonly last: readonly string[];
}

class Stage {
  readonly controller = new Controller();
  readonly #root = createRoot(document.body.appendChild(document.createElement('main')));
  readonly #torn = new Set<string>();
  readonly #screens: string[] = [];
  show = (): void => {};

  async open(kind: Kind, shown: boolean): Promise<this> {
    await this.controller.fetch(getCounter, { id: 1 });
    const Reader = memo(kind === 'plain' ? Plain : Deferred);
    const lend = (show: () => void) => void (this.show = show);
    const App = (): ReactElement => {
      const [open, setOpen] = useState(shown);
      const [text, setText] = useState('');
      lend(() => setOpen(true));
      return (
        <>
          <button onClick={() => setText('pressed')}>{text}</button>
          {open && Array.from({ length: READERS }, (_, at) => <Reader key={at} />)}
        </>
      );
    };
    this.#root.render(
      <Provider controller={this.controller}>
        <Suspense fallback={<i>loading</i>}>
          <App />
        </Suspense>
      </Provider>,
    );
    await sleep(300);
    await quiet();
    // once after each commit, when what layout effects correct is corrected
    const watcher = new MutationObserver(() => this.#look());
    watcher.observe(document.body, { childList: true, characterData: true, subtree: true });
    this.#look();
    return this;
  }

  add(by = 1): void {
    const change = ({ count }: Counter) => ({ count: count + by });
    void this.controller.set(Counter, { id: 1 }, change);
  }

  double(): void {
    void this.controller.set(Counter, { id: 1 }, ({ count }: Counter) => ({ count: count * 2 }));
  }

  #look(): void {
    const shown = new Set(texts());
    if (shown.size > 1) this.#torn.add([...shown].join('|'));
    const screen = [...shown].join('|');
    if (screen !== this.#screens.at(-1)) this.#screens.push(screen);
  }

  seen(): Seen {
    return { torn: [...this.#torn], screens: this.#screens, last: texts() };
  }
}

const texts = (): string[] => [...document.querySelectorAll('p')].map((p) => p.textContent);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Until nothing has changed on the screen for longer than all readers take. */
async function quiet(): Promise<void> {
  for (let same = 0, last = ''; same < 8;) {
    await sleep(100);
    const now = document.body.innerHTML;
    same = now === last ? same + 1 : 0;
    last = now;
  }
}

/** Readers are on the screen, and the counter changes again and again. */
async function update(kind: Kind): Promise<Seen> {
  const stage = await new Stage().open(kind, true);
  for (let turn = 0; turn < 5; turn++) {
    if (kind === 'plain') startTransition(() => stage.add());
    else stage.add();
    await sleep(40);
  }
  await quiet();
  return stage.seen();
}

/** The counter changes while readers are being mounted. */
async function mount(kind: Kind): Promise<Seen> {
  const stage = await new Stage().open(kind, false);
  startTransition(() => stage.show());
  for (let turn = 0; turn < 5; turn++) {
    await sleep(40);
    stage.add();
  }
  await quiet();
  return stage.seen();
}

/** What readers showed when something was on the screen that was pressed while they render in a transition. */
async function interrupt(): Promise<{ pressed: string; beside: string[]; seen: Seen }> {
  const stage = await new Stage().open('plain', true);
  startTransition(() => stage.add());
  await sleep(40);
  const button = document.querySelector('button') as HTMLElement;
  button.click();
  await Promise.resolve();
  const pressed = button.textContent;
  const beside = [...new Set(texts())];
  await quiet();
  return { pressed, beside, seen: stage.seen() };
}

/** An urgent change while another is pending in a transition. */
async function branch(): Promise<Seen> {
  const stage = await new Stage().open('plain', true);
  startTransition(() => stage.add());
  await sleep(40);
  stage.double();
  await quiet();
  return stage.seen();
}

const play = { update, mount, interrupt, branch };
export type Play = typeof play;
Object.assign(globalThis, { play });
