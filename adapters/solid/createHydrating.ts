/** Whether the server's markup is being hydrated. */
import { createEffect, createSignal, sharedConfig } from 'solid-js';
import type { Accessor } from 'solid-js';
import { isServer } from 'solid-js/web';

/** True on a server, and until a component that the server has rendered is mounted. */
export function createHydrating(): Accessor<boolean> {
  const [hydrating, hydrate] = createSignal(isServer || sharedConfig.context !== undefined);
  createEffect(() => hydrate(false));
  return hydrating;
}
