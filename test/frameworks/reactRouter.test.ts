import { expect, test } from 'vitest';
import { startExample } from './Example.ts';

const example = startExample('react-router', {
  build: ['node_modules/@react-router/dev/bin.js', 'build'],
  serve: ['node_modules/@react-router/serve/bin.js', 'build/server/index.js'],
});

// React Router updates its root at the start. React then renders boundaries whose HTML has not arrived, and these fetch
// the data that the server is about to send: on a fast machine, scripts load faster than the users.
const SCRIPTS = '**/assets/*.js';

test('[H5] React Router: data that loaders and components fetched on the server need no request in the page', async () => {
  const { page, complaints, sent } = await example.visit('/', SCRIPTS);
  await page.click('#clicks');
  await page.waitForFunction(() => document.querySelector('#clicks')?.textContent === '1 clicks');
  await page.waitForLoadState('networkidle');
  expect(await page.locator('#todos li').allTextContents()).toEqual(['Todo 1', 'Todo 2', 'Todo 3']);
  expect(await page.textContent('#users')).toBe('Ann, Ben');
  expect(example.api.requests).toEqual(['GET /todos', 'GET /users']);
  expect([sent, complaints]).toEqual([[], []]);
});

test('[H5] React Router: hovering over a link fetches the data of its page, and the click sends no request', async () => {
  const { page, complaints, sent } = await example.visit('/', SCRIPTS);
  await page.waitForLoadState('networkidle');
  await page.hover('#todos li:nth-child(2) a');
  await expect.poll(() => sent).toEqual(['GET /todos/2']);
  await page.waitForLoadState('networkidle');
  await page.click('#todos li:nth-child(2) a');
  await page.waitForSelector('#todo');
  await page.waitForLoadState('networkidle');
  expect(await page.textContent('#todo')).toBe('Todo 2Notes 2');
  expect([sent, complaints]).toEqual([['GET /todos/2'], []]);
});

test('[H5] React Router: an awaited loader decides the status of the response', async () => {
  const found = await fetch(`${example.url}/todos/3`);
  expect([found.status, (await found.text()).includes('<p>Notes 3</p>')]).toEqual([200, true]);
  expect((await fetch(`${example.url}/todos/99`)).status).not.toBe(200);
});
