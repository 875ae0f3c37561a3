// A site of examples/ in a real browser, and what the page says and asks for.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { startJsonServer, type JsonServer } from '../../examples/demo/jsonServer.ts';
import { startSite, type Site } from '../../examples/ssr/startSite.ts';
import { frameworks, type Framework } from '../../examples/ssr/bundle.ts';
import { launchBrowser } from '../setup/browser.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = process.env['SIGNALBOX_DIST'] === '1';
// the suite runs on the sources; with SIGNALBOX_DIST=1 on the package, as the examples do
const sources = built
  ? {}
  : {
      ...Object.fromEntries(
        frameworks.map((name) => [`signalbox/${name}`, `${root}adapters/${name}/index.ts`]),
      ),
      'signalbox/ssr/node': `${root}src/ssr/node.ts`,
      'signalbox/ssr': `${root}src/ssr/index.ts`,
      signalbox: `${root}src/index.ts`,
    };

export interface Visited {
  readonly page: Page;
  /** Errors and warnings. */
  readonly complaints: string[];
  /** What the page itself asked the REST server for. */
  readonly asked: string[];
}

export interface Lab {
  readonly site: Site;
  visit(path: string): Promise<Visited>;
}

/** A site for a file of tests. `alias`: other versions of packages. */
export function makeLab(framework: Framework, alias: Readonly<Record<string, string>> = {}): Lab {
  let api: JsonServer;
  let site: Site;
  let browser: Browser;
  const pages: Page[] = [];
  beforeAll(async () => {
    api = await startJsonServer(join(root, 'examples/demo/db.json'));
    const mode = 'development';
    site = await startSite({ root, framework, mode, api: api.url, alias: { ...sources, ...alias } });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await api?.close();
  });
  return {
    get site() {
      return site;
    },
    async visit(path) {
      await pages.pop()?.close();
      const page = await browser.newPage();
      pages.push(page);
      const complaints: string[] = [];
      const asked: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith('/api/')) asked.push(`${request.method()} ${pathname}`);
      });
      // nodes and texts from the first one on
      await page.addInitScript(watch);
      await page.goto(site.url + path, { waitUntil: 'load' });
      return { page, complaints, asked };
    },
  };
}

/** Runs in the page: marks what the server sent, and notes what texts the chosen todo had. */
function watch(): void {
  const seen: string[] = [];
  Object.assign(globalThis, { seen });
  const look = () => {
    for (const element of document.querySelectorAll('#todos, #todos li:first-child, #users')) {
      (element as { fromServer?: boolean }).fromServer ??= !('hydrated' in globalThis);
    }
    const text = document.querySelector('#todos li:first-child')?.textContent ?? undefined;
    if (text !== undefined && seen.at(-1) !== text) seen.push(text);
  };
  new MutationObserver(look).observe(document, {
    childList: true,
    subtree: true,
    characterData: true,
  });
}
