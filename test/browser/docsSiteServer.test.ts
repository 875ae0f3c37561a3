// The development server of the documentation (`npm run site`): navigation, search, a live page, a clean console.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { headlessShellOfFile } from '../setup/sharedBrowser.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const LIMIT_MS = 120_000;

const browser = headlessShellOfFile();
let server: ChildProcess;
let url: string;

/** Starts the server at a free port; resolves with the address. */
async function start(): Promise<string> {
  const vitepress = join(root, 'node_modules/vitepress/bin/vitepress.js');
  server = spawn(process.execPath, [vitepress, 'dev', 'site', '--host', '127.0.0.1'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'development', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of server.stdout ?? []) {
    text += chunk;
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error(`The server has ended: ${text}`);
}

beforeAll(async () => {
  url = await start();
}, LIMIT_MS);
afterAll(async () => {
  server?.kill();
  if (server?.exitCode === null && server.signalCode === null) await once(server, 'exit');
});

test(
  '[CODE] the development server of the site serves sidebar, search and a live page, and nothing is logged',
  async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      // the client of Vite logs the connection
      if (message.type() !== 'debug') complaints.push(message.text());
    });
    await page.goto(url);
    const strip = page.frameLocator('.live-strip iframe');
    await strip.locator('#solid .row').first().waitFor();
    await page.click('.actions .main');
    await page.locator('h1', { hasText: 'Getting started' }).waitFor();
    await page.click('.VPSidebar a[href="/queries.html"]');
    await page.locator('h1', { hasText: 'Queries' }).waitFor();
    await page.click('.DocSearch-Button');
    await page.fill('.VPLocalSearchBox input', 'hydration');
    await page.click('.VPLocalSearchBox .results a[href*="/ssr.html"]');
    await page.locator('h1', { hasText: 'Rendering on a server' }).waitFor();
    await page.goto(`${url}/live/demo.html`);
    await page.click('.live-example button');
    const frame = page.frameLocator('.live-example iframe');
    await frame.locator('#solid .row').first().waitFor();
    await page.close();
    expect(complaints).toEqual([]);
  },
  LIMIT_MS,
);
