/** Mock Service Worker, for pages below `live/`. */
import { setupWorker } from 'msw/browser';

type Handlers = Parameters<typeof setupWorker>;

/** Resolves when the handlers serve the requests of this page. */
export async function startServer(...handlers: Handlers): Promise<void> {
  await setupWorker(...handlers).start({
    quiet: true,
    onUnhandledRequest: 'bypass',
    serviceWorker: { url: new URL('../mockServiceWorker.js', import.meta.url).pathname },
  });
}
