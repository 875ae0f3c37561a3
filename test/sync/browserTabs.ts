// A browser in memory for random programs: tabs with a shared disk, which crash at any point, and the session of the user.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Controller, createResource } from 'signalbox';
import { persist } from 'signalbox/persist';
import type { Persistence, Transform } from 'signalbox/persist';
import { connectTabs } from 'signalbox/tabs';
import { StoppedClock, Todo } from '../setup/world.ts';
import { freshDisk } from './disks.ts';
import { MessageBus } from './MessageBus.ts';

export const resource = createResource({ path: '/todos/:id', schema: Todo });

/** The title of all rows of a session. */
export const titleOf = (session: number): string => `row of session ${session}.`;

/** The sessions that a text names. */
export const sessionsIn = (text: string): number[] =>
  Array.from(text.matchAll(/session (\d+)\./g), ([, session]) => Number(session));

/** The open database of a tab. */
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

  /** Uncommitted changes are undone, as a browser does when a page dies. */
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

/** A transform: the bytes on the disk differ from the rows. */
const sealed: Transform = {
  encode: (plain) => Promise.resolve(plain.map((byte) => byte ^ 0x5a)),
  decode: (bytes) => Promise.resolve(bytes.map((byte) => byte ^ 0x5a)),
};

/** A user, or all users of a disk without owners, one after another. */
export class Account {
  /** Undefined: the disk has no owners. */
  readonly owner: string | undefined;
  /** The channel of the tabs; undefined: the tabs are not connected. */
  readonly bus: MessageBus | undefined;
  session: number;

  constructor(owner: string | undefined, bus: MessageBus | undefined, session: number) {
    this.owner = owner;
    this.bus = bus;
    this.session = session;
  }
}

/** A page. */
export class Tab {
  readonly controller: Controller;
  account: Account;
  kept!: Persistence;
  /** Requests that wait for their answers. */
  readonly answers: (() => void)[] = [];
  readonly #browser: Browser;
  readonly #version: string;
  readonly #connections = new Connections();
  #leave = () => {};
  /** The data are of this session. */
  session: number;
  isReady = false;

  constructor(browser: Browser, account: Account, version: string) {
    this.#browser = browser;
    this.#version = version;
    this.account = account;
    this.session = account.session;
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
    this.controller.on('reset', () => (this.session = this.account.session));
    this.#begin();
  }

