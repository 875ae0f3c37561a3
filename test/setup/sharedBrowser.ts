// A browser of each kind for a process of tests: starting a browser costs more than most tests.
import type { ChildProcess } from 'node:child_process';
import type { Browser } from 'playwright';
import { afterAll } from 'vitest';
import { launchBrowser, launchHeadlessShell } from './browser.ts';

interface Closable {
  on(event: 'disconnected', listener: () => void): unknown;
  /** Of a browser that does not end with the connection. */
  process?(): ChildProcess | null;
}

// on the global object, because each file of tests has separate modules
const global = globalThis as { signalboxBrowsers?: Map<string, Promise<Closable>> };
const browsers = (global.signalboxBrowsers ??= new Map());

/** The browser of this name. The first call launches the browser, which ends with the process; after a crash the next call launches another. */
export async function sharedBrowser<B extends Closable>(
  name: string,
  launch: () => Promise<B>,
): Promise<B> {
  const known = browsers.get(name) as Promise<B> | undefined;
  if (known !== undefined) return known;
  const launching = launch();
  browsers.set(name, launching);
  const forget = () => void browsers.delete(name);
  launching.then((browser) => {
    browser.on('disconnected', forget);
    // Vitest kills a process that takes half a second to end: Firefox takes longer to close, and would be left behind
    process.once('SIGTERM', () => browser.process?.()?.kill('SIGKILL'));
  }, forget);
  return launching;
}

/** The Chromium for a file of tests, driven by Playwright. Contexts left open are closed after the last test. */
export function chromiumOfFile(): PageOpener {
  return browserOfFile('playwright', launchBrowser);
}

/** The same without the windows of a browser: for tests of pages, not of tabs, workers and caches. */
export function headlessShellOfFile(): PageOpener {
  return browserOfFile('headless shell', launchHeadlessShell);
}

type PageOpener = Pick<Browser, 'newContext' | 'newPage'>;

function browserOfFile(name: string, launch: () => Promise<Browser>): PageOpener {
  let browser: Browser | undefined;
  const opened = async () => (browser ??= await sharedBrowser(name, launch));
  afterAll(async () => {
    await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
  });
  return {
    newContext: async (options) => (await opened()).newContext(options),
    newPage: async (options) => (await opened()).newPage(options),
  };
}
