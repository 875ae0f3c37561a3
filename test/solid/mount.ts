// A page of Solid for the tests of this folder. Written by hand without JSX, in the form of the compiler's output.
import { createComponent, Suspense } from 'solid-js';
import type { JSX } from 'solid-js';
import { insert, render } from 'solid-js/web';
import { onTestFinished } from 'vitest';
import { Provider } from 'signalbox/solid';
import type { World } from '../contract/world.ts';

/** Waits until everything is quiet. */
export const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

export function element(tag: string, content: JSX.Element | (() => JSX.Element)): JSX.Element {
  const made = document.createElement(tag);
  insert(made, content as JSX.Element);
  return made;
}

/** `<Suspense fallback={<i>loading</i>}>` */
export function suspense(children: () => JSX.Element): JSX.Element {
  return createComponent(Suspense, {
    fallback: element('i', 'loading'),
    get children() {
      return children();
    },
  });
}

export interface Page {
  readonly root: HTMLElement;
  unmount(): void;
}

/** Mounts children inside of a provider until the test ends. */
export function mount(world: World, children: () => JSX.Element): Page {
  const root = document.body.appendChild(document.createElement('main'));
  const dispose = render(
    () =>
      createComponent(Provider, {
        controller: world.controller,
        get children() {
          return children();
        },
      }),
    root,
  );
  onTestFinished(() => {
    dispose();
    root.remove();
  });
  return { root, unmount: dispose };
}
