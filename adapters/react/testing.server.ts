/** signalbox/testing/react under the condition `react-server`, where React DOM has no client. */
'use client';
export { refuse as makeRenderDataHook, refuse as renderDataHook } from './react.ts';
export { MockProvider, MockResolver } from './MockProvider.ts';
