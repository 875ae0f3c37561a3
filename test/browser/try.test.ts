import { expect, test } from 'vitest';
import { makeLab } from './site.ts';
const lab = makeLab((process.env['FW'] ?? 'react') as 'react', process.env['ALIAS'] ? JSON.parse(process.env['ALIAS']) : {});
for (const mode of (process.env['MODES'] ?? 'node,web').split(','))
for (const q of ['', '?moved'])
test(`[H5] try ${mode}${q}`, async () => {
  const html = await (await fetch(lab.site.url + '/' + mode + q)).text();
  if (process.env['HTML']) console.log([...html.matchAll(/"results":.*?<.script>/g)].map(m => m[0].slice(-400)).join('\n\n'), html.length);
  lab.site.requests.length = 0;
  const { page, complaints, asked } = await lab.visit('/' + mode + q);
  await page.waitForSelector('#users button', { timeout: 3000 }).catch(() => {});
  await page.waitForTimeout(1000);
  await page.click('#users button', { timeout: 2000 }).catch(e => console.log(String(e)));
  await page.waitForTimeout(200);
  console.log(mode+q, JSON.stringify({ complaints, asked, requests: lab.site.requests, state: await page.evaluate(() => ({
    seen: (globalThis as any).seen,
    todos: document.querySelector('#todos li')?.outerHTML, n: document.querySelectorAll('#todos li').length,
    chosen: document.querySelector('#users')?.outerHTML,
    kept: ['#todos','#todos li','#users'].map(s => (document.querySelector(s) as any)?.fromServer), scripts: document.scripts.length })) }, null, 1));
  expect(1).toBe(1);
});
