// A network of handlers created from resources, for a single test.
import { setupServer } from 'msw/node';
import type { HttpHandler } from 'msw';
import { Controller } from 'signalbox';
import { onTestFinished } from 'vitest';

export interface Mocked {
  readonly controller: Controller;
  /** The requests, as `GET /todos?done=true`. */
  readonly sent: string[];
}

/** Listens until the test ends; a request without a handler is an error. */
export function mock(handlers: readonly HttpHandler[]): Mocked {
  const network = setupServer(...handlers);
  const sent: string[] = [];
  network.events.on('request:start', ({ request }) => {
    sent.push(`${request.method} ${request.url.replace(/^https?:\/\/[^/]*/, '')}`);
  });
  network.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => network.close());
  return { controller: new Controller({ retry: false }), sent };
}
