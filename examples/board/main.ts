/** Serves the app until a signal ends the process. */
import { startBoard } from './startBoard.ts';

export async function serveExample(root: string, name: string): Promise<void> {
  if (name !== 'react') throw new Error(`no example ${name}: react`);
  const site = await startBoard({ root, frameworks: ['react'] });
  console.log(`  ${site.url}/react`);
  console.log('  Open it in two tabs, and in another browser. Stop with Ctrl-C.');
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  await site.close();
}
