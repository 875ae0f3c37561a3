/** signalbox/testing/solid: hooks and components of Solid under fixtures. */
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
