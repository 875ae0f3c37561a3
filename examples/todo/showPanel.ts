/** What happens in the store, for who asks for it with `?panel`: it is loaded only then. */
import type { Controller } from 'signalbox';

export async function showPanel(controller: Controller): Promise<void> {
  if (!new URLSearchParams(globalThis.location?.search).has('panel')) return;
  const { openPanel } = await import('signalbox/devtools/panel');
  openPanel(controller);
}
