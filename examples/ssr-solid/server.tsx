/** @jsxImportSource solid-js */
/** Renders the page with Solid: as one string when all is there, or as a stream. One controller per request. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { generateHydrationScript, renderToStream, renderToStringAsync } from 'solid-js/web';
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
  const page = () => <App world={world} />;
  // the types are those of the browser's build, which takes no options
  const script = generateHydrationScript as (options: { nonce: string }) => string;
  const head = opening(script({ nonce }));
  if (mode === 'string') {
    const html = await renderToStringAsync(page, { nonce });
    const data = serverDataScript(controller, { nonce });
    endRequest(controller);
    response.end(head + data + html + closing(visit));
    return;
  }
  response.write(head);
  // a pipeline also ends when the browser leaves
  const send = (html: Readable) =>
    void pipeline(html, response, { end: false })
      .catch(noted)
      .finally(() => response.end(closing(visit)));
  if (mode === 'web') {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    renderToStream(page, { nonce }).pipeTo(writable as never);
    const html = withServerData(readable, controller, { nonce });
    send(Readable.fromWeb(html as NodeReadableStream<Uint8Array>));
    return;
  }
  const data = serverDataTransform(controller, { nonce });
  renderToStream(page, { nonce }).pipe(data);
  send(data);
}
