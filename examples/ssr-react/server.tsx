/** @jsxImportSource react */
/** Renders the page with React: one controller per request, and a script with its data before each boundary. */
import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { renderToReadableStream } from 'react-dom/server.browser';
import { renderToPipeableStream } from 'react-dom/server';
import { withServerData } from 'signalbox/ssr';
import { serverDataTransform } from 'signalbox/ssr/node';
import { noted } from '../ssr/noted.ts';
import type { Visit } from '../ssr/startSite.ts';
import { makeWorld } from '../ssr/world.ts';
import { App } from './App.tsx';

export async function render(visit: Visit, response: ServerResponse): Promise<void> {
  const { mode, nonce } = visit;
  const world = makeWorld(visit);
  const { controller } = world;
  const page = <App world={world} />;
  const options = { nonce, bootstrapModules: ['/client.js'] };
  if (mode === 'web') {
    const html = withServerData(await renderToReadableStream(page, options), controller, { nonce });
    pipeline(Readable.fromWeb(html as NodeReadableStream<Uint8Array>), response, noted);
    return;
  }
  const { pipe } = renderToPipeableStream(page, {
    ...options,
    // a pipeline also ends when the browser leaves
    onShellReady: () => pipeline(pipe(serverDataTransform(controller, { nonce })), response, noted),
  });
}
