/** Takes the pictures of docs/devtools.md: the todo page with the panel, while an optimistic change waits for a slow server. */
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { startTodo } from './startTodo.ts';

/** Writes `docs/panel-light.png` and `docs/panel-dark.png`. */
export async function takePanelPictures(
  root: string,
  browser: Browser,
  alias: Readonly<Record<string, string>>,
): Promise<void> {
  const site = await startTodo({
    root,
    alias,
    frameworks: ['react'],
    mode: 'development',
    // unused: the page mocks its server
    api: 'http://127.0.0.1:1',
  });
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({
      viewport: { width: 1200, height: 580 },
      deviceScaleFactor: 1.25,
      colorScheme,
    });
    await page.goto(`${site.url}/react?mock&panel`);
    await page.getByRole('button', { name: /^Todo\b/ }).click();
    await page.getByRole('option', { name: /Water the plants/ }).click();
    await page.getByRole('radio', { name: 'is slow', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Water the plants', exact: true }).click();
    await page.getByText('expected by PATCH').waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await page.mouse.move(0, 0);
    await page.screenshot({ path: join(root, `docs/panel-${colorScheme}.png`) });
    await page.close();
  }
  await site.close();
}
