// The page of the benchmark in a real browser: each scene once with each of our four apps. Counts, no times.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { own } from '../../benchmarks/page/bundle.ts';
import type { Taken, Ticked } from '../../benchmarks/page/play.ts';
import { serveApps } from '../../benchmarks/page/serve.ts';
import type { Site } from '../../benchmarks/page/serve.ts';
import { headlessShellOfFile } from '../setup/sharedBrowser.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const browser = headlessShellOfFile();
let site: Site;
beforeAll(async () => {
  // each app has a separate document in the same page: another page is another process, which costs more than most tests
  const page = await browser.newPage();
  page.close = () => Promise.resolve();
  site = await serveApps(root, { newPage: () => Promise.resolve(page.removeAllListeners()) });
});
afterAll(() => site?.close());

/** The page compares the rows with the server, and reports each row that differs. */
async function play<T>(app: string, script: string): Promise<T> {
  const { page, close } = await site.open(app);
  const result = (await page.evaluate(script)) as T;
  await close();
  return result;
}

/** The runs of the second step, and the number of changes of the page; the first step loads code. */
async function second(app: App, scene: string, all = false): Promise<[Taken['runs'], number]> {
  const played = await play<[Taken, Taken]>(app, `play.scene('${scene}', 2, ${all})`);
  const [, { runs, mutations }] = played;
  return [runs, mutations];
}

type App = (typeof own)[number];
type Counts = Readonly<Record<App, [Taken['runs'], number]>>;

const same = (runs: Taken['runs'], changes: number): Counts => ({
  signalboxReact: [runs, changes],
  signalboxFor: [runs, changes],
  signalboxPreact: [runs, changes],
  signalboxSolid: [runs, changes],
});

/*
 *   Row   the component of a row  List   the component of a list with snapshots (React), or with added, removed or moved rows (Preact)
 *   Card  the component of the user  text   a text in Solid
 *                               the number: records of changes of the page
 */
const renamed = (rows: number): Counts => ({
  signalboxReact: [{ List: 1, Row: rows, Card: rows }, 2 * rows],
  // the snapshot of a row contains the user
  signalboxFor: [{ Row: rows, Card: rows }, 2 * rows],
  signalboxPreact: [{ Card: rows }, 2 * rows],
  signalboxSolid: [{ text: rows }, 2 * rows],
});

/** A row renders because the row is new or another row was removed. */
const come: Counts = {
  ...same({ List: 1, Row: 1, Card: 1 }, 2),
  signalboxFor: [{ Row: 1, Card: 1 }, 2],
  signalboxSolid: [{ Row: 1, text: 3 }, 2],
};

const expected: Readonly<Record<string, Counts>> = {
  show100: {
    signalboxReact: [{ List: 2, Row: 100, Card: 100 }, 102],
    // shown when all data are there
    signalboxFor: [{ Row: 100, Card: 100 }, 2],
    signalboxPreact: [{ List: 2, Row: 100, Card: 100 }, 102],
    signalboxSolid: [{ List: 1, Row: 100, text: 300 }, 102],
  },
  row: {
    ...same({ Row: 1 }, 1),
    signalboxReact: [{ List: 1, Row: 1 }, 1],
    signalboxSolid: [{ text: 1 }, 1],
  },
  user: renamed(5),
  user10000: renamed(5),
  sorted: {
    signalboxReact: [{ List: 1, Row: 1 }, 3],
    signalboxFor: [{ Row: 1 }, 3],
    signalboxPreact: [{ List: 1, Row: 1 }, 3],
    signalboxSolid: [{ text: 1 }, 4],
  },
  three: {
    signalboxReact: [{ Detail: 1, List: 2, Row: 3 }, 3],
    signalboxFor: [{ Detail: 1, Row: 3 }, 3],
    signalboxPreact: [{ Row: 3 }, 3],
    signalboxSolid: [{ text: 3 }, 3],
  },
  unshift: come,
  delete: come,
  move: {
    ...same({ List: 2, Row: 1, Card: 1 }, 2),
    signalboxFor: [{ Row: 1, Card: 1 }, 2],
    signalboxSolid: [{ Row: 1, text: 3 }, 2],
  },
};

describe.each(Object.entries(expected))('%s', (scene, counts) => {
  test.each(Object.entries(counts))(
    '[H3] %s has exactly the expected renders and DOM mutations',
    async (app, wanted) => {
      expect(await second(app as App, scene)).toEqual(wanted);
    },
  );
});

test.each(own)(
  '[H3] %s re-renders only the components of the changed user on a page of 1,000 rows',
  async (app) => {
    expect(await second(app, 'user', true)).toEqual(renamed(50)[app]);
  },
);

test.each(own)(
  '[H3] %s accepts input during 500 updates per second, and then shows the last values',
  async (app) => {
    const { page, close } = await site.open(app);
    await page.evaluate('play.open(1000)');
    const ticking = page.evaluate('play.tick({ perSecond: 500, seconds: 1 })') as Promise<Ticked>;
    await page.focus('#search');
    await page.keyboard.type('typed');
    const { received } = await ticking;
    expect(received).toBeGreaterThan(400);
    expect(await page.textContent('output')).toBe('typed');
    await page.evaluate('play.verify()');
    await close();
  },
);

test.each(own)('[H2] %s shows all rows after ten cycles of unmount and mount', async (app) => {
  const all = 'play.open(100).then(() => play.cycle(10)).then(() => play.verify())';
  expect(await play(app, all)).toBeUndefined();
});

test.each(own)(
  '[H2] %s shows its first rows on a page that loads the script afterwards',
  async (app) => {
    const { script, show } = await site.load(app);
    expect(script).toBeGreaterThan(0);
    expect(show).toBeGreaterThan(0);
  },
);
