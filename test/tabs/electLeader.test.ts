// A tab leads for all: elected by the locks of the platform or, without locks, by leases over a channel.
import { electLeader } from 'signalbox/tabs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { settled } from '../setup/world.ts';
import { BrowserLocks } from '../sync/BrowserLocks.ts';

/** A channel of a tab that can be frozen: no message leaves, and incoming messages wait until the tab resumes. */
class Freezable extends BroadcastChannel {
  static readonly #all = new Set<Freezable>();
  readonly #waiting: MessageEvent[] = [];
  #isFrozen = false;
  #listener: ((event: MessageEvent) => void) | null = null;

  constructor(name: string) {
    super(name);
    Freezable.#all.add(this);
    super.onmessage = (event) => {
      if (this.#isFrozen) this.#waiting.push(event);
      else this.#listener?.(event);
    };
  }
  static freeze(channels: Iterable<Freezable>): void {
    for (const channel of channels) channel.#isFrozen = true;
  }
  static thaw(channels: Iterable<Freezable>): void {
    for (const channel of channels) {
      channel.#isFrozen = false;
      for (const event of channel.#waiting.splice(0)) channel.#listener?.(event);
    }
  }
  /** The channels that are opened while `work` runs. */
  static during(work: () => void): Freezable[] {
    const before = new Set(this.#all);
    work();
    return [...this.#all].filter((channel) => !before.has(channel));
  }
  override postMessage(message: unknown): void {
    if (!this.#isFrozen) super.postMessage(message);
  }
  override set onmessage(listener: ((event: MessageEvent) => void) | null) {
    this.#listener = listener;
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.stubGlobal('BroadcastChannel', Freezable);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 100) {
    await vi.advanceTimersByTimeAsync(Math.min(left, 100));
    for (let turns = 0; turns < 5; turns++) await settled();
  }
}

/** Tabs in the same election. */
class Tabs {
  readonly leading: string[] = [];
  readonly log: string[] = [];
  readonly stops: (() => void)[] = [];
  readonly channels: Freezable[][] = [];
  readonly #locks: BrowserLocks | undefined;

  constructor(locks: BrowserLocks | undefined) {
    this.#locks = locks;
  }

  open(name: string): void {
    vi.stubGlobal('navigator', { locks: this.#locks?.of(name) });
    const lead = () => {
      this.leading.push(name);
      this.log.push(name);
      return () => void this.leading.splice(this.leading.indexOf(name), 1);
    };
    const open = () => this.stops.push(electLeader(elections, lead));
    this.channels.push(Freezable.during(open));
  }
}
let elections = '';
let count = 0;

describe.each([
  ['locks', () => new BrowserLocks()],
  ['leases', () => undefined],
])('by %s', (_, locks) => {
  let tabs: Tabs;
  beforeEach(() => {
    elections = `election ${++count}`;
    tabs = new Tabs(locks());
  });
  afterEach(async () => {
    for (const stop of tabs.stops) stop();
    await pass(1_000);
  });

  test('[P5] one of 20 tabs that open at the same time leads', async () => {
    for (let at = 0; at < 20; at++) tabs.open(`tab ${at}`);
    await pass(1_000);
    expect(tabs.leading).toHaveLength(1);
    await pass(30_000);
    expect(tabs.log).toHaveLength(1);
  });

  test('[P5] another tab leads at once when the leader stops, until no tab is left', async () => {
    for (let at = 0; at < 3; at++) tabs.open(`tab ${at}`);
    await pass(1_000);
    for (let left = 3; left > 0; left--) {
      expect(tabs.leading).toHaveLength(1);
      tabs.stops[Number(tabs.leading[0]?.split(' ')[1])]?.();
      await pass(200);
    }
    expect(tabs.leading).toEqual([]);
    expect(new Set(tabs.log).size).toBe(3);
  });

  test('[P5] a frozen leader is replaced within 13 s, and stops leading when it resumes', async () => {
    for (let at = 0; at < 3; at++) {
      tabs.open(`tab ${at}`);
      await pass(1_000);
    }
    expect(tabs.leading).toEqual(['tab 0']);
    Freezable.freeze(tabs.channels[0] ?? []);
    await pass(13_000);
    expect(tabs.log).toHaveLength(2);
    expect(tabs.leading).toContain(tabs.log[1]);
    Freezable.thaw(tabs.channels[0] ?? []);
    await pass(5_000);
    expect(tabs.leading).toEqual([tabs.log[1]]);
  });

  test('[P5] an error of the leader function is reported once', async () => {
    const reported = vi.fn<(error: unknown) => void>();
    vi.stubGlobal('reportError', reported);
    vi.stubGlobal('navigator', { locks: undefined });
    tabs.stops.push(
      electLeader(elections, () => {
        throw new Error('why');
      }),
    );
    await pass(1_000);
    tabs.open('other');
    await pass(1_000);
    expect(reported).toHaveBeenCalledOnce();
  });
});

test('[P5] without locks and channels each tab leads', async () => {
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('BroadcastChannel', undefined);
  const end = vi.fn<() => void>();
  const lead = vi.fn<() => () => void>(() => end);
  const stops = [electLeader('alone', lead), electLeader('alone', lead)];
  await pass(100);
  expect(lead).toHaveBeenCalledTimes(2);
  for (const stop of stops) stop();
  expect(end).toHaveBeenCalledTimes(2);
});
