import { expect, test } from 'vitest';
import { startExample } from './Example.ts';

const bin = 'node_modules/next/dist/bin/next';
const example = startExample('next', { build: [bin, 'build'], serve: [bin, 'start'] });

test('[H5] Next.js: the data of client components are sent in the stream, and hydration sends no request', async () => {
  const { page, complaints, sent } = await example.visit('/stream');
  await page.click('#clicks');
  await page.waitForFunction(() => document.querySelector('#clicks')?.textContent === '1 clicks');
  await page.waitForLoadState('networkidle');
  expect(await page.locator('#todos li').allTextContents()).toEqual(['Todo 1', 'Todo 2', 'Todo 3']);
  expect(await page.textContent('#users')).toBe('Ann, Ben');
  expect(example.api.requests).toEqual(['GET /todos', 'GET /users']);
  expect([sent, complaints]).toEqual([[], []]);
});

test('[H5] Next.js: the data of each part of the stream are sent before its HTML', async () => {
  const html = await (await fetch(`${example.url}/stream`)).text();
  const [todos, users] = [html.indexOf('"GET /api/todos"'), html.indexOf('"GET /api/users"')];
  expect(todos).toBeGreaterThan(0);
  expect(html.indexOf('<li>Todo 1</li>')).toBeGreaterThan(todos);
  expect(users).toBeGreaterThan(html.indexOf('<li>Todo 1</li>'));
  expect(html.indexOf('Ann, Ben')).toBeGreaterThan(users);
});

test('[H5] Next.js: a mutation of hydrated data is shown, and no other request is sent', async () => {
  const { page, sent } = await example.visit('/stream');
  await page.click('#rename');
  await page.waitForFunction(() => document.querySelector('li')?.textContent === 'Renamed');
  await page.waitForLoadState('networkidle');
  expect(sent).toEqual(['PATCH /todos/1']);
});

test('[H5] Next.js: client components read the data that a server component has fetched, without a request', async () => {
  const { page, complaints, sent } = await example.visit('/dehydrated/3');
  await page.waitForSelector('#todo[data-hydrated=true]');
  await page.waitForLoadState('networkidle');
  expect(await page.textContent('#todo')).toBe('Todo 3');
  expect(example.api.requests).toEqual(['GET /todos/3']);
  expect([sent, complaints]).toEqual([[], []]);
});

test('[H5] Next.js: after a navigation, client components read data of a server component without a request', async () => {
  const { page, complaints, sent } = await example.visit('/stream');
  await page.waitForLoadState('networkidle');
  await page.click('#next');
  await page.waitForSelector('#todo[data-hydrated=true]');
  await page.waitForLoadState('networkidle');
  expect(await page.textContent('#todo')).toBe('Todo 2');
  // the server component's own
  expect(example.api.requests.filter((request) => request === 'GET /todos/2')).toHaveLength(1);
  expect([sent, complaints]).toEqual([[], []]);
});
