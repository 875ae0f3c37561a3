// A site of examples/ in a real browser, and the texts and requests of the page.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { startJsonServer, type JsonServer } from '../../examples/demo/jsonServer.ts';
import type { Framework } from '../../examples/ssr/bundle.ts';
import { startSite, type Site } from '../../examples/ssr/startSite.ts';
import { libraryEntries } from '../setup/library.ts';
import { headlessShellOfFile } from '../setup/sharedBrowser.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The observed content of the page. */
export interface Witness {
  /** The texts of the first row, in order. */
  readonly rows: readonly string[];
  /** A boundary with content showed the fallback again. */
  readonly fellBack: boolean;
  /** The elements that the server sent. */
  readonly kept: { readonly list: boolean; readonly row: boolean; readonly users: boolean };
  readonly count: number;
}

export interface Visited {
  readonly page: Page;
  /** Errors and warnings. */
  readonly complaints: string[];
  /** The requests of the page to the REST server. */
  readonly asked: string[];
  look(): Promise<Witness>;
}

export interface Lab {
  readonly site: Site;
  visit(path: string): Promise<Visited>;
}

/** A site for a part of a file of tests. `alias`: other versions of packages; `slow`: as of the site. */
export function makeLab(
  framework: Framework,
  alias: Readonly<Record<string, string>> = {},
  slow = 300,
): Lab {
  let api: JsonServer;
  let site: Site;
  const browser = headlessShellOfFile();
  let page: Page | undefined;
  beforeAll(async () => {
    api = await startJsonServer(join(root, 'examples/demo/db.json'));
    const options = { root, framework, mode: 'development', slow } as const;
    site = await startSite({ ...options, api: api.url, alias: { ...libraryEntries, ...alias } });
  });
  afterAll(async () => {
    await site?.close();
    await api?.close();
  });
  const newPage = async () => {
    const made = await browser.newPage();
    // rows and nodes from the first row on
    await made.addInitScript(witness);
    return made;
  };
  return {
    get site() {
      return site;
    },
    async visit(path) {
      page ??= await newPage();
      page.removeAllListeners();
      // events of the former page are ignored
      await page.goto('about:blank');
      const visited = watchPage(page);
      await page.goto(site.url + path, { waitUntil: 'commit' });
      return visited;
    },
  };
}

function watchPage(page: Page): Visited {
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
  const look = () => page.evaluate(() => (globalThis as unknown as { look: () => Witness }).look());
  return { page, complaints, asked, look };
}

/** Runs in the page. */
function witness(): void {
  const rows: string[] = [];
  let fellBack = false;
  let shown = false;
  const fromServer = new WeakSet<Element>();
  const find = (selector: string) => document.querySelector(selector);
  // the page receives the data before hydration
  const begun = () =>
    Object.hasOwn((globalThis as { __signalbox?: object }).__signalbox ?? [], 'push');
  const observe = () => {
    for (const element of document.querySelectorAll('#todos, #todos li, #users')) {
      if (!begun() || element.closest('[hidden]') !== null) fromServer.add(element);
    }
    const text = find('#todos li')?.textContent ?? '';
    if (text !== '' && rows.at(-1) !== text) rows.push(text);
    const waits = find('#waiting') !== null;
    if (!waits && find('#users') !== null) shown = true;
    if (shown && waits) fellBack = true;
  };
  const what = { childList: true, subtree: true, characterData: true };
  new MutationObserver(observe).observe(document, what);
  const kept = (selector: string) => fromServer.has(find(selector) as Element);
  const look = () => ({
    rows,
    fellBack,
    count: document.querySelectorAll('#todos li').length,
    kept: { list: kept('#todos'), row: kept('#todos li'), users: kept('#users') },
  });
  Object.assign(globalThis, { look });
}
