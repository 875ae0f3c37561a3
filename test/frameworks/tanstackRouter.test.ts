import { expect, test } from 'vitest';
import { startExample } from './Example.ts';

const vite = 'node_modules/vite/bin/vite.js';
const example = startExample('tanstack-router', {
  build: [vite, 'build'],
  serve: [vite, 'preview'],
});

test('[F5] TanStack Router: hovering over a link runs the loader, and the navigation sends no request', async () => {
  const { page, complaints, sent } = await example.visit('/');
  await page.hover('#todos li:nth-child(2) a');
  await expect.poll(() => sent).toEqual(['GET /todos', 'GET /todos/2']);
  await page.waitForLoadState('networkidle');
  await page.click('#todos li:nth-child(2) a');
  expect(await page.textContent('#todo p')).toBe('Notes 2');
  await page.click('#todo a');
  await page.waitForSelector('#todos');
  await page.waitForLoadState('networkidle');
  expect([sent, complaints]).toEqual([['GET /todos', 'GET /todos/2'], []]);
});
