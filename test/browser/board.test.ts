// The board in two tabs of one browser: random clicks, other users, and a server that is slow and fails.
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBoard, type BoardSite } from '../../examples/board/startBoard.ts';
import { headlessShellOfFile } from '../setup/sharedBrowser.ts';
import { BadNetwork } from './board/BadNetwork.ts';
import { actElsewhere, click, clickIn, isInPage, type Click } from './board/clicks.ts';
import { differencesIn } from './board/differences.ts';
import { exampleSources } from './exampleSources.ts';
import { PageWatch } from './PageWatch.ts';

// the same clicks without a page, by the hundred: the project board
const steps = Number(process.env['BOARD_STEPS'] ?? 60);
const seed = Number(process.env['BOARD_SEED'] ?? 1);
/** The longest time until the tabs are at rest: two delays of retries, and a connection of the stream. */
const REST_MS = 20_000;

const browser = headlessShellOfFile();
const network = new BadNetwork(seed);
let site: BoardSite;

beforeAll(async () => {
  site = await startBoard({ ...exampleSources, frameworks: ['react'], network });
});
afterAll(() => site?.close());

test(
  `[N18] two tabs of the board equal the server after ${steps} random clicks on a bad network`,
  async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const open = async () => new PageWatch(await context.newPage(), isExpected);
    const tabs = [await open(), await open()] as const;
    for (const { page } of tabs) await page.goto(`${site.url}/react`);
    await atRest(tabs, []);
    network.journeys.fails = true;
    const done: Click[] = [];
    for (const one of fc.sample(click, { seed, numRuns: steps })) {
      done.push(one);
      if (one.verb === 'look') await atRest(tabs, done);
      else await perform(one, tabs[one.tab]);
    }
    await atRest(tabs, done);
    expect(await differencesOf(tabs)).toEqual([]);
    const requests = tabs.map(({ asked }) => asked.length).join(' and ');
    console.info(`board: seed ${seed}, ${steps} steps, requests of the tabs: ${requests}`);
  },
  60_000 + steps * 2_000,
);

async function perform(one: Click, tab: PageWatch): Promise<void> {
  if (isInPage(one)) await clickIn(tab.page, one);
  else if (one.verb === 'wait') await tab.drawn();
  else if (one.verb === 'reload') await tab.page.reload();
  else actElsewhere(site.board, one, () => network.dropStreams());
}

/** Waits until nothing is in flight and the tabs are equal to the server; fails if they do not become equal. */
async function atRest(tabs: readonly PageWatch[], done: readonly Click[]): Promise<void> {
  const message = `seed ${seed}, step ${done.length}, ${JSON.stringify(done.slice(-20))}`;
  await expect.poll(() => differencesOf(tabs), { timeout: REST_MS, message }).toEqual([]);
}

async function differencesOf(tabs: readonly PageWatch[]): Promise<unknown[]> {
  for (const tab of tabs) await tab.settled();
  const all = await Promise.all(tabs.map(({ page }) => differencesIn(page, site.board)));
  return tabs.flatMap(({ complaints }, tab) => [
    ...complaints,
    ...(all[tab] ?? []).map((one) => ({ tab, ...one })),
  ]);
}

function isExpected(message: { text(): string }): boolean {
  return /React DevTools|Failed to load resource/.test(message.text());
}