  /** Persists and connects the controller under the account. */
  #begin(): void {
    const { account, controller } = this;
    const { disk, isSealed } = this.#browser;
    const version = this.#version;
    const names = { resource };
    const transform = isSealed ? sealed : undefined;
    const { owner, bus } = account;
    this.kept = running.run(this.#connections, () =>
      persist(controller, { names, name: disk, version, owner, transform }),
    );
    this.isReady = false;
    const { kept } = this;
    void kept.ready.then(() => (this.isReady ||= kept === this.kept));
    if (bus === undefined) return;
    const channel = bus.channel();
    const stop = connectTabs(controller, { names, version, owner, channel: this.#wired(channel) });
    this.#leave = () => {
      if (!this.#connections.crashed) stop();
      channel.close();
    };
  }

  /** The user of this tab logs out, and the user of another account logs in, without a reload. */
  change(account: Account): void {
    this.controller.reset();
    this.#leave();
    this.kept.stop();
    this.account = account;
    this.session = account.session;
    this.#begin();
  }

  #wired(channel: ReturnType<MessageBus['channel']>): ReturnType<MessageBus['channel']> {
    const wired: ReturnType<MessageBus['channel']> = {
      onmessage: null,
      postMessage: (message) => {
        if (this.#connections.crashed) return;
        this.#browser.note('message', JSON.stringify(message), this.session);
        channel.postMessage(message);
      },
      close: () => channel.close(),
    };
    channel.onmessage = (event: unknown) => this.do(() => wired.onmessage?.(event));
    return wired;
  }

  /** In this tab, unless the tab has crashed. */
  do(work: () => void): void {
    if (!this.#connections.crashed) running.run(this.#connections, work);
  }

  /** A transaction of this tab begins at once. */
  get hasDisk(): boolean {
    return this.#connections.isOpen;
  }

  crash(): void {
    this.#connections.crash();
    this.#leave();
  }

  /** All shown rows of any session. */
  get shown(): string {
    const rows = [1, 2, 3].map((id) => this.controller.get(Todo, { id })?.title);
    const { data } = this.controller.getResponse(resource.getList, {});
    return [...rows, ...(data ?? []).map(({ title }) => title)].join();
  }
}

interface BrowserOptions {
  /** Tabs of an account are connected. */
  readonly connected: boolean;
  /** Two users are logged in at the same time, in separate tabs; otherwise one after another. */
  readonly owners: boolean;
  readonly sealed: boolean;
}

export class Browser {
  readonly disk: string = freshDisk();
  readonly clock: StoppedClock = new StoppedClock();
  readonly tabs: Set<Tab> = new Set();
  readonly accounts: readonly Account[];
  readonly isSealed: boolean;
  /** Where a row of another session was found. */
  readonly leaks: string[] = [];
  #sessions = 0;
  #reader: Promise<IDBDatabase> | undefined;

  constructor({ connected, owners, sealed: isSealed }: BrowserOptions) {
    this.isSealed = isSealed;
    const names = owners ? ['ada', 'bob'] : [undefined];
    // all users share a channel
    const bus = connected ? new MessageBus() : undefined;
    this.accounts = names.map((owner) => new Account(owner, bus, ++this.#sessions));
  }

  at(place: number): Tab | undefined {
    return [...this.tabs][place % Math.max(1, this.tabs.size)];
  }

  open(account: number, version: string): Tab {
    const tab = new Tab(this, this.accountAt(account), version);
    this.tabs.add(tab);
    return tab;
  }

  accountAt(place: number): Account {
    return this.accounts[place % this.accounts.length] as Account;
  }

  /** The session of an account ends, and the next session begins. */
  endSession(account: Account): void {
    account.session = ++this.#sessions;
  }

  /** All pages are closed, and the disk is deleted, so that many programs fit into memory. */
  end(): void {
    for (const tab of this.tabs) tab.crash();
    indexedDB.deleteDatabase(this.disk);
  }

  /** Looks for rows of other sessions. */
  note(where: string, text: string, session: number): void {
    const others = sessionsIn(text).filter((other) => other !== session);
    if (others.length > 0) this.leaks.push(`${where} of session ${session}: ${others.join()}`);
  }

  /** Looks at all tabs. */
  lookAtTabs(): void {
    for (const { shown, session } of this.tabs) this.note('tab', shown, session);
  }

  /** Looks at all that is on the disk behind all transactions that have begun, as of the sessions of this moment. */
  async lookAtDisk(): Promise<void> {
    this.#reader ??= this.#connect();
    const database = await this.#reader;
    const sessions = this.accounts.map(({ owner, session }) => [owner, session] as const);
    const store = database.transaction('signalbox').objectStore('signalbox');
    const found = sessions.map(async ([owner, session]) => {
      const prefix = owner === undefined ? 'signalbox:' : `signalbox of ${owner}:`;
      const values = await allIn(store, IDBKeyRange.bound(prefix, `${prefix}\uffff`));
      if (this.isSealed) this.note('plain disk', JSON.stringify(values), 0);
      const plain = await Promise.all(values.map(plainOf));
      this.note(`disk of ${owner}`, plain.join(), session);
    });
    await Promise.all(found);
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

function allIn(store: IDBObjectStore, range: IDBKeyRange): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const all = store.getAll(range);
    all.addEventListener('success', () => resolve(all.result));
    all.addEventListener('error', () => reject(all.error as Error));
  });
}

async function plainOf(value: unknown): Promise<string> {
  return value instanceof Uint8Array
    ? new TextDecoder().decode(await sealed.decode(value))
    : String(value);
}
