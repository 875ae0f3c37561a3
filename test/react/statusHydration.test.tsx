// The status hooks during hydration: first the server's result, then the current state.
import { text } from 'node:stream/consumers';
import { act, Suspense } from 'react';
import type { ReactElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToPipeableStream } from 'react-dom/server';
import { Controller } from 'signalbox';
import { Provider, useInfinite, useIsFetching, useMutation, useStatus } from 'signalbox/react';
import { useSuspense } from 'signalbox/react';
import { serverDataTransform } from 'signalbox/ssr/node';
import { expect, test, vi } from 'vitest';
import { mutationLine, nextPage, pagesLine, statusLine, world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';
import { arrive } from '../ssr/page.ts';

function Profile({ w }: { readonly w: World }): ReactElement {
  const status = useStatus(w.getTodo, { id: 5 });
  const count = useIsFetching();
  const mutation = useMutation(w.update);
  const pages = useInfinite(w.getPages.getPage, {}, { getNextPageParams: nextPage });
  const { title } = useSuspense(w.getTodo, { id: 5 });
  const told = [title, statusLine(status), count, mutationLine(mutation), pagesLine(pages)];
  return <p>{told.join('; ')}</p>;
}

function App({ w, controller }: { readonly w: World; controller: Controller }): ReactElement {
  return (
    <Provider controller={controller}>
      <Suspense fallback="…">
        <Profile w={w} />
      </Suspense>
    </Provider>
  );
}

test('[H9] status, mutation and page hooks hydrate the markup of the server, and then show the present state', async () => {
  const w = world();
  vi.stubGlobal('document', undefined);
  const { clock } = w;
  const server = new Controller({ clock });
  await server.fetch(w.getPages, {});
  const html = await new Promise<string>((resolve) => {
    const { pipe } = renderToPipeableStream(<App w={w} controller={server} />, {
      onAllReady: () => resolve(text(pipe(serverDataTransform(server)))),
    });
  });
  vi.unstubAllGlobals();
  const idle = 't5; idle, fresh, never, fine; 0; idle; t1, t2, more';
  expect(html).toContain(idle);
  expect(w.server.log).toEqual(['GET /pages?cursor=0', 'GET /todos/5']);

  clock.advance(1_000);
  const controller = new Controller({ clock });
  arrive(html, controller);
  const root = document.body.appendChild(document.createElement('main'));
  root.innerHTML = html.replace(/<script[\s\S]*?<\/script>/g, '');
  const failed = vi.fn();
  await act(async () => {
    hydrateRoot(root, <App w={w} controller={controller} />, { onRecoverableError: failed });
    await new Promise((resolve) => setTimeout(resolve, 5));
  });
  expect(failed).not.toHaveBeenCalled();
  expect(root.querySelector('p')?.textContent).toBe(
    't5; idle, fresh, at 0, fine; 0; idle; t1, t2, more',
  );
  expect(w.server.log).toHaveLength(2);
});
