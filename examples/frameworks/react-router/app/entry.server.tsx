/** Renders a request: the data that loaders and components have fetched travel with the stream. */
import { PassThrough } from 'node:stream';
import { createReadableStreamFromReadable } from '@react-router/node';
import { renderToPipeableStream } from 'react-dom/server';
import { ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router';
import { Provider } from 'signalbox/react';
import { serverDataTransform } from 'signalbox/ssr/node';
import { controllerContext } from './controller';

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const controller = context.get(controllerContext);
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <Provider controller={controller}>
        <ServerRouter context={entry} url={request.url} />
      </Provider>,
      {
        onShellReady() {
          const html = pipe(serverDataTransform(controller)).pipe(new PassThrough());
          headers.set('content-type', 'text/html');
          resolve(new Response(createReadableStreamFromReadable(html), { status, headers }));
        },
        onShellError: reject,
      },
    );
    request.signal.addEventListener('abort', () => abort());
  });
}
