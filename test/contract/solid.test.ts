// The behaviour suite, run on Solid 1.9.
import { createComponent, createSignal, Suspense } from 'solid-js';
import type { JSX } from 'solid-js';
import { render } from 'solid-js/web';
import { ErrorBoundary, Provider } from 'signalbox/solid';
import { element, scenes } from './solidViews.ts';
import { contract } from './suite.ts';
import type { Driver } from './suite.ts';

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const driver: Driver = {
  name: 'solid',
  async mount(world, first) {
    const root = document.body.appendChild(document.createElement('main'));
    const [shown, show] = createSignal(first);
    let reset = (): void => {};
    const page = (): JSX.Element =>
      createComponent(Suspense, {
        fallback: element('i', 'loading'),
        get children() {
          return scenes(world, shown);
        },
      });
    const bounded = (): JSX.Element =>
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
