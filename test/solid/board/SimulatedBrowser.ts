// A browser with several tabs in one process: timers, channels, locks, event sources and requests, all from one seed.
import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';
import { Board } from '../../../examples/board/server/Board.ts';
import { respond } from '../../../examples/board/server/respond.ts';
import { seed as fill } from '../../../examples/board/server/seed.ts';
import { Journeys } from '../../browser/board/Journeys.ts';
import { TabLocks } from '../../tabs/TabLocks.ts';

/** The tab whose code runs. */
const running = new AsyncLocalStorage<TabProcess>();

let opened = 0;

/** The process of a tab. */
export class TabProcess {
  readonly number: number = ++opened;
  readonly ends: Set<() => void> = new Set();
  #hasEnded = false;

  /** After the end of the process nothing runs any more: no timer fires, no message or response arrives. */
  run(work: () => void): void {
    if (!this.#hasEnded) running.run(this, work);
  }

  end(): void {
    this.#hasEnded = true;
    running.run(this, () => {
      for (const end of this.ends) end();
    });
  }
}

type SetTimer = (job: () => void, ms?: number) => unknown;

type Listener = (event: object) => void;

/** How long the platform waits before an event source reconnects, ms. */
const RECONNECT_MS = 500;

export class SimulatedBrowser {
  readonly board: Board = new Board();
  readonly journeys: Journeys;
  readonly #locks = new TabLocks();
  readonly #channels = new Map<string, Set<Channel>>();
  readonly #sources = new Set<Source>();

  constructor(seed: number) {
    this.journeys = new Journeys(seed);
    fill(this.board);
  }

  /** Replaces the globals of the platform until `uninstall`. */
  install(): void {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_700_000_000_000 });
    const later: SetTimer = globalThis.setTimeout;
    const setTimer: SetTimer = (job, ms) => {
      const tab = running.getStore();
      return later(tab ? () => tab.run(job) : job, ms);
    };
    // not by `stubGlobal`, which would put the fake function back in the end
    globalThis.setTimeout = setTimer as never;
    const random = randomOf(this.journeys.delay);
    vi.spyOn(Math, 'random').mockImplementation(random);
    const tab = () => running.getStore() as TabProcess;
    const locks = {
      // with or without options
      request: (name: string, ...rest: readonly unknown[]) =>
        this.#request(tab(), name, rest.at(-1) as () => Promise<void>),
      query: () => Promise.resolve({ held: [] }),
    };
    const browser = this;
    const channelsOf = (name: string) => this.#channelsOf(name);
    const globals = {
      BroadcastChannel: class extends Channel {
        constructor(name: string) {
          super(channelsOf(name), tab(), later);
        }
      },
      EventSource: class extends Source {
        constructor() {
          super(browser.board, browser.journeys, tab(), later);
          browser.#sources.add(this);
          tab().ends.add(() => browser.#sources.delete(this));
        }
      },
      navigator: { locks, onLine: true },
      fetch: (url: string, init: RequestInit) => this.#fetch(url, init),
    };
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  }

  uninstall(): void {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    vi.useRealTimers();
  }

  /** Ends the tab without a word to the others. */
  kill(tab: TabProcess): void {
    tab.end();
    this.#locks.kill(tab);
  }

  /** Changes under way to the clients are lost. */
  dropStreams(): void {
    for (const source of this.#sources) source.drop();
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 10) {
      await vi.advanceTimersByTimeAsync(Math.min(left, 10));
      // bodies are read beside the timers
      await new Promise<void>((resolve) => void setImmediate(resolve));
    }
  }

