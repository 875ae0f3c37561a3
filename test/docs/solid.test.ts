// The blocks of pages that show Solid run in Solid 1.9.
import { createComponent, Suspense } from 'solid-js';
import type { JSX } from 'solid-js';
import { render } from 'solid-js/web';
import { Provider } from 'signalbox/solid';
import { runPages } from './runPages.ts';

runPages('solid', (controller, make, element) =>
  render(
    () =>
      createComponent(Provider, {
        controller,
        get children() {
          return createComponent(Suspense, {
            get fallback() {
              return Object.assign(document.createElement('i'), { textContent: 'loading' });
            },
            get children() {
              return make() as JSX.Element;
            },
          });
        },
      }),
    element,
  ),
);
