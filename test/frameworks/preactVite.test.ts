import { expect, test } from 'vitest';
import { startExample } from './Example.ts';

const example = startExample('preact-vite', {
  build: ['node_modules/vite/bin/vite.js', 'build', '--app'],
  serve: ['server.js'],
});

test('[H5] Preact with Vite: the page hydrates with the data of the server, and sends no request', async () => {
  const { page, complaints, sent } = await example.visit('/');
  await page.click('#clicks');
  await page.waitForFunction(() => document.querySelector('#clicks')?.textContent === '1 clicks');
  await page.waitForLoadState('networkidle');
  expect(await page.locator('#todos li').allTextContents()).toEqual(['Todo 1', 'Todo 2', 'Todo 3']);
  expect(example.api.requests).toEqual(['GET /todos']);
  expect([sent, complaints]).toEqual([[], []]);
});
