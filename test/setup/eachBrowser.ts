// Runs the same tests in Chromium and in Firefox, through one API: puppeteer's.
import type { Browser, BrowserContext } from 'puppeteer-core';
import { beforeAll, describe, onTestFinished, test } from 'vitest';
import { findFirefox, launchChromium, launchFirefox } from './browser.ts';
import { sharedBrowser } from './sharedBrowser.ts';

/** One browser, launched before the first tests that need it: see `sharedBrowser`. */
export interface Engine {
  readonly name: 'Chromium' | 'Firefox';
  /** An empty profile with a disk, channels and locks of its own; closed when the test ends. */
  readonly newContext: () => Promise<BrowserContext>;
}

/** Defines the tests of `define` once for each browser. Firefox is skipped with a printed reason where it is missing. */
export function eachBrowser(define: (engine: Engine) => void): void {
  describe('Chromium', () => {
    define(launched('Chromium', launchChromium));
  });
  describe('Firefox', () => {
    const path = findFirefox();
    if (path === undefined) skip(missingFirefox());
    else define(launched('Firefox', () => launchFirefox(path)));
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
 * @throws in CI, where all of them must.
 */
export function missingFirefox(): string {
  if (process.env['CI'])
    throw new Error(
      'No Firefox found. Install it (`apt-get install firefox-esr`), or set FIREFOX_PATH to its program.',
    );
  return 'Firefox is skipped: install firefox-esr, or set FIREFOX_PATH to the program of a Firefox.';
}

function launched(name: Engine['name'], launch: () => Promise<Browser>): Engine {
  let browser: Browser | undefined;
  beforeAll(async () => void (browser = await sharedBrowser(name, launch)));
  const newContext = async () => {
    const context = await (browser as Browser).createBrowserContext();
    onTestFinished(() => context.close());
    return context;
  };
  return { name, newContext };
}
