/** The service worker: sends the log of the page when the browser has a network, also after the page is closed. */
import { Controller } from 'signalbox';
import { openQueue, tag } from './tasks.ts';

/** Not in the DOM types of TypeScript. */
interface SyncEvent extends Event {
  readonly tag: string;
  waitUntil(done: Promise<unknown>): void;
}

addEventListener('sync', (event) => {
  const sync = event as SyncEvent;
  if (sync.tag === tag) sync.waitUntil(sendQueue());
});

/** Rejects if a mutation must be sent again: the browser then fires another event later. */
async function sendQueue(): Promise<void> {
  const queue = openQueue(new Controller());
  await queue.retry();
  queue.stop();
  // held mutations need a log in, which only a page has
  const unsent = queue.pending.value.filter(({ held }) => !held);
  if (unsent.length > 0) throw new Error(`unsent edits: ${unsent.length}`);
}
