/** Serves one of the examples until a signal ends the process. */
import { join } from 'node:path';
import { startJsonServer } from '../demo/jsonServer.ts';
import { frameworks } from './bundle.ts';
import type { Framework } from './bundle.ts';
import { startSite } from './startSite.ts';

export async function serveExample(root: string, name: string): Promise<void> {
  if (!frameworks.includes(name as Framework)) {
    throw new Error(`no example ${name}: ${frameworks.join(', ')}`);
  }
  const framework = name as Framework;
  const api = await startJsonServer(join(root, 'examples/demo/db.json'));
  const site = await startSite({ root, framework, api: api.url, slow: 1_500 });
  const modes = framework === 'react' ? ['node', 'web'] : ['string', 'node', 'web'];
  for (const mode of modes) console.log(`  ${site.url}/${mode}`);
  console.log(
    '  ?moved: changed before hydration   ?stale: refetched after hydration   Stop with Ctrl-C.',
  );
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  await site.close();
  await api.close();
}
