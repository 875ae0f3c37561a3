// Finds the browsers of this machine and launches browsers: the only access of browser tests to the machine.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { chromium, type Browser } from 'playwright';
import { launch } from 'puppeteer-core';
import type { Browser as DrivenBrowser } from 'puppeteer-core';
import { createFolderOnce } from './createFolderOnce.ts';

interface Found {
  executablePath: string;
  env?: Record<string, string>;
}

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const shellPlaces = ['/usr/bin/chromium-headless-shell', '/usr/bin/chrome-headless-shell'];

const firefoxPlaces = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/snap/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
];

const disabledFeatures = [
  // each window would have two processes that draw suggestions of the address bar, and a process to spare
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  // Chromium takes only the last list: these are the features that Playwright disables
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

// No request may leave the machine, and no test may depend on the graphics of the machine.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures.join(',')}`,
];

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ ...findChromium(), headless: true, args: flags });
}

/** A Chromium without the windows of a browser, which cost more than most pages of tests. */
export function launchHeadlessShell(): Promise<Browser> {
  return chromium.launch({ ...findHeadlessShell(), headless: true, args: flags });
}

/** The same Chromium as `launchBrowser`, driven by the API that drives Firefox: see `eachBrowser`. */
export function launchChromium(): Promise<DrivenBrowser> {
  return launch({ ...findChromium(), headless: true, args: flags });
}

/** The headless shell, driven by this API. */
export function launchDrivenShell(): Promise<DrivenBrowser> {
  return launch({ ...findHeadlessShell(), headless: 'shell', args: flags });
}

/** Driven over WebDriver BiDi. `executablePath`: the result of `findFirefox`. */
export function launchFirefox(executablePath: string): Promise<DrivenBrowser> {
  const extraPrefsFirefox = {
    // tabs of a site in separate processes, as in Chromium: a tab that hangs does not block the others
    'dom.ipc.processCount.webIsolated': 8,
    // starting a process costs more than most pages: no process is started in advance, and no process ends with the last page
    'dom.ipc.processPrelaunch.enabled': false,
    'dom.ipc.keepProcessesAlive.web': 8,
  };
  return launch({ browser: 'firefox', executablePath, headless: true, extraPrefsFirefox });
}

/**
 * FIREFOX_PATH, then an installed Firefox; undefined: there is none.
 *
 * @throws where FIREFOX_PATH names no file.
 */
export function findFirefox(places: readonly string[] = firefoxPlaces): string | undefined {
  return chosenBy('FIREFOX_PATH') ?? places.find((path) => existsSync(path));
}

function chosenBy(variable: string): string | undefined {
  const chosen = process.env[variable];
  if (chosen === undefined || chosen === '') return undefined;
  if (existsSync(chosen)) return chosen;
  throw new Error(`${variable} names no file: ${chosen}`);
}

/** CHROMIUM_PATH, then an installed browser, then the browser inside an npm package. */
function findChromium(): Found {
  const installed = chosenBy('CHROMIUM_PATH') ?? usualPlaces.find((path) => existsSync(path));
  if (installed !== undefined) return { executablePath: installed };
  if (isPackable) return unpackBrowser();
  throw new Error(
    'No Chromium found. Install one (`apt-get install chromium`, or Chrome), or set CHROMIUM_PATH to its program.',
  );
}

/** CHROMIUM_PATH, then an installed headless shell, then the shell inside an npm package, then an installed browser. */
function findHeadlessShell(): Found {
  const installed = chosenBy('CHROMIUM_PATH') ?? shellPlaces.find((path) => existsSync(path));
  if (installed !== undefined) return { executablePath: installed };
  return isPackable ? unpackBrowser() : findChromium();
}

/** Whether the Chromium inside an npm package runs on this machine. */
export const isPackable: boolean = process.platform === 'linux' && process.arch === 'x64';

/**
 * Unpacks the Chromium that @sparticuz/chromium carries. Done by hand because the package's own
 * way is not safe when two processes start at once: here each unpacks apart and renames.
 */
export function unpackBrowser(): Found {
  const packed = packedBrowser();
  const home = join(tmpdir(), `signalbox-chromium-${packed.version}`);
  createFolderOnce(home, (fresh) => {
    const program = join(fresh, 'chromium');
    writeFileSync(program, unbrotli(packed.bin, 'chromium'), { mode: 0o755 });
    execFileSync('tar', ['-xf', '-', '-C', fresh], { input: unbrotli(packed.bin, 'al2023.tar') });
  });
  const env = { ...process.env, LD_LIBRARY_PATH: join(home, 'lib') } as Record<string, string>;
  return { executablePath: join(home, 'chromium'), env };
}

function packedBrowser(): { bin: string; version: string } {
  const require = createRequire(import.meta.url);
  let folder = dirname(require.resolve('@sparticuz/chromium'));
  while (!existsSync(join(folder, 'package.json')) || !existsSync(join(folder, 'bin'))) {
    folder = dirname(folder);
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { bin: join(folder, 'bin'), version };
}

const unbrotli = (folder: string, name: string): Buffer =>
  brotliDecompressSync(readFileSync(join(folder, `${name}.br`)));
