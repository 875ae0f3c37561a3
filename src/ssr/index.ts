/** signalbox/ssr: what a server knows travels with its page, and is there before the page asks. */
export { endRequest } from './endRequest.ts';
export { createServerDataCode, dehydrate, serverDataScript } from './ServerData.ts';
export type { ServerDataOptions } from './ServerData.ts';
export type { PackedEntity, PackedResult, ServerState } from './Packing.ts';
export { withServerData } from './withServerData.ts';
export { hydrateController, receiveServerData } from './receiveServerData.ts';
