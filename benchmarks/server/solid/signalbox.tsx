/** @jsxImportSource solid-js */
/** The page with signalbox in Solid: as one string, or streamed. */
import { pipeline } from 'node:stream';
import { Controller } from 'signalbox';
import { Provider, useSuspense } from 'signalbox/solid';
import { serverDataTransform } from 'signalbox/ssr/node';
import { renderToStream, renderToStringAsync } from 'solid-js/web';
import { documentOf, getIssues, pageOf } from '../definitions.ts';
import { Receiver } from '../Page.ts';
import type { Pages } from '../Page.ts';
import { Boundary, Document, head, List } from './List.tsx';

function Issues() {
  const issues = useSuspense(getIssues);
  return <List rows={issues()} />;
}

function App(props: { readonly controller: Controller }) {
  return (
    <Provider controller={props.controller}>
      <Boundary>
        <Issues />
      </Boundary>
    </Provider>
  );
}

async function renderString(): Promise<Uint8Array> {
  const controller = new Controller();
  const html = await renderToStringAsync(() => <App controller={controller} />);
  return documentOf(controller, html, head);
}

function renderStream(): Promise<Uint8Array> {
  const controller = new Controller();
  const receiver = new Receiver();
  const data = serverDataTransform(controller);
  pipeline(data, receiver, () => {});
  renderToStream(() => (
    <Document>
      <div id="root">
        <App controller={controller} />
      </div>
    </Document>
  )).pipe(data);
  return receiver.done;
}

export const pages: Pages = { string: pageOf(renderString), stream: pageOf(renderStream) };
