// The behaviour suite, run on React.
import { act, Suspense, version } from 'react';
import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary, Provider } from 'signalbox/react';
import { views } from './reactViews.tsx';
import { contract } from './suite.ts';
import type { Driver, Scene } from './suite.ts';

Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const driver: Driver = {
  name: `react ${version}`,
  async mount(world, scenes) {
    const element = document.body.appendChild(document.createElement('main'));
    // errors caught by a boundary are not reported
    const root = createRoot(element, { onCaughtError: () => {} });
    let reset = (): void => {};
    const failed = (error: Error, again: () => void): ReactElement => {
      reset = again;
      return <b>{error.message}</b>;
    };
    const draw = (shown: readonly Scene[]): ReactElement => (
      <Provider controller={world.controller}>
        <ErrorBoundary fallback={failed}>
          <Suspense fallback={<i>loading</i>}>
            {shown.map(({ view, params }, at) => {
              const View = views[view];
              return <View key={`${at} ${view}`} world={world} params={params} />;
            })}
          </Suspense>
        </ErrorBoundary>
      </Provider>
    );
    const during = (job?: () => unknown): Promise<void> =>
      act(async () => {
        await job?.();
        await quiet();
        await quiet();
      });
    await during(() => root.render(draw(scenes)));
    return {
      root: element,
      act: during,
      show: (next) => during(() => root.render(draw(next))),
      press: (at = 0) => during(() => element.querySelectorAll('button')[at]?.click()),
      retry: () => during(() => reset()),
      unmount: () => during(() => root.unmount()),
    };
  },
};

contract(driver);
