// The panel on the todo page, in a real browser and under a policy that lets no inline style or script be.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { startTodo } from '../../examples/todo/startTodo.ts';
import { headlessShellOfFile } from '../setup/sharedBrowser.ts';
import { exampleSources } from './exampleSources.ts';
import { makeLab } from './todoSite.ts';

const lab = makeLab();
const browser = headlessShellOfFile();

const shoot = (page: Page, name: string) =>
  page.screenshot({ path: join(tmpdir(), `signalbox-panel-${name}.png`) });

const open = (page: Page, name: string) => page.getByRole('tab', { name }).click();
const rows = (page: Page) => page.locator('signalbox-panel').getByRole('option');

test('[T2] the panel opens under a strict content security policy, and its tabs show the activity of the page', async () => {
  const { 'json-server': visit } = await lab.visit('preact', 'panel');
  const { page, complaints } = visit;
  await page.waitForSelector('.todo');
  await rows(page).first().waitFor();
  await visit.settled();
  expect(await page.locator('signalbox-panel [style]').count()).toBe(0);

  await page.getByRole('button', { name: /^Todo\b/ }).click();
  await expect.poll(() => rows(page).count()).toBe(5);
  await rows(page).first().click();
  await page.getByRole('heading', { name: 'Todo 1' }).waitFor();
  await page
    .getByText(/GET (\/api)?\/todos/)
    .first()
    .waitFor();
  await shoot(page, 'entities');

  await open(page, 'Requests');
  await rows(page).first().click();
  await page.getByRole('button', { name: 'Refetch' }).waitFor();
  await shoot(page, 'requests');

  await open(page, 'Layers');
  await page.getByText('No optimistic changes.').waitFor();
  await visit.mood('is slow');
  await visit.tick('Water the plants');
  await rows(page).filter({ hasText: 'PATCH /todos/:id' }).click();
  await page.getByRole('cell', { name: 'done' }).waitFor();
  await shoot(page, 'layers');
  await page.getByText('No optimistic changes.').waitFor();

  await open(page, 'Timeline');
  await rows(page).filter({ hasText: 'optimistic' }).first().click();
  await page
    .getByRole('cell', { name: /field done/ })
    .first()
    .waitFor();
  await shoot(page, 'timeline');
  expect(complaints).toEqual([]);
});

test('[T2] an open panel adds no renders to the page, and a collapsed panel returns its space', async () => {
  const { 'json-server': visit } = await lab.visit('preact', 'panel');
  const { page, complaints } = visit;
  await page.waitForSelector('.todo');
  await rows(page).first().waitFor();
  await visit.settled();
  const ticked = await visit.effectOf(() => visit.tick('Water the plants'));
  expect(ticked).toEqual({ ran: ['1'], runs: 1, asked: ['PATCH /todos/1'] });

  const room = () => page.evaluate(() => document.documentElement.scrollHeight);
  const before = await room();
  const grip = page.getByRole('separator', { name: 'Height of the panel' });
  const height = async () => Number(await grip.getAttribute('aria-valuenow'));
  const { y = 0 } = (await grip.boundingBox()) ?? {};
  await page.mouse.move(700, y + 3);
  await page.mouse.down();
  await page.mouse.move(700, y - 97, { steps: 3 });
  await page.mouse.up();
  await expect.poll(height).toBe(420);
  expect(await room()).toBe(before + 100);

  await page.getByRole('tab', { name: 'Entities' }).press('ArrowLeft');
  await page.getByRole('tab', { name: 'Timeline', selected: true }).waitFor();
  await page.getByRole('listbox').press('ArrowDown');
  await page.locator('signalbox-panel').getByRole('option', { selected: true }).waitFor();
  await page.getByRole('button', { name: 'Collapse the panel' }).press('Enter');
  await page.getByRole('button', { name: 'signalbox' }).waitFor();
  expect(await room()).toBeLessThan(before);
  expect(complaints).toEqual([]);
});

test('[T2] the panel of the example shows class names also in a minified build', async () => {
  const site = await startTodo({
    ...exampleSources,
    frameworks: ['preact'],
    mode: 'production',
    api: 'http://127.0.0.1:1', // unused: the page mocks this address
  });
  try {
    const page = await browser.newPage();
    await page.goto(`${site.url}/preact?mock&panel`);
    await page.getByRole('button', { name: /^Todo\b/ }).click();
    await rows(page).first().click();
    await page.getByRole('heading', { name: 'Todo 1' }).waitFor();
    expect(await rows(page).first().textContent()).toContain('User');
  } finally {
    await site.close();
  }
});
