/** The public API of signalbox/devtools/panel: a panel in the page. */
export { openPanel } from './openPanel.ts';
export type { PanelOptions } from './openPanel.ts';
export type { PanelStorage } from './PanelState.ts';
