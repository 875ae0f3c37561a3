// A page of slow rows that mount while a timer writes the counter shown in the rows.
import {
  Fragment,
  memo,
  startTransition,
  Suspense,
  useDeferredValue,
  useReducer,
  useState,
} from 'react';
import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Controller } from 'signalbox';
import { Provider } from 'signalbox/react';
import { beBusy, Counter, getCounter, getCounters, Plain, readCost, readers } from './counter.tsx';
import type { Hook } from './counter.tsx';

export interface Scene {
  /** Each row reads the counter with all of these hooks; a header, which is mounted before the rows, with the first. */
  readonly hooks: readonly Hook[];
  readonly rows: number;
  /** The duration of a row's render without the hooks, ms. */
  readonly cost: number;
  /** The time that each hook of a row takes, ms. */
  readonly readCost: number;
  /** The time between two writes, ms. */
  readonly every: number;
  readonly write: 'timer' | 'transition';
  /** The cause of the mount: a transition, a deferred value, or the end of a Suspense. */
  readonly by: 'transition' | 'deferred' | 'suspense';
  /** The text of each row is a deferred value. */
  readonly late: boolean;
  /** The rows are below a second provider of the same controller. */
  readonly isNested: boolean;
}

export interface Outcome {
  /** The different counts on torn screens, after a commit or in a frame. */
  readonly torn: readonly string[];
  readonly mounted: boolean;
  /** The counts on the screen after the last write, without repetitions. */
  readonly last: readonly string[];
  readonly written: string;
}

interface Props {
  readonly page: WritingPage;
}

const MOUNT_LIMIT_MS = 5_000;
const END_LIMIT_MS = 10_000;

const counts = (): string[] => [
  ...new Set([...document.querySelectorAll('p')].flatMap((p) => p.textContent.split('/'))),
];
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(condition: () => boolean, limit: number): Promise<boolean> {
  const end = performance.now() + limit;
  while (!condition() && performance.now() < end) await sleep(10);
  return condition();
}

const isMounted = (): boolean => document.querySelector('hr') !== null;

class WritingPage {
  readonly controller = new Controller();
  readonly scene: Scene;
  first!: Counter;
  show = (): void => {};
  /** For React's own state. */
  increment = (): void => {};
  /** Rows below Suspense wait for this promise. */
  readonly wait: Promise<void>;
  #endWait!: () => void;
  isWaiting = true;
  readonly #root = createRoot(document.body.appendChild(document.createElement('main')));
  readonly #torn = new Set<string>();
  #count = 1;

  constructor(scene: Scene) {
    this.scene = scene;
    readCost.ms = scene.readCost;
    this.wait = new Promise((resolve) => (this.#endWait = resolve));
  }

  async play(): Promise<Outcome> {
    await this.#open();
    const stopWatching = this.#watch();
    const timer = setInterval(() => this.#write(), this.scene.every);
    await sleep(this.scene.every / 2);
    this.show();
    await sleep(10);
    this.isWaiting = false;
    this.#endWait();
    const mounted = await until(isMounted, MOUNT_LIMIT_MS);
    await sleep(Math.min(this.scene.every * 2, 200));
    clearInterval(timer);
    const written = String(this.#count);
    await until(() => counts().join('|') === written, END_LIMIT_MS);
    stopWatching();
    const last = counts();
    this.#root.unmount();
    document.body.replaceChildren();
    return { torn: [...this.#torn], mounted, last, written };
  }

  async #open(): Promise<void> {
    const { controller } = this;
    await controller.fetch(getCounter, { id: 1 });
    await controller.fetch(getCounters, {});
    this.first = controller.get(Counter, { id: 1 }) as Counter;
    this.#root.render(
      <Provider controller={controller}>
        <Suspense>
          <App page={this} />
        </Suspense>
      </Provider>,
    );
    await until(() => counts().length > 0, END_LIMIT_MS);
  }

  /** Looks at the screen after each commit and in each frame. Returns the function to stop. */
  #watch(): () => void {
    const look = () => {
      const shown = counts();
      if (shown.length > 1) this.#torn.add(shown.join('|'));
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    let frame = requestAnimationFrame(function next() {
      look();
      frame = requestAnimationFrame(next);
    });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }

  #write(): void {
    const count = ++this.#count;
    const write = () => {
      this.increment();
      void this.controller.set(Counter, { id: 1 }, { count });
    };
    if (this.scene.write === 'transition') startTransition(write);
    else write();
  }
}

function App({ page }: Props): ReactElement {
  const { by, hooks } = page.scene;
  const [open, setOpen] = useState(false);
  const lateOpen = useDeferredValue(open);
  const [plain, increment] = useReducer((count: number) => count + 1, 1);
  page.show = () => (by === 'transition' ? startTransition(() => setOpen(true)) : setOpen(true));
  if (hooks.includes('useContext')) page.increment = increment;
  return (
    <Plain.Provider value={plain}>
      <Row page={page} hooks={hooks.slice(0, 1)} counts={[]} />
      {by === 'suspense' && open && (
        <Suspense>
          <SuspendedRows page={page} />
        </Suspense>
      )}
      {by !== 'suspense' && (by === 'deferred' ? lateOpen : open) && <Rows page={page} />}
    </Plain.Provider>
  );
}

function SuspendedRows({ page }: Props): ReactElement {
  // eslint-disable-next-line typescript/only-throw-error
  if (page.isWaiting) throw page.wait;
  return <Rows page={page} />;
}

const Rows = memo(function Rows({ page }: Props): ReactElement {
  const { rows, hooks, isNested } = page.scene;
  const Parent = isNested ? Provider : Fragment;
  return (
    <Parent {...(isNested && { controller: page.controller })}>
      {Array.from({ length: rows }, (_, at) => (
        <Row key={at} page={page} hooks={hooks} counts={[]} />
      ))}
      <hr />
    </Parent>
  );
});

interface RowProps extends Props {
  readonly hooks: readonly Hook[];
  /** The counts that the hooks before `hooks` have read. */
  readonly counts: readonly number[];
}

function Row({ page, hooks, counts: read }: RowProps): ReactElement {
  const [hook, ...others] = hooks;
  if (hook === undefined) return <Text page={page} text={read.join('/')} />;
  const Reader = readers[hook];
  return (
    <Reader first={page.first}>
      {(count) => <Row page={page} hooks={others} counts={[...read, count]} />}
    </Reader>
  );
}

function Text({ page, text }: Props & { readonly text: string }): ReactElement {
  const lateText = useDeferredValue(text);
  beBusy(page.scene.cost);
  return <p>{page.scene.late ? lateText : text}</p>;
}

const play = { writing: (scene: Scene): Promise<Outcome> => new WritingPage(scene).play() };
Object.assign(globalThis, { play });
