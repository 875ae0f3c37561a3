/** Wrappers of every hook, written with the types that docs/guides/typescript.md names. */
import type { ArgsOf, DataOf, EndpointInterface } from 'signalbox';
import * as preact from 'signalbox/preact';
import * as react from 'signalbox/react';
import { useSignalQuery } from 'signalbox/react/signals';
import * as solid from 'signalbox/solid';
import { TodoResource } from './data.ts';

type Get = EndpointInterface;
// the params of one page
type Page = EndpointInterface<(params: { page?: number }) => Promise<unknown>>;
// the option of every endpoint
type Extensible = EndpointInterface & { extend(options: { signal?: AbortSignal }): unknown };
type Args<E extends Get> = solid.Params<ArgsOf<E>>;
type Params<E extends Get> = solid.Params<Parameters<E>>;

export const reactHooks = {
  useData: <E extends Get>(get: E, ...args: Parameters<E>): DataOf<E> =>
    react.useSuspense(get, ...args),
  useSuspense: <E extends Get>(get: E, ...args: ArgsOf<E>) => react.useSuspense(get, ...args),
  useAll: <E extends Get>(get: E, ...args: ArgsOf<E>) => react.useSuspenseAll([[get, ...args]]),
  useCache: <E extends Get>(get: E, ...args: ArgsOf<E>) => react.useCache(get, ...args),
  useDLE: <E extends Get>(get: E, ...args: ArgsOf<E>) => react.useDLE(get, ...args),
  useDLEOfArgs: <E extends Get>(get: E, ...args: Parameters<E>): react.DLE<DataOf<E>> =>
    react.useDLE(get, ...args),
  useLive: <E extends Get>(get: E, ...args: ArgsOf<E>) => react.useLive(get, ...args),
  useFetch: <E extends Get>(get: E, ...args: ArgsOf<E>) => react.useFetch(get, ...args),
  useError: <E extends Get>(get: E, ...args: ArgsOf<E>) => react.useError(get, ...args),
  useStatus: <E extends Get>(get: E, ...args: ArgsOf<E>) => react.useStatus(get, ...args),
  useSubscription: <E extends Get>(get: E, ...args: ArgsOf<E>) =>
    react.useSubscription(get, ...args),
  useSelect: <E extends Get, T>(get: E, select: (data: DataOf<E>) => T, ...args: Parameters<E>) =>
    react.useSelect(get, ...args, select),
  useMutation: <E extends Get>(send: E, onSuccess: (data: DataOf<E>) => void) =>
    react.useMutation(send, { onSuccess }),
  useCancelling: <E extends Extensible>(get: E, ...args: ArgsOf<E>): E =>
    react.useCancelling(get, ...args),
  useInfinite: <E extends Page>(page: E) =>
    react.useInfinite(page, {}, { getNextPageParams: (): undefined => undefined }),
  useSignalQuery: <E extends Get>(get: E, ...args: ArgsOf<E>) => useSignalQuery(get, ...args),
};

export const preactHooks = {
  useData: <E extends Get>(get: E, ...args: Parameters<E>): DataOf<E> =>
    preact.useSuspense(get, ...args),
  useSuspense: <E extends Get>(get: E, ...args: ArgsOf<E>) => preact.useSuspense(get, ...args),
  useCache: <E extends Get>(get: E, ...args: ArgsOf<E>) => preact.useCache(get, ...args),
  useDLE: <E extends Get>(get: E, ...args: ArgsOf<E>) => preact.useDLE(get, ...args),
  useLive: <E extends Get>(get: E, ...args: ArgsOf<E>) => preact.useLive(get, ...args),
  useFetch: <E extends Get>(get: E, ...args: ArgsOf<E>) => preact.useFetch(get, ...args),
  useError: <E extends Get>(get: E, ...args: ArgsOf<E>) => preact.useError(get, ...args),
  useStatus: <E extends Get>(get: E, ...args: ArgsOf<E>) => preact.useStatus(get, ...args),
  useSubscription: <E extends Get>(get: E, ...args: ArgsOf<E>) =>
    preact.useSubscription(get, ...args),
  useSelect: <E extends Get, T>(get: E, select: (data: DataOf<E>) => T, ...args: Parameters<E>) =>
    preact.useSelect(get, ...args, select),
  useMutation: <E extends Get>(send: E, onSuccess: (data: DataOf<E>) => void) =>
    preact.useMutation(send, { onSuccess }),
  useCancelling: <E extends Extensible>(get: E, ...args: ArgsOf<E>): E =>
    preact.useCancelling(get, ...args),
  useInfinite: <E extends Page>(page: E) =>
    preact.useInfinite(page, {}, { getNextPageParams: (): undefined => undefined }),
  useQuery: <E extends Get>(get: E, ...args: ArgsOf<E>) => preact.useQuery(get, ...args),
};

export const solidHooks = {
  useData: <E extends Get>(get: E, ...args: Params<E>): solid.SuspenseAccessor<DataOf<E>> =>
    solid.useSuspense(get, ...args),
  useSuspense: <E extends Get>(get: E, ...args: Args<E>) => solid.useSuspense(get, ...args),
  useCache: <E extends Get>(get: E, ...args: Args<E>) => solid.useCache(get, ...args),
  useDLE: <E extends Get>(get: E, ...args: Args<E>) => solid.useDLE(get, ...args),
  useLive: <E extends Get>(get: E, ...args: Args<E>) => solid.useLive(get, ...args),
  useFetch: <E extends Get>(get: E, ...args: Args<E>) => solid.useFetch(get, ...args),
  useError: <E extends Get>(get: E, ...args: Args<E>) => solid.useError(get, ...args),
  useStatus: <E extends Get>(get: E, ...args: Args<E>) => solid.useStatus(get, ...args),
  useSubscription: <E extends Get>(get: E, ...args: Args<E>) => solid.useSubscription(get, ...args),
  useSelect: <E extends Get, T>(get: E, select: (data: DataOf<E>) => T, ...args: Params<E>) =>
    solid.useSelect(get, ...args, select),
  useMutation: <E extends Get>(send: E, onSuccess: (data: DataOf<E>) => void) =>
    solid.useMutation(send, { onSuccess }),
  useCancelling: <E extends Extensible>(get: E, ...args: Args<E>): E =>
    solid.useCancelling(get, ...args),
  useInfinite: <E extends Page>(page: E) =>
    solid.useInfinite(page, () => ({}), { getNextPageParams: (): undefined => undefined }),
};

export function Wrapped() {
  const todo = reactHooks.useData(TodoResource.get, { id: 1 });
  const none = reactHooks.useSuspense(TodoResource.get, null);
  const rows = preactHooks.useCache(TodoResource.getList);
  const list = solidHooks.useSuspense(TodoResource.getList, () => ({ userId: 1 }));
  return [todo.title, none?.title, rows?.length, list().length];
}
