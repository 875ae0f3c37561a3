/** signalbox for React 18.2 and up: hooks that return immutable snapshots, and lists with separately rendered rows. */
'use client';
export { Provider, Provider as DataProvider, useController } from './Provider.ts';
export type { ProviderProps } from './Provider.ts';
export { useSuspense, useSuspenseAll, useFetch, useSelect } from './useSuspense.ts';
export { useDLE, useDLEAll, useInfinite } from './useDLE.ts';
export type { AnyReads, DataOfReads, DLEOfReads, QueryTuple, ReadsOf } from '../CombinedReader.ts';
export type { DLE } from '../DLE.ts';
export { useCache, useError, useQuery, useStatus, useIsFetching } from './useCache.ts';
export { useLive, useSubscription } from './useSubscription.ts';
export { useEntity } from './useEntity.ts';
export { For } from './For.ts';
export type { ForProps, ForSelectProps } from './For.ts';
export type { Status } from '../../src/view/Status.ts';
export { useMutation, useLoading } from './useMutation.ts';
export type {
  Mutation,
  MutationActions,
  MutationOptions,
  MutationState,
  AsyncFunction,
} from '../Mutation.ts';
export type { FirstParams, Infinite, InfiniteOptions } from '../infinite.ts';
export { useDebounce, useCancelling } from './useCancelling.ts';
export {
  ErrorBoundary,
  ErrorBoundary as NetworkErrorBoundary,
  AsyncBoundary,
} from './ErrorBoundary.ts';
export type { ErrorBoundaryProps, AsyncBoundaryProps } from './ErrorBoundary.ts';
export type { FallbackProps } from '../createBoundary.ts';
export type { Cancellable } from '../Cancellable.ts';
