/** signalbox/data-client: the names and forms of Reactive Data Client and Rest Hooks, on the same store. */
'use client';
import { initialState } from './State.ts';
import * as schema from './schemaKinds.ts';

// @data-client/react, @data-client/core
export { CacheProvider } from './CacheProvider.ts';
export {
  DataProvider,
  ControllerContext,
  StoreContext,
  StateContext,
  GCPolicy,
  ImmortalGCPolicy,
} from './DataProvider.ts';
export type { ProviderProps, Store, GCInterface, GCOptions } from './DataProvider.ts';
export type { DevToolsPosition, DevToolsConfig } from './DevToolsManager.ts';
export {
  getDefaultManagers,
  initManager,
  LogoutManager,
  IdlingNetworkManager,
  NetworkManager,
} from './Manager.ts';
export type { GetManagersOptions, Manager, Middleware, MiddlewareAPI } from './Manager.ts';
export { DataClientController as Controller, ExpiryStatus } from './DataClientController.ts';
export { actionTypes, createFetch, createSet, createSetResponse } from './actionTypes.ts';
export { DevToolsManager } from './DevToolsManager.ts';
export { applyManager, createReducer, usePromisifiedDispatch } from './createReducer.ts';
export {
  DefaultConnectionListener,
  PollingSubscription,
  SubscriptionManager,
} from './SubscriptionManager.ts';
export type {
  ConnectionListener,
  Subscription,
  SubscriptionConstructable,
} from './SubscriptionManager.ts';
export { initialState };
export type { State } from './State.ts';
export type {
  ActionMeta,
  ActionTypes,
  DataClientDispatch,
  Dispatch,
  ExpireAllAction,
  FetchAction,
  FetchMeta as FetchingMeta,
  FetchMeta,
  GCAction,
  GenericDispatch,
  InvalidateAction,
  InvalidateAllAction,
  OptimisticAction,
  ResetAction,
  SetAction,
  ActionMeta as SetMeta,
  SetResponseActionError as SetActionError,
  SetResponseActionSuccess as SetActionSuccess,
  SetResponseAction,
  SetResponseActionError,
  SetResponseActionSuccess,
  SubscribeAction,
  UnsubscribeAction,
} from './actionTypes.ts';
export {
  Index,
  useCache,
  useController,
  useDLE,
  useDebounce,
  useFetch,
  useLive,
  useQuery,
  useSubscription,
  useSuspense,
} from './useSuspense.ts';
export { useError } from '../../adapters/react/useCache.ts';
export { useLoading } from '../../adapters/react/useMutation.ts';
export { useCancelling } from '../../adapters/react/useCancelling.ts';
export {
  AsyncBoundary,
  BackupLoading,
  ErrorBoundary,
  ErrorBoundary as NetworkErrorBoundary,
  UniversalSuspense,
} from './AsyncBoundary.ts';
export type { AsyncBoundaryProps, ErrorBoundaryProps } from './AsyncBoundary.ts';

// Rest Hooks 3 to 6
export {
  useFetchDispatcher,
  useFetcher,
  useInvalidateDispatcher,
  useInvalidator,
  useMeta,
  useResetter,
  useResource,
  useRetrieve,
  useStatefulResource,
} from './useResource.ts';
export type { Fetcher, Meta, UpdateParams } from './useResource.ts';
export { SimpleRecord } from './SimpleRecord.ts';
export type {
  BodyFromShape,
  DeleteShape,
  FetchOptions,
  FetchShape,
  Method,
  MutateShape,
  ParamsFromShape,
  ReadShape,
  ReturnFromShape,
  SchemaDetail,
  SchemaList,
  SetShapeParams,
} from './Resource.ts';
export type { ReceiveAction, ReceiveTypes, SetTypes } from './actionTypes.ts';
export type { PK, SyntheticError } from './EndpointInterface.ts';

