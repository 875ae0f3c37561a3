// The site of the documentation, as it is published: links, messages, accessibility, weight, search, live pages.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../setup/browser.ts';
import { readPages } from '../docs/blocks.ts';
import { buildSite, type BuiltSite } from './builtSite.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'signalbox-site-'));
const TABS = 4;
const MAX_BYTES = 300 * 1024;

let site: BuiltSite;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [site, browser] = await Promise.all([buildSite(folder), launchBrowser()]);
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
}, 300_000);
afterAll(async () => {
  await browser?.close();
  site?.close();
  rmSync(folder, { recursive: true, force: true });
});

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

function elementsIn(node: Node): Element[] {
  const children = 'childNodes' in node ? node.childNodes.flatMap(elementsIn) : [];
  return 'attrs' in node ? [node, ...children] : children;
}

const attribute = ({ attrs }: Element, name: string) =>
  attrs.find((each) => each.name === name)?.value;

/** Opens a page and gives each message of the console and each uncaught error to `complaints`. */
async function open(path: string, complaints: string[], inContext = context): Promise<Page> {
  const page = await inContext.newPage();
  page.on('console', (message) => complaints.push(`${path}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`${path}: ${error}`));
  await page.goto(site.url + path, { waitUntil: 'networkidle' });
  return page;
}

/** Calls `visit` for each page of the site, several at a time. */
async function eachPage(visit: (path: string) => Promise<void>): Promise<void> {
  const left = [...site.pages.keys()];
  const work = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) await visit(path);
  };
  await Promise.all(Array.from({ length: TABS }, work));
}

test('[HOUSE] each page of docs is a page of the site, and in its sidebar', () => {
  const expected = readPages()
    .filter(({ path }) => path.startsWith('docs/'))
    .map(({ path }) => path.replace(/^docs/, '').replace(/\.md$/, '.html'))
    .map((path) => path.replace('/README.html', '/index.html'));
  expect([...site.pages.keys()].sort()).toEqual(expected.sort());
  const sidebar = /<aside class="VPSidebar[\s\S]*?<\/aside>/.exec(
    site.pages.get('/concepts.html') ?? '',
  );
  const listed = elementsIn(parse(sidebar?.[0] ?? ''))
    .filter(({ tagName }) => tagName === 'a')
    .map((link) => attribute(link, 'href'));
  expect(listed.sort()).toEqual(expected.filter((path) => path !== '/index.html').sort());
});

test('[HOUSE] each link of the site leads to a page, and to an anchor in it', () => {
  const anchors = new Map<string, Set<string>>();
  const links: { readonly from: string; readonly to: URL }[] = [];
  for (const [path, html] of site.pages) {
    const elements = elementsIn(parse(html));
    anchors.set(path, new Set(elements.flatMap((each) => attribute(each, 'id') ?? [])));
    for (const each of elements) {
      for (const address of [attribute(each, 'href'), attribute(each, 'src')]) {
        if (address !== undefined) links.push({ from: path, to: new URL(address, site.url + path) });
      }
    }
  }
  const broken = links
    .filter(({ to }) => to.origin === site.url)
    .filter(({ to }) => {
      const path = to.pathname.replace(/\/$/, '/index.html');
      const anchor = decodeURIComponent(to.hash.slice(1));
      return !site.paths.has(path) || (anchor !== '' && anchors.get(path)?.has(anchor) !== true);
    });
  expect(links.length).toBeGreaterThan(5000);
  expect(broken.map(({ from, to }) => `${from} → ${to.pathname}${to.hash}`)).toEqual([]);
});

const withoutCode: RunOptions = { resultTypes: ['violations'] };
const contrastOnly: RunOptions = { ...withoutCode, runOnly: ['color-contrast'] };

/** Serious and critical faults. The colours of code are checked apart: each page has thousands of coloured words. */
async function faultsOf(page: Page, options: RunOptions): Promise<string[]> {
  const { violations } = await page.evaluate(
    (run) =>
      (globalThis as unknown as { axe: { run: (...args: object[]) => Promise<AxeResults> } }).axe.run(
        { exclude: [['.shiki code']] },
        run,
      ),
    options,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

test('[HOUSE] each page is under 300 KB, logs nothing and has no serious fault of accessibility, light and dark', async () => {
  const complaints: string[] = [];
  const faults: string[] = [];
  const heavy: string[] = [];
  await eachPage(async (path) => {
    const page = await open(path, complaints);
    const bytes = await page.evaluate(() =>
      performance
        .getEntries()
        .reduce((sum, entry) => sum + ((entry as PerformanceResourceTiming).transferSize ?? 0), 0),
    );
    if (bytes > MAX_BYTES) heavy.push(`${path}: ${bytes}`);
    await page.evaluate(axe);
    const light = await faultsOf(page, withoutCode);
    await page.evaluate(() => document.documentElement.classList.add('dark'));
    const dark = await faultsOf(page, contrastOnly);
    faults.push(...[...light, ...dark].map((fault) => `${path}: ${fault}`));
    await page.close();
  });
  expect(complaints).toEqual([]);
  expect(heavy).toEqual([]);
  expect(faults).toEqual([]);
}, 240_000);
