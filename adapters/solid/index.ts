/** signalbox for Solid 1.9: reads are accessors with a resource's members, data are live, each text updates alone. */
export { Provider, Provider as DataProvider } from './Provider.ts';
export { useController } from './solidRuntime.ts';
export type { ProviderProps } from './Provider.ts';
export { useSuspense, useSuspenseAll, useFetch, useSelect } from './useSuspense.ts';
export type { SuspenseAccessor } from './useSuspense.ts';
export { useDLE, useDLEAll, useInfinite } from './useDLE.ts';
export type { TrackedDLE as DLE } from '../DLE.ts';
export type {
  AnyReads,
  DataOfReads,
  QueryTuple,
  ReadsOf,
  TrackedDLEOfReads as DLEOfReads,
} from '../CombinedReader.ts';
export { useCache, useError, useQuery, useStatus, useIsFetching } from './useCache.ts';
export { useLive, useSubscription } from './useSubscription.ts';
export type { Params } from '../solid-shared/SolidRuntime.ts';
export type { Status } from '../../src/view/Status.ts';
export { useMutation, useLoading } from '../solid-shared/useMutation.ts';
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
