/** Serves the example with a json-server, and prints the edits that arrive, until a signal ends the process. */
import { startJsonServer } from '../demo/jsonServer.ts';
import { forward } from '../demo/servePage.ts';
import { startBackgroundSync } from './startBackgroundSync.ts';

const tasks = ['Water the plants', 'Return the library books', 'Fix the bicycle light'];

export async function serveExample(root: string): Promise<void> {
  const server = await startJsonServer({
    tasks: tasks.map((title, at) => ({ id: at + 1, title })),
  });
  const site = await startBackgroundSync({
    root,
    api(incoming, response, url) {
      const { method, headers } = incoming;
      const sender = headers.referer?.endsWith('.js') ? 'the service worker' : 'the page';
      if (method !== 'GET') console.log(`  ${method} ${url} from ${sender}`);
      forward(server.url + url, incoming, response);
    },
  });
  console.log(`  ${site.url}`);
  console.log('  In the devtools of a Chromium, take the page offline, and edit a task.');
  console.log('  Only the page is offline then: the service worker sends the edit.');
  console.log('  Stop with Ctrl-C.');
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  await site.close();
  await server.close();
}
