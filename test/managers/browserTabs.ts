// A browser in memory for random programs: tabs on one disk, which crash at any place, and the session of its user.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Controller, createResource } from 'signalbox';
import { persist } from 'signalbox/persist';
import type { Persistence } from 'signalbox/persist';
import { connectTabs } from 'signalbox/tabs';
import { StoppedClock, Todo } from '../setup/world.ts';
import { freshDisk } from './disks.ts';
import { Post } from './Post.ts';

export const resource = createResource({ path: '/todos/:id', schema: Todo });

/** What tabs show of a session: two users take turns. */
export const titleOf = (session: number): string => `user ${session % 2} of session ${session}.`;

/** The sessions that a text tells of. */
export const sessionsIn = (text: string): number[] =>
  Array.from(text.matchAll(/session (\d+)\./g), ([, session]) => Number(session));

/** What a tab has open on the disk. */
class Connections {
  readonly #open = new Set<IDBDatabase>();
  readonly #running = new Set<IDBTransaction>();
  crashed = false;

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  add(database: IDBDatabase): void {
    this.#open.add(database);
    const close = database.close.bind(database);
    const transaction = database.transaction.bind(database);
    database.close = () => {
      this.#open.delete(database);
      close();
    };
    database.transaction = (...args) => {
      const begun = transaction(...args);
      const commit = begun.commit.bind(begun);
      const end = () => void this.#running.delete(begun);
      this.#running.add(begun);
      begun.addEventListener('complete', end);
      begun.addEventListener('abort', end);
      begun.commit = () => {
        end();
        commit();
      };
      return begun;
    };
  }

  /** What was not committed is undone, as a browser does where a page dies. */
  crash(): void {
    this.crashed = true;
    for (const transaction of this.#running) transaction.abort();
    for (const database of this.#open) database.close();
  }
}

const running = new AsyncLocalStorage<Connections>();
const openDatabase = indexedDB.open.bind(indexedDB);
indexedDB.open = (...args) => {
  const own = running.getStore();
  if (own?.crashed === true) throw new Error('the tab has crashed');
  const request = openDatabase(...args);
  if (own !== undefined) request.addEventListener('success', () => own.add(request.result));
  return request;
};

/** One page. */
export class Tab {
  readonly controller: Controller;
  readonly kept: Persistence;
  /** Requests that wait for their answers. */
  readonly answers: (() => void)[] = [];
  readonly #connections = new Connections();
  readonly #leave: () => void;
  /** What it knows is of this session. */
  session: number;
  isReady = false;

  constructor(browser: Browser, version: string) {
    this.session = browser.session;
    const { clock } = browser;
    this.controller = new Controller({
      retry: 0,
      sweepAfter: Infinity,
      clock: {
        now: () => clock.now(),
        after: (ms, job) => clock.after(ms, () => this.do(job)),
        clear: (timer) => clock.clear(timer),
      },
      send: () => {
        const title = titleOf(this.session);
        return new Promise((resolve) => this.answers.push(() => resolve({ id: 3, title })));
      },
    });
    const names = { resource };
    this.kept = running.run(this.#connections, () =>
      persist(this.controller, { names, name: browser.disk, version }),
    );
    this.controller.on('reset', () => (this.session = browser.session));
    const channel = browser.post?.channel();
    this.#leave = () => channel?.close();
    if (channel !== undefined)
      connectTabs(this.controller, { names, version, channel: this.#wired(channel) });
    void this.kept.ready.then(() => (this.isReady = true));
  }

  #wired(channel: ReturnType<Post['channel']>): ReturnType<Post['channel']> {
    const wired: ReturnType<Post['channel']> = {
      onmessage: null,
      postMessage: (message) => {
        if (!this.#connections.crashed) channel.postMessage(message);
      },
      close: () => channel.close(),
    };
    channel.onmessage = (event: unknown) => this.do(() => wired.onmessage?.(event));
    return wired;
  }

  /** In this tab, unless it has crashed. */
  do(work: () => void): void {
    if (!this.#connections.crashed) running.run(this.#connections, work);
  }

  /** A transaction of this tab begins at once. */
  get hasDisk(): boolean {
    return this.#connections.isOpen;
  }

  crash(): void {
    this.#leave();
    this.#connections.crash();
  }

  /** All that it shows of any session. */
  get shown(): string {
    const rows = [1, 2, 3].map((id) => this.controller.get(Todo, { id })?.title);
    const { data } = this.controller.getResponse(resource.getList, {});
    return [...rows, ...(data ?? []).map(({ title }) => title)].join();
  }
}

export class Browser {
  readonly disk: string = freshDisk();
  readonly clock: StoppedClock = new StoppedClock();
  readonly post: Post | undefined;
  readonly tabs: Set<Tab> = new Set();
  /** A log out in any tab begins the next one. */
  session = 1;
  #reader: Promise<IDBDatabase> | undefined;

  /** `connected`: tabs hear each other. */
  constructor(connected: boolean) {
    this.post = connected ? new Post() : undefined;
  }

  at(place: number): Tab | undefined {
    return [...this.tabs][place % Math.max(1, this.tabs.size)];
  }

  /** The text of all that is on the disk behind all transactions that have begun, and the session of that moment. */
  async read(): Promise<readonly [session: number, text: string]> {
    this.#reader ??= this.#connect();
    const database = await this.#reader;
    const { session } = this;
    const store = database.transaction('signalbox').objectStore('signalbox');
    return new Promise((resolve, reject) => {
      const all = store.getAll();
      all.addEventListener('success', () => resolve([session, JSON.stringify(all.result)]));
      all.addEventListener('error', () => reject(all.error as Error));
    });
  }

  #connect(): Promise<IDBDatabase> {
    return new Promise((resolve) => {
      const request = openDatabase(this.disk);
      request.addEventListener('upgradeneeded', () =>
        request.result.createObjectStore('signalbox'),
      );
      request.addEventListener('success', () => {
        const { result } = request;
        result.addEventListener('versionchange', () => {
          this.#reader = undefined;
          result.close();
        });
        resolve(result);
      });
    });
  }
}
