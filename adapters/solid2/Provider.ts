/** Provides a controller to the components below, and makes Solid track their reads. */
import { createMemo, untrack } from 'solid-js';
import { Controller } from '../../src/Controller.ts';
import { isServer } from '../../src/page.ts';
import {
  SolidControllerContext,
  createWritable,
  useControllerContext,
} from '../solid-shared/SolidRuntime.ts';
import type { ProvidedController } from '../solid-shared/SolidRuntime.ts';
import { createComponent } from './solid.ts';
import type { ContextProvider, SolidElement } from './solid.ts';
import { solid2Interop } from './solid2Runtime.ts';

/** Props of `<Provider>`. */
export interface ProviderProps {
  /** Default: a new controller with the lifetime of this provider. On a server create a controller per request. */
  readonly controller?: Controller | undefined;
  readonly children?: SolidElement;
}

/**
 * Provides a controller to the components below, and makes Solid track their reads. If `controller` changes, the components
 * are created again.
 */
export function Provider(props: ProviderProps): SolidElement {
  if (!isServer()) solid2Interop.install();
  const currentController = createMemo(
    (last?: Controller) => props.controller ?? last ?? new Controller(),
  );
  return createMemo(() => {
    const controller = currentController();
    return untrack(() => provide(controller, props));
  });
}

function provide(controller: Controller, props: ProviderProps): SolidElement {
  const [resets, setResets] = createWritable(0);
  let count = 0;
  const countReset = (): void => setResets(++count);
  return createComponent(SolidControllerContext as never as ContextProvider<ProvidedController>, {
    value: { controller, resets, countReset },
    get children() {
      return props.children;
    },
  });
}

/** The controller of the provider above. Throws A1 without a provider. */
export function useController(): Controller {
  return useControllerContext('useController').controller;
}
