/** signalbox/testing/preact: hooks and components of Preact under fixtures. */
export { makeRenderDataHook, renderDataHook } from './renderDataHook.ts';
export type { Wrapper } from './renderDataHook.ts';
export { MockProvider, MockResolver } from './MockProvider.ts';
export type { MockProviderProps, MockResolverProps } from './MockProvider.ts';
export type {
  RenderDataHook,
  RenderDataHookResult,
  RenderHookOptions,
  WaitOptions,
} from '../../src/testing/createRenderDataHook.ts';
