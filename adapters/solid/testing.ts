/** signalbox/testing/solid: hooks and components of Solid under fixtures. */
export { makeRenderDataHook, renderDataHook } from './renderDataHook.ts';
export type { Wrapper } from './renderDataHook.ts';
export { MockResolver } from './MockResolver.ts';
export type { MockResolverProps } from './MockResolver.ts';
export { MockProvider } from './MockProvider.ts';
export type { MockProviderProps } from './MockProvider.ts';
export type {
  RenderDataHook,
  RenderDataHookResult,
  RenderHookOptions,
  WaitOptions,
} from '../../src/testing/createRenderDataHook.ts';
