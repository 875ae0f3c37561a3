// Two tabs of the board without a page: clicks, reloads, other users, and a network that is slow and fails.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { actElsewhere, click, isInPage } from '../browser/board/clicks.ts';
import type { Click } from '../browser/board/clicks.ts';
import { differencesOf } from '../browser/board/differences.ts';
import { runs } from '../laws/runs.ts';
import { BoardTab } from './board/BoardTab.ts';
import { SimulatedBrowser } from './board/SimulatedBrowser.ts';

/** The longest time until a tab is at rest: two delays of retries, and a connection of the stream. */
const REST_MS = 20_000;

class Program {
  readonly #browser: SimulatedBrowser;
  readonly #tabs: BoardTab[];

  constructor(seed: number) {
    this.#browser = new SimulatedBrowser(seed);
    this.#browser.install();
    this.#tabs = [new BoardTab(), new BoardTab()];
  }

  /** Returns the differences between the tabs and the server, once nothing is under way. */
  async play(clicks: readonly Click[]): Promise<object[]> {
    try {
      return await this.#differencesAfter(clicks);
    } finally {
      for (const tab of this.#tabs) this.#browser.kill(tab);
      // what the tabs have begun ends in the simulated browser
      await this.#browser.pass(REST_MS);
      this.#browser.uninstall();
    }
  }

  async #differencesAfter(clicks: readonly Click[]): Promise<object[]> {
    const { journeys } = this.#browser;
    let differences = await this.#rest();
    journeys.fails = true;
    for (const click of clicks) {
      if (differences.length > 0) break;
      if (click.verb === 'look') differences = await this.#rest();
      else await this.#perform(click);
    }
    return differences.length > 0 ? differences : this.#rest();
  }

  async #perform(one: Click): Promise<void> {
    const { board } = this.#browser;
    const tab = this.#tabs[one.tab]!;
    if (isInPage(one)) tab.click(one);
    else if (one.verb === 'reload') {
      this.#browser.kill(tab);
      this.#tabs[one.tab] = new BoardTab();
    } else if (one.verb !== 'wait') actElsewhere(board, one, () => this.#browser.dropStreams());
    await this.#browser.pass(one.verb === 'wait' ? 100 : one.at % 15);
  }

  async #rest(): Promise<object[]> {
    for (let passed = 0; passed < REST_MS; passed += 500) {
      await this.#browser.pass(500);
      if (this.#differences.length === 0) break;
    }
    return this.#differences;
  }

  get #differences(): object[] {
    return this.#tabs.flatMap((tab, at) =>
      differencesOf(tab.look(), this.#browser.board).map((one) => ({ tab: at, ...one })),
    );
  }
}

test('[N18] two tabs of the board equal the server after random clicks on a bad network', async () => {
  const seed = fc.noShrink(fc.nat(2 ** 20));
  await fc.assert(
    fc.asyncProperty(
      seed,
      fc.array(click, { minLength: 60, maxLength: 100, size: 'max' }),
      async (network, clicks) => {
        expect(await new Program(network).play(clicks)).toEqual([]);
      },
    ),
    { ...runs(0.05), endOnFailure: process.env['LAWS_SHRINK'] === undefined },
  );
}, 600_000);
