/** signalbox/react on React Native: stale data on a screen are refetched when the user returns to the screen. */
export * from './index.ts';
export { NativeProvider as Provider, NativeProvider as DataProvider } from './NativeProvider.ts';
export type { NativeProviderProps as ProviderProps } from './NativeProvider.ts';
export type { NavigationScreen as Screen } from './screenHooks.ts';
export { appSurroundings } from './appSurroundings.ts';
export type { AppState, NetInfo } from './appSurroundings.ts';
