// What makes a page of a test hang: nothing runs there any more.
import type { Engine } from '../setup/eachBrowser.ts';

/**
 * Evaluated in a page, nothing runs there any more. In Chromium the page waits for the response to `GET /hang`, which the
 * server of the test never sends, and no processor is busy. In Firefox such a wait lets other events of the page through.
 * There it is half a minute, as a page may go on when its context is closed.
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
