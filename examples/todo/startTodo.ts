/** Serves the apps: a page for each framework, the worker of the mocks, and the REST server behind `/api`. */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { forward } from '../demo/servePage.ts';
import type { Bundling, Framework } from '../ssr/bundle.ts';
import { bundleApp } from './bundle.ts';
import { delayIn, isRefused } from './server.ts';

export interface TodoOptions extends Omit<Bundling, 'framework'> {
  readonly frameworks: readonly Framework[];
  /** The REST server. */
  readonly api: string;
}

export interface TodoSite {
  readonly url: string;
  /** The requests that came to `/api`, as `GET /todos/1`, refused ones included. */
  readonly requests: string[];
  close(): Promise<void>;
}

interface File {
  readonly type: string;
  readonly text: string;
}

export async function startTodo({ frameworks, api, ...how }: TodoOptions): Promise<TodoSite> {
  const files = await filesOf(frameworks, how);
  const requests: string[] = [];
  const server = createServer((incoming, answer) => {
    const { url = '/', method } = incoming;
    const [path = '/'] = url.split('?');
    if (path.startsWith('/api/')) {
      requests.push(`${method} ${url.slice('/api'.length)}`);
      return obey(api + url.slice('/api'.length), incoming, answer);
    }
    const file = files.get(path);
    if (file === undefined) return void answer.writeHead(404).end();
    return void answer.writeHead(200, headersOf(file)).end(file.text);
  });
  await new Promise<void>((listening, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', listening);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Hands the request on, in the mood that it asks for. */
function obey(url: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const mood = String(incoming.headers['x-mood']);
  const refused = isRefused(mood, incoming.method ?? '');
  const act = () => {
    if (!refused) return forward(url, incoming, answer);
    incoming.resume();
    return void answer.writeHead(503, { 'content-type': 'application/json' }).end('{}');
  };
  setTimeout(act, delayIn(mood));
}

function headersOf({ type }: File): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'self'; img-src data:",
  };
}

async function filesOf(
  frameworks: readonly Framework[],
  how: Omit<Bundling, 'framework'>,
): Promise<ReadonlyMap<string, File>> {
  const folder = join(how.root, 'examples/todo');
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
  const [page, css, script, ...apps] = await Promise.all([
    read('index.html'),
    read('app.css'),
    readFile(worker, 'utf8'),
    ...frameworks.map((framework) => bundleApp({ ...how, framework })),
  ]);
  const scripts = apps.flatMap((app) => [...app]);
  return new Map<string, File>([
    ['/app.css', { type: 'text/css', text: css }],
    ['/mockServiceWorker.js', { type: 'text/javascript', text: script }],
    ...scripts.map(([path, text]) => [path, { type: 'text/javascript', text }] as const),
    ...frameworks.map(
      (name) => [`/${name}`, { type: 'text/html', text: page.replace('FRAMEWORK', name) }] as const,
    ),
  ]);
}
