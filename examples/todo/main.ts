/** Serves one of the apps until a signal ends the process. */
import { join } from 'node:path';
import { startJsonServer } from '../demo/jsonServer.ts';
import { frameworks } from '../ssr/bundle.ts';
import type { Framework } from '../ssr/bundle.ts';
import { startTodo } from './startTodo.ts';

export async function serveExample(root: string, name: string): Promise<void> {
  if (!frameworks.includes(name as Framework)) {
    throw new Error(`no example ${name}: ${frameworks.join(', ')}`);
  }
  const api = await startJsonServer(join(root, 'examples/todo/db.json'));
  const site = await startTodo({ root, frameworks: [name as Framework], api: api.url });
  console.log(`  ${site.url}/${name}         with a json-server`);
  console.log(
    `  ${site.url}/${name}?mock    without a server: mocked in the page by Mock Service Worker`,
  );
  console.log(`  ${site.url}/${name}?panel   with the devtools panel`);
  console.log('  Stop with Ctrl-C.');
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  await site.close();
  await api.close();
}
