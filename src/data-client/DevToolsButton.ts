/** A button that opens the Redux DevTools extension, in development. */
import { createElement } from 'react';
import type { ReactElement } from 'react';
import { DEV } from '../errors.ts';

/** The corner of the page. */
export type DevToolsPosition = 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';

interface OpenableExtension {
  open?(): void;
}

/** Renders nothing in production, and nothing without the extension. */
export function DevToolsButton(props: {
  readonly position: DevToolsPosition | null | undefined;
}): ReactElement | null {
  const { position } = props;
  const page = globalThis as { __REDUX_DEVTOOLS_EXTENSION__?: OpenableExtension };
  const extension = page.__REDUX_DEVTOOLS_EXTENSION__;
  if (!DEV || position === null || position === undefined || extension?.open === undefined)
    return null;
  const [vertical = 'bottom', horizontal = 'right'] = position.split('-');
  return createElement(
    'button',
    {
      type: 'button',
      title: 'Open the Redux DevTools',
      style: { position: 'fixed', [vertical]: 10, [horizontal]: 10, zIndex: 9999 },
      onClick: () => extension.open?.(),
    },
    'DC',
  );
}