  #channelsOf(name: string): Set<Channel> {
    const known = this.#channels.get(name) ?? new Set();
    this.#channels.set(name, known);
    return known;
  }

  #request(tab: TabProcess, name: string, work: () => Promise<void>): Promise<unknown> {
    const begin = () => running.run(tab, work);
    return this.#locks.of(tab).request(name, begin);
  }

  async #fetch(url: string, { method = 'GET', body, signal }: RequestInit): Promise<Response> {
    const { there, back, end } = this.journeys.begin(method, url, running.getStore()?.number);
    await sleep(there, signal);
    if (end === 'is lost') throw new TypeError('fetch failed');
    if (end === 'is refused')
      return new Response(null, { status: 503, headers: { 'retry-after': '0' } });
    const request = {
      method,
      url: url.replace('/api', ''),
      body: JSON.parse(String(body ?? '{}')),
    };
    const response = respond(this.board, request);
    const text = JSON.stringify(response.body);
    await sleep(back, signal);
    if (end === 'response is lost') throw new TypeError('fetch failed');
    const headers = { 'content-type': 'application/json' };
    return new Response(text, { status: response.status, headers });
  }
}

function sleep(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
    setTimeout(resolve, ms);
  });
}

/** Numbers from 0 up to 1. */
function randomOf(seed: number): () => number {
  let state = seed + 1;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** `BroadcastChannel`: each message arrives within some ms, those of one channel in order. */
class Channel {
  onmessage: Listener | null = null;
  readonly #all: Set<Channel>;
  readonly #tab: TabProcess;
  readonly #later: SetTimer;
  #lastArrival = 0;

  constructor(all: Set<Channel>, tab: TabProcess, later: SetTimer) {
    this.#all = all;
    this.#tab = tab;
    this.#later = later;
    all.add(this);
    tab.ends.add(() => this.close());
  }

  postMessage(message: unknown): void {
    if (!this.#all.has(this)) return;
    const data: unknown = structuredClone(message);
    this.#lastArrival = Math.max(this.#lastArrival, Date.now() + Math.floor(Math.random() * 4));
    for (const to of this.#all)
      if (to !== this) this.#later(() => to.#receive(data), this.#lastArrival - Date.now());
  }

  close(): void {
    this.#all.delete(this);
  }

  #receive(data: unknown): void {
    if (!this.#all.has(this)) return;
    this.#tab.run(() => this.onmessage?.({ data: structuredClone(data) }));
  }
}

/** `EventSource` for the changes of the board, which arrive late, and in order. */
class Source {
  readyState = 0;
  readonly #board: Board;
  readonly #journeys: Journeys;
  readonly #tab: TabProcess;
  readonly #later: SetTimer;
  readonly #listeners = new Map<string, Set<Listener>>();
  #stop: (() => void) | undefined;
  #lastArrival = 0;

  constructor(board: Board, journeys: Journeys, tab: TabProcess, later: SetTimer) {
    this.#board = board;
    this.#journeys = journeys;
    this.#tab = tab;
    this.#later = later;
    tab.ends.add(() => this.close());
    later(() => this.#connect(), journeys.delay);
  }

  addEventListener(type: string, listener: Listener): void {
    const all = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, all.add(listener));
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener);
  }

  close(): void {
    this.readyState = 2;
    this.#stop?.();
  }

  /** The connection is lost, with what is under way; the platform reconnects. */
  drop(): void {
    if (this.readyState !== 1) return;
    this.#stop?.();
    this.#stop = undefined;
    this.readyState = 0;
    this.#fire('error', {});
    this.#later(() => this.#connect(), RECONNECT_MS + this.#journeys.delay);
  }

  #connect(): void {
    if (this.readyState === 2) return;
    this.readyState = 1;
    const stop = this.#board.listen((change) => {
      const data = JSON.stringify(change);
      this.#lastArrival = Math.max(this.#lastArrival, Date.now() + this.#journeys.delay);
      const receive = () => this.#stop === stop && this.#fire('message', { data, lastEventId: '' });
      this.#later(receive, this.#lastArrival - Date.now());
    });
    this.#stop = stop;
    this.#fire('open', {});
  }

  #fire(type: string, event: object): void {
    this.#tab.run(() => {
      for (const listener of this.#listeners.get(type) ?? []) listener({ type, ...event });
    });
  }
}
