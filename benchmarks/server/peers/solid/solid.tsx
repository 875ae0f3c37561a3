/** @jsxImportSource solid-js */
/**
 * The page with TanStack Query in Solid: as one string, or streamed. Its `useQuery` is a resource that Solid serializes with the
 * dehydrated query, so no script is written by hand.
 */
import { compileFunction } from 'node:vm';
import type { DehydratedState } from '@tanstack/solid-query';
import { hydrate, QueryClient, QueryClientProvider, useQuery } from '@tanstack/solid-query';
import { renderToStream, renderToStringAsync } from 'solid-js/web';
import { documentWith, Receiver } from '../../Page.ts';
import type { Page, Pages, Row } from '../../Page.ts';
import { Boundary, Document, head, List } from '../../solid/List.tsx';
import { config, query } from '../transfer.ts';

function Issues() {
  const issues = useQuery(() => query);
  return <List rows={issues.data ?? []} />;
}

function App(props: { readonly client: QueryClient }) {
  return (
    <QueryClientProvider client={props.client}>
      <Boundary>
        <Issues />
      </Boundary>
    </QueryClientProvider>
  );
}

async function renderString(): Promise<Uint8Array> {
  const client = new QueryClient(config);
  const html = await renderToStringAsync(() => <App client={client} />);
  client.clear();
  return documentWith(head, '', html);
}

async function renderStream(): Promise<Uint8Array> {
  const client = new QueryClient(config);
  const receiver = new Receiver();
  renderToStream(() => (
    <Document>
      <div id="root">
        <App client={client} />
      </div>
    </Document>
  )).pipe(receiver);
  const html = await receiver.done;
  client.clear();
  return html;
}

/** The scripts of Solid's serializer. */
const isData = (script: string) => script.includes('_$HY.r[') || script.includes('$R[');

interface Resource {
  readonly hydrationData?: DehydratedState['queries'][number];
}

function pageOf(render: Page['render']): Page {
  return {
    render,
    isData,
    async receive(scripts) {
      const resources: Record<string, unknown> = {};
      const element = { nodeType: 8, remove: () => {}, replaceWith: () => {} };
      const document = { getElementById: () => element };
      // the scripts read the global variable `$R`
      const code = `with (self) { ${scripts.filter(isData).join(';')} }`;
      compileFunction(code, ['self', '_$HY', 'document'])(
        { $R: [] },
        { r: resources, fe: () => {} },
        document,
      );
      const values = await Promise.all(Object.values(resources));
      const data = values.map((value) => (value as Resource | undefined)?.hydrationData);
      const client = new QueryClient(config);
      hydrate(client, { queries: data.filter((each) => each !== undefined) });
      return client.getQueryData(query.queryKey) as readonly Row[];
    },
  };
}

export const pages: Pages = { string: pageOf(renderString), stream: pageOf(renderStream) };
