// A provider that creates a controller, above components that suspend.
import { act, Suspense } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider, useController, useSuspense } from 'signalbox/react';
import { afterEach, expect, test } from 'vitest';
import { line, world } from '../contract/world.ts';
import type { World } from '../contract/world.ts';

Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);
afterEach(() => document.body.replaceChildren());

function Detail({ w }: { w: World }): ReactElement {
  return <p>{line(useSuspense(w.getTodo, { id: 1 }))}</p>;
}

async function drawn(app: ReactNode) {
  const errors: unknown[] = [];
  const element = document.body.appendChild(document.createElement('main'));
  const root = createRoot(element, { onUncaughtError: (error) => errors.push(error) });
  const quiet = () => new Promise((resolve) => setTimeout(resolve, 20));
  try {
    await act(async () => {
      root.render(app);
      await quiet();
    });
  } catch (error) {
    // React 18 throws uncaught errors out of act
    errors.push(error);
  }
  return { errors, text: element.textContent };
}

test('[C8] a provider that creates its controller, without a Suspense boundary below, throws A3', async () => {
  const w = world();
  const { errors } = await drawn(
    <Provider>
      <Detail w={w} />
    </Provider>,
  );
  expect(errors[0]).toMatchObject({ code: 'A3' });
  expect(String(errors[0])).toMatch(/without a Suspense boundary/);
  expect(w.server.log.length).toBeLessThanOrEqual(20);
});

test('[C8] data are shown without a Suspense boundary if the provider gets a controller', async () => {
  const w = world();
  const { errors, text } = await drawn(
    <Provider controller={w.controller}>
      <Detail w={w} />
    </Provider>,
  );
  expect([errors, text, w.server.log]).toEqual([[], 't1 by ada', ['GET /todos/1']]);
});

test('[H1] each provider on a page creates its own controller', async () => {
  const controllers = new Set<unknown>();
  function Collect(): null {
    controllers.add(useController());
    return null;
  }
  for (let turn = 0; turn < 3; turn++) {
    const { errors } = await drawn(
      Array.from({ length: 15 }, (_, at) => (
        <Provider key={at}>
          <Suspense fallback="…">
            <Collect />
          </Suspense>
        </Provider>
      )),
    );
    expect(errors).toEqual([]);
  }
  expect(controllers.size).toBe(45);
});
