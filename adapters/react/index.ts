/** signalbox for React 18.2 and up: hooks that return immutable snapshots, and lists whose rows run one by one. */
export { Provider, Provider as DataProvider, useController } from './Provider.ts';
export type { ProviderProps } from './Provider.ts';
export { useSuspense } from './useSuspense.ts';
export type { Read, UseSuspense } from './useSuspense.ts';
export { useDLE } from './useDLE.ts';
export type { DLE } from '../../src/view/DLE.ts';
export { useCache } from './useCache.ts';
export { useLive } from './useLive.ts';
export { useSubscription } from './useSubscription.ts';
export { useFetch } from './useFetch.ts';
export { useQuery } from './useQuery.ts';
export { useEntity } from './useEntity.ts';
export { For } from './For.ts';
export type { ForProps } from './For.ts';
