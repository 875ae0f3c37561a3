import { expect, test } from 'vitest';
import { startExample } from './Example.ts';

const example = startExample('solid-start', {
  build: ['node_modules/vinxi/bin/cli.mjs', 'build'],
  serve: ['.output/server/index.mjs'],
});

test('[H5] SolidStart: the data are sent in the stream, and hydration sends no request', async () => {
  const { page, complaints, sent } = await example.visit('/');
  await page.waitForLoadState('networkidle');
  await page.click('#clicks');
  await expect.poll(() => page.textContent('#clicks')).toBe('1 clicks');
  expect(await page.locator('#todos li').allTextContents()).toEqual(['Todo 1', 'Todo 2', 'Todo 3']);
  expect(await page.textContent('#users')).toBe('Ann, Ben');
  expect(example.api.requests).toEqual(['GET /todos', 'GET /users']);
  expect([sent, complaints]).toEqual([[], []]);
});

test('[F5] SolidStart: hovering over a link fetches the data of its page, and the click sends no request', async () => {
  const { page, complaints, sent } = await example.visit('/');
  await page.waitForLoadState('networkidle');
  await page.hover('#todos li:nth-child(2) a');
  await expect.poll(() => sent).toEqual(['GET /todos/2']);
  await page.waitForLoadState('networkidle');
  await page.click('#todos li:nth-child(2) a');
  await expect.poll(() => page.textContent('#todo p')).toBe('Notes 2');
  expect([sent, complaints]).toEqual([['GET /todos/2'], []]);
});
