// The site, built once and served as static hosts do: compressed, `/` for `index.html`, 404 for other paths.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildIfStale } from '../setup/packed.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

export interface BuiltSite {
  readonly url: string;
  /** The built pages of the documentation, by their path below the site. */
  readonly pages: ReadonlyMap<string, string>;
  /** All paths that exist. */
  readonly paths: ReadonlySet<string>;
  close(): void;
}

export async function buildSite(folder: string): Promise<BuiltSite> {
  // the live examples show the package
  buildIfStale();
  const vitepress = join(root, 'node_modules/vitepress/bin/vitepress.js');
  await promisify(execFile)(process.execPath, [vitepress, 'build', 'site', '--outDir', folder], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const files = readFiles(folder);
  const server = createServer(({ url = '/' }, response) => send(files, url, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const pages = [...files].filter(
    ([path]) => path.endsWith('.html') && !/^\/live\/\w+\/|^\/404/.test(path),
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages: new Map(pages.map(([path, content]) => [path, content.toString('utf8')])),
    paths: new Set(files.keys()),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function readFiles(folder: string): Map<string, Buffer> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((file) =>
    file.isFile() ? [join(file.parentPath, file.name)] : [],
  );
  return new Map(
    paths.map((path) => [path.slice(folder.length).replaceAll('\\', '/'), readFileSync(path)]),
  );
}

const compressed = new Map<Buffer, Buffer>();

function send(files: ReadonlyMap<string, Buffer>, url: string, response: ServerResponse): void {
  const path = (url.split('?')[0] ?? '').replace(/\/$/, '/index.html');
  const content = files.get(path);
  if (content === undefined) return void response.writeHead(404).end();
  const body = compressed.get(content) ?? gzipSync(content);
  compressed.set(content, body);
  response
    .writeHead(200, {
      'content-type': types[extname(path)] ?? 'text/plain',
      'content-encoding': 'gzip',
      // compiling the scripts of the theme again would cost more than most pages
      'cache-control': 'max-age=3600',
    })
    .end(body);
}
