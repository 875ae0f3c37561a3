/** signalbox for Solid 1.9: reads are accessors with a resource's face, data are live, each text changes alone. */
export { Provider, Provider as DataProvider, useController } from './Provider.ts';
export type { ProviderProps } from './Provider.ts';
export { useSuspense } from './useSuspense.ts';
export type { SuspenseAccessor } from './useSuspense.ts';
export { useDLE } from './useDLE.ts';
export type { DLE } from './useDLE.ts';
export { useCache } from './useCache.ts';
export { useLive } from './useLive.ts';
export { useSubscription } from './useSubscription.ts';
export { useQuery } from './useQuery.ts';
export type { Params } from './createReading.ts';
