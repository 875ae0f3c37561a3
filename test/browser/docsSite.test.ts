// The site of the documentation, as published: links, messages, accessibility, weight, search, live pages, editor.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { headlessShellOfFile } from '../setup/sharedBrowser.ts';
import { readPages } from '../docs/blocks.ts';
import { buildSite, type BuiltSite } from './builtSite.ts';
import { testEditor } from './docsSiteEditor.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'signalbox-site-'));
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 800 };
// a busy machine takes several times as long as an idle machine
const LIMIT_MS = 600_000;
const MAX_BYTES = 300 * 1024;

let site: BuiltSite;
const browser = headlessShellOfFile();
let context: BrowserContext;

beforeAll(async () => {
  [site, context] = await Promise.all([buildSite(folder), browser.newContext({ viewport: WIDE })]);
}, LIMIT_MS);
afterAll(() => {
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

/** An empty tab. Each message of the console and each uncaught error of the pages is added to `complaints`. */
async function openTab(complaints: string[]): Promise<Page> {
  const page = await context.newPage();
  const complain = (what: string | Error) =>
    complaints.push(`${new URL(page.url()).pathname}: ${String(what)}`);
  page.on('console', (message) => complain(message.text()));
  page.on('pageerror', complain);
  return page;
}

/** Resolves when Vue has hydrated the page: an earlier change of the DOM causes a warning of Vue. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(site.url + path, { waitUntil: 'load' });
  await page.waitForFunction(() => {
    const root: (HTMLElement & { __vue_app__?: object }) | null = document.querySelector('#app');
    return root?.__vue_app__ !== undefined;
  });
}

async function open(path: string, complaints: string[]): Promise<Page> {
  const page = await openTab(complaints);
  await goTo(page, path);
  return page;
}

test('[CODE] each page of docs/ is a page of the site, and is listed in the sidebar', () => {
  const expected = readPages()
    .filter(({ path }) => path.startsWith('docs/'))
    .map(({ path }) => path.replace(/^docs/, '').replace(/\.md$/, '.html'))
    .map((path) => path.replace('/README.html', '/pages.html'));
  expect(new Set(site.pages.keys())).toEqual(new Set(expected));
  const sidebar = /<aside class="VPSidebar[\s\S]*?<\/aside>/.exec(
    site.pages.get('/concepts.html') ?? '',
  );
  const listed = elementsIn(parse(sidebar?.[0] ?? ''))
    .filter(({ tagName }) => tagName === 'a')
    .map((link) => attribute(link, 'href')?.split('#')[0]);
  const others = expected.filter((path) => path !== '/index.html');
  expect(new Set(listed)).toEqual(new Set(others));
});

test('[CODE] each link of the site points to an existing page and an existing anchor', () => {
  const anchors = new Map<string, Set<string>>();
  const links: { readonly from: string; readonly to: URL }[] = [];
  for (const [path, html] of site.pages) {
    const elements = elementsIn(parse(html));
    anchors.set(path, new Set(elements.flatMap((each) => attribute(each, 'id') ?? [])));
    for (const each of elements) {
      for (const address of [attribute(each, 'href'), attribute(each, 'src')]) {
        if (address !== undefined)
          links.push({ from: path, to: new URL(address, site.url + path) });
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

interface Axe {
  run(context: string, options: RunOptions): Promise<AxeResults>;
}

/** Serious and critical faults below `selector`. */
async function faultsIn(page: Page, selector: string, options: RunOptions = {}): Promise<string[]> {
  const { violations } = await page.evaluate(
    ([include, run]) =>
      (globalThis as unknown as { axe: Axe }).axe.run(include, {
        resultTypes: ['violations'],
        // style sheets and media are loaded for rules that are moderate or off
        preload: false,
        ...run,
      }),
    [selector, options] as const,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

async function setDark(page: Page, dark: boolean): Promise<void> {
  await page.evaluate((on) => document.documentElement.classList.toggle('dark', on), dark);
}

async function openForAxe(path: string, complaints: string[]): Promise<Page> {
  const page = await open(path, complaints);
  // colours change at once
  await page.addStyleTag({ content: '* { transition: none !important }' });
  await page.evaluate(axe);
  return page;
}

/** Removes elements that cost axe time and are tested apart: `without`, and each coloured word of code. */
async function simplify(page: Page, without: string): Promise<void> {
  await page.evaluate((selector) => {
    for (const code of document.querySelectorAll('.shiki code')) code.textContent += '';
    for (const element of document.querySelectorAll(selector)) element.remove();
  }, without);
}

/** Shows in `copy` the content of `page`: axe is compiled in `copy`, which costs more than a run of axe. */
async function showCopy(page: Page, copy: Page): Promise<void> {
  const content = await page.evaluate(() => document.body.innerHTML);
  await copy.evaluate((html) => void (document.body.innerHTML = html), content);
}

const colours: RunOptions = { runOnly: ['color-contrast'] };
// a part that scrolls on a phone alone
const scrolling: RunOptions = { runOnly: ['scrollable-region-focusable'] };
const allButColours: RunOptions = { rules: { 'color-contrast': { enabled: false } } };

/** Serious faults of colours below `selector`, light and dark. */
async function colourFaultsIn(page: Page, selector: string): Promise<string[]> {
  await setDark(page, false);
  const light = await faultsIn(page, selector, colours);
  await setDark(page, true);
  const dark = await faultsIn(page, selector, colours);
  return [...light, ...dark.map((fault) => `dark ${fault}`)];
}

/** Runs in the page: the kinds of elements with text, as paths of tags and classes. The style sheet colours by kind. */
function kindsIn(selector: string): string[] {
  const kindOf = (element: globalThis.Element): string => {
    const own = `${element.tagName}.${element.className}`;
    const row = element.tagName === 'TR' ? (element as HTMLTableRowElement).rowIndex % 2 : '';
    return element.matches(selector)
      ? ''
      : `${kindOf(element.parentElement ?? element)} ${own}${row}`;
  };
  return [...new Set([...document.querySelectorAll(`${selector} *`)].map(kindOf))];
}

test(
  '[CODE] each page is under 300 KB, fits a desktop and a phone, logs nothing and has no serious accessibility violation',
  async () => {
    const complaints: string[] = [];
    const faults: string[] = [];
    const knownKinds = new Set<string>();
    const visit = async (path: string, page: Page, copy: Page) => {
      await page.setViewportSize(WIDE);
      await goTo(page, path);
      await simplify(page, '.VPNav, .VPSidebar, .VPLocalNav');
      await showCopy(page, copy);
      const found = await faultsIn(copy, '.vp-doc', allButColours);
      const kinds = await copy.evaluate(kindsIn, '.vp-doc');
      const news = kinds.filter((kind) => !knownKinds.has(kind));
      for (const kind of news) knownKinds.add(kind);
      if (news.length > 0) found.push(...(await colourFaultsIn(copy, '.vp-doc')));
      const bytes = await page.evaluate(transferred);
      if (bytes === 0 || bytes > MAX_BYTES) found.push(`${bytes} bytes`);
      for (const { width, height } of [WIDE, PHONE]) {
        await page.setViewportSize({ width, height });
        const used = await page.evaluate(() => document.documentElement.scrollWidth);
        if (used > width) found.push(`${used} px wide at ${width} px`);
      }
      await copy.setViewportSize(PHONE);
      found.push(...(await faultsIn(copy, '.vp-doc', scrolling)));
      await copy.setViewportSize(WIDE);
      found.push(...(await page.evaluate(cutTables)));
      faults.push(...found.map((fault) => `${path} ${fault}`));
    };
    const left = [...site.pages.keys()];
    const visitPages = async () => {
      const page = await openTab(complaints);
      const copy = await openForAxe('/concepts.html', []);
      for (let path = left.pop(); path !== undefined; path = left.pop())
        await visit(path, page, copy);
      await Promise.all([page.close(), copy.close()]);
    };
    await Promise.all([visitPages(), visitPages()]);
    expect({ complaints, faults }).toEqual({ complaints: [], faults: [] });
  },
  LIMIT_MS,
);

/** Runs in the page of a phone: tables of text that the reader would have to scroll. */
function cutTables(): string[] {
  return [...document.querySelectorAll('.vp-doc table')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .filter((table) => !table.matches(':has(th:nth-child(5), th[style*="right"])'))
    .map((table) => `a table is cut: ${table.textContent.trim().slice(0, 40)}`);
}

/** Runs in the page: the bytes of all responses with their headers, as if nothing were cached. */
function transferred(): number {
  const headers = 300;
  const entries = performance.getEntries() as Partial<PerformanceResourceTiming>[];
  return entries.reduce((sum, { encodedBodySize: body = 0 }) => sum + (body && body + headers), 0);
}

test.each([1440, 390])(
  '[CODE] the navigation has no serious accessibility violation at %i px',
  async (width) => {
    const complaints: string[] = [];
    for (const path of ['/index.html', '/hooks/useCache.html', '/live/demo.html']) {
      const page = await openForAxe(path, complaints);
      await simplify(page, '.vp-doc > *');
      await page.setViewportSize({ width, height: 900 });
      expect(await faultsIn(page, 'body', allButColours)).toEqual([]);
      expect(await colourFaultsIn(page, 'body')).toEqual([]);
      await page.close();
    }
    expect(complaints).toEqual([]);
  },
);

/** The relative luminance of `#rrggbb`, as in WCAG 2. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test.each([
  ['light', '#f6f6f7'],
  ['dark', '#161618'],
])(
  '[CODE] each color of highlighted code has a contrast of at least 4.5, %s',
  async (scheme, paper) => {
    const colours = new Set<string>();
    for (const html of site.pages.values()) {
      for (const [, colour = ''] of html.matchAll(new RegExp(`--shiki-${scheme}:(#\\w{6})`, 'g'))) {
        colours.add(colour);
      }
    }
    expect(colours.size).toBeGreaterThan(4);
    expect([...colours].filter((colour) => contrastOf(colour, paper) < 4.5)).toEqual([]);
    // the paper is that of the page
    const page = await open('/concepts.html', []);
    await setDark(page, scheme === 'dark');
    const shown = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--vp-code-block-bg').trim(),
    );
    await page.close();
    expect(shown).toBe(paper);
  },
);

test('[CODE] the editor of the home page has no serious accessibility violation', async () => {
  const complaints: string[] = [];
  const page = await openForAxe('/index.html', complaints);
  await page.click('.live-editor > button');
  await page.locator('.live-editor .cm-content').waitFor();
  // axe sends messages to frames, and this frame has no origin
  await page.locator('.live-editor iframe').evaluate((frame) => frame.remove());
  expect(await faultsIn(page, '.live-editor', allButColours)).toEqual([]);
  expect(await colourFaultsIn(page, '.live-editor')).toEqual([]);
  await page.close();
  expect(complaints).toEqual([]);
});

test('[CODE] the search finds a page by a word of its text', async () => {
  const complaints: string[] = [];
  const page = await open('/index.html', complaints);
  await page.click('.DocSearch-Button');
  await page.fill('.VPLocalSearchBox input', 'hydration');
  await page.click('.VPLocalSearchBox .results a[href*="/ssr.html"]');
  await page.waitForURL('**/ssr.html*');
  await page.close();
  expect(complaints).toEqual([]);
});

test('[CODE] the selected framework is selected in all code groups, also on the next page', async () => {
  const complaints: string[] = [];
  const page = await open('/getting-started.html', complaints);
  const openTabs = () =>
    page.$$eval('.vp-code-group', (groups) =>
      groups.map((group) => {
        const tab = group.querySelector<HTMLInputElement>('input:checked');
        const code = group.querySelector('.active')?.textContent ?? '';
        return `${tab?.labels?.[0]?.textContent} ${/signalbox\/(\w+)/.exec(code)?.[1]}`;
      }),
    );
  expect(new Set(await openTabs())).toEqual(new Set(['React react']));
  const label = page.locator('.vp-code-group label', { hasText: 'Solid' }).last();
  await label.scrollIntoViewIfNeeded();
  const before = await label.boundingBox();
  await label.click();
  await expect.poll(async () => new Set(await openTabs())).toEqual(new Set(['Solid solid']));
  expect((await label.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
  await goTo(page, '/hooks/useStatus.html');
  await expect.poll(async () => new Set(await openTabs())).toEqual(new Set(['Solid solid']));
  await page.evaluate(() => localStorage.clear());
  await page.close();
  expect(complaints).toEqual([]);
});

test.each([
  ['demo', '#solid .row'],
  ['conduit', 'text=After Signals'],
  ['panel', 'text=Water the plants'],
])('[CODE] the live page %s loads its example after a click', async (name, content) => {
  const complaints: string[] = [];
  const page = await open(`/live/${name}.html`, complaints);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  expect(await page.locator('iframe').count()).toBe(0);
  await page.click('.live-example button');
  const frame = page.frameLocator('.live-example iframe');
  await frame.locator(content).first().waitFor();
  expect(requests.length).toBeGreaterThan(0);
  await page.close();
  expect(complaints).toEqual([]);
});

testEditor(() => site.url);
