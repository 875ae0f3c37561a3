// Makes a page of a test hang: no code runs there any more.
import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'puppeteer-core';
import { onTestFinished } from 'vitest';
import type { Engine } from '../setup/eachBrowser.ts';

/**
 * A script that stops all further work in the page. In Chromium the page waits, without using a processor, for the
 * response to `GET /hang`, which the server of the test never sends. In Firefox other events of the page run during the
 * wait, so the script runs a loop for half a minute: the page must be able to go on when its context is closed.
 */
export function hangNow(engine: Engine['name']): string {
  return engine === 'Firefox'
    ? 'for (const end = Date.now() + 30_000; Date.now() < end; );'
    : "const hung = new XMLHttpRequest(); hung.open('GET', '/hang', false); hung.send();";
}

/** The same, after the server has seen `GET /hang`. */
export const hang = (engine: Engine['name']): string =>
  engine === 'Firefox'
    ? `void fetch('/hang').then(() => { ${hangNow(engine)} })`
    : `setTimeout(() => { ${hangNow(engine)} })`;

// the processor time after which a process counts as hanging, in hundredths of a second
const BUSY = 30;
const GIVE_UP_MS = 5_000;

/**
 * Suspends the process of the page that hangs in a loop, until the test ends: the loop would take a processor all the
 * time. Does nothing in Chromium, and on systems without /proc.
 */
export async function suspendLoop(page: Page, engine: Engine['name']): Promise<void> {
  const browser = page.browser().process()?.pid;
  if (engine === 'Chromium' || process.platform !== 'linux' || browser === undefined) return;
  const before = timesBelow(browser);
  for (const end = Date.now() + GIVE_UP_MS; Date.now() < end;) {
    // oxlint-disable-next-line no-await-in-loop -- polls
    await new Promise((resolve) => setTimeout(resolve, 50));
    const [first, second] = [...timesBelow(browser)]
      .map(([pid, time]) => ({ pid, time: time - (before.get(pid) ?? 0) }))
      .sort((a, b) => b.time - a.time);
    if (first === undefined || first.time < Math.max(BUSY, 4 * (second?.time ?? 0))) continue;
    process.kill(first.pid, 'SIGSTOP');
    onTestFinished(() => void process.kill(first.pid, 'SIGCONT'));
    return;
  }
}

/** The processor time of each process of the browser's pages, by process id. */
function timesBelow(browser: number): Map<number, number> {
  const all = new Map(
    readdirSync('/proc').flatMap((name) => {
      const facts = /^\d+$/.test(name) ? readProcess(name) : undefined;
      return facts === undefined ? [] : [[Number(name), facts] as const];
    }),
  );
  const isBelow = (pid: number): boolean => {
    const parent = all.get(pid)?.parent;
    return parent !== undefined && (parent === browser || isBelow(parent));
  };
  const own = [...all].filter(([pid, { hasPages }]) => hasPages && isBelow(pid));
  return new Map(own.map(([pid, { time }]) => [pid, time]));
}

interface ProcessFacts {
  readonly parent: number;
  readonly time: number;
  readonly hasPages: boolean;
}

/** Undefined if the process has ended. */
function readProcess(pid: string): ProcessFacts | undefined {
  try {
    const hasPages = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('-isForBrowser');
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the name before the bracket may have spaces
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), time: Number(fields[11]) + Number(fields[12]), hasPages };
  } catch {
    return undefined;
  }
}