// @data-client/endpoint
export { Endpoint, Endpoint as ExtendableEndpoint } from './Endpoint.ts';
export type { EndpointOptions, ErrorPolicy, Policies } from '../endpoint/Endpoint.ts';
export type {
  AbstractInstanceType,
  AddEndpoint,
  Denormalize,
  EndpointExtraOptions,
  EndpointInterface,
  EndpointParam,
  EndpointToFunction,
  FetchFunction,
  GetEndpoint,
  KeysToArgs,
  MoveEndpoint,
  MutateEndpoint,
  PaginationEndpoint,
  PaginationFieldEndpoint,
  ParamToArgs,
  PathArgsAndSearch,
  PathKeys,
  PolymorphicInterface,
  ReadEndpoint,
  RemoveEndpoint,
  ResolveType,
  SnapshotInterface,
  ArrayElement,
  DefaultArgs,
  EndpointExtendOptions,
  ExpiryStatusInterface,
  FetchGet,
  FetchMutate,
  IndexParams,
  NewGetEndpoint,
  NewMutateEndpoint,
  NI,
  RestFetch,
  ResultEntry,
  EndpointInstance,
  EndpointInstanceInterface,
  EndpointUpdateFunction,
  EntityFields,
  EntityInterface,
  EntityMap,
  IDenormalizeDelegate,
  IEntityClass,
  IEntityInstance,
  INormalizeDelegate,
  IQueryDelegate,
  Normalize,
  NormalizeNullable,
  ObjectArgs,
  ParamFetchNoBody,
  ParamFetchWithBody,
  PartialRestGenerics,
  Queryable,
  ResourceInterface,
  RestEndpointConstructorOptions,
  RestInstance,
  RestInstanceBase,
  RestType,
  SchemaClass,
  SchemaSimple,
  SchemaToArgs,
  Serializable,
  UpdateFunction,
  Visit,
  CustomResource,
  Defaults,
  ExtendedResource,
  FromFallBack,
  HookableEndpointInterface,
  KeyofEndpointInstance,
  KeyofRestEndpoint,
  MethodToSide,
  OptionsToFunction,
  ResourceEndpointExtensions,
  ResourceExtension,
  RestEndpointConstructor,
  RestEndpointExtendOptions,
  RestExtendedEndpoint,
  RestTypeNoBody,
  RestTypeWithBody,
} from './EndpointInterface.ts';
export type { RestEndpointOptions } from '../rest/RestEndpoint.ts';
export { INVALID } from '../schema/schema.ts';
export type { DenormalizeNullable } from './storedDataOf.ts';
export type { ArgsOf, DataOf, Snapshot } from '../Controller.ts';
export type { Denormalized, EntityClass, Schema } from '../schema/schema.ts';
export type { SchemaArgs } from '../schema/SchemaArgs.ts';
export type { UnknownError } from '../errors.ts';
export { schema, schema as schemas };
export { Entity, isEntity, validateRequired } from './Entity.ts';
export { Invalidate } from './Invalidate.ts';
export {
  All,
  Array,
  Collection,
  Delete,
  EntityMixin,
  Lazy,
  Object,
  Query,
  Scalar,
  Union,
  Values,
} from './schemaKinds.ts';
export type { EntityInstance } from '../schema/Entity.ts';
export type { EntityConstructor, EntityOptions } from './Entity.ts';
export { unshift } from './Collection.ts';
export type { CollectionOptions } from './Collection.ts';
export { AbortOptimistic } from '../request/OptimisticWrites.ts';

// @data-client/rest, @data-client/graphql
export {
  BaseResource,
  HookableResource,
  Resource,
  Resource as SimpleResource,
} from './Resource.ts';
export { createResource, createResource as resource, RestEndpoint } from './RestEndpoint.ts';
export type { ResourceGenerics, ResourceOptions } from './RestEndpoint.ts';
export type { RestGenerics } from '../rest/splitCall.ts';
export { hookifyResource } from '../rest/hookifyResource.ts';
export type { HookResource } from '../rest/hookifyResource.ts';
export { NetworkError } from './NetworkError.ts';
export type { ErrorTypes } from './NetworkError.ts';
export type { PathArgs, ShortenPath } from '../rest/path.ts';
export type { Content as ContentType } from '../rest/response.ts';
export type { GQLOptions } from '../rest/GQLEndpoint.ts';
export { GQLEndpoint, GQLEntity, GQLNetworkError } from './GQLEntity.ts';
export type { GQLError } from './GQLEntity.ts';
export { optimistic } from '../optimistic/optimistic.ts';
export { ResetError } from '../errors.ts';

// @data-client/ssr
export {
  awaitInitialData,
  createPersistedStore,
  createServerDataComponent,
  getInitialData,
  ServerData,
} from './ServerData.ts';
export type { PersistedStore, ServerDataProps } from './ServerData.ts';

// @data-client/img
export { getImage, Img } from './Img.ts';
export type { ImgProps } from './Img.ts';
