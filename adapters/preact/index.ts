/** signalbox for Preact 10.25 and up: hooks that return live data, tracked by @preact/signals. */
export { Provider, Provider as DataProvider, useController } from './Provider.ts';
export type { ProviderProps } from './Provider.ts';
export { useSuspense } from './useSuspense.ts';
export { useDLE } from './useDLE.ts';
export type { DLE } from '../../src/view/DLE.ts';
export { useCache } from './useCache.ts';
export { useLive } from './useLive.ts';
export { useSubscription } from './useSubscription.ts';
export { useQuery } from './useQuery.ts';
export { fields as $ } from './fields.ts';
export type { FieldSignals } from './fields.ts';
