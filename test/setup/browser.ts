// Finds a Chromium and launches it: the only thing that browser tests need from this machine.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { chromium, type Browser } from 'playwright';

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

// Nothing here may leave the machine or depend on its graphics.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launchBrowser(): Promise<Browser> {
  const found = findBrowser();
  return chromium.launch({ ...found, headless: true, args: flags });
}

/** CHROMIUM_PATH, then an installed browser, then the one inside an npm package. */
function findBrowser(): Found {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen !== undefined && chosen !== '') {
    if (existsSync(chosen)) return { executablePath: chosen };
    throw new Error(`CHROMIUM_PATH names no file: ${chosen}`);
  }
  const installed = usualPlaces.find((path) => existsSync(path));
  if (installed !== undefined) return { executablePath: installed };
  if (process.platform === 'linux' && process.arch === 'x64') return unpackBrowser();
  throw new Error(
    'No Chromium found. Install one (`apt-get install chromium`, or Chrome), or set CHROMIUM_PATH to its program.',
  );
}

/**
 * Unpacks the Chromium that @sparticuz/chromium carries. Done by hand because the package's own
 * way is not safe when two processes start at once: here each unpacks apart and renames.
 */
export function unpackBrowser(): Found {
  const packed = packedBrowser();
  const home = join(tmpdir(), `signalbox-chromium-${packed.version}`);
  if (!existsSync(home)) {
    const fresh = mkdtempSync(`${home}-`);
    const program = join(fresh, 'chromium');
    writeFileSync(program, unbrotli(packed.bin, 'chromium'), { mode: 0o755 });
    execFileSync('tar', ['-xf', '-', '-C', fresh], { input: unbrotli(packed.bin, 'al2023.tar') });
    try {
      renameSync(fresh, home);
    } catch {
      // Another process was first; its copy is whole.
      rmSync(fresh, { recursive: true, force: true });
    }
  }
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
