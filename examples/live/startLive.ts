/** A database of its own with its tables, and two API processes behind one port. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { Client } from 'pg';
import type { Told } from './cluster.ts';
import { SCHEMA } from './schema.ts';
import { startPostgres } from './startPostgres.ts';

export interface Live {
  readonly url: string;
  /** The address of the database. */
  readonly database: string;
  /** The API processes that serve now. */
  readonly pids: readonly number[];
  close(): Promise<void>;
}

/** `root`: of the repository; `bin`: as `findPostgres` gives it. */
export async function startLive(root: string, bin: string): Promise<Live> {
  const postgres = await startPostgres(bin);
  const client = new Client(postgres.url);
  await client.connect();
  await client.query(SCHEMA);
  await client.end();
  // beside the packages that it imports
  const folder = mkdtempSync(join(root, 'node_modules/.signalbox-live-'));
  const outfile = join(folder, 'cluster.mjs');
  await build({
    entryPoints: [join(root, 'examples/live/cluster.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    tsconfigRaw: {},
    logLevel: 'error',
  });
  const processes = fork(outfile, [postgres.url], { execArgv: [] });
  const ended = new Promise((resolve) => processes.once('exit', resolve));
  let told: Told = { port: 0, pids: [] };
  await new Promise<void>((serves) => {
    processes.on('message', (message) => {
      told = message as Told;
      if (told.pids.length === 2) serves();
    });
  });
  return {
    url: `http://127.0.0.1:${told.port}`,
    database: postgres.url,
    get pids() {
      return told.pids;
    },
    async close() {
      // Ctrl-C has reached it, too
      if (processes.connected) processes.disconnect();
      await ended;
      rmSync(folder, { recursive: true });
      await postgres.stop();
    },
  };
}
