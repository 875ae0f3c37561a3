// React without a document: mounted components are not treated like those of a server.
import { Window } from 'happy-dom';
import { createElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { line, world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';

beforeEach(() => {
  vi.stubGlobal('navigator', { product: 'ReactNative' });
  vi.stubGlobal('window', {});
});
afterEach(() => vi.unstubAllGlobals());

/** The text of a page at the first paint, in an element of a hidden window. */
async function painted(w: World): Promise<string> {
  const { useLayoutEffect } = await import('react');
  const { createRoot } = await import('react-dom/client');
  const { Provider, useSuspense } = await import('signalbox/react/native');
  const element = new Window().document.createElement('main');
  const root = createRoot(element as never);
  let paint: (text: string) => void;
  const first = new Promise<string>((resolve) => (paint = resolve));
  function Detail() {
    return createElement('p', null, line(useSuspense(w.getTodo, { id: 1 })));
  }
  function Page() {
    useLayoutEffect(() => {
      void w.controller.set(w.Todo, { id: 1, title: 'new' });
      // a paint comes after the task at the earliest
      queueMicrotask(() => paint(element.textContent));
    }, []);
    return createElement(Detail);
  }
  const { controller } = w;
  root.render(createElement(Provider, { controller }, createElement(Page)));
  const text = await first;
  root.unmount();
  // React continues to work for a while, and reads `window`
  await new Promise((resolve) => setTimeout(resolve, 20));
  return text;
}

test('[H6] without a document, a change in a layout effect is shown before the first paint', async () => {
  expect(typeof globalThis.document).toBe('undefined');
  const w = world();
  await w.controller.fetch(w.getTodo, { id: 1 });
  expect(await painted(w)).toBe('new by ada');
});
