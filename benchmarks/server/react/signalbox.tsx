/** @jsxImportSource react */
/** The page with signalbox in React: rendered to a string or a stream when it is fetched, or fetched by the component. */
import { pipeline } from 'node:stream';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { Controller } from 'signalbox';
import { Provider, useSuspense } from 'signalbox/react';
import { serverDataTransform } from 'signalbox/ssr/node';
import { documentOf, fetchIssues, getIssues, pageOf } from '../definitions.ts';
import { Receiver } from '../Page.ts';
import type { Pages } from '../Page.ts';
import { Boundary, Document, List } from './List.tsx';

function Issues() {
  return <List rows={useSuspense(getIssues)} />;
}

function App({ controller }: { readonly controller: Controller }) {
  return (
    <Provider controller={controller}>
      <Boundary>
        <Issues />
      </Boundary>
    </Provider>
  );
}

async function renderString(): Promise<Uint8Array> {
  const controller = await fetchIssues();
  const html = renderToString(<App controller={controller} />);
  return documentOf(controller, html);
}

function stream(controller: Controller): Promise<Uint8Array> {
  const receiver = new Receiver();
  const page = (
    <Document>
      <div id="root">
        <App controller={controller} />
      </div>
    </Document>
  );
  const { pipe } = renderToPipeableStream(page, {
    onShellReady: () => pipeline(pipe(serverDataTransform(controller)), receiver, () => {}),
  });
  return receiver.done;
}

export const pages: Pages = {
  string: pageOf(renderString),
  stream: pageOf(async () => stream(await fetchIssues())),
  suspense: pageOf(() => stream(new Controller())),
};
