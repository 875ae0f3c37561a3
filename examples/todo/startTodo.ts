/** Serves the apps: a page for each framework, the worker of the mocks, and the REST server behind `/api`. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { forward } from '../demo/servePage.ts';
import { serveApps, type AppsOptions, type Site } from '../site/serveApps.ts';
import { delayIn, isRefused } from './server.ts';

export interface TodoOptions extends Omit<AppsOptions, 'api' | 'example' | 'scripts'> {
  /** The REST server. */
  readonly api: string;
}

export interface TodoSite extends Site {
  /** The requests that came to `/api`, as `GET /todos/1`, refused ones included. */
  readonly requests: string[];
}

export async function startTodo({ api, ...options }: TodoOptions): Promise<TodoSite> {
  const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
  const requests: string[] = [];
  const site = await serveApps({
    ...options,
    example: 'todo',
    scripts: { '/mockServiceWorker.js': await readFile(worker, 'utf8') },
    api(incoming, answer, url) {
      requests.push(`${incoming.method} ${url}`);
      obey(api + url, incoming, answer);
    },
  });
  return { ...site, requests };
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
