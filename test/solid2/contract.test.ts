// The behaviour suite, run on Solid 2.0.
import { createComponent, createSignal, Loading } from 'solid-js';
import type { Element } from 'solid-js';
import { render } from '@solidjs/web';
import { ErrorBoundary, Provider } from 'signalbox/solid2';
import { element, scenes } from '../contract/solidViews.ts';
import { contract } from '../contract/suite.ts';
import type { Driver } from '../contract/suite.ts';

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const stays =
  'what was shown stays until the new is there (isPending); a fallback is for the first time alone';

const driver: Driver = {
  gaps: {
    '[C1] what is invalidated suspends and is asked again': stays,
    '[C2] a mounted reader goes on showing while another waits for the expired': stays,
    '[H7] a boundary around a part leaves the rest alone, and its button asks again': stays,
    '[F3] useCancelling aborts at once what a suspended component no longer waits for': stays,
    '[H1] after a reset mounted readers start anew': stays,
    '[H1] useSelect asks again where its data are stale or invalidated': stays,
    '[F3] who suspends again is not taken for gone': stays,
  },
  name: 'solid 2.0',
  async mount(world, first) {
    const root = document.body.appendChild(document.createElement('main'));
    const [shown, show] = createSignal(first);
    let reset = (): void => {};
    const page = (): Element =>
      createComponent(Loading, {
        fallback: element('i', 'loading'),
        get children() {
          return scenes(world, shown);
        },
      });
    const bounded = (): Element =>
      createComponent(ErrorBoundary, {
        fallback: (error: Error, again: () => void) => {
          reset = again;
          return element('b', error.message);
        },
        get children() {
          return page();
        },
      });
    const stop = render(
      () =>
        createComponent(Provider, {
          controller: world.controller,
          get children() {
            return bounded();
          },
        }),
      root,
    );
    const act = async (job?: () => unknown): Promise<void> => {
      await job?.();
      await quiet();
      await quiet();
    };
    await act();
    return {
      root,
      act,
      show: (next) => act(() => show(next)),
      press: (at = 0) => act(() => root.querySelectorAll('button')[at]?.click()),
      retry: () => act(() => reset()),
      unmount: () => act(stop),
    };
  },
};

contract(driver);
