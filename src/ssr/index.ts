/** signalbox/ssr: server data are sent with the page, and are in the store before the page fetches. */
export { endRequest, createServerDataCode, dehydrate, serverDataScript } from './ServerData.ts';
export type { ServerDataOptions } from './ServerData.ts';
export type { DehydratedEntity, DehydratedResult, ServerState } from './Dehydrator.ts';
export { withServerData } from './withServerData.ts';
export { hydrateController, receiveServerData } from './Hydration.ts';
