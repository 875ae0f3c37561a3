/** The public API of signalbox/testing/msw: a server made from resources, for Mock Service Worker 2. */
export { createHandlers } from './createHandlers.ts';
export type {
  Handlers,
  MockRequestInfo,
  Delay,
  FailureRule,
  FailureRules,
  HandlerOptions,
  Responder,
  MswRequest,
} from './createHandlers.ts';
export type { Filter, RequestParams as Params } from './ServerRows.ts';
