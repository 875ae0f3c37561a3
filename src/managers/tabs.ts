/** The face of signalbox/tabs: what one tab has confirmed is shown in all others. */
export { connectTabs } from './connectTabs.ts';
export type { TabChannel, TabsOptions } from './connectTabs.ts';
export type { Names } from './Registry.ts';
