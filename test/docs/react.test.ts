// The blocks of pages that show React run in React 19.
import { act, createElement, Suspense } from 'react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'signalbox/react';
import { runPages } from './runPages.ts';

const loading = createElement('i', null, 'loading');

// without `act` React holds suspended content back for 300 ms
Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);
const aMoment = (): Promise<void> => new Promise((done) => setTimeout(done, 10));

runPages('react', async (controller, make, element) => {
  const root = createRoot(element, { onCaughtError: () => {} });
  const inside = createElement(Suspense, { fallback: loading }, make() as ReactNode);
  await act(async () => root.render(createElement(Provider, { controller }, inside)));
  // the first request is sent when that is rendered
  await act(aMoment);
  return () => root.unmount();
});
