/** The live pages: examples with a server inside the page, bundled with the built package. They are files below `live/`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'esbuild';
import type { Plugin } from 'vitepress';
import { packageEntries } from '../../examples/packageEntries.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** Path below the site, and content. */
type Files = ReadonlyMap<string, string | Uint8Array>;

type Respond = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => Promise<void>;

/** Writes the live pages beside the built pages. */
export async function writeLive(outDir: string): Promise<void> {
  for (const [path, content] of await createFiles()) {
    await mkdir(dirname(join(outDir, path)), { recursive: true });
    await writeFile(join(outDir, path), content);
  }
}

/** Serves the live pages beside those of the development server. */
export function serveLive(): Plugin {
  let files: Promise<Files> | undefined;
  return {
    name: 'live-examples',
    configureServer({ middlewares, config }) {
      const respond: Respond = async ({ url = '' }, response, next) => {
        const [address = ''] = url.slice(config.base.length).split('?');
        const path = address.replace(/\/$/, '/index.html');
        if (!path.startsWith('live/')) return next();
        files ??= createFiles();
        const content = (await files).get(path);
        // a page of the documentation is below `live/`, too
        if (content === undefined) return next();
        response.setHeader('content-type', types[extname(path)] ?? 'text/plain');
        response.end(content);
      };
      middlewares.use((...call) => void respond(...call));
    },
  };
}

async function createFiles(): Promise<Files> {
  const example = (path: string) => readFile(join(root, 'examples', path), 'utf8');
  const page = async (name: string) =>
    (await example(`${name}/index.html`)).replace('FRAMEWORK', 'react');
  return new Map<string, string | Uint8Array>([
    ...(await bundle()),
    ['live/preview/index.html', await createPreview()],
    ['live/demo/index.html', await example('demo/page/index.html')],
    ['live/strip/index.html', await example('demo/page/strip.html')],
    ['live/conduit/index.html', await page('conduit')],
    ['live/conduit/app.css', await example('conduit/app.css')],
    ['live/todo/index.html', await page('todo')],
    ['live/todo/app.css', await example('todo/app.css')],
    ['live/mockServiceWorker.js', await readFile(require.resolve('msw/mockServiceWorker.js'))],
    [
      'live/sql-wasm-browser.wasm',
      await readFile(require.resolve('sql.js/dist/sql-wasm-browser.wasm')),
    ],
  ]);
}

const production = (): BuildOptions & { write: false } => ({
  absWorkingDir: root,
  bundle: true,
  write: false,
  target: 'es2022',
  platform: 'browser',
  // the paths of the project lead to the sources: a page shows what ships
  tsconfigRaw: {},
  alias: { ...packageEntries(process.env['SIGNALBOX_PACKAGE'] ?? root) },
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  minify: true,
  // the panel shows the names of classes
  keepNames: true,
  logLevel: 'error',
});

/** The script is a part of the page: a frame without an origin hides the errors of other files. */
async function createPreview(): Promise<string> {
  const { outputFiles } = await build({
    ...production(),
    entryPoints: ['site/live/preview.ts'],
    format: 'iife',
    // messages for the reader
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  const page = await readFile(join(root, 'site/live/preview.html'), 'utf8');
  return page.replace('/* SCRIPT */', () => outputFiles[0]?.text ?? '');
}

async function bundle(): Promise<[path: string, content: Uint8Array][]> {
  const { outputFiles } = await build({
    ...production(),
    entryPoints: [
      { in: 'site/live/demo.ts', out: 'demo/page' },
      { in: 'examples/demo/page/page.css', out: 'demo/page' },
      { in: 'site/live/strip.ts', out: 'strip/page' },
      { in: 'examples/demo/page/strip.css', out: 'strip/page' },
      { in: 'site/live/conduit.ts', out: 'conduit/react/main' },
      { in: 'examples/todo-react/main.tsx', out: 'todo/react/main' },
    ],
    outdir: '/live',
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    format: 'esm',
  });
  return outputFiles.map(({ path, contents }) => [
    path.replaceAll('\\', '/').replace(/^.*?\/live\//, 'live/'),
    contents,
  ]);
}
