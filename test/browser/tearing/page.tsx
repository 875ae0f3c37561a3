// A page of slow readers of a stored counter, and a watcher of the screen after each commit, in each effect and frame.
import {
  memo,
  startTransition,
  Suspense,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useReducer,
  useState,
} from 'react';
import type { ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Controller } from 'signalbox';
import { Provider } from 'signalbox/react';
import { Counter, getCounter, getCounters, Plain, readers } from './counter.tsx';
import type { Hook } from './counter.tsx';

/** Scenes differ in the hooks that read the counter, in the number of readers and in the cost of a reader, ms. */
export interface Cast {
  readonly hooks: readonly Hook[];
  readonly readers: number;
  readonly cost: number;
  /** Each reader passes its text to useDeferredValue. */
  readonly deferred?: boolean;
  /** Default: in a timer. */
  readonly write?: 'timer' | 'event' | 'transition';
}

export interface Seen {
  /** Screens on which readers differed, with the observer that saw the screen. */
  readonly torn: readonly string[];
  /** The different screens in turn, each as the texts of the readers. */
  readonly screens: readonly string[];
  readonly last: readonly string[];
}

interface Props {
  readonly stage: Stage;
}

type Step = (count: number) => number;
/** Rendered by a reader as a child. */
function Text({ stage, count }: Props & { readonly count: number }): ReactElement {
  const late = useDeferredValue(count);
  const shown = stage.cast.deferred === true ? late : count;
  stage.rendered();
  useLayoutEffect(() => stage.look(`layout effect of ${shown}`));
  useEffect(() => stage.look(`effect of ${shown}`));
  return <p>{shown}</p>;
}

class Stage {
  readonly controller = new Controller();
  readonly cast: Cast;
  first!: Counter;
  readonly #root = createRoot(document.body.appendChild(document.createElement('main')));
  readonly #watcher = new MutationObserver(() => this.look('commit'));
  readonly #torn = new Set<string>();
  readonly #screens: string[] = [];
  #renders = 0;
  #due: { readonly renders: number; readonly resolve: () => void } | undefined;
  #closed = false;
  show = (): void => {};
  dispatch: ((step: Step) => void) | undefined;

  constructor(cast: Cast) {
    this.cast = cast;
  }

  async open(shown: boolean): Promise<this> {
    const { controller, cast } = this;
    await controller.fetch(getCounter, { id: 1 });
    await controller.fetch(getCounters, {});
    this.first = controller.get(Counter, { id: 1 }) as Counter;
    const rows = Array.from({ length: cast.readers }, (_, at) => {
      const Reader = readers[cast.hooks[at % cast.hooks.length] as Hook];
      return memo(({ stage }: Props) => (
        <Reader first={stage.first}>{(count) => <Text stage={stage} count={count} />}</Reader>
      ));
    });
    const lend = (show: () => void) => void (this.show = show);
    const lendDispatch = (dispatch: (step: Step) => void): void => {
      if (cast.hooks.includes('useContext')) this.dispatch = dispatch;
    };
    const App = (): ReactElement => {
      const [open, setOpen] = useState(shown);
      const [text, setText] = useState('');
      const [plain, dispatch] = useReducer((count: number, step: Step) => step(count), 1);
      lend(() => setOpen(true));
      lendDispatch(dispatch);
      return (
        <Plain.Provider value={plain}>
          <button onClick={() => setText('pressed')}>{text}</button>
          {open && rows.map((Row, at) => <Row key={at} stage={this} />)}
        </Plain.Provider>
      );
    };
    this.#root.render(
      <Provider controller={controller}>
        <Suspense fallback={<i>loading</i>}>
          <App />
        </Suspense>
      </Provider>,
    );
    await this.until(shown ? '1' : '');
    // once after each commit
    this.#watcher.observe(document.body, { childList: true, characterData: true, subtree: true });
    const frame = () => {
      this.look('frame');
      if (!this.#closed) requestAnimationFrame(frame);
    };
    frame();
    return this;
  }

  change(by: Step, how = this.cast.write): void {
    const write = (): void => {
      this.dispatch?.(by);
      void this.controller.set(Counter, { id: 1 }, ({ count }: Counter) => ({ count: by(count) }));
    };
    if (how === 'transition') startTransition(write);
    else if (how === 'event') flushSync(write);
    else write();
  }

  rendered(): void {
    const end = performance.now() + this.cast.cost;
    while (performance.now() < end);
    if (++this.#renders !== this.#due?.renders) return;
    const { resolve } = this.#due;
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', resolve);
    port1.start();
    // before the message with which React continues after a slice
    port2.postMessage(0);
  }

  /** Resolves in the midst of a render: when a few readers have rendered from now on, and React gives way to others. */
  midway(): Promise<void> {
    const renders = this.#renders + Math.ceil(this.cast.readers / 6);
    const due = new Promise<void>((resolve) => (this.#due = { renders, resolve }));
    return Promise.race([due, sleep(1_000)]);
  }

  look(by: string): void {
    const shown = [...new Set(texts())].join('|');
    if (shown.includes('|')) this.#torn.add(`${by}: ${shown}`);
    if (by === 'commit' && shown !== this.#screens.at(-1)) this.#screens.push(shown);
  }

  close(): Seen {
    this.#closed = true;
    this.#watcher.disconnect();
    const seen = { torn: [...this.#torn], screens: this.#screens };
    const last = texts();
    this.#root.unmount();
    return { ...seen, last };
  }

  /** Waits until all readers show `text`, and then until React has nothing left to render; at most twenty seconds. */
  async until(text: string): Promise<void> {
    const end = performance.now() + 20_000;
    // without readers there is a button, once anything has rendered
    const shown = () =>
      document.querySelector('button') !== null && [...new Set(texts())].join('|') === text;
    while (!shown() && performance.now() < end) await sleep(10);
    await sleep(50);
  }
}

const texts = (): string[] => [...document.querySelectorAll('p')].map((p) => p.textContent);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const TURNS = 5;

/** Readers are on the screen, and the counter changes again and again. */
async function update(cast: Cast): Promise<Seen> {
  const stage = await new Stage(cast).open(true);
  for (let turn = 0; turn < TURNS; turn++) {
    stage.change((count) => count + 1);
    await stage.midway();
  }
  await stage.until('6');
  return stage.close();
}

/** The counter changes while readers are being mounted. */
async function mount(cast: Cast): Promise<Seen> {
  const stage = await new Stage(cast).open(false);
  startTransition(() => stage.show());
  for (let turn = 0; turn < TURNS; turn++) {
    await stage.midway();
    stage.change((count) => count + 1);
  }
  await stage.until('6');
  return stage.close();
}

/** The texts of readers at the press of a button on the screen, while readers render in a transition. */
async function interrupt(cast: Cast): Promise<Seen & { pressed: string; beside: string[] }> {
  const stage = await new Stage(cast).open(true);
  stage.change((count) => count + 1, 'transition');
  await stage.midway();
  const button = document.querySelector('button') as HTMLElement;
  button.click();
  await Promise.resolve();
  const pressed = button.textContent;
  const beside = [...new Set(texts())];
  await stage.until('2');
  return { pressed, beside, ...stage.close() };
}

/** An urgent change while another is pending in a transition. */
async function branch(cast: Cast): Promise<Seen> {
  const stage = await new Stage(cast).open(true);
  stage.change((count) => count + 1, 'transition');
  await stage.midway();
  stage.change((count) => count * 2 + 3, 'event');
  await stage.until('7');
  return stage.close();
}

const play = { update, mount, interrupt, branch };
export type Play = typeof play;
Object.assign(globalThis, { play });
