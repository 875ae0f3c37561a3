// A React page for tests: mounted, driven inside of act, read as text.
import { act } from 'react';
import type { ReactNode } from 'react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'signalbox/react';
import { lines } from '../contract/page.ts';
import type { World } from '../contract/world.ts';

Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);

export interface Page {
  readonly lines: () => string[];
  readonly act: (job?: () => unknown) => Promise<void>;
  readonly draw: (app: ReactNode) => Promise<void>;
  readonly unmount: () => Promise<void>;
}

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

export async function page(world: World, app: ReactNode): Promise<Page> {
  const element = document.body.appendChild(document.createElement('main'));
  const root = createRoot(element);
  const during = (job?: () => unknown): Promise<void> =>
    act(async () => {
      await job?.();
      await quiet();
      await quiet();
    });
  const draw = (next: ReactNode): Promise<void> =>
    during(() => root.render(createElement(Provider, { controller: world.controller }, next)));
  await draw(app);
  return {
    lines: () => lines({ root: element }),
    act: during,
    draw,
    unmount: () => during(() => root.unmount()),
  };
}
