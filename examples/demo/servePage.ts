/** Serves the page: one document, one bundle made at start, and the REST server behind `/api`. */
import { readFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';

export interface PageOptions {
  /** Where the package is. */
  readonly root: string;
  /** The REST server. */
  readonly api: string;
  /** For tests: where the public names lead instead of the built package. */
  readonly alias?: Readonly<Record<string, string>>;
}

export interface Page {
  readonly url: string;
  close(): Promise<void>;
}

interface File {
  readonly type: string;
  readonly content: string;
}

export async function servePage({ root, api, alias = {} }: PageOptions): Promise<Page> {
  const folder = join(root, 'examples/demo/page');
  const { script, style } = await bundle(folder, alias);
  const files = new Map<string, File>([
    ['/', { type: 'text/html', content: await readFile(join(folder, 'index.html'), 'utf8') }],
    ['/page.css', { type: 'text/css', content: style }],
    ['/page.js', { type: 'text/javascript', content: script }],
  ]);
  const server = createServer((incoming, answer) => {
    const path = incoming.url ?? '/';
    const file = files.get(path);
    if (path.startsWith('/api/')) forward(api + path.slice('/api'.length), incoming, answer);
    else if (file === undefined) answer.writeHead(404).end();
    else answer.writeHead(200, headersOf(file)).end(file.content);
  });
  await new Promise<void>((listening, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', listening);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function headersOf({ type }: File): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'self'; img-src data:; style-src 'self' 'unsafe-inline'",
  };
}

type Alias = NonNullable<PageOptions['alias']>;

async function bundle(folder: string, alias: Alias): Promise<{ script: string; style: string }> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'page.ts'), join(folder, 'page.css')],
    outdir: folder,
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    alias,
    jsx: 'automatic',
    // the project's own paths lead to the sources: here it is the package that counts
    tsconfigRaw: {},
    define: { 'process.env.NODE_ENV': '"production"' },
    minify: true,
    logLevel: 'error',
  });
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
}

/** Same origin for the page: no preflight stands in the request log. */
export function forward(url: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const { method, headers } = incoming;
  const { host: _host, ...kept } = headers;
  const outgoing = request(url, { method, headers: kept }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  outgoing.on('error', () => answer.writeHead(502).end());
  incoming.pipe(outgoing);
}
