/** signalbox/data-client/test: the test kit of Data Client, on the store of signalbox/data-client. */
'use client';
export {
  makeRenderDataHook,
  makeRenderDataHook as makeRenderDataClient,
  makeRenderDataHook as makeRenderRestHook,
  renderDataHook,
  renderHook,
} from './renderDataHook.ts';
export type { RenderDataHook, RenderDataHookResult } from './renderDataHook.ts';
export { DataProvider as makeCacheProvider } from './DataProvider.ts';
export { act } from 'react';
export { mockInitialState, MockProvider, MockResolver } from './MockResolver.ts';
export type {
  Fixture,
  MockProviderProps,
  MockResolverProps,
  OlderFixture,
} from './MockResolver.ts';
export type {
  ErrorFixture,
  ErrorFixtureEndpoint,
  FixtureEndpoint,
  Interceptor,
  SuccessFixture,
  SuccessFixtureEndpoint,
} from './renderDataHook.ts';
export type { RenderHookOptions } from '../testing/createRenderDataHook.ts';
export type { ProviderProps as DataProviderProps } from './DataProvider.ts';
