/** @jsxImportSource react */
/** The page with TanStack Query in React: prefetched and dehydrated, then rendered to a string, or streamed. */
import {
  dehydrate,
  HydrationBoundary,
  QueryClient,
  QueryClientProvider,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { documentWith, Receiver } from '../Page.ts';
import type { Pages } from '../Page.ts';
import { Boundary, Document, List } from '../react/List.tsx';
import { config, dataCode, pageOf, query } from './transfer.ts';

function Issues() {
  return <List rows={useSuspenseQuery(query).data} />;
}

function App({ client }: { readonly client: QueryClient }) {
  return (
    <QueryClientProvider client={client}>
      <HydrationBoundary state={dehydrate(client)}>
        <Boundary>
          <Issues />
        </Boundary>
      </HydrationBoundary>
    </QueryClientProvider>
  );
}

async function renderString(): Promise<Uint8Array> {
  const client = new QueryClient(config);
  await client.prefetchQuery(query);
  const html = renderToString(<App client={client} />);
  const data = `<script>${dataCode(dehydrate(client))}</script>`;
  client.clear();
  return documentWith('', data, html);
}

async function renderStream(): Promise<Uint8Array> {
  const client = new QueryClient(config);
  await client.prefetchQuery(query);
  const receiver = new Receiver();
  const page = (
    <Document>
      <script dangerouslySetInnerHTML={{ __html: dataCode(dehydrate(client)) }} />
      <div id="root">
        <App client={client} />
      </div>
    </Document>
  );
  const { pipe } = renderToPipeableStream(page, { onShellReady: () => pipe(receiver) });
  const html = await receiver.done;
  client.clear();
  return html;
}

export const pages: Pages = { string: pageOf(renderString), stream: pageOf(renderStream) };
