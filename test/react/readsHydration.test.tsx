// useSuspenseAll and useDLEAll on a server, and during hydration.
import { text } from 'node:stream/consumers';
import { act, Suspense } from 'react';
import type { ReactElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToPipeableStream } from 'react-dom/server';
import { Controller } from 'signalbox';
import { Provider, useDLEAll, useSuspenseAll } from 'signalbox/react';
import { serverDataTransform } from 'signalbox/ssr/node';
import { expect, test, vi } from 'vitest';
import { line, stateLine, world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';
import { arrive } from '../ssr/page.ts';

function Todos({ w }: { readonly w: World }): ReactElement {
  const todos = useSuspenseAll([1, 2].map((id) => [w.getTodo, { id }]));
  const states = useDLEAll([2, 3].map((id) => [w.getTodo, { id }]));
  return <p>{[...todos.map(line), ...states.map(stateLine)].join('; ')}</p>;
}

function App({ w, controller }: { readonly w: World; controller: Controller }): ReactElement {
  return (
    <Provider controller={controller}>
      <Suspense fallback="…">
        <Todos w={w} />
      </Suspense>
    </Provider>
  );
}

test.each(['as it was', 'moved on'])(
  '[H5] useSuspenseAll and useDLEAll hydrate the markup of the server, the store %s',
  async (state) => {
    const w = world();
    vi.stubGlobal('document', undefined);
    const server = new Controller({ clock: w.clock });
    const html = await new Promise<string>((resolve) => {
      const { pipe } = renderToPipeableStream(<App w={w} controller={server} />, {
        onAllReady: () => resolve(text(pipe(serverDataTransform(server)))),
      });
    });
    vi.unstubAllGlobals();
    expect(html).toContain('t1 by ada; t2 by bob; t2 by bob; wait');
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2']);

    const controller = new Controller({ clock: w.clock });
    arrive(html, controller);
    const moved = state === 'moved on';
    if (moved) await controller.set(w.Todo, { id: 2 }, { title: 'new' });
    const root = document.body.appendChild(document.createElement('main'));
    root.innerHTML = html.replace(/<script[\s\S]*?<\/script>/g, '');
    const failed = vi.fn();
    await act(async () => {
      hydrateRoot(root, <App w={w} controller={controller} />, { onRecoverableError: failed });
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    expect(failed).not.toHaveBeenCalled();
    const second = moved ? 'new by bob' : 't2 by bob';
    await expect
      .poll(() => root.querySelector('p')?.textContent)
      .toBe(`t1 by ada; ${second}; ${second}; t3 by ada`);
    expect(w.server.log).toEqual(['GET /todos/1', 'GET /todos/2', 'GET /todos/3']);
  },
);
