// The board in two tabs of one browser: random clicks, other users, and a server that is slow and fails.
import * as fc from 'fast-check';
import { beforeAll, afterAll, expect, test } from 'vitest';
import { startBoard, type BoardSite } from '../../examples/board/startBoard.ts';
import { headlessShellOfFile } from '../setup/sharedBrowser.ts';
import { BadNetwork } from './board/BadNetwork.ts';
import { actElsewhere, click, clickIn, isInPage, type Click } from './board/clicks.ts';
import { differencesIn } from './board/differences.ts';
import { exampleSources } from './exampleSources.ts';
import { PageWatch } from './PageWatch.ts';

const steps = Number(process.env['BOARD_STEPS'] ?? 120);
const seed = Number(process.env['BOARD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** How many clicks there are between two looks at the tabs. */
const BETWEEN = 20;

const browser = headlessShellOfFile();
const network = new BadNetwork(seed);
let site: BoardSite;

beforeAll(async () => {
  site = await startBoard({ ...exampleSources, frameworks: ['react'], network });
});
afterAll(() => site?.close());

test(
  `[N18] after ${steps} random clicks on a bad network two tabs show what the server has`,
  async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const tabs = await Promise.all(
      [0, 1].map(async () => new PageWatch(await context.newPage(), isExpected)),
    );
    for (const { page } of tabs) await page.goto(`${site.url}/react`);
    await atRest(tabs, []);
    network.fails = true;
    const done: Click[] = [];
    for (const one of fc.sample(click, { seed, numRuns: steps })) {
      const tab = tabs[one.tab] as PageWatch;
      if (isInPage(one)) await clickIn(tab.page, one);
      else if (one.verb === 'wait') await tab.drawn();
      else if (one.verb === 'reload') await tab.page.reload();
      else actElsewhere(site.board, one, () => network.dropStreams());
      done.push(one);
      if (done.length % BETWEEN === 0) await atRest(tabs, done);
    }
    await atRest(tabs, done);
    const requests = tabs.map(({ asked }) => asked.length);
    console.info(
      `board: seed ${seed}, ${steps} steps, requests of the tabs: ${requests.join(' and ')}`,
    );
  },
  60_000 + steps * 1_000,
);

async function atRest(tabs: readonly PageWatch[], done: readonly Click[]): Promise<void> {
  const look = async () => {
    for (const tab of tabs) await tab.settled();
    const all = await Promise.all(tabs.map(({ page }) => differencesIn(page, site.board)));
    return all.flatMap((differences, at) => differences.map((one) => ({ tab: at, ...one })));
  };
  const message = `seed ${seed}, step ${done.length}, ${JSON.stringify(done.slice(-BETWEEN))}`;
  await expect.poll(look, { timeout: 20_000, message }).toEqual([]);
  const complaints = tabs.flatMap(({ complaints }) => complaints);
  expect(complaints, message).toEqual([]);
}

function isExpected(message: { text(): string }): boolean {
  return /React DevTools|Failed to load resource/.test(message.text());
}
