/** One sample: proves that a page shows all rows and that its data arrive, then measures its requests. */
import { gzipSync } from 'node:zlib';
import { rows } from './Page.ts';
import type { Page, Row } from './Page.ts';

/** Requests that are measured, after as many to warm up. */
const REQUESTS = Number(process.env['REQUESTS'] ?? 150);

/** CPU milliseconds per request, and bytes of the page and of its data. */
export interface Sample {
  readonly cpu: number;
  readonly page: number;
  readonly pageGzip: number;
  readonly data: number;
  readonly dataGzip: number;
}

export async function measure(page: Page): Promise<Sample> {
  const html = await page.render();
  const data = await check(page, String(html));
  await renderAll(page);
  const before = process.cpuUsage();
  await renderAll(page);
  const { user, system } = process.cpuUsage(before);
  return {
    cpu: (user + system) / 1000 / REQUESTS,
    page: html.byteLength,
    pageGzip: gzipSync(html).byteLength,
    data: Buffer.byteLength(data),
    dataGzip: gzipSync(data).byteLength,
  };
}

/** Each request is a task, as on a server: objects that a WeakRef has returned are kept until a task ends. */
async function renderAll(page: Page): Promise<void> {
  for (let at = 0; at < REQUESTS; at++) {
    await page.render();
    await new Promise(setImmediate);
  }
}

/** Returns the scripts with data. */
async function check(page: Page, html: string): Promise<string> {
  const scripts = Array.from(
    html.matchAll(/<script[^>]*>(.*?)<\/script>/gs),
    ([, code = '']) => code,
  );
  const items = html
    .replace(/<script[^>]*>.*?<\/script>|<!--.*?-->/gs, '')
    .match(/<li\b.*?<\/li>/gs);
  const shown = items?.map((item) => item.replace(/<[^>]*>/g, '')) ?? [];
  const expected = rows.map(({ title, author }) => `${title} (${author.name})`);
  if (shown.join('\n') !== expected.join('\n'))
    throw new Error(`The page shows ${shown.length} rows, and first ${shown[0]}`);
  const received = await page.receive(scripts);
  if (toText(received) !== toText(rows))
    throw new Error(`The browser reads ${received.length} rows: ${toText(received).slice(0, 300)}`);
  return scripts.filter((script) => page.isData(script)).join('');
}

/** The fields that are compared: of rows and of authors, in this order. */
const FIELDS = [
  'id',
  'title',
  'text',
  'state',
  'priority',
  'comments',
  'isPinned',
  'createdAt',
  'author',
  'name',
  'email',
];

function toText(all: readonly Row[]): string {
  return JSON.stringify(all, FIELDS);
}
