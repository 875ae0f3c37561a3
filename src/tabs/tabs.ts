/** The public API of signalbox/tabs: changes confirmed in one tab are shown in all others. */
export { connectTabs } from './connectTabs.ts';
export type { TabsOptions } from './connectTabs.ts';
export { electLeader } from './electLeader.ts';
export type { ElectionOptions, Lead } from './electLeader.ts';
export type { Locks } from '../sync/Locks.ts';
export { shareConnection } from './shareConnection.ts';
export { shareRequests } from './shareRequests.ts';
export type { Share } from '../sync/StreamOptions.ts';
export type { Names } from '../sync/Registry.ts';
export type { TabChannel } from '../sync/TabChannel.ts';
