import { chromium, type Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { findFirefox, isPackable, launchBrowser, unpackBrowser } from '../setup/browser.ts';
import { eachBrowser, missingFirefox } from '../setup/eachBrowser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
afterEach(() => vi.unstubAllEnvs());

test('[CODE] a real browser starts and runs a page', async () => {
  const page = await browser.newPage();
  await page.setContent('<button onclick="this.textContent = 1 + 1">sum</button>');
  await page.click('button');
  expect(await page.textContent('button')).toBe('2');
});

test.runIf(isPackable)('[CODE] the browser packed in an npm package starts', async () => {
  const unpacked = await chromium.launch({ ...unpackBrowser(), args: ['--no-sandbox'] });
  expect(unpacked.version()).toMatch(/^\d+\./);
  await unpacked.close();
});

eachBrowser(({ name, newContext }) => {
  test('[CODE] each engine runs a page in a separate context', async () => {
    const [one, other] = [await newContext(), await newContext()];
    const page = await one.newPage();
    await page.goto('data:text/html,<button onclick="this.textContent = 1 + 1">sum</button>');
    await page.click('button');
    expect(await page.evaluate("document.querySelector('button').textContent")).toBe('2');
    expect(await page.evaluate('navigator.userAgent')).toMatch(name === 'Firefox' ? name : /Chrom/);
    expect(await other.pages()).toEqual([]);
  });
});

test('[CODE] a missing Firefox fails in CI, and is skipped with a reason elsewhere', () => {
  vi.stubEnv('FIREFOX_PATH', '');
  expect(findFirefox(['/none/firefox'])).toBeUndefined();
  vi.stubEnv('CI', '');
  expect(missingFirefox()).toMatch(/skipped.+firefox-esr.+FIREFOX_PATH/);
  vi.stubEnv('CI', 'true');
  expect(() => missingFirefox()).toThrow(/apt-get install firefox-esr/);
  vi.stubEnv('FIREFOX_PATH', '/none/firefox');
  expect(() => findFirefox()).toThrow('FIREFOX_PATH names no file: /none/firefox');
});
