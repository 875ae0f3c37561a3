/** @jsxImportSource preact */
/** The page with signalbox in Preact: rendered to a string or a stream when it is fetched, or fetched by the component. */
import { pipeline } from 'node:stream';
import { renderToStringAsync } from 'preact-render-to-string';
import { renderToPipeableStream } from 'preact-render-to-string/stream-node';
import { Controller } from 'signalbox';
import { Provider, useSuspense } from 'signalbox/preact';
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
  const html = await renderToStringAsync(<App controller={controller} />);
  return documentOf(controller, html);
}

function stream(controller: Controller): Promise<Uint8Array> {
  const receiver = new Receiver();
  const data = serverDataTransform(controller);
  pipeline(data, receiver, () => {});
  const page = (
    <Document>
      <div id="root">
        <App controller={controller} />
      </div>
    </Document>
  );
  renderToPipeableStream(page, {}).pipe(data);
  return receiver.done;
}

export const pages: Pages = {
  string: pageOf(renderString),
  stream: pageOf(async () => stream(await fetchIssues())),
  suspense: pageOf(() => stream(new Controller())),
};
