// Starts the site and the browser of the test, and opens a page with a new database for each framework.
import { afterAll, beforeAll } from 'vitest';
import { startConduit, type ConduitSite } from '../../../examples/conduit/startConduit.ts';
import type { Framework } from '../../../examples/ssr/bundle.ts';
import { headlessShellOfFile } from '../../setup/sharedBrowser.ts';
import { exampleSources } from '../exampleSources.ts';
import { Visit } from './Visit.ts';

export function makeLab(): { visit(framework: Framework): Promise<Visit> } {
  let site: ConduitSite;
  const browser = headlessShellOfFile();
  beforeAll(async () => {
    site = await startConduit(exampleSources);
  });
  afterAll(async () => {
    await site?.close();
  });
  return {
    async visit(framework) {
      await site.renew();
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      context.setDefaultTimeout(5000);
      const visit = new Visit(await context.newPage(), site);
      await visit.page.goto(`${site.url}/${framework}`);
      await visit.settled();
      return visit;
    },
  };
}
