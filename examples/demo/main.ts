/** The demo: starts the server, tells the story, then keeps a page open for who sits at a terminal. */
import { join } from 'node:path';
import { startJsonServer } from './jsonServer.ts';
import { servePage } from './servePage.ts';
import { tellStory } from './story.ts';
import { awaiting, bold, count, cyan, dim, red, say } from './terminal.ts';

export interface DemoOptions {
  /** Where the package is. */
  readonly root: string;
  /** Serve the page when the story is told. */
  readonly page: boolean;
}

/** Resolves with the exit code. With a page it stays until the process is told to end. */
export async function runDemo({ root, page }: DemoOptions): Promise<number> {
  say();
  say(`  ${bold('signalbox')}  ${dim('one commit, and exactly the affected views run')}`);
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
      say(
        `  ${red(`The story did not go as it must: ${count(failures.length, 'count')} differ.`)}`,
      );
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
  say(`  ${dim('Ctrl-C ends it.')}`);
  say();
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  await page.close();
}
