/** The demo: starts the server, runs the steps in the terminal, then serves the page. */
import { join } from 'node:path';
import { startJsonServer } from './jsonServer.ts';
import { servePage } from './servePage.ts';
import { tellStory } from './story.ts';
import { awaiting, bold, count, cyan, dim, red, say } from './terminal.ts';

export interface DemoOptions {
  /** The folder of the package. */
  readonly root: string;
  /** Serves the page after the steps. */
  readonly page: boolean;
}

/** Resolves with the exit code; with a page, after a signal that ends the process. */
export async function runDemo({ root, page }: DemoOptions): Promise<number> {
  say();
  say(`  ${bold('signalbox')}  ${dim('one change re-renders only the views that read it')}`);
  say();
  const database = join(root, 'examples/demo/db.json');
  const server = await awaiting('starting json-server on a copy of its database', () =>
    startJsonServer(database),
  );
  say(`  ${dim('json-server 0.17 at')} ${server.url}`);
  try {
    const { failures } = await tellStory(server);
    say();
    if (failures.length > 0) {
      say(`  ${red(`${count(failures.length, 'result')} differ from the expected ones.`)}`);
      return 1;
    }
    if (page) await keepPage(root, server.url);
    return 0;
  } finally {
    await server.close();
  }
}

async function keepPage(root: string, api: string): Promise<void> {
  const page = await awaiting('bundling the page', () => servePage({ root, api }));
  say(`  React, Preact and Solid on one store: ${bold(cyan(page.url))}`);
  say(`  ${dim('Stop with Ctrl-C.')}`);
  say();
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  await page.close();
}
