/** Takes the pictures of README: the top of the demo page, just after one row was toggled. */
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { startJsonServer } from './jsonServer.ts';
import { servePage } from './servePage.ts';

const TOGGLED = 4;
const HEIGHT = 330;

/** Writes `docs/demo-light.png` and `docs/demo-dark.png`. */
export async function takePictures(
  root: string,
  browser: Browser,
  alias: Readonly<Record<string, string>>,
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const server = await startJsonServer(join(root, 'examples/demo/db.json'));
    const demo = await servePage({ root, api: server.url, alias });
    const page = await browser.newPage({
      viewport: { width: 1440, height: 800 },
      deviceScaleFactor: 1.5,
      colorScheme,
    });
    await page.goto(demo.url);
    await page.click(`#react .row[data-todo="${TOGGLED}"] .tick`);
    await page.waitForSelector(`#solid .row[data-todo="${TOGGLED}"][data-done]`);
    await page.mouse.move(0, 0);
    await page.evaluate((row) => {
      for (const animation of document.getAnimations()) {
        const { target } = animation.effect as KeyframeEffect;
        const isFlash = target?.closest(`.row[data-move='1'], [data-track], [data-todo="${row}"]`);
        animation.pause();
        animation.currentTime = isFlash ? 100 : 9_999;
      }
    }, TOGGLED);
    const { x = 0, y = 0, width = 0 } = (await page.locator('main').boundingBox()) ?? {};
    await page.screenshot({
      path: join(root, `docs/demo-${colorScheme}.png`),
      clip: { x: x - 12, y: y - 8, width: width + 24, height: HEIGHT },
    });
    await page.close();
    await demo.close();
    await server.close();
  }
}
