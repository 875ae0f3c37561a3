// Runs the same tests in Chromium and in Firefox, through the API of puppeteer.
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest';
import { findFirefox, launchChromium, launchDrivenShell, launchFirefox } from './browser.ts';
import { sharedBrowser } from './sharedBrowser.ts';

/** A browser, launched before the first tests that need the browser: see `sharedBrowser`. */
export interface Engine {
  readonly name: 'Chromium' | 'Firefox';
  /** An empty profile with a separate disk, channels and locks; closed when the test ends. */
  readonly newContext: () => Promise<BrowserContext>;
  /** One page for all tests of a file that need no empty profile: a profile costs Firefox a process. */
  readonly samePage: () => Promise<Page>;
}

/**
 * Defines the tests of `define` once for each browser. Firefox is skipped with a printed reason if missing. A
 * headless shell has the engine of Chromium, with disks, locks and channels, for half the CPU; `windows`: Chromium with
 * windows, which keeps the process of a page that is left.
 */
export function eachBrowser(
  define: (engine: Engine) => void,
  { windows = false }: { readonly windows?: boolean } = {},
): void {
  describe('Chromium', () => {
    define(windows
      ? launched('Chromium', 'Chromium', launchChromium)
      : launched('Chromium', 'driven shell', launchDrivenShell));
  });
  describe('Firefox', () => {
    const path = findFirefox();
    if (path === undefined) skip(missingFirefox());
    else define(launched('Firefox', 'Firefox', () => launchFirefox(path)));
  });
}

function skip(reason: string): void {
  console.warn(reason);
  // oxlint-disable-next-line vitest/no-disabled-tests -- the title says why, and CI does not come here
  test.skip(`[CODE] ${reason}`, () => {});
}

/**
 * Why the tests of Firefox do not run.
 *
 * @throws in CI, where all browsers are required.
 */
export function missingFirefox(): string {
  if (process.env['CI'])
    throw new Error(
      'No Firefox found. Install it (`apt-get install firefox-esr`), or set FIREFOX_PATH to its program.',
    );
  return 'Firefox is skipped: install firefox-esr, or set FIREFOX_PATH to the program of a Firefox.';
}

function launched(name: Engine['name'], program: string, launch: () => Promise<Browser>): Engine {
  let browser: Browser | undefined;
  beforeAll(async () => void (browser = await sharedBrowser(program, launch)));
  const newContext = async () => {
    const context = await (browser as Browser).createBrowserContext();
    onTestFinished(() => context.close());
    return context;
  };
  let page: Promise<Page> | undefined;
  const samePage = () => (page ??= open(browser as Browser));
  afterAll(async () => (await page)?.browserContext().close());
  return { name, newContext, samePage };
}

async function open(browser: Browser): Promise<Page> {
  const context = await browser.createBrowserContext();
  return context.newPage();
}
