/** signalbox/react on React Native: what stands on a screen asks again for what is stale when the user returns to it. */
export * from './index.ts';
export { NativeProvider as Provider, NativeProvider as DataProvider } from './NativeProvider.ts';
export type { NativeProviderProps as ProviderProps } from './NativeProvider.ts';
export type { Screen } from './screenHooks.ts';
export { appSurroundings } from './appSurroundings.ts';
export type { AppState, NetInfo } from './appSurroundings.ts';
