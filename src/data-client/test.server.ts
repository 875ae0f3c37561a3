/** signalbox/data-client/test under the condition `react-server`, where React DOM has no client. */
'use client';
export {
  refuse as act,
  refuse as makeCacheProvider,
  refuse as makeRenderDataClient,
  refuse as makeRenderDataHook,
  refuse as makeRenderRestHook,
  refuse as renderDataHook,
  refuse as renderHook,
} from '../../adapters/react/react.ts';
export { mockInitialState, MockProvider, MockResolver } from './MockResolver.ts';
