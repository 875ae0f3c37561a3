/** Provides a controller to the components below, and makes Solid track their reads. */
import { batch, createComponent, createMemo, onCleanup, untrack } from 'solid-js';
import type { JSX } from 'solid-js';
import { isServer } from 'solid-js/web';
import { Controller } from '../../src/Controller.ts';
import { SolidControllerContext } from '../solid-shared/SolidRuntime.ts';
import { solidInterop } from './solidRuntime.ts';

/** Props of `<Provider>`. */
export interface ProviderProps {
  /** Default: a new controller with the lifetime of this provider. On a server create a controller per request. */
  readonly controller?: Controller | undefined;
  readonly children?: JSX.Element;
}

/**
 * Provides a controller to the components below, and makes Solid track their reads. If `controller` changes, the components
 * are created again.
 */
export function Provider(props: ProviderProps): JSX.Element {
  if (!isServer) solidInterop.install();
  const currentController = createMemo(
    (last?: Controller) => props.controller ?? last ?? new Controller(),
  );
  const provided = createMemo(() => {
    const controller = currentController();
    // Solid updates once per commit; the committing computation does not depend on the commit's reads
    onCleanup(controller.wrapCommits((commit) => batch(() => untrack(commit))));
    return createComponent(SolidControllerContext.Provider, {
      value: { controller },
      get children() {
        return props.children;
      },
    });
  });
  return provided as unknown as JSX.Element;
}
