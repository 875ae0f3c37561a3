/** Serves one of the apps until a signal ends the process. */
import { frameworks } from '../ssr/bundle.ts';
import type { Framework } from '../ssr/bundle.ts';
import { startConduit } from './startConduit.ts';

export async function serveExample(root: string, name: string): Promise<void> {
  if (!frameworks.includes(name as Framework)) {
    throw new Error(`no example ${name}: ${frameworks.join(', ')}`);
  }
  const site = await startConduit({ root, frameworks: [name as Framework] });
  console.log(`  ${site.url}/${name}`);
  console.log(
    '  Log in as ada@example.com, grace@example.com or joan@example.com; password: secret.',
  );
  console.log('  To make the next request of a kind slow, or fail:');
  console.log(
    `  curl -H 'content-type: application/json' ${site.url}/api/faults -d '{"request": "POST /articles/:slug/favorite", "delay": 2000, "status": 500}'`,
  );
  console.log('  Stop with Ctrl-C.');
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  await site.close();
}
