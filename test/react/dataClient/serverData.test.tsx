// Server rendering by the names of Data Client: what a server renders is shown in the page without a request.
import { render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { renderToReadableStream } from 'react-dom/server.browser';
import {
  awaitInitialData,
  createPersistedStore,
  createServerDataComponent,
  initialState,
  DataProvider,
  Endpoint,
  Entity,
  getInitialData,
  useSuspense,
} from 'signalbox/data-client';
import { expect, test } from 'vitest';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}
const calls: number[] = [];
const getTodo = new Endpoint(
  async ({ id }: { id: number }) => {
    calls.push(id);
    await Promise.resolve();
    return { id, title: `<b>todo ${id}</b>` };
  },
  { name: 'getTodo', schema: Todo },
);

function Detail({ id }: { id: number }) {
  return <p>{useSuspense(getTodo, { id }).title}</p>;
}

async function renderPage(id?: string) {
  const [ServerDataProvider, useReadyCacheState, controller] = createPersistedStore();
  const ServerDataComponent = createServerDataComponent(useReadyCacheState, id, 'abc');
  void controller.fetch(getTodo, { id: 1 });
  const stream = await renderToReadableStream(
    <ServerDataProvider>
      <Suspense>
        <Detail id={1} />
        <Detail id={2} />
      </Suspense>
      <ServerDataComponent />
    </ServerDataProvider>,
  );
  await stream.allReady;
  return new Response(stream).text();
}

test.each([undefined, 'other'])(
  '[T5] a page with the data of its server sends no request, script %s',
  async (id) => {
    calls.length = 0;
    const html = await renderPage(id);
    expect(calls).toEqual([1, 2]);
    const [, script = ''] = html.match(/(<script[^>]*application\/json[^>]*>.*?<\/script>)/s) ?? [];
    expect(script).toContain('nonce="abc"');
    expect(script.match(/<b>/g)).toBeNull();
    document.body.innerHTML = script;
    const state = await awaitInitialData(id);
    expect(getInitialData(id)).toEqual(state);
    render(
      <DataProvider initialState={state} devButton={null}>
        <Detail id={1} />
        <Detail id={2} />
      </DataProvider>,
    );
    expect(screen.getByText('<b>todo 2</b>')).toBeTruthy();
    expect(calls).toEqual([1, 2]);
    document.body.innerHTML = '';
  },
);

test('[T5] the nonce of the script is a prop of its component', async () => {
  const ServerDataComponent = createServerDataComponent(() => initialState);
  const stream = await renderToReadableStream(<ServerDataComponent nonce="xyz" />);
  const html = await new Response(stream).text();
  expect(html).toMatch(/<script id="data-client-data" nonce="xyz"/);
});

test('[T5] a page without its script is an error', () => {
  expect(() => getInitialData()).toThrow('data-client-data');
});
