import { expect, test } from 'vitest';
import { startExample } from './Example.ts';

const example = startExample('astro', {
  build: ['node_modules/astro/astro.js', 'build'],
  serve: ['dist/server/entry.mjs'],
});

test('[H5] Astro: islands hydrate with the data of the page, and share one controller', async () => {
  const { page, complaints, sent } = await example.visit('/');
  await page.waitForFunction(() => document.querySelector('astro-island[ssr]') === null);
  await page.waitForLoadState('networkidle');
  expect(await page.textContent('#count')).toBe('3 todos');
  expect(example.api.requests).toEqual(['GET /todos']);
  // a row deleted in an island leaves the other island
  await page.click('#todos li:nth-child(2) button');
  await expect.poll(() => page.textContent('#count')).toBe('2 todos');
  expect(await page.locator('#todos li').allTextContents()).toEqual(['Todo 1', 'Todo 3']);
  expect([sent, complaints]).toEqual([['DELETE /todos/2'], []]);
});
