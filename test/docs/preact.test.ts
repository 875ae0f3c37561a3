// The blocks of pages that show Preact run in Preact 11.
import { h, render } from 'preact';
import type { ComponentChildren } from 'preact';
import { Suspense } from 'preact/compat';
import { Provider } from 'signalbox/preact';
import { runPages } from './runPages.ts';

const loading = h('i', null, 'loading');

runPages('preact', (controller, make, element) => {
  const inside = h(Suspense, { fallback: loading }, make() as ComponentChildren);
  render(h(Provider, { controller }, inside), element);
  return () => render(null, element);
});
