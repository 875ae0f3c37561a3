/** The public API of signalbox/devtools: the contents and actions of a store, for developers. */
export { connectDevTools } from './connectDevTools.ts';
export type {
  DevToolsOptions,
  DevToolsConnection,
  DevToolsExtension,
  DevToolsMessage,
  LiftedState,
} from './connectDevTools.ts';
export { recordCommits } from './WriteHistory.ts';
export type { WriteHistoryEntry, RequestTrace } from './WriteHistory.ts';
export { why } from './why.ts';
export type { Why, WhyLayer, WhyReader } from './why.ts';
