/** @jsxImportSource preact */
/** Renders the page with Preact: as one string when all is there, or as a stream. One controller per request. */
import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { VNode } from 'preact';
import { renderToStringAsync } from 'preact-render-to-string';
import { renderToReadableStream } from 'preact-render-to-string/stream';
import { renderToPipeableStream } from 'preact-render-to-string/stream-node';
import { endRequest, serverDataScript, withServerData } from 'signalbox/ssr';
import { serverDataTransform } from 'signalbox/ssr/node';
import { noted } from '../ssr/noted.ts';
import { closing, opening } from '../ssr/shell.ts';
import type { Visit } from '../ssr/startSite.ts';
import { makeWorld } from '../ssr/world.ts';
import { App } from './App.tsx';

export async function render(visit: Visit, response: ServerResponse): Promise<void> {
  const { mode, nonce } = visit;
  const world = makeWorld(visit);
  const { controller } = world;
  const page = <App world={world} />;
  if (mode === 'string') {
    const html = await renderToStringAsync(page);
    const data = serverDataScript(controller, { nonce });
    endRequest(controller);
    response.end(opening(data) + html + closing(visit));
    return;
  }
  const whole = documentOf(page, visit);
  if (mode === 'web') {
    const html = withServerData(renderToReadableStream(whole, { nonce }), controller, { nonce });
    pipeline(Readable.fromWeb(html as NodeReadableStream<Uint8Array>), response, noted);
    return;
  }
  const { pipe, abort } = renderToPipeableStream(whole, { nonce });
  const data = serverDataTransform(controller, { nonce });
  // a pipeline also ends when the browser leaves
  pipeline(data, response, noted);
  pipe(data);
  response.on('close', () => abort());
}

/** A stream ends with what came late: Preact puts that at the end of the body, outside of what is hydrated. */
function documentOf(page: VNode, { nonce }: Visit): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>signalbox</title>
        <link rel="stylesheet" href="/app.css" />
      </head>
      <body>
        <div id="root">{page}</div>
        <script type="module" nonce={nonce} src="/client.js" />
      </body>
    </html>
  );
}
