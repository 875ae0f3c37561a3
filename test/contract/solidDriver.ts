// Renders the pages of the behaviour suite with Solid, 1.9 or 2.0: see solidViews.ts.
import { createComponent, createSignal } from 'solid-js';
import type { JSX } from 'solid-js';
import { render } from 'solid-js/web';
import { ErrorBoundary, Provider } from 'signalbox/solid';
import type { Driver } from './driver.ts';
import { element, scenes } from './solidViews.ts';

type Waiting = (props: {
  readonly fallback: JSX.Element;
  readonly children: JSX.Element;
}) => unknown;

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** `waiting` is the boundary for suspended parts: Solid and Solid 2 have different names. */
export function solidDriver(name: string, waiting: Waiting): Driver {
  return {
    name,
    async mount(world, first) {
      const root = document.body.appendChild(document.createElement('main'));
      const [shown, show] = createSignal(first);
      let reset = (): void => {};
      const page = (): JSX.Element =>
        createComponent(waiting as (props: object) => JSX.Element, {
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
}
