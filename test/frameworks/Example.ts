/** An example of `examples/frameworks`: installed, built with the packed library, served, and visited by a browser. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { oneChecker } from '../setup/oneChecker.ts';
import { installLock, unpackInto } from '../setup/packed.ts';
import { headlessShellOfFile } from '../setup/sharedBrowser.ts';
import { startApi, type Api } from './Api.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const READY_WITHIN_MS = 30_000;

export interface Visit {
  readonly page: Page;
  /** Errors and warnings of the page. */
  readonly complaints: string[];
  /** Requests that the page itself sent to the API, as `GET /todos`. */
  readonly sent: string[];
}

export interface Example {
  /** All requests that reached the API, including requests of the rendering server. */
  readonly api: Api;
  readonly url: string;
  /**
   * A new page, in place of the former page. The API forgets the requests before. `lateScripts`: addresses that are
   * loaded after the whole document.
   */
  visit(path: string, lateScripts?: string): Promise<Visit>;
}

/** A command of an installed package: the script, and the arguments. */
type Command = readonly [script: string, ...args: string[]];

export interface ExampleOptions {
  readonly build: Command;
  /** Serves the build on the port in `PORT`, and finds the API in `API_URL`. */
  readonly serve: Command;
}

/** Builds and serves an example for the tests of a file. */
export function startExample(name: string, { build, serve }: ExampleOptions): Example {
  const folder = join(root, 'examples/frameworks', name);
  const browser = headlessShellOfFile();
  let api: Api;
  let server: ChildProcess;
  let page: Page | undefined;
  let url = '';
  beforeAll(async () => {
    install(folder);
    api = await startApi();
    const env = { ...process.env, ...quiet, API_URL: api.url, PORT: String(await freePort()) };
    run([tsc, '-p', '.', ...oneChecker], folder, env);
    run(build, folder, env);
    url = `http://localhost:${env.PORT}`;
    server = spawn(process.execPath, serve, { cwd: folder, env, stdio: 'pipe' });
    await ready(url, server);
  }, 300_000);
  afterAll(async () => {
    server?.kill('SIGKILL');
    await api?.close();
  });
  return {
    get api() {
      return api;
    },
    get url() {
      return url;
    },
    async visit(path, lateScripts) {
      await page?.close();
      api.requests.length = 0;
      page = await browser.newPage();
      const visit = await watch(page);
      if (lateScripts !== undefined) {
        const sent = page.waitForResponse(url + path).then((response) => response.finished());
        await page.route(lateScripts, async (route) => {
          await sent;
          await route.continue();
        });
      }
      await page.goto(url + path, { waitUntil: 'load' });
      return visit;
    },
  };
}

// a tool that sends telemetry, or looks for a newer version, needs the network
const quiet = {
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
};

/** Throws with the whole output of the command if the command fails. */
function run(command: Command, cwd: string, env: NodeJS.ProcessEnv): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command.join(' ')} failed:\n${stdout}${stderr}`);
}

/** Once per lock file, and the library each time. */
function install(folder: string): void {
  const installed = join(folder, 'node_modules/.package-lock.json');
  const lock = statSync(join(folder, 'package-lock.json')).mtimeMs;
  if (!existsSync(installed) || statSync(installed).mtimeMs < lock)
    installLock(folder, '--prefer-offline', '--ignore-scripts');
  unpackInto(folder);
  // a copy: bundlers refuse links that lead out of the folder; an existing copy is the only copy, as npm installs packages
  const core = 'node_modules/@preact/signals-core';
  if (!existsSync(join(folder, core)))
    cpSync(join(root, core), join(folder, core), { recursive: true });
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening));
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

async function ready(url: string, server: ChildProcess): Promise<void> {
  let log = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream?.on('data', (chunk: Buffer) => (log += chunk));
  }
  const end = performance.now() + READY_WITHIN_MS;
  while (performance.now() < end && server.exitCode === null) {
    // of no page: a page would send requests to the API
    const answers = await fetch(`${url}/ready.txt`).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error(`The example does not answer:\n${log}`);
}

async function watch(page: Page): Promise<Visit> {
  const complaints: string[] = [];
  const sent: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  // no example has an icon
  await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) sent.push(`${request.method()} ${pathname.slice(4)}`);
  });
  return { page, complaints, sent };
}
