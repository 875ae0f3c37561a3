/** Runs the page benchmark: rounds in which each app plays each scene on a fresh page, in turn. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { launchBrowser } from '../../test/setup/browser.ts';
import { byHand, own, peers } from './bundle.ts';
import type { Taken, Ticked } from './play.ts';
import { scenes } from './scenes.ts';
import { serveApps } from './serve.ts';
import type { Loaded, Site } from './serve.ts';
import { printLoads, printScenes, printStreams } from './table.ts';

/** What a scene took on each page, in the order of rounds. */
export type Rounds = Record<string, Record<string, Taken[][]>>;

/** The first rows of each app, in the order of rounds. */
export type Loads = Record<string, Loaded[]>;

export interface Stream {
  readonly ticked: Ticked;
  /** Of each key that took longer than a frame to be painted, ms. */
  readonly keys: readonly number[];
  /** Bytes after garbage collection: after two turns of the page, and after ten more. */
  readonly heap: readonly [number, number];
}

export interface Options {
  readonly root: string;
  readonly rounds: number;
  readonly scenes: readonly string[];
  readonly apps: readonly string[];
  /** Each row of a list is drawn, also where it is one of a thousand. */
  readonly all: boolean;
  /** Also the ticker, typing and the heap. */
  readonly streams: boolean;
  /** Where raw values go to. */
  readonly json: string | undefined;
  /** 0.5: medians. Less where other programs take the processor: what they took is left out. */
  readonly quantile: number;
}

interface Raw {
  readonly rounds: Rounds;
  readonly loads: Loads;
  readonly streams: Record<string, Stream>;
}

/** Prints the raw values of an earlier run. */
export function readPages(json: string, quantile: number): void {
  const { rounds, loads, streams } = JSON.parse(readFileSync(json, 'utf8')) as Raw;
  printLoads(loads, quantile);
  printScenes(rounds, quantile);
  if (Object.keys(streams).length > 0) printStreams(streams);
}

/** Not a scene of `scenes.ts`: it is played before the script of the app is on the page. */
const LOAD = 'load';
export const everyScene: readonly string[] = [LOAD, ...Object.keys(scenes)];
export const everyApp: readonly string[] = [...own, ...byHand, ...peers];

export async function runPages(options: Options): Promise<void> {
  const browser = await launchBrowser();
  const site = await serveApps(options.root, browser);
  try {
    const loads = options.scenes.includes(LOAD) ? await playLoads(site, options) : {};
    printLoads(loads, options.quantile);
    const rounds = await playScenes(site, options);
    printScenes(rounds, options.quantile);
    keep(options.json, { rounds, loads, streams: {} });
    if (!options.streams) return;
    const streams = await playStreams(site, options);
    printStreams(streams);
    keep(options.json, { rounds, loads, streams });
  } finally {
    site.close();
    await browser.close();
  }
}

function keep(json: string | undefined, raw: Raw): void {
  if (json !== undefined) writeFileSync(json, JSON.stringify(raw));
}

/** A page takes a second: several of each round, apps in turn. */
const LOADS = 5;

async function playLoads(site: Site, { rounds, apps }: Options): Promise<Loads> {
  const loads: Loads = {};
  for (let round = 0; round < rounds * LOADS; round++) {
    for (const app of apps) {
      progress((round + 1) / (rounds * LOADS), `page just loaded: ${app}`);
      (loads[app] ??= []).push(await site.load(app));
    }
  }
  progress(undefined);
  return loads;
}

async function playScenes(site: Site, options: Options): Promise<Rounds> {
  const { rounds, apps, all } = options;
  const scenes = options.scenes.filter((scene) => scene !== LOAD);
  const taken: Rounds = {};
  const total = rounds * scenes.length * apps.length;
  let done = 0;
  for (let round = 0; round < rounds; round++) {
    for (const scene of scenes) {
      for (const app of apps) {
        progress(++done / total, `round ${round + 1} of ${rounds}: ${scene}, ${app}`);
        const { page, close } = await site.open(app);
        const result = await page.evaluate(`play.scene('${scene}', undefined, ${all})`);
        await close();
        ((taken[scene] ??= {})[app] ??= []).push(result as Taken[]);
      }
    }
  }
  progress(undefined);
  return taken;
}

const ROWS = 10_000;
const stream = { perSecond: 1000, seconds: 5 };

async function playStreams(site: Site, { apps }: Options): Promise<Record<string, Stream>> {
  const streams: Record<string, Stream> = {};
  for (const [at, app] of apps.entries()) {
    progress((at + 1) / apps.length, `streams: ${app}`);
    try {
      streams[app] = await playStream(site, app);
    } catch (error) {
      // a page that is too busy to take a key is a result, too
      process.stdout.write(`${app} does not bear the stream: ${String(error)}\n`);
    }
  }
  progress(undefined);
  return streams;
}

async function playStream(site: Site, app: string): Promise<Stream> {
  const { page, close } = await site.open(app);
  try {
    await page.evaluate(`play.open(${ROWS})`);
    const ticked = (await page.evaluate(`play.tick(${JSON.stringify(stream)})`)) as Ticked;
    const keys = await typeWhileItStreams(page);
    await page.evaluate('play.verify()');
    return { ticked, keys, heap: await heapOf(site, app) };
  } finally {
    await close();
  }
}

async function typeWhileItStreams(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const keys: number[] = [];
    Object.assign(globalThis, { keys });
    const observer = new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries())
        if (name === 'keydown') keys.push(duration);
    });
    observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  const typing = async (): Promise<void> => {
    await page.focus('#search');
    for (let key = 0; key < 30; key++) {
      await page.keyboard.press('a');
      await page.waitForTimeout(50);
    }
  };
  const longer = JSON.stringify({ ...stream, seconds: 4 });
  await Promise.all([page.evaluate(`play.tick(${longer})`), typing()]);
  const text = await page.textContent('output');
  if (text !== 'a'.repeat(30)) throw new Error(`what was typed is shown as "${text}"`);
  return (await page.evaluate('keys')) as number[];
}

async function heapOf(site: Site, app: string): Promise<[number, number]> {
  const { page, close } = await site.open(app);
  const session = await page.context().newCDPSession(page);
  const heap = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  await page.evaluate('play.open(1000)');
  await page.evaluate('play.cycle(2)');
  const before = await heap();
  await page.evaluate('play.cycle(10)');
  const after = await heap();
  await close();
  return [before, after];
}

function progress(share: number | undefined, text = ''): void {
  if (!process.stderr.isTTY) return;
  const width = 30;
  const full = Math.round((share ?? 0) * width);
  const bar = share === undefined ? '' : `[${'#'.repeat(full)}${' '.repeat(width - full)}] `;
  process.stderr.write(`\r\u001B[K${bar}${text}`);
}
