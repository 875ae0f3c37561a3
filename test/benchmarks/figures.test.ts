// The figures of the home page are the output of scripts/figures.mjs; the figure of TanStack Query needs its package.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { playSession } from '../../benchmarks/requests/session.ts';
import { createApp } from '../../benchmarks/requests/signalbox.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');
const figures = [...read('docs/index.md').matchAll(/<dt>([^<]*)<\/dt><dd>([\d,]+)</g)].map(
  ([, text = '', figure = '']) => ({ figure: Number(figure.replace(',', '')), text }),
);
const figureOf = (word: string) => figures.find(({ text }) => text.includes(word))?.figure;

afterEach(() => vi.unstubAllGlobals());

test('[CODE] the home page has four figures', () => {
  expect(figures).toHaveLength(4);
});

test('[CODE] the home page states the number of requests that the session sends', async () => {
  vi.stubGlobal('fetch', fetch);
  expect(await playSession(createApp)).toBe(figureOf('requests'));
});

test('[CODE] the size on the home page is within 1 KiB of the limit of the build', () => {
  const [, limit] =
    /app, React'[\s\S]*?limit: ([\d.]+) \* KIB/.exec(read('scripts/size.mjs')) ?? [];
  expect(Math.abs(Number(limit) - Number(figureOf('KiB')))).toBeLessThan(1);
});

test('[CODE] the home page states the number of random programs of a test run', () => {
  const [, share] = /runs\((\d+)\)/.exec(read('test/laws/program.test.ts')) ?? [];
  const [, all] = /: (\d+);/.exec(read('test/laws/runs.ts')) ?? [];
  expect(figureOf('random programs')).toBe(Number(all) * Number(share));
});

test('[CODE] the badges of README equal the output of `npm run badges`', () => {
  const print = [`${root}scripts/badges.mjs`, '--print'];
  const printed = execFileSync(process.execPath, print, { encoding: 'utf8' });
  const badges = Object.entries(JSON.parse(printed) as Record<string, string>);
  expect(badges.map(([path]) => read('README.md').includes(`(${path})`))).toEqual([true, true]);
  for (const [path, badge] of badges) expect(read(path)).toBe(badge);
  expect(badges[0]?.[1]).toContain(`${figureOf('KiB')} KiB gzip`);
});
