// The blocks of pages that show React run in React 19.
import { createElement, Suspense } from 'react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'signalbox/react';
import { runPages } from './runPages.ts';

const loading = createElement('i', null, 'loading');

runPages('react', (controller, make, element) => {
  const root = createRoot(element, { onCaughtError: () => {} });
  const inside = createElement(Suspense, { fallback: loading }, make() as ReactNode);
  root.render(createElement(Provider, { controller }, inside));
  return () => root.unmount();
});
