/** Serves the apps of an example: a page for each framework, its program, and the API behind `/api`. */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Framework } from '../ssr/bundle.ts';
import { bundleApp, type AppBundling } from './bundleApp.ts';

export interface AppsOptions extends Omit<AppBundling, 'framework'> {
  readonly frameworks: readonly Framework[];
  /** Scripts beside the apps, by their path. */
  readonly scripts?: Readonly<Record<string, string>>;
  /** Pictures from elsewhere, as a source of the page's policy. */
  readonly images?: string | undefined;
  /** Serves a request whose path begins with `/api/`; `url` is without that. */
  readonly api: (incoming: IncomingMessage, response: ServerResponse, url: string) => void;
}

export interface Site {
  readonly url: string;
  close(): Promise<void>;
}

export interface File {
  readonly type: string;
  readonly text: string;
}

export async function serveApps({ api, images, ...options }: AppsOptions): Promise<Site> {
  return serveFiles(await filesOf(options), { api, images });
}

/** Serves files by their path, and the API behind `/api`. */
export async function serveFiles(
  files: ReadonlyMap<string, File>,
  { api, images = '' }: Pick<AppsOptions, 'api' | 'images'>,
): Promise<Site> {
  const server = createServer((incoming, response) => {
    const { url = '/' } = incoming;
    const [path = '/'] = url.split('?');
    if (path.startsWith('/api/')) return api(incoming, response, url.slice('/api'.length));
    const file = files.get(path);
    if (file === undefined) return void response.writeHead(404).end();
    return void response.writeHead(200, headersOf(file, images)).end(file.text);
  });
  await new Promise<void>((listening, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', listening);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function headersOf({ type }: File, images: string): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'self'; img-src data: ${images}`.trim(),
  };
}

async function filesOf({
  frameworks,
  scripts = {},
  ...how
}: Omit<AppsOptions, 'api' | 'images'>): Promise<ReadonlyMap<string, File>> {
  const read = (name: string) => readFile(join(how.root, 'examples', how.example, name), 'utf8');
  const [page, css, ...apps] = await Promise.all([
    read('index.html'),
    read('app.css'),
    ...frameworks.map((framework) => bundleApp({ ...how, framework })),
  ]);
  const programs = [...Object.entries(scripts), ...apps.flatMap((app) => [...app])];
  return new Map<string, File>([
    ['/app.css', { type: 'text/css', text: css }],
    ...programs.map(([path, text]) => [path, { type: 'text/javascript', text }] as const),
    ...frameworks.map(
      (name) => [`/${name}`, { type: 'text/html', text: page.replace('FRAMEWORK', name) }] as const,
    ),
  ]);
}
