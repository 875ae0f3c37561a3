/** Serves the page, its service worker, and the API behind `/api`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { serveFiles } from '../site/serveApps.ts';
import type { AppsOptions, Site } from '../site/serveApps.ts';

type BackgroundSyncOptions = Pick<AppsOptions, 'root' | 'alias' | 'mode' | 'api'>;

export async function startBackgroundSync(options: BackgroundSyncOptions): Promise<Site> {
  const { root, alias = {}, mode = 'production', api } = options;
  const folder = join(root, 'examples/background-sync');
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'app.ts'), join(folder, 'serviceWorker.ts')],
    outdir: folder,
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    alias: { ...alias },
    // the project's own paths lead to the sources: here it is the package that counts
    tsconfigRaw: {},
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    minify: mode === 'production',
    logLevel: 'error',
  });
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const files = new Map([
    ['/', { type: 'text/html', text: page }],
    ...outputFiles.map(
      ({ path, text }) => [path.slice(folder.length), { type: 'text/javascript', text }] as const,
    ),
  ]);
  return serveFiles(files, { api });
}
