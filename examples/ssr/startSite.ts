/** A site: its pages rendered on the server, the program that hydrates them, and the REST server behind `/api`. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { forward } from '../demo/servePage.ts';
import { bundle } from './bundle.ts';
import type { Bundling } from './bundle.ts';

/** How a page is asked for. */
export interface Visit {
  /** `string`, `node` (a stream of Node) or `web` (a web stream). */
  readonly mode: string;
  /** Where this site is: the REST server is at `/api` of it. */
  readonly origin: string;
  /** `?stale`: the answers have expired when the page arrives, and are asked again, behind what they show. */
  readonly stale: boolean;
  /** Of the Content Security Policy of this page. */
  readonly nonce: string;
}

/** What `server.tsx` of each framework exports. */
export interface Renderer {
  render(visit: Visit, response: ServerResponse): void | Promise<void>;
}

export interface Site {
  readonly url: string;
  /** The requests that the REST server got, as `GET /todos/1`. */
  readonly requests: string[];
  close(): Promise<void>;
}

export interface SiteOptions extends Bundling {
  /** The REST server. */
  readonly api: string;
  /** How long the answer for the users takes, ms. Default 300. */
  readonly slow?: number;
}

export async function startSite({ api, slow = 300, ...bundling }: SiteOptions): Promise<Site> {
  const { server: program, client } = await bundle(bundling);
  const renderer = await load(program);
  const style = styleOf(bundling.root);
  const requests: string[] = [];
  const server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '/', origin());
    if (url.pathname === '/client.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(client);
    } else if (url.pathname === '/app.css') {
      response.writeHead(200, { 'content-type': 'text/css' }).end(style);
    } else if (url.pathname.startsWith('/api/')) {
      const path = (incoming.url as string).slice('/api'.length);
      requests.push(`${incoming.method} ${path}`);
      setTimeout(() => forward(api + path, incoming, response), isSlow(path) ? slow : 0);
    } else if (url.pathname === '/favicon.ico') response.writeHead(204).end();
    else void show(renderer, visitOf(url), incoming, response);
  });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    url: origin(),
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** The style of the todo apps, and some rules for these pages. */
const styleOf = (root: string): string =>
  ['todo', 'ssr']
    .map((of) => readFileSync(join(root, `examples/${of}/app.css`), 'utf8'))
    .join('\n');

const isSlow = (path: string): boolean => path.startsWith('/users');

function visitOf(url: URL): Visit {
  return {
    mode: url.pathname.slice(1) || 'node',
    origin: url.origin,
    stale: url.searchParams.has('stale'),
    nonce: randomBytes(16).toString('base64'),
  };
}

async function show(
  renderer: Renderer,
  visit: Visit,
  { method }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (method !== 'GET') return void response.writeHead(405).end();
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'self'; script-src 'self' 'nonce-${visit.nonce}'`,
  });
  try {
    await renderer.render(visit, response);
  } catch (error) {
    console.error(error);
    response.end('the page could not be rendered');
  }
}

/** The program, as a module of this process. */
async function load(program: string): Promise<Renderer> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-ssr-'));
  const file = join(folder, 'server.mjs');
  writeFileSync(file, program);
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Renderer;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
